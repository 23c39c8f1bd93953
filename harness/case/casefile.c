/* Reads .case files line by line. Indented lines belong to the keyword above them; everything else
 * starts with a keyword. The first error ends the reading. */
#include "harness/case/internal.h"

#include "harness/io/file.h"
#include "oracle/state/place.h"

#include <stdio.h>
#include <stdlib.h>

enum block { BLOCK_NONE, BLOCK_CODE, BLOCK_ROWS, BLOCK_IN, BLOCK_OUT };

/* What reading is in the middle of. */
struct reader {
    struct casefile *f;
    struct case_test *t; /* NULL before the first test */
    struct case_item *item;
    enum block block;
    bool has_mode;
    int line;
};

static enum status no_memory(struct err *e)
{
    return err_memory(e);
}

/* A copy of the rest of a line without blanks at its ends. */
static char *rest_of_line(struct casefile *f, const char *p)
{
    while (word_is_blank(*p))
        p++;
    size_t n = strlen(p);
    while (n && word_is_blank(p[n - 1]))
        n--;
    char *copy = casefile_alloc(f, n + 1);
    if (copy)
        memcpy(copy, p, n);
    return copy;
}

/* ---- lists of places and values ---- */

/* place = value ... ; `what` says which list for messages. */
static enum status read_assigns(struct reader *r, const char *p, struct case_assigns *list,
                                bool is_in, struct err *e)
{
    struct word place, eq, value;
    while (word_next(&p, &place)) {
        struct case_assign a = { .line = r->line };
        enum status st = casefile_place(r->t, place.s, place.len, &a.place, e);
        if (st != ST_OK)
            return st;
        if (a.place.wave >= (i32)r->t->waves)
            return word_err(e, "the test has no such wave", place.s, place.len);
        if (!word_next(&p, &eq) || !word_is(&eq, "="))
            return word_err(e, "no = after the place", place.s, place.len);
        if (!word_next(&p, &value))
            return word_err(e, "no value after the =", place.s, place.len);
        if ((st = casefile_value(r->t, value.s, value.len, &a.place, &a.value, e)) != ST_OK)
            return st;
        if (is_in && (a.value.kind != CASE_VALUE || a.value.alts != 1 || a.value.ulp_bits))
            return word_err(e, "an input is exactly one value", value.s, value.len);
        if (is_in && a.place.space == CASE_REG && place_is_pc(a.place.place))
            return word_err(e, "cannot be set", place.s, place.len);
        for (u32 i = 0; i < list->count; i++)
            if (casefile_overlap(&list->a[i].place, &a.place))
                return word_err(e, "given twice", place.s, place.len);
        if (list->count == CASE_ASSIGNS_MAX)
            return word_err(e, "more than 256 places", place.s, place.len);
        struct case_assign *to =
            casefile_more(r->f, &list->a, &list->count, &list->cap, sizeof *to);
        if (!to)
            return no_memory(e);
        *to = a;
    }
    return ST_OK;
}

static enum status read_in_out(struct reader *r, const char *p, bool is_in, struct err *e)
{
    struct case_assigns *list = r->item ? is_in ? &r->item->in : &r->item->out
                                : is_in ? &r->t->in
                                        : &r->t->out;
    r->block = is_in ? BLOCK_IN : BLOCK_OUT;
    return read_assigns(r, p, list, is_in, e);
}

/* Words up to the end of the line, added to the list. */
static enum status read_words(struct casefile *f, const char *p, const char **list, u32 *count,
                              struct err *e)
{
    struct word w;
    u32 before = *count;
    while (word_next(&p, &w)) {
        if (*count == CASE_WORDS_MAX)
            return word_err(e, "more than 8 words", w.s, w.len);
        char *copy = casefile_alloc(f, w.len + 1);
        if (!copy)
            return no_memory(e);
        memcpy(copy, w.s, w.len);
        list[(*count)++] = copy;
    }
    if (*count == before)
        return err_set(e, ST_INPUT, "nothing behind the keyword");
    return ST_OK;
}

/* The ids behind the word in a row of a table. */
static enum status read_errata(struct casefile *f, const char *p, struct case_errata **out,
                               struct err *e)
{
    *out = casefile_alloc(f, sizeof **out);
    return *out ? read_words(f, p, (*out)->id, &(*out)->count, e) : no_memory(e);
}

/* ---- tables ---- */

/* Columns of vector registers and lane masks only: a row is a lane. Anything else: a row is a
 * run. */
static void choose_shape(struct case_test *t)
{
    bool vector = false, other = false;
    for (u32 i = 0; i < t->cols; i++) {
        const struct case_place *c = &t->col[i];
        if (c->space == CASE_REG && place_is_vector(c->place) && c->lane < 0)
            vector = true;
        else if (!casefile_is_mask(c))
            other = true;
    }
    t->shape = vector && !other ? CASE_LANES : CASE_RUNS;
    t->one_lane = vector && other;
}

static enum status read_heads(struct reader *r, const char *p, struct err *e)
{
    struct case_test *t = r->t;
    struct word w;
    bool out = false;
    if (t->rows_line)
        return err_set(e, ST_INPUT, "a test has one table; the first stands at line %d",
                       t->rows_line);
    if (t->items)
        return err_set(e, ST_INPUT, "rows and case in one test");
    t->rows_line = r->line;
    while (word_next(&p, &w)) {
        if (word_is(&w, "|") && !out) {
            out = true;
            t->in_cols = t->cols;
            continue;
        }
        if (t->cols == CASE_COLS_MAX)
            return word_err(e, "more than 24 columns", w.s, w.len);
        struct case_place *c = &t->col[t->cols];
        enum status st = casefile_place(t, w.s, w.len, c, e);
        if (st != ST_OK)
            return st;
        if (c->wave >= 0 || t->waves > 1)
            return word_err(e, "a table is for one wave", w.s, w.len);
        if (!out && c->space == CASE_REG && place_is_pc(c->place))
            return word_err(e, "cannot be set", w.s, w.len);
        for (u32 i = out ? t->in_cols : 0; i < t->cols; i++)
            if (casefile_overlap(&t->col[i], c))
                return word_err(e, "column given twice", w.s, w.len);
        t->cols++;
    }
    if (!out || t->cols == t->in_cols)
        return err_set(e, ST_INPUT, "no | with result columns behind it in the column heads");
    choose_shape(t);
    r->block = BLOCK_ROWS;
    return ST_OK;
}

static enum status read_row(struct reader *r, const char *p, struct err *e)
{
    struct case_test *t = r->t;
    struct case_value *v = casefile_alloc(r->f, t->cols * sizeof *v);
    struct case_errata *errata = NULL;
    struct word w;
    u32 n = 0;
    bool bar = false;
    if (!v)
        return no_memory(e);
    while (word_next(&p, &w)) {
        if (bar && n == t->cols && word_is(&w, "errata")) {
            enum status st = read_errata(r->f, p, &errata, e);
            if (st != ST_OK)
                return st;
            break;
        }
        if (word_is(&w, "|")) {
            if (bar || n != t->in_cols)
                return err_set(e, ST_INPUT, "%u values before the |, %u columns", n, t->in_cols);
            bar = true;
            continue;
        }
        if (n == t->cols)
            return word_err(e, "more values than columns", w.s, w.len);
        if (!bar && n == t->in_cols)
            return word_err(e, "no | before", w.s, w.len);
        struct case_place place = t->col[n];
        if (t->shape == CASE_LANES && casefile_is_mask(&place)) {
            place.bits = 1;
            place.dw = 1;
        }
        enum status st = casefile_value(t, w.s, w.len, &place, &v[n], e);
        if (st != ST_OK)
            return st;
        if (!bar && (v[n].kind != CASE_VALUE || v[n].alts != 1 || v[n].ulp_bits))
            return word_err(e, "an input is exactly one value", w.s, w.len);
        n++;
    }
    if (n != t->cols)
        return err_set(e, ST_INPUT, "%u values, %u columns", n, t->cols);
    if (t->rows == CASE_ROWS_MAX)
        return err_set(e, ST_INPUT, "more than %u rows", CASE_ROWS_MAX);
    struct case_row *row = casefile_more(r->f, &t->row, &t->rows, &t->rows_cap, sizeof *row);
    if (!row)
        return no_memory(e);
    *row = (struct case_row){ .line = r->line, .errata = errata, .value = v };
    return ST_OK;
}

/* ---- keywords ---- */

static enum status key_test(struct reader *r, const char *p, struct err *e)
{
    struct casefile *f = r->f;
    char *title = rest_of_line(f, p);
    if (!title)
        return no_memory(e);
    if (!*title || strlen(title) > CASE_TITLE_BYTES)
        return err_set(e, ST_INPUT, "a test needs a title of at most %u characters",
                       CASE_TITLE_BYTES);
    if (f->tests == CASE_TESTS_MAX)
        return err_set(e, ST_INPUT, "more than %u tests", CASE_TESTS_MAX);
    struct case_test *t = casefile_more(f, &f->test, &f->tests, &f->tests_cap, sizeof *t);
    if (!t)
        return no_memory(e);
    *t = (struct case_test){
        .line = r->line, .title = title, .gen = CASE_GEN, .waves = 1, .mode = MODE_DEFAULT
    };
    for (u32 op = OP_NONE + 1; op < isa_op_count && !t->row_of_file; op++)
        if (strcmp(isa_rows[op].name, f->stem) == 0)
            t->row_of_file = &isa_rows[op];
    u32 n = 0;
    for (const char *s = title; *s && n < sizeof t->slug - 1; s++) {
        char c = *s >= 'A' && *s <= 'Z' ? (char)(*s - 'A' + 'a') : *s;
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')
            t->slug[n++] = c;
        else if (n && t->slug[n - 1] != '-')
            t->slug[n++] = '-';
    }
    while (n && t->slug[n - 1] == '-')
        t->slug[--n] = '\0';
    if (!n)
        return err_set(e, ST_INPUT, "the title has no letter or digit that an id could be made of");
    for (u32 i = 0; i + 1 < f->tests; i++)
        if (strcmp(f->test[i].slug, t->slug) == 0)
            return err_set(e, ST_INPUT, "the title makes the same id \"%s\" as the one at line %d",
                           t->slug, f->test[i].line);
    r->t = t;
    r->item = NULL;
    r->has_mode = false;
    return ST_OK;
}

static enum status key_case(struct reader *r, const char *p, struct err *e)
{
    struct case_test *t = r->t;
    char *title = rest_of_line(r->f, p);
    if (!title)
        return no_memory(e);
    if (!*title || strlen(title) > CASE_TITLE_BYTES)
        return err_set(e, ST_INPUT, "a case needs a title of at most %u characters",
                       CASE_TITLE_BYTES);
    if (t->rows_line)
        return err_set(e, ST_INPUT, "rows and case in one test");
    if (t->items == CASE_ITEMS_MAX)
        return err_set(e, ST_INPUT, "more than %u cases", CASE_ITEMS_MAX);
    r->item = casefile_more(r->f, &t->item, &t->items, &t->items_cap, sizeof *r->item);
    if (!r->item)
        return no_memory(e);
    *r->item = (struct case_item){ .line = r->line, .title = title };
    return ST_OK;
}

static enum status key_targets(struct reader *r, const char *p, struct err *e)
{
    enum status st = read_words(r->f, p, r->t->target, &r->t->targets, e);
    for (u32 i = 0; st == ST_OK && i < r->t->targets; i++) {
        u32 k = 0;
        while (isa_target_at(k) && !isa_name_is(r->t->target[i], isa_target_at(k)->mcpu))
            k++;
        /* Processors of the family that have no tables yet are known by their spelling. */
        if (!isa_target_at(k) && strncmp(r->t->target[i], "gfx", 3) != 0)
            st = word_err(e, "no such processor", r->t->target[i], strlen(r->t->target[i]));
    }
    return st;
}

static enum status key_errata(struct reader *r, const char *p, struct err *e)
{
    struct case_errata *to = r->item ? &r->item->errata : &r->t->errata;
    return read_words(r->f, p, to->id, &to->count, e);
}

static enum status key_forms(struct reader *r, const char *p, struct err *e)
{
    static const struct {
        const char *name;
        u8 form;
    } forms[] = { { "e32", F_BASE }, { "e64", F_E64 }, { "sdwa", F_SDWA }, { "dpp", F_DPP } };
    struct word w;
    if (r->t->forms)
        return err_set(e, ST_INPUT, "forms given twice");
    while (word_next(&p, &w)) {
        u32 i = 0;
        while (i < COUNT_OF(forms) && !word_is(&w, forms[i].name))
            i++;
        if (i == COUNT_OF(forms))
            return word_err(e, "not one of the forms e32, e64, sdwa, dpp", w.s, w.len);
        if (r->t->forms & forms[i].form)
            return word_err(e, "form given twice", w.s, w.len);
        r->t->forms |= forms[i].form;
    }
    return r->t->forms ? ST_OK : err_set(e, ST_INPUT, "nothing behind the keyword");
}

static enum status key_mode(struct reader *r, const char *p, struct err *e)
{
    struct word field, eq, value;
    if (r->has_mode)
        return err_set(e, ST_INPUT, "mode given twice");
    while (word_next(&p, &field)) {
        if (!word_next(&p, &eq) || !word_is(&eq, "=") || !word_next(&p, &value))
            return word_err(e, "no =value after the field of MODE", field.s, field.len);
        enum status st = casefile_mode(&field, &value, &r->t->mode, e);
        if (st != ST_OK)
            return st;
        r->has_mode = true;
    }
    return r->has_mode ? ST_OK : err_set(e, ST_INPUT, "nothing behind the keyword");
}

static enum status key_number(const char *p, u64 min, u64 max, u32 *out, struct err *e)
{
    struct word w, more;
    u64 v;
    if (!word_next(&p, &w))
        return err_set(e, ST_INPUT, "nothing behind the keyword");
    if (!word_u64(w.s, w.len, &v) || v < min || v > max) {
        char text[80];
        snprintf(text, sizeof text, "not a number from %u to %u", (u32)min, (u32)max);
        return word_err(e, text, w.s, w.len);
    }
    if (word_next(&p, &more))
        return word_err(e, "more than one number", more.s, more.len);
    *out = (u32)v;
    return ST_OK;
}

static enum status key_waves(struct reader *r, const char *p, struct err *e)
{
    return key_number(p, 1, 16, &r->t->waves, e);
}

static enum status key_lds(struct reader *r, const char *p, struct err *e)
{
    return key_number(p, 4, LDS_MAX, &r->t->lds_size, e);
}

static enum status key_mem(struct reader *r, const char *p, struct err *e)
{
    struct case_test *t = r->t;
    struct word name;
    const char *at = p;
    if (!word_next(&at, &name))
        return err_set(e, ST_INPUT, "no name behind the keyword, as in mem buf 256");
    if (t->mems == CASE_MEMS_MAX)
        return word_err(e, "more than 8 memories", name.s, name.len);
    struct case_mem *m = &t->mem[t->mems];
    bool ok = name.len < sizeof m->name && !(name.s[0] >= '0' && name.s[0] <= '9');
    for (size_t i = 0; i < name.len; i++)
        ok = ok && (name.s[i] == '_' || (name.s[i] >= '0' && name.s[i] <= '9') ||
                    ((name.s[i] | 32) >= 'a' && (name.s[i] | 32) <= 'z'));
    if (!ok)
        return word_err(e, "not a name", name.s, name.len);
    memcpy(m->name, name.s, name.len);
    m->name[name.len] = '\0';
    struct case_place clash;
    struct err ignored;
    bool reserved = word_is(&name, "s") || word_is(&name, "v") || word_is(&name, "a") ||
                    word_is(&name, "ttmp") || word_is(&name, "lds") || word_is(&name, "code") ||
                    word_is(&name, "lane");
    if (reserved || casefile_place(NULL, name.s, name.len, &clash, &ignored) == ST_OK)
        return word_err(e, "a name that means something else", name.s, name.len);
    for (u32 i = 0; i < t->mems; i++)
        if (strcmp(t->mem[i].name, m->name) == 0)
            return word_err(e, "memory given twice", name.s, name.len);
    enum status st = key_number(at, 4, CASE_MEM_BYTES, &m->size, e);
    if (st == ST_OK && m->size % 4)
        st = err_set(e, ST_INPUT, "a memory has a multiple of 4 bytes");
    if (st == ST_OK)
        t->mems++;
    return st;
}

static enum status key_reject(struct reader *r, const char *p, struct err *e)
{
    char *word = rest_of_line(r->f, p);
    if (!word)
        return no_memory(e);
    if (!*word)
        return err_set(e, ST_INPUT, "nothing behind the keyword");
    if (r->t->reject)
        return err_set(e, ST_INPUT, "reject given twice");
    r->t->reject = word;
    return ST_OK;
}

static enum status key_again(struct reader *r, const char *p, struct err *e)
{
    struct word w;
    enum status st = ST_OK;
    u32 words = 0;
    for (; st == ST_OK && word_next(&p, &w); words++)
        st = again_read(r->t, &w, e);
    return words ? st : err_set(e, ST_INPUT, "nothing behind the keyword");
}

static enum status key_code(struct reader *r, const char *p, struct err *e)
{
    struct word w;
    if (word_next(&p, &w))
        return word_err(e, "assembly stands indented below code", w.s, w.len);
    if (r->t->code_count)
        return err_set(e, ST_INPUT, "code given twice");
    r->block = BLOCK_CODE;
    return ST_OK;
}

static enum status key_in(struct reader *r, const char *p, struct err *e)
{
    return read_in_out(r, p, true, e);
}

static enum status key_out(struct reader *r, const char *p, struct err *e)
{
    return read_in_out(r, p, false, e);
}

static const struct {
    const char *name;
    enum status (*read)(struct reader *r, const char *p, struct err *e);
    bool in_case; /* may stand below `case` */
} keys[] = {
    { "test", key_test, true },      { "targets", key_targets, false },
    { "forms", key_forms, false },   { "mode", key_mode, false },
    { "waves", key_waves, false },   { "lds", key_lds, false },
    { "mem", key_mem, false },       { "in", key_in, true },
    { "code", key_code, false },     { "rows", read_heads, false },
    { "case", key_case, true },      { "out", key_out, true },
    { "reject", key_reject, false }, { "errata", key_errata, true },
    { "again", key_again, false },
};

/* ---- lines ---- */

static enum status read_indented(struct reader *r, const char *line, struct err *e)
{
    struct word w;
    const char *p = line;
    if (!word_next(&p, &w))
        return ST_OK;
    switch (r->block) {
    case BLOCK_ROWS: return read_row(r, line, e);
    case BLOCK_IN: return read_in_out(r, line, true, e);
    case BLOCK_OUT: return read_in_out(r, line, false, e);
    case BLOCK_CODE: break;
    case BLOCK_NONE:
    default: return word_err(e, "an indented line below nothing that takes one", w.s, w.len);
    }
    if (r->t->code_count == CASE_CODE_MAX)
        return err_set(e, ST_INPUT, "more than %u lines of code", CASE_CODE_MAX);
    struct case_line *l =
        casefile_more(r->f, &r->t->code, &r->t->code_count, &r->t->code_cap, sizeof *l);
    char *text = rest_of_line(r->f, line);
    if (!l || !text)
        return no_memory(e);
    *l = (struct case_line){ .line = r->line, .text = text };
    return ST_OK;
}

static enum status end_of_test(struct reader *r, struct err *e)
{
    r->block = BLOCK_NONE;
    enum status st = r->t ? casefile_finish_test(r->f, r->t, e) : ST_OK;
    return st == ST_OK && r->t ? again_finish(r->f, r->t, e) : st;
}

static enum status read_line(struct reader *r, const char *line, struct err *e)
{
    struct word key;
    const char *p = line;
    e->line = r->line;
    if (word_is_blank(*line))
        return read_indented(r, line, e);
    if (!word_next(&p, &key))
        return ST_OK;
    for (u32 i = 0; i < COUNT_OF(keys); i++) {
        if (!word_is(&key, keys[i].name))
            continue;
        bool is_test = keys[i].read == key_test;
        if (!r->t && !is_test)
            return word_err(e, "stands before the first test", key.s, key.len);
        if (r->item && !keys[i].in_case)
            return word_err(e, "stands below a case; it belongs above the first one", key.s,
                            key.len);
        if (is_test) {
            enum status st = end_of_test(r, e);
            if (st != ST_OK)
                return st;
            e->line = r->line;
        }
        r->block = BLOCK_NONE;
        return keys[i].read(r, p, e);
    }
    return word_err(e, "not a keyword", key.s, key.len);
}

/* Checks the first line that is not a comment. */
static enum status read_version(const char *line, struct err *e)
{
    struct word a = { "", 0 }, b = { "", 0 }, more;
    const char *p = line;
    word_next(&p, &a);
    word_next(&p, &b);
    if (!word_is(&a, "case-format"))
        return word_err(e, "the first line must be \"case-format 1\", not", line, strlen(line));
    if (!word_is(&b, "1") || word_next(&p, &more))
        return word_err(e, "unknown version of the format", b.s, b.len);
    return ST_OK;
}

static enum status read_lines(struct reader *r, const char *s, size_t size, struct err *e)
{
    char line[CASE_LINE_BYTES + 1];
    const char *end = s + size;
    enum status st = ST_OK;
    bool first = true;
    while (s < end && st == ST_OK) {
        const char *nl = memchr(s, '\n', (size_t)(end - s));
        size_t n = (size_t)((nl ? nl : end) - s);
        e->line = ++r->line;
        if (memchr(s, '\0', n))
            return err_set(e, ST_INPUT, "a zero byte: this is not a text file");
        if (n > CASE_LINE_BYTES)
            return err_set(e, ST_INPUT, "a line of more than %u characters", CASE_LINE_BYTES);
        memcpy(line, s, n);
        line[n] = '\0';
        line[strcspn(line, "#\r")] = '\0';
        s = nl ? nl + 1 : end;
        if (first) {
            if (line[strspn(line, " \t")] == '\0' && r->line < 100)
                continue;
            st = read_version(line, e);
            first = false;
        } else {
            st = read_line(r, line, e);
        }
    }
    r->f->lines = r->line;
    if (st == ST_OK)
        e->line = r->line ? r->line : 1;
    if (st == ST_OK && first)
        return err_set(e, ST_INPUT, "the file is empty; its first line must be \"case-format 1\"");
    if (st == ST_OK && !r->t)
        return err_set(e, ST_INPUT, "the file has no test");
    return st == ST_OK ? end_of_test(r, e) : st;
}

/* The last folder and the stem of a path. */
static void name_parts(struct casefile *f)
{
    const char *base = strrchr(f->path, '/'), *dir = base, *dot;
    if (base) {
        while (dir > f->path && dir[-1] != '/')
            dir--;
        snprintf(f->dir, sizeof f->dir, "%.*s", (int)(base - dir), dir);
    }
    base = base ? base + 1 : f->path;
    dot = strrchr(base, '.');
    snprintf(f->stem, sizeof f->stem, "%.*s", dot ? (int)(dot - base) : (int)strlen(base), base);
}

enum status casefile_parse(const char *path, const char *bytes, size_t size, struct casefile **out,
                           struct err *e)
{
    *out = NULL;
    *e = (struct err){ 0 };
    snprintf(e->file, sizeof e->file, "%s", path);
    if (strlen(path) >= sizeof((struct casefile *)0)->path)
        return err_set(e, ST_INPUT, "the path is longer than 255 characters");
    struct casefile *f = calloc(1, sizeof *f);
    if (!f)
        return no_memory(e);
    snprintf(f->path, sizeof f->path, "%s", path);
    name_parts(f);
    struct reader r = { .f = f };
    enum status st = read_lines(&r, bytes, size, e);
    if (st == ST_OK) {
        *out = f;
        return ST_OK;
    }
    casefile_free(f);
    return st;
}

enum status casefile_load(const char *path, struct casefile **out, struct err *e)
{
    u8 *bytes;
    size_t size;
    *out = NULL;
    enum status st = file_read(path, CASE_FILE_BYTES, &bytes, &size, e);
    if (st != ST_OK) {
        snprintf(e->file, sizeof e->file, "%s", path);
        e->line = 0;
        return st;
    }
    st = casefile_parse(path, (const char *)bytes, size, out, e);
    free(bytes);
    return st;
}

enum status casefile_count_rows(const char *path, u64 *rows, struct err *e)
{
    struct casefile *f;
    u64 n = 0;
    enum status st = casefile_load(path, &f, e);
    if (st != ST_OK)
        return st;
    for (u32 i = 0; i < f->tests; i++)
        if (!f->test[i].is_again)
            n += f->test[i].rows + f->test[i].items + (f->test[i].shape == CASE_REJECT);
    casefile_free(f);
    *rows = n;
    return ST_OK;
}
