#include "harness/launch/file/file.h"

#include "harness/io/file.h"
#include "harness/io/spread.h"
#include "harness/launch/file/value.h"
#include "oracle/base/array.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_TEXT = 1 << 20,
    MAX_WORDS = 32,
    MAX_PREFIX = 2, /* words that may stand before a line: global SYMBOL */
    MAX_PATH = 4096
};

/* What parsing carries: the file, the line, its words. */
struct launch_reader {
    struct launch *l;
    struct err *e;
    int line;
    char *words[MAX_WORDS + MAX_PREFIX];
    u32 word_count;
    bool has_grid, has_workgroup, has_shared, has_offset; /* of the kernel */
    u32 part_cap;
    u32 threads; /* that read a file */
};

static enum status expect_words(struct launch_reader *r, u32 min, u32 max, const char *usage)
{
    if (r->word_count < min || r->word_count > max)
        return err_set(r->e, ST_INPUT, "expected: %s", usage);
    return ST_OK;
}

/* Checks the number of words and appends an argument. */
static enum status new_arg(struct launch_reader *r, enum launch_arg_kind kind, u32 min, u32 max,
                           const char *usage, struct launch_arg **out)
{
    struct launch *l = r->l;
    u32 n = l->arg_count;
    enum status st = expect_words(r, min, max, usage);
    if (st != ST_OK)
        return st;
    if (n == LAUNCH_MAX_ARGS)
        return err_set(r->e, ST_INPUT, "more than %d arguments", LAUNCH_MAX_ARGS);
    struct launch_arg *more = array_grow(l->args, &l->arg_cap, n + 1ull, sizeof *more);
    if (!more)
        return err_memory(r->e);
    l->args = more;
    *out = &l->args[n];
    **out = (struct launch_arg){ .kind = kind, .line = r->line };
    memcpy((*out)->word, r->words[0], strnlen(r->words[0], sizeof(*out)->word - 1));
    l->arg_count++;
    return ST_OK;
}

/* --- numbers --- */

static enum status parse_count(struct launch_reader *r, const char *what, const char *s, u64 min,
                               u64 max, u64 *out)
{
    bool is_negative;
    u64 v = 0;
    if (!launch_integer(s, &is_negative, &v) || is_negative || v < min || v > max)
        return err_set(r->e, ST_INPUT, "%s '%.40s' is not a number from %" PRIu64 " to %" PRIu64,
                       what, s, min, max);
    *out = v;
    return ST_OK;
}

/* Any double but NaN that is at least 0. */
static enum status parse_tolerance(struct launch_reader *r, const char *s, double *out)
{
    char *end;
    *out = strtod(s, &end);
    if (end == s || *end || !(*out >= 0))
        return err_set(r->e, ST_INPUT, "tolerance '%.40s' is not a number of at least 0", s);
    return ST_OK;
}

/* --- files --- */

/* Loads `name`, relative to the folder of launch.txt. */
static enum status load_file(struct launch_reader *r, const char *name, u8 **bytes, u64 *size)
{
    char path[MAX_PATH];
    const char *slash = strrchr(r->l->file, '/');
    int dir = name[0] != '/' && slash ? (int)(slash - r->l->file + 1) : 0;
    int n = snprintf(path, sizeof path, "%.*s%s", dir, r->l->file, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return err_set(r->e, ST_INPUT, "file name is too long");
    struct err inner = { .text = "" };
    size_t got = 0;
    /* "-" alone would be standard input, which belongs to launch.txt or the code object. */
    if (strcmp(path, "-") == 0)
        return err_set(r->e, ST_INPUT, "'-' is not a file name here");
    enum status st = file_read_by(path, LAUNCH_MAX_BUFFER, r->threads, bytes, &got, &inner);
    if (st != ST_OK)
        return err_set(r->e, st, "%.120s %.100s", name, inner.text);
    *size = got;
    return ST_OK;
}

static enum status zeroes(struct launch_reader *r, u64 size, u8 **bytes)
{
    *bytes = calloc(1, size + 1);
    spread_prefer_large(*bytes, size);
    return *bytes ? ST_OK : err_memory(r->e);
}

/* --- lines --- */

/* All lines of a kernel have been read. */
static enum status end_part(struct launch_reader *r)
{
    struct launch *l = r->l;
    const char *lacks = !l->now.kernel      ? "kernel"
                        : !r->has_grid      ? "grid"
                        : !r->has_workgroup ? "workgroup"
                                            : NULL;
    bool is_only = !l->now.kernel || (l->part_count == 0 && r->line == 0);
    if (lacks)
        return err_set(r->e, ST_INPUT, "%s%.80s%shas no line '%s'", is_only ? "" : "kernel ",
                       is_only ? "" : l->now.kernel, is_only ? "" : " ", lacks);
    if (l->part_count == LAUNCH_MAX_KERNELS)
        return err_set(r->e, ST_INPUT, "more than %d kernels", LAUNCH_MAX_KERNELS);
    struct launch_part *more =
        array_grow(l->parts, &r->part_cap, l->part_count + 1ull, sizeof *more);
    if (!more)
        return err_memory(r->e);
    l->parts = more;
    l->now.end = l->arg_count;
    l->parts[l->part_count++] = l->now;
    l->part = l->part_count;
    l->now = (struct launch_part){ .first = l->arg_count, .end = l->arg_count };
    r->has_grid = r->has_workgroup = r->has_shared = r->has_offset = false;
    return ST_OK;
}

void launch_turn_to(struct launch *l, u32 part)
{
    l->part = part;
    l->now = l->parts[part];
}

/* A further one ends the kernel before it. */
static enum status parse_kernel(struct launch_reader *r)
{
    enum status st = expect_words(r, 2, 2, "kernel NAME");
    if (st == ST_OK && r->l->now.kernel)
        st = end_part(r);
    if (st != ST_OK)
        return st;
    r->l->now.line = r->line;
    r->l->now.kernel = strdup(r->words[1]);
    return r->l->now.kernel ? ST_OK : err_memory(r->e);
}

static enum status parse_dims(struct launch_reader *r, u32 *out, bool *has, const char *usage,
                              u64 min, u64 max)
{
    enum status st = expect_words(r, 4, 4, usage);
    if (st == ST_OK && *has)
        st = err_set(r->e, ST_INPUT, "%s is given twice", r->words[0]);
    *has = true;
    for (u32 i = 0; st == ST_OK && i < 3; i++) {
        u64 v = 0;
        st = parse_count(r, r->words[0], r->words[1 + i], min, max, &v);
        out[i] = (u32)v;
    }
    return st;
}

/* CHECK, from word `at` to the end of the line. */
static enum status parse_check(struct launch_reader *r, u32 at, struct launch_arg *a)
{
    static const struct {
        const char *word;
        enum check_rule rule;
        u32 width;
    } rules[] = {
        { "exact", CHECK_EXACT, 0 }, { "f16nan", CHECK_NAN, 2 },    { "f32nan", CHECK_NAN, 4 },
        { "f64nan", CHECK_NAN, 8 },  { "f32", CHECK_TOLERANCE, 4 }, { "f64", CHECK_TOLERANCE, 8 },
    };
    const char *word = at < r->word_count ? r->words[at] : "";
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        if (strcmp(word, rules[i].word) != 0)
            continue;
        bool has_numbers = rules[i].rule == CHECK_TOLERANCE;
        if (r->word_count != at + (has_numbers ? 3 : 1))
            return err_set(r->e, ST_INPUT, "expected: %s%s at the end of the line", word,
                           has_numbers ? " REL ABS" : "");
        a->check.rule = rules[i].rule;
        a->check.width = rules[i].width     ? rules[i].width
                         : a->image.kind    ? a->image.component
                         : a->size % 4 == 0 ? 4
                                            : 1;
        u64 size = a->image.kind ? a->image.row : a->size; /* elements do not go over rows */
        if (size % a->check.width)
            return err_set(r->e, ST_INPUT,
                           "%" PRIu64 " bytes are not a whole number of %s elements", size, word);
        enum status st = has_numbers ? parse_tolerance(r, r->words[at + 1], &a->check.rel) : ST_OK;
        return st == ST_OK && has_numbers ? parse_tolerance(r, r->words[at + 2], &a->check.abs)
                                          : st;
    }
    return err_set(
        r->e, ST_INPUT,
        "check '%.40s' is none of exact, f16nan, f32nan, f64nan, f32 REL ABS, f64 REL ABS", word);
}

u64 launch_file_size(const struct launch_arg *a)
{
    return a->image.kind ? a->image.row * a->image.rows : a->size;
}

/* Loads a file that must be as large as the buffer. */
static enum status load_exactly(struct launch_reader *r, const struct launch_arg *a,
                                const char *name, u8 **bytes)
{
    u64 size = 0, want = launch_file_size(a);
    enum status st = load_file(r, name, bytes, &size);
    if (st == ST_OK && size != want)
        st = err_set(r->e, ST_INPUT, "%.120s has %" PRIu64 " bytes, the %s %" PRIu64, name, size,
                     a->image.kind ? "image" : "buffer", want);
    return st;
}

/* Loads the expected contents. */
static enum status load_want(struct launch_reader *r, struct launch_arg *a, const char *name)
{
    enum status st = load_exactly(r, a, name, &a->want);
    if (st != ST_OK)
        return st;
    a->want_file = strdup(name);
    return a->want_file ? ST_OK : err_memory(r->e);
}

static enum status parse_out(struct launch_reader *r)
{
    struct launch_arg *a = NULL;
    enum status st = new_arg(r, LARG_OUT, 4, 6, "out FILE SIZE CHECK", &a);
    if (st != ST_OK)
        return st;
    st = parse_count(r, "size", r->words[2], 0, LAUNCH_MAX_BUFFER, &a->size);
    if (st == ST_OK)
        st = parse_check(r, 3, a);
    if (st == ST_OK)
        st = zeroes(r, a->size, &a->bytes);
    return st == ST_OK ? load_want(r, a, r->words[1]) : st;
}

static enum status parse_inout(struct launch_reader *r)
{
    struct launch_arg *a = NULL;
    enum status st = new_arg(r, LARG_INOUT, 4, 6, "inout INIT FILE CHECK", &a);
    if (st != ST_OK)
        return st;
    st = load_file(r, r->words[1], &a->bytes, &a->size);
    if (st == ST_OK)
        st = parse_check(r, 3, a);
    return st == ST_OK ? load_want(r, a, r->words[2]) : st;
}

/* buf FILE, struct FILE */
static enum status parse_bytes(struct launch_reader *r, enum launch_arg_kind kind,
                               const char *usage)
{
    struct launch_arg *a = NULL;
    enum status st = new_arg(r, kind, 2, 2, usage, &a);
    if (st != ST_OK)
        return st;
    return load_file(r, r->words[1], &a->bytes, &a->size);
}

/* tmp SIZE, local SIZE */
static enum status parse_size(struct launch_reader *r, enum launch_arg_kind kind, const char *usage)
{
    struct launch_arg *a = NULL;
    enum status st = new_arg(r, kind, 2, 2, usage, &a);
    if (st != ST_OK)
        return st;
    st = parse_count(r, "size", r->words[1], 0, LAUNCH_MAX_BUFFER, &a->size);
    return st == ST_OK && kind == LARG_TMP ? zeroes(r, a->size, &a->bytes) : st;
}

/* shared SIZE */
static enum status parse_shared(struct launch_reader *r)
{
    enum status st = expect_words(r, 2, 2, "shared SIZE");
    if (st == ST_OK && r->has_shared)
        st = err_set(r->e, ST_INPUT, "shared is given twice");
    r->has_shared = true;
    return st == ST_OK
               ? parse_count(r, "size", r->words[1], 0, LAUNCH_MAX_BUFFER, &r->l->now.shared)
               : st;
}

/* The contents of an image before the launch, from a file. */
static enum status load_texels(struct launch_reader *r, struct launch_arg *a, const char *name)
{
    u8 *texels = NULL;
    enum status st = load_exactly(r, a, name, &texels);
    if (st == ST_OK)
        launch_image_spread(&a->image, texels, a->bytes);
    free(texels);
    return st;
}

static enum status parse_text_buffer(struct launch_reader *r)
{
    enum status st = parse_size(r, LARG_TMP, "text SIZE");
    if (st == ST_OK)
        r->l->args[r->l->arg_count - 1].is_text = true;
    return st;
}

/* What an image holds, in the words behind its format. */
static const struct image_use {
    const char *word;
    enum launch_arg_kind kind;
    u32 files; /* the last one is what is expected, unless the image is only read */
    bool is_checked;
} image_uses[] = {
    { "buf", LARG_BUF, 1, false },
    { "out", LARG_OUT, 1, true },
    { "inout", LARG_INOUT, 2, true },
    { "tmp", LARG_TMP, 0, false },
};

/* IMAGE SIZES ORDER TYPE USE [FILE]... [CHECK] */
static enum status parse_image(struct launch_reader *r)
{
    struct launch_image g;
    struct launch_arg *a = NULL;
    const struct image_use *use = NULL;
    u32 at = 0;
    enum status st = launch_image_parse(&g, r->words, r->word_count, &at, r->e);
    if (st != ST_OK)
        return st;
    const char *word = r->words[at++];
    for (size_t i = 0; i < COUNT_OF(image_uses); i++)
        if (strcmp(word, image_uses[i].word) == 0)
            use = &image_uses[i];
    if (!use)
        return err_set(r->e, ST_INPUT, "'%.40s' is none of buf, out, inout, tmp", word);
    u32 end = at + use->files;
    if (r->word_count < end + use->is_checked || (!use->is_checked && r->word_count > end))
        return err_set(r->e, ST_INPUT, "expected behind the format: %s",
                       use->kind == LARG_BUF   ? "buf FILE"
                       : use->kind == LARG_OUT ? "out FILE CHECK"
                       : use->kind == LARG_TMP ? "tmp"
                                               : "inout INIT FILE CHECK");
    st = new_arg(r, use->kind, 0, UINT32_MAX, "", &a);
    if (st != ST_OK)
        return st;
    a->image = g;
    a->size = g.pitch * g.rows;
    st = zeroes(r, a->size, &a->bytes);
    if (st == ST_OK && use->is_checked)
        st = parse_check(r, end, a);
    if (st == ST_OK && use->kind != LARG_OUT && use->files)
        st = load_texels(r, a, r->words[at]);
    return st == ST_OK && use->is_checked ? load_want(r, a, r->words[end - 1]) : st;
}

static enum status parse_sampler(struct launch_reader *r)
{
    struct launch_arg *a = NULL;
    enum status st = new_arg(r, LARG_SAMPLER, 4, 4, "sampler FILTER ADDRESSING COORDINATES", &a);
    return st == ST_OK ? launch_sampler_parse(&a->sampler, r->words + 1, r->e) : st;
}

static enum status parse_scalar(struct launch_reader *r, const struct launch_scalar *sc)
{
    struct launch_arg *a = NULL;
    enum status st = new_arg(r, LARG_SCALAR, 2, MAX_WORDS, "TYPE VALUE...", &a);
    if (st != ST_OK)
        return st;
    a->size = (u64)sc->size * (r->word_count - 1);
    st = zeroes(r, a->size, &a->bytes);
    for (u32 i = 1; st == ST_OK && i < r->word_count; i++) {
        u64 bits = 0;
        if (!launch_scalar_bits(sc, r->words[i], &bits))
            return err_set(r->e, ST_INPUT, "'%.60s' is not a value of type %s", r->words[i],
                           sc->word);
        memcpy(a->bytes + (i - 1) * sc->size, &bits, sc->size);
    }
    return st;
}

/* bytes HEX...: two digits for each byte, wherever words end. */
static enum status parse_hex(struct launch_reader *r)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    struct launch_arg *a = NULL;
    u64 size = 0;
    enum status st = new_arg(r, LARG_STRUCT, 2, MAX_WORDS, "bytes HEX...", &a);
    for (u32 i = 1; st == ST_OK && i < r->word_count; i++) {
        size_t len = strlen(r->words[i]);
        if (len % 2 || strspn(r->words[i], digits) != len)
            return err_set(r->e, ST_INPUT, "'%.60s' is not pairs of hexadecimal digits",
                           r->words[i]);
        size += len / 2;
    }
    if (st == ST_OK)
        st = zeroes(r, size, &a->bytes);
    if (st != ST_OK)
        return st;
    for (u32 i = 1; i < r->word_count; i++)
        for (const char *c = r->words[i]; *c; c += 2)
            a->bytes[a->size++] = (u8)strtoul((char[]){ c[0], c[1], 0 }, NULL, 16);
    return ST_OK;
}

/* again ITEM */
static enum status parse_again(struct launch_reader *r)
{
    struct launch_arg *a = NULL;
    u64 of = 0;
    u32 count = r->l->arg_count;
    enum status st = new_arg(r, LARG_AGAIN, 2, 2, "again ITEM", &a);
    if (st == ST_OK)
        st = parse_count(r, "item", r->words[1], 0, LAUNCH_MAX_ARGS - 1, &of);
    if (st != ST_OK)
        return st;
    if (of >= count)
        return err_set(r->e, ST_INPUT, "there is no item %" PRIu64 " yet, there are %u", of, count);
    a->of = launch_item(r->l, (u32)of);
    if (r->l->args[a->of].symbol)
        return err_set(r->e, ST_INPUT, "item %" PRIu64 " is a variable, no argument", of);
    return ST_OK;
}

static enum status add_expect(struct launch_reader *r, u32 item, struct launch_arg **as)
{
    struct launch *l = r->l;
    const struct launch_arg *a = &l->args[item];
    struct launch_expect *more =
        array_grow(l->expects, &l->expect_cap, l->expect_count + 1ull, sizeof *more);
    if (!more)
        return err_memory(r->e);
    l->expects = more;
    l->expects[l->expect_count] = (struct launch_expect){ .part = l->part_count, .item = item };
    *as = &l->expects[l->expect_count++].as;
    **as =
        (struct launch_arg){ .kind = a->kind, .line = r->line, .size = a->size, .image = a->image };
    return ST_OK;
}

/* expect ITEM FILE CHECK */
static enum status parse_expect(struct launch_reader *r)
{
    const struct launch *l = r->l;
    struct launch_arg *as = NULL;
    u64 item = 0;
    enum status st = expect_words(r, 4, 6, "expect ITEM FILE CHECK");
    if (st == ST_OK && !l->now.kernel)
        st = err_set(r->e, ST_INPUT, "expect stands before the first kernel");
    if (st == ST_OK)
        st = parse_count(r, "item", r->words[1], 0, LAUNCH_MAX_ARGS - 1, &item);
    if (st != ST_OK)
        return st;
    if (item >= l->arg_count)
        return err_set(r->e, ST_INPUT, "there is no item %" PRIu64 " yet, there are %u", item,
                       l->arg_count);
    u32 of = launch_item(l, (u32)item);
    if (!launch_arg_is_buffer(&l->args[of]) && !l->args[of].symbol)
        return err_set(r->e, ST_INPUT, "item %" PRIu64 " is neither a buffer nor a variable", item);
    if (l->expect_count == LAUNCH_MAX_EXPECTS)
        return err_set(r->e, ST_INPUT, "more than %d lines 'expect'", LAUNCH_MAX_EXPECTS);
    st = add_expect(r, of, &as);
    if (st == ST_OK)
        st = parse_check(r, 3, as);
    return st == ST_OK ? load_want(r, as, r->words[2]) : st;
}

static enum status parse_ptr(struct launch_reader *r);
static enum status parse_aside(struct launch_reader *r);
static enum status parse_global(struct launch_reader *r);
static enum status parse_pointer(struct launch_reader *r);

/* gws RESOURCE COUNT */
static enum status parse_gws(struct launch_reader *r)
{
    u64 resource = 0, count = 0;
    enum status st = expect_words(r, 3, 3, "gws RESOURCE COUNT");
    if (st == ST_OK)
        st = parse_count(r, "resource", r->words[1], 0, GWS_RESOURCES - 1, &resource);
    if (st == ST_OK)
        st = parse_count(r, "count", r->words[2], 0, GWS_COUNTER_MAX, &count);
    if (st != ST_OK)
        return st;
    r->l->now.gws_ready |= 1ull << resource;
    r->l->now.gws_count[resource] = (u16)count;
    return ST_OK;
}

static enum status parse_any_index(struct launch_reader *r)
{
    r->l->now.any_index = true;
    return expect_words(r, 1, 1, "any-index");
}

/* A chain and no table: what reads a line's words differs in what else it is given. */
static enum status parse_line(struct launch_reader *r)
{
    const char *w = r->words[0];
    if (strcmp(w, "kernel") == 0)
        return parse_kernel(r);
    if (strcmp(w, "grid") == 0)
        return parse_dims(r, r->l->now.grid, &r->has_grid, "grid X Y Z", 1, INT32_MAX);
    if (strcmp(w, "workgroup") == 0)
        return parse_dims(r, r->l->now.workgroup, &r->has_workgroup, "workgroup X Y Z", 1,
                          LAUNCH_MAX_WORKGROUP);
    if (strcmp(w, "offset") == 0)
        return parse_dims(r, r->l->now.offset, &r->has_offset, "offset X Y Z", 0, INT32_MAX);
    if (strcmp(w, "targets") == 0 || strcmp(w, "flags") == 0 || strcmp(w, "pocl") == 0)
        return ST_OK;
    if (strcmp(w, "again") == 0)
        return parse_again(r);
    if (strcmp(w, "expect") == 0)
        return parse_expect(r);
    if (strcmp(w, "aside") == 0)
        return parse_aside(r);
    if (strcmp(w, "global") == 0)
        return parse_global(r);
    if (strcmp(w, "ptr") == 0)
        return parse_ptr(r);
    if (strcmp(w, "bytes") == 0)
        return parse_hex(r);
    if (strcmp(w, "pointer") == 0)
        return parse_pointer(r);
    if (strcmp(w, "buf") == 0)
        return parse_bytes(r, LARG_BUF, "buf FILE");
    if (strcmp(w, "out") == 0)
        return parse_out(r);
    if (strcmp(w, "inout") == 0)
        return parse_inout(r);
    if (strcmp(w, "tmp") == 0)
        return parse_size(r, LARG_TMP, "tmp SIZE");
    if (strcmp(w, "text") == 0)
        return parse_text_buffer(r);
    if (strcmp(w, "local") == 0)
        return parse_size(r, LARG_LOCAL, "local SIZE");
    if (strcmp(w, "gws") == 0)
        return parse_gws(r);
    if (strcmp(w, "any-index") == 0)
        return parse_any_index(r);
    if (strcmp(w, "struct") == 0)
        return parse_bytes(r, LARG_STRUCT, "struct FILE");
    if (strcmp(w, "shared") == 0)
        return parse_shared(r);
    if (strcmp(w, "sampler") == 0)
        return parse_sampler(r);
    if (launch_image_is(w))
        return parse_image(r);
    const struct launch_scalar *scalar = launch_scalar_named(w);
    if (scalar)
        return parse_scalar(r, scalar);
    return err_set(r->e, ST_INPUT, "'%.60s' is not known", w);
}

/* Bytes v[1] and on of item v[0] become the address of byte v[3] of item v[2]. */
static enum status new_pointer(struct launch_reader *r, const u64 v[4])
{
    struct launch *l = r->l;
    if (l->pointer_count == LAUNCH_MAX_POINTERS)
        return err_set(r->e, ST_INPUT, "more than %d pointers", LAUNCH_MAX_POINTERS);
    struct launch_pointer *more =
        array_grow(l->pointers, &l->pointer_cap, l->pointer_count + 1ull, sizeof *more);
    if (!more)
        return err_memory(r->e);
    l->pointers = more;
    l->pointers[l->pointer_count++] = (struct launch_pointer){
        .in = (u32)v[0], .at = v[1], .to = (u32)v[2], .offset = v[3], .line = r->line
    };
    return ST_OK;
}

/* ptr TO [OFFSET]; the buffer may follow later. */
static enum status parse_ptr(struct launch_reader *r)
{
    struct launch_arg *a = NULL;
    u64 v[4] = { r->l->arg_count };
    enum status st = new_arg(r, LARG_POINTER, 2, 3, "ptr TO [OFFSET]", &a);
    if (st == ST_OK)
        st = parse_count(r, "item", r->words[1], 0, LAUNCH_MAX_ARGS - 1, &v[2]);
    if (st == ST_OK && r->word_count == 3)
        st = parse_count(r, "offset", r->words[2], 0, LAUNCH_MAX_BUFFER, &v[3]);
    if (st == ST_OK)
        st = zeroes(r, sizeof(u64), &a->bytes);
    if (st != ST_OK)
        return st;
    a->size = sizeof(u64);
    return new_pointer(r, v);
}

/* pointer ITEM BYTE TO [OFFSET]; the items may follow later. */
static enum status parse_pointer(struct launch_reader *r)
{
    u64 v[4] = { 0 };
    static const char *const what[] = { "item", "byte", "item", "offset" };
    enum status st = expect_words(r, 4, 5, "pointer ITEM BYTE TO [OFFSET]");
    for (u32 i = 0; st == ST_OK && i + 1 < r->word_count; i++)
        st = parse_count(r, what[i], r->words[i + 1], 0,
                         i % 2 ? LAUNCH_MAX_BUFFER : LAUNCH_MAX_ARGS - 1, &v[i]);
    return st == ST_OK ? new_pointer(r, v) : st;
}

static void skip_words(struct launch_reader *r, u32 count)
{
    r->word_count -= count;
    memmove(r->words, r->words + count, (COUNT_OF(r->words) - count) * sizeof *r->words);
}

/* aside buf|out|inout|tmp ...: the line behind the first word, and what it makes is no argument. */
static enum status parse_aside(struct launch_reader *r)
{
    static const char *const buffers[] = { "buf", "out", "inout", "tmp" };
    for (size_t i = 0; r->word_count > 1 && i < COUNT_OF(buffers); i++) {
        if (strcmp(r->words[1], buffers[i]) != 0)
            continue;
        skip_words(r, 1);
        enum status st = parse_line(r);
        if (st == ST_OK)
            r->l->args[r->l->arg_count - 1].is_aside = true;
        return st;
    }
    return err_set(r->e, ST_INPUT, "expected: aside buf|out|inout|tmp ...");
}

/* global SYMBOL ITEM */
static enum status parse_global(struct launch_reader *r)
{
    static const char *const no_value[] = { "tmp",   "text",   "local",   "sampler", "ptr",
                                            "aside", "global", "pointer", "again",   "expect" };
    const char *symbol = r->words[1];
    u32 count = r->l->arg_count;
    if (r->word_count > 1 && strchr(symbol, '/')) /* it names a file of --out */
        return err_set(r->e, ST_INPUT, "'%.60s' is not the name of a variable", symbol);
    bool good = r->word_count >= 4 && !launch_image_is(r->words[2]);
    for (size_t i = 0; good && i < COUNT_OF(no_value); i++)
        good = strcmp(r->words[2], no_value[i]) != 0;
    if (good) {
        skip_words(r, 2);
        enum status st = parse_line(r);
        if (st != ST_OK)
            return st;
    }
    if (r->l->arg_count != count + 1)
        return err_set(r->e, ST_INPUT, "expected: global SYMBOL buf|out|inout|struct|bytes|i8|...");
    struct launch_arg *a = &r->l->args[count];
    if (!a->symbol)
        a->symbol = strdup(symbol);
    a->is_aside = true;
    return a->symbol ? ST_OK : err_memory(r->e);
}

/* Once all items are known. On failure r->line is that of the pointer. */
static enum status check_pointers(struct launch_reader *r)
{
    const struct launch *l = r->l;
    for (u32 i = 0; i < l->pointer_count; i++) {
        const struct launch_pointer *p = &l->pointers[i];
        r->line = p->line;
        u32 beyond = p->in >= l->arg_count ? p->in : p->to;
        if (beyond >= l->arg_count)
            return err_set(r->e, ST_INPUT, "there is no item %u, there are %u", beyond,
                           l->arg_count);
        const struct launch_arg *in = &l->args[p->in], *to = &l->args[p->to];
        if (!launch_arg_is_buffer(in) && !in->symbol && in->kind != LARG_STRUCT &&
            in->kind != LARG_POINTER)
            return err_set(r->e, ST_INPUT, "item %u is neither a buffer nor a struct", p->in);
        if (in->size < 8 || p->at > in->size - 8)
            return err_set(r->e, ST_INPUT, "item %u has %" PRIu64 " bytes, no 8 at byte %" PRIu64,
                           p->in, in->size, p->at);
        if (!launch_arg_is_buffer(to))
            return err_set(r->e, ST_INPUT, "item %u is no buffer", p->to);
        if (p->offset > to->size)
            return err_set(r->e, ST_INPUT, "item %u has %" PRIu64 " bytes, no byte %" PRIu64, p->to,
                           to->size, p->offset);
    }
    r->line = 0;
    return ST_OK;
}

/* Splits one line in place. Words beyond the last place are counted, not kept: no line that reads
 * its words takes so many. */
static void split(struct launch_reader *r, char *line)
{
    char *save = NULL;
    r->word_count = 0;
    for (char *w = strtok_r(line, " \t\r", &save); w && w[0] != '#';
         w = strtok_r(NULL, " \t\r", &save)) {
        if (r->word_count < COUNT_OF(r->words))
            r->words[r->word_count] = w;
        r->word_count++;
    }
}

static enum status parse_text(struct launch_reader *r, char *text, size_t size)
{
    if (strlen(text) != size)
        return err_set(r->e, ST_INPUT, "is not a text file");
    for (char *at = text, *next; at; at = next) {
        next = strchr(at, '\n');
        if (next)
            *next++ = '\0';
        r->line++;
        split(r, at);
        if (r->word_count == 0)
            continue;
        enum status st = parse_line(r);
        if (st != ST_OK)
            return st;
    }
    r->line = 0;
    enum status st = end_part(r);
    if (st == ST_OK)
        launch_turn_to(r->l, 0);
    return st == ST_OK ? check_pointers(r) : st;
}

static enum status open_text(struct launch *l, const char *path, const void *bytes, size_t size,
                             u32 threads, struct err *e)
{
    struct launch_reader r = { .l = l, .e = e, .threads = threads };
    enum status st = ST_OK;
    *l = (struct launch){ .file = strdup(path) };
    char *text = malloc(size + 1); /* the parser ends words in it */
    if (!l->file || !text)
        st = err_memory(e);
    if (st == ST_OK) {
        memcpy(text, bytes, size);
        text[size] = '\0';
        st = parse_text(&r, text, size);
    }
    free(text);
    if (st != ST_OK) {
        file_error(e, path, r.line);
        launch_close(l);
    }
    return st;
}

enum status launch_open_memory(struct launch *l, const char *path, const void *bytes, size_t size,
                               struct err *e)
{
    return open_text(l, path, bytes, size, 1, e);
}

enum status launch_open(struct launch *l, const char *path, u32 threads, struct err *e)
{
    u8 *text = NULL;
    size_t size = 0;
    *l = (struct launch){ .file = NULL };
    enum status st = file_read(path, MAX_TEXT, &text, &size, e);
    if (st == ST_OK)
        st = open_text(l, path, text, size, threads, e);
    else
        file_error(e, path, 0);
    free(text);
    return st;
}

void launch_close(struct launch *l)
{
    for (u32 i = 0; i < l->arg_count; i++) {
        free(l->args[i].bytes);
        free(l->args[i].want);
        free(l->args[i].want_file);
        free(l->args[i].symbol);
    }
    for (u32 i = 0; i < l->expect_count; i++) {
        free(l->expects[i].as.want);
        free(l->expects[i].as.want_file);
    }
    if (l->part >= l->part_count) /* it is none of them yet */
        free(l->now.kernel);
    for (u32 i = 0; i < l->part_count; i++)
        free(l->parts[i].kernel);
    free(l->args);
    free(l->pointers);
    free(l->expects);
    free(l->parts);
    free(l->file);
    *l = (struct launch){ 0 };
}
