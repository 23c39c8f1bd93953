#include "harness/launch/filter.h"

#include "harness/io/number.h"
#include "harness/launch/point.h"
#include "oracle/isa/op.h"
#include "oracle/state/effects.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>

enum { ALTERNATIVES_MAX = 32, TEXT_MAX = 4096, WORDS_MAX = 256, LINES_MAX = 1 << 20 };

/* Conditions that all must hold. */
struct alternative {
    bool has_place, has_function, has_lanes;
    struct point_place from, to; /* the same if there is one place */
    u64 begin, end;              /* of the function: GPU addresses */
    const char *pattern;         /* NULL: any mnemonic */
    u64 lanes_min, lanes_max;
    struct point_limits only;
    u64 hits;
};

/* A line with its end; NULL: none. */
struct kept {
    char *text;
    size_t size;
};

struct filter {
    const struct codeobj *co;
    const struct debug_lines *lines;
    char text[TEXT_MAX];
    char *word[WORDS_MAX];
    u32 words, at; /* the next one */
    struct alternative any[ALTERNATIVES_MAX];
    u32 count;
    u64 first, last; /* lines; 0: all */
    u64 printed;
    struct kept *ring; /* the last ones, at index printed % last */
    FILE *stream;      /* of the one that is written */
    bool is_short;     /* of memory: one was lost */
};

/* --- reading --- */

/* What stands behind a word; empty at the end. */
static const char *value(struct filter *f)
{
    return f->at < f->words ? f->word[f->at++] : "";
}

static enum status read_at(struct filter *f, struct alternative *a, struct err *e)
{
    enum status st = point_parse(f->co, f->lines, value(f), &a->from, e);
    a->to = a->from;
    a->has_place = true;
    if (st != ST_OK || f->at == f->words || strcmp(f->word[f->at], "to") != 0)
        return st;
    f->at++;
    st = point_parse(f->co, f->lines, value(f), &a->to, e);
    if (st != ST_OK)
        return st;
    bool fits = a->from.is_line ? a->to.is_line && strcmp(a->from.file, a->to.file) == 0 &&
                                      a->from.line <= a->to.line
                                : !a->to.is_line && a->from.address <= a->to.address;
    return fits ? ST_OK
                : err_set(e, ST_INPUT,
                          "%.60s: neither a later address nor a later line of the same file",
                          f->word[f->at - 1]);
}

static enum status read_in(struct filter *f, struct alternative *a, struct err *e)
{
    struct codeobj_symbol s, function;
    const char *name = value(f);
    if (!codeobj_symbol(f->co, name, &s) ||
        !codeobj_function_at(f->co, f->co->base + s.vaddr, &function) || function.vaddr != s.vaddr)
        return err_set(e, ST_INPUT, "%.60s: no function", name);
    a->has_function = true;
    a->begin = f->co->base + s.vaddr;
    a->end = a->begin + (s.size ? s.size : 4);
    return ST_OK;
}

/* Whether any instruction of the processor is called so. */
static bool has_opcode(const struct isa *isa, const char *pattern)
{
    static const char *const suffixes[] = { "", "_e32", "_e64", "_sdwa", "_dpp" };
    char name[128];
    for (u32 op = OP_NONE + 1; op < OP_COUNT; op++)
        for (size_t i = 0; isa_has(isa, (isa_op)op) && i < COUNT_OF(suffixes); i++) {
            snprintf(name, sizeof name, "%s%s", isa_name((enum gen)isa->target->gen, (isa_op)op),
                     suffixes[i]);
            if (fnmatch(pattern, name, 0) == 0)
                return true;
        }
    return false;
}

static enum status read_op(struct filter *f, struct alternative *a, struct err *e)
{
    struct isa isa;
    a->pattern = value(f);
    enum status st = isa_open_modelled(&isa, f->co->target.cpu->plain, e);
    if (st == ST_OK && !has_opcode(&isa, a->pattern))
        st = err_set(e, ST_INPUT, "op %.60s: %s has no such instruction", a->pattern,
                     isa.target->mcpu);
    return st;
}

/* N, or N-M. */
static enum status read_lanes(struct filter *f, struct alternative *a, struct err *e)
{
    const char *text = value(f), *dash = strchr(text, '-');
    size_t len = dash ? (size_t)(dash - text) : strlen(text);
    a->has_lanes = true;
    bool good = number_u64_span(text, len, &a->lanes_min);
    a->lanes_max = a->lanes_min;
    if (good && dash)
        good = number_u64(dash + 1, 0, LANES, &a->lanes_max);
    return good && a->lanes_min <= a->lanes_max && a->lanes_max <= LANES
               ? ST_OK
               : err_set(e, ST_INPUT, "lanes %.40s: neither N nor N-M, of %d", text, LANES);
}

/* first N, last N: of all alternatives, so nothing stands behind it. */
static enum status read_ends(struct filter *f, const char *word, struct err *e)
{
    u64 *count = strcmp(word, "first") == 0 ? &f->first : &f->last;
    const char *text = value(f);
    if (!number_u64(text, 1, LINES_MAX, count))
        return err_set(e, ST_INPUT, "%s %.40s: not a number from 1 to %d", word, text, LINES_MAX);
    if (f->at < f->words)
        return err_set(e, ST_INPUT, "%.40s: nothing stands behind %s N", f->word[f->at], word);
    if (f->last && !(f->ring = calloc(f->last, sizeof *f->ring)))
        return err_memory(e);
    return ST_OK;
}

static enum status read_condition(struct filter *f, struct alternative *a, const char *word,
                                  struct err *e)
{
    if (strcmp(word, "at") == 0)
        return read_at(f, a, e);
    if (strcmp(word, "in") == 0)
        return read_in(f, a, e);
    if (strcmp(word, "op") == 0)
        return read_op(f, a, e);
    if (strcmp(word, "lanes") == 0)
        return read_lanes(f, a, e);
    const char *text = value(f);
    return point_parse_limit(word, text, &a->only)
               ? ST_OK
               : err_set(e, ST_INPUT,
                         "%.40s %.40s: not 'at PLACE', 'in FUNCTION', 'op PATTERN', 'lanes N-M', "
                         "'first N', 'last N', " POINT_LIMITS_USAGE,
                         word, text);
}

static enum status read_words(struct filter *f, struct err *e)
{
    enum status st = ST_OK;
    struct alternative *a = NULL;
    while (st == ST_OK && f->at < f->words) {
        const char *word = value(f);
        bool ends = strcmp(word, "first") == 0 || strcmp(word, "last") == 0;
        if (ends) {
            st = read_ends(f, word, e);
        } else if (strcmp(word, "or") == 0) {
            if (!a || f->at == f->words)
                return err_set(e, ST_INPUT, "'or' stands between two conditions");
            a = NULL;
        } else {
            if (!a && f->count == ALTERNATIVES_MAX)
                return err_set(e, ST_INPUT, "more than %d alternatives", ALTERNATIVES_MAX);
            if (!a) {
                a = &f->any[f->count++];
                a->only.from_hit = 1;
            }
            st = read_condition(f, a, word, e);
        }
    }
    return st;
}

enum status filter_open(struct filter **out, const char *text, const struct codeobj *co,
                        const struct debug_lines *lines, struct err *e)
{
    struct filter *f = *out = calloc(1, sizeof *f);
    struct err why = { .text = "" };
    char *rest = NULL;
    if (!f)
        return err_memory(e);
    f->co = co;
    f->lines = lines;
    snprintf(f->text, sizeof f->text, "%s", text);
    enum status st = strlen(text) < sizeof f->text
                         ? ST_OK
                         : err_set(&why, ST_INPUT, "more than %d bytes", TEXT_MAX - 1);
    for (char *w = strtok_r(f->text, " \t\r\n", &rest); st == ST_OK && w;
         w = strtok_r(NULL, " \t\r\n", &rest)) {
        if (f->words == WORDS_MAX)
            st = err_set(&why, ST_INPUT, "more than %d words", WORDS_MAX);
        else
            f->word[f->words++] = w;
    }
    if (st == ST_OK && !f->words)
        st = err_set(&why, ST_INPUT, "says nothing");
    if (st == ST_OK)
        st = read_words(f, &why);
    return st == ST_OK ? ST_OK : err_set(e, st, "--trace-only: %s", why.text);
}

void filter_close(struct filter *f)
{
    for (u64 i = 0; f && f->ring && i < f->last; i++)
        free(f->ring[i].text);
    if (f)
        free(f->ring);
    free(f);
}

/* --- judging --- */

static bool is_at(const struct filter *f, const struct alternative *a, u64 pc)
{
    if (!a->from.is_line)
        return pc >= a->from.address && pc <= a->to.address;
    const struct debug_line *line = f->lines ? debug_line_at(f->lines, pc - f->co->base) : NULL;
    return line && line->line >= a->from.line && line->line <= a->to.line &&
           strcmp(line->file, a->from.file) == 0;
}

/* By the mnemonic, or by how it is printed: with the form's suffix. */
static bool has_name(const char *pattern, const struct wave *w, const struct insn *in)
{
    char text[512];
    if (fnmatch(pattern, insn_name(in), 0) == 0)
        return true;
    insn_print(w->isa, in, text, sizeof text);
    text[strcspn(text, " ")] = '\0';
    return fnmatch(pattern, text, 0) == 0;
}

static bool has_lanes(const struct alternative *a, const struct wave *w, const struct insn *in)
{
    u64 lanes = popcount64(wave_exec(w));
    return effects_is_by_lane(in) && lanes >= a->lanes_min && lanes <= a->lanes_max;
}

static bool holds(const struct filter *f, const struct alternative *a, const u32 group[3],
                  const struct wave *w, const struct insn *in)
{
    return point_is_meant(&a->only, group, w->id) &&
           (!a->has_function || (w->pc >= a->begin && w->pc < a->end)) &&
           (!a->has_place || is_at(f, a, w->pc)) && (!a->has_lanes || has_lanes(a, w, in)) &&
           (!a->pattern || has_name(a->pattern, w, in));
}

bool filter_takes(struct filter *f, const u32 group[3], const struct wave *w, const struct insn *in)
{
    bool takes = !f || !f->count;
    if (f && f->first && f->printed >= f->first)
        return false;
    for (u32 i = 0; f && i < f->count; i++) {
        struct alternative *a = &f->any[i];
        takes |= holds(f, a, group, w, in) && ++a->hits >= a->only.from_hit;
    }
    return takes;
}

/* --- printing --- */

FILE *filter_line(struct filter *f, FILE *out)
{
    if (!f || !f->last)
        return out;
    struct kept *k = &f->ring[f->printed % f->last];
    free(k->text);
    k->text = NULL;
    f->stream = open_memstream(&k->text, &k->size);
    f->is_short |= !f->stream;
    return f->stream;
}

void filter_line_end(struct filter *f)
{
    if (!f)
        return;
    if (f->stream) {
        f->is_short |= ferror(f->stream) != 0;
        f->is_short |= fclose(f->stream) != 0 || !f->ring[f->printed % f->last].text;
    }
    f->stream = NULL;
    f->printed++;
}

bool filter_is_short(const struct filter *f)
{
    return f && f->is_short;
}

void filter_end(struct filter *f, FILE *out)
{
    for (u64 i = 0; f && f->ring && i < f->last; i++) {
        struct kept *k = &f->ring[(f->printed + i) % f->last];
        if (k->text)
            fwrite(k->text, 1, k->size, out);
        free(k->text);
        k->text = NULL;
    }
}
