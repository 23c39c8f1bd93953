/* gcncheck cover: what random programs test, and what they do not. */
#include "harness/campaign/watch.h"
#include "harness/case/only.h"
#include "harness/cmd/base/cmd.h"
#include "harness/coverage/coverage.h"

#include <inttypes.h>
#include <stdlib.h>

/* Sorts of factors, by which pairs are summed up. */
enum sort { SORT_DRAWN, SORT_OPERAND, SORT_MODIFIER, SORT_MODE, SORT_LANES, SORT_VALUE, SORTS };
static const char *const sorts[SORTS] = { "alone", "operands", "modifiers",
                                          "mode",  "lanes",    "values" };

struct showing {
    const struct opts *o;
    struct isa isa;
    struct cover_model model;
    struct cover_seen seen;
    bool tsv;
};

static enum sort sort_of(const struct cover_factor *f)
{
    switch ((enum cover_way)f->way) {
    case COVER_DRAWN: return SORT_DRAWN;
    case COVER_OPERAND: return SORT_OPERAND;
    case COVER_EACH:
    case COVER_SPAN:
    case COVER_SIGN:
    case COVER_DPP: return SORT_MODIFIER;
    case COVER_MODE: return SORT_MODE;
    case COVER_EXEC: return SORT_LANES;
    case COVER_FLOAT:
    case COVER_INT:
    case COVER_LANE: return SORT_VALUE;
    }
    BUG("a factor of no sort");
}

static bool is_shown(const struct showing *s, const struct cover_kind *k)
{
    const char *form = s->o->form;
    struct only_name name;
    bool more = only_first(s->o->only, &name), is_listed = !more;
    for (; more && !is_listed; more = only_next(&name))
        is_listed = only_is_op(&name, &s->isa, k->op);
    bool is_form = !form || strcmp(form, isa_form_names[k->form]) == 0 ||
                   (strcmp(form, "base") == 0 && k->form == FORM_BASE);
    return is_listed && is_form;
}

/* ---- counting ---- */

/* Legal pairs, and those seen. */
struct sum {
    u64 kinds, drawn, pairs, seen;
};

static double percent(const struct sum *s)
{
    return s->pairs ? (double)s->seen * 100 / (double)s->pairs : 0;
}

static void add_kind(const struct showing *s, const struct cover_kind *k, struct sum *to)
{
    to->kinds++;
    to->drawn += s->seen.drawn[k - s->model.kind] != 0;
    to->pairs += k->pairs;
    to->seen += cover_kind_seen(&s->seen, k);
}

static void add_pairs(const struct showing *s, const struct cover_kind *k,
                      struct sum to[SORTS][SORTS])
{
    u8 sort[COVER_LEVELS_MAX];
    for (u32 i = 0; i < k->levels; i++)
        sort[i] = (u8)sort_of(cover_factor_of(&s->model, k, i));
    for (u32 a = 0; a < k->levels; a++)
        for (u32 b = a; b < k->levels; b++)
            if (cover_is_pair(&s->model, k, a, b)) {
                to[sort[a]][sort[b]].pairs++;
                to[sort[a]][sort[b]].seen += cover_has_pair(&s->seen, k, a, b);
            }
}

/* ---- text ---- */

static void print_encodings(const struct showing *s)
{
    printf("\n%-10s %14s %8s %9s %9s %6s\n", "encoding", "opcode x form", "drawn", "pairs", "seen",
           "%");
    for (u32 enc = 0; enc < ENC_COUNT; enc++) {
        struct sum sum = { 0 };
        for (u32 i = 0; i < s->model.kind_count; i++) {
            const struct cover_kind *k = &s->model.kind[i];
            if (isa_rows[k->op].enc != enc || !is_shown(s, k))
                continue;
            add_kind(s, k, &sum);
        }
        if (sum.kinds)
            printf("%-10s %14" PRIu64 " %8" PRIu64 " %9" PRIu64 " %9" PRIu64 " %6.1f\n",
                   isa_encs[enc].name, sum.kinds, sum.drawn, sum.pairs, sum.seen, percent(&sum));
    }
}

static void print_sorts(const struct showing *s)
{
    struct sum sum[SORTS][SORTS] = { 0 };
    for (u32 i = 0; i < s->model.kind_count; i++)
        if (is_shown(s, &s->model.kind[i]))
            add_pairs(s, &s->model.kind[i], sum);
    printf("\n%-22s %9s %9s %6s\n", "pairs of", "pairs", "seen", "%");
    for (u32 a = 0; a < SORTS; a++)
        for (u32 b = a; b < SORTS; b++)
            if (sum[a][b].pairs && a + b)
                printf("%-10s %-11s %9" PRIu64 " %9" PRIu64 " %6.1f\n", sorts[a], sorts[b],
                       sum[a][b].pairs, sum[a][b].seen, percent(&sum[a][b]));
}

/* A level that never came, by its name: in how many kinds. */
struct never {
    char text[48];
    u32 kinds, of; /* of those that have it */
};

enum { NEVER_MAX = 2048, NEVER_SHOWN = 24, WORST_SHOWN = 20 };

static void add_never(struct never *list, u32 *count, const char *text, bool is_seen)
{
    u32 i = 0;
    while (i < *count && strcmp(list[i].text, text) != 0)
        i++;
    if (i == NEVER_MAX)
        return;
    if (i == *count)
        snprintf(list[(*count)++].text, sizeof list[i].text, "%s", text);
    list[i].of++;
    list[i].kinds += !is_seen;
}

static int more_kinds(const void *a, const void *b)
{
    const struct never *x = a, *y = b;
    return x->kinds != y->kinds ? (x->kinds < y->kinds) - (x->kinds > y->kinds)
                                : strcmp(x->text, y->text);
}

static enum status print_never(const struct showing *s, struct err *e)
{
    struct never *list = calloc(NEVER_MAX, sizeof *list);
    u32 count = 0;
    if (!list)
        return err_memory(e);
    for (u32 i = 0; i < s->model.kind_count; i++) {
        const struct cover_kind *k = &s->model.kind[i];
        for (u32 level = 1; is_shown(s, k) && s->seen.drawn[i] && level < k->levels; level++) {
            char text[sizeof list->text];
            struct text t;
            text_init(&t, text, sizeof text);
            cover_add_text(&s->model, k, level, &t);
            add_never(list, &count, text, cover_has_pair(&s->seen, k, 0, level));
        }
    }
    qsort(list, count, sizeof *list, more_kinds);
    if (count && list[0].kinds)
        printf("\nlevels that never came in what was drawn, with in how many opcode x form:\n");
    for (u32 i = 0; i < count && i < NEVER_SHOWN && list[i].kinds; i++)
        printf("  %-32s %5u of %u\n", list[i].text, list[i].kinds, list[i].of);
    free(list);
    return ST_OK;
}

/* A kind, and what it lacks. */
struct lack {
    u32 kind, missing;
};

static int more_missing(const void *a, const void *b)
{
    const struct lack *x = a, *y = b;
    return x->missing != y->missing ? (x->missing < y->missing) - (x->missing > y->missing)
                                    : (x->kind > y->kind) - (x->kind < y->kind);
}

static enum status print_worst(const struct showing *s, struct err *e)
{
    struct lack *list = malloc((s->model.kind_count + 1) * sizeof *list);
    u32 count = 0;
    if (!list)
        return err_memory(e);
    for (u32 i = 0; i < s->model.kind_count; i++)
        if (is_shown(s, &s->model.kind[i]))
            list[count++] = (struct lack){ i, s->model.kind[i].pairs -
                                                  cover_kind_seen(&s->seen, &s->model.kind[i]) };
    qsort(list, count, sizeof *list, more_missing);
    printf("\nwhat lacks most:\n%-32s %-8s %9s %9s %9s\n", "opcode", "form", "drawn", "pairs",
           "missing");
    for (u32 i = 0; i < count && i < WORST_SHOWN; i++) {
        const struct cover_kind *k = &s->model.kind[list[i].kind];
        printf("%-32s %-8s %9" PRIu64 " %9u %9u\n", isa_rows[k->op].name, coverage_form(&s->isa, k),
               s->seen.drawn[list[i].kind], k->pairs, list[i].missing);
    }
    free(list);
    return ST_OK;
}

static enum status print_text(const struct showing *s, struct err *e)
{
    struct sum all = { 0 };
    for (u32 i = 0; i < s->model.kind_count; i++)
        if (is_shown(s, &s->model.kind[i]))
            add_kind(s, &s->model.kind[i], &all);
    printf("%s: %" PRIu64 " of %" PRIu64 " legal pairs (%.1f %%), %" PRIu64 " of %" PRIu64
           " opcode x form, in %" PRIu64 " streams of %" PRIu64 " instructions; values of %" PRIu64
           " streams\n",
           s->isa.target->mcpu, all.seen, all.pairs, percent(&all), all.drawn, all.kinds,
           s->seen.streams, s->seen.insns, s->seen.watched);
    print_encodings(s);
    print_sorts(s);
    enum status st = print_never(s, e);
    return st == ST_OK ? print_worst(s, e) : st;
}

/* ---- tsv ---- */

static void print_level(const struct showing *s, const struct cover_kind *k, u32 level)
{
    char text[96];
    struct text t;
    text_init(&t, text, sizeof text);
    cover_add_factor(k, cover_factor_of(&s->model, k, level), &t);
    text_add(&t, "\t");
    cover_add_level(&s->model, k, level, &t);
    printf("\t%s", text);
}

static void print_tsv(const struct showing *s)
{
    printf("opcode\tform\tfactor\tlevel\tfactor2\tlevel2\n");
    for (u32 i = 0; i < s->model.kind_count; i++) {
        const struct cover_kind *k = &s->model.kind[i];
        for (u32 a = 0; is_shown(s, k) && a < k->levels; a++)
            for (u32 b = a; b < k->levels; b++) {
                if (!cover_is_pair(&s->model, k, a, b) || cover_has_pair(&s->seen, k, a, b))
                    continue;
                printf("%s\t%s", isa_rows[k->op].name, coverage_form(&s->isa, k));
                print_level(s, k, a);
                print_level(s, k, b);
                printf("\n");
            }
    }
}

/* ---- the command ---- */

enum { DEFAULT_COUNT = 1000 };

/* Makes and executes programs. */
static enum status run_streams(struct showing *s, struct err *e)
{
    struct generator *g = malloc(sizeof *g);
    struct stream *stream = malloc(sizeof *stream);
    struct watch *watch = NULL;
    struct gen_cfg cfg = gen_cfg_default;
    enum status st = g && stream ? ST_OK : err_memory(e);
    cfg.seed = s->o->seed;
    if (st == ST_OK)
        st = gen_open(g, &s->isa, &cfg, e);
    if (st == ST_OK)
        st = watch_open(&watch, s->o->mcpu, e);
    u64 count = s->o->count ? s->o->count : DEFAULT_COUNT;
    for (u64 i = 0; st == ST_OK && i < count; i++) {
        gen_stream(g, i, stream);
        cover_code(&s->seen, stream->code, stream->code_dw);
        st = watch_run(watch, stream, &s->seen, e);
    }
    watch_close(watch);
    free(stream);
    free(g);
    return st;
}

/* ST_INPUT: --only or --form leaves nothing. */
static enum status check_shown(const struct showing *s, struct err *e)
{
    enum status st = only_check_list(s->o->only, "--only: ", &s->isa, e);
    if (st != ST_OK)
        return st;
    for (u32 i = 0; i < s->model.kind_count; i++)
        if (is_shown(s, &s->model.kind[i]))
            return ST_OK;
    return err_set(e, ST_INPUT, "random programs have nothing of that");
}

static enum status show(struct showing *s, struct err *e)
{
    enum status st = coverage_open_model(&s->model, &s->isa, e);
    if (st == ST_OK)
        st = cover_seen_open(&s->seen, &s->model, e);
    if (st == ST_OK)
        st = check_shown(s, e);
    for (u32 i = 0; st == ST_OK && i < s->o->arg_count; i++)
        st = coverage_read(&s->seen, s->o->arg[i], e);
    if (st == ST_OK && !s->o->arg_count)
        st = run_streams(s, e);
    if (st != ST_OK)
        return st;
    if (!s->tsv)
        return print_text(s, e);
    print_tsv(s);
    return ST_OK;
}

int cmd_cover(struct opts *o)
{
    const char *format = o->format ? o->format : "text";
    struct err e = { .text = "" };
    if (!opts_has_word("text tsv", format, strlen(format)))
        return cmd_error(o, EXIT_USAGE, "--format %.40s: must be text or tsv", format);
    if (o->count && o->arg_count)
        return cmd_error(
            o, EXIT_USAGE,
            "--count is of programs that cover makes itself: %.200s was counted before", o->arg[0]);
    struct showing *s = calloc(1, sizeof *s);
    if (!s)
        return cmd_fail(o, err_memory(&e), &e);
    s->o = o;
    s->tsv = strcmp(format, "tsv") == 0;
    enum status st = isa_open_modelled(&s->isa, o->mcpu, &e);
    if (st == ST_OK)
        st = show(s, &e);
    cover_seen_close(&s->seen);
    cover_close(&s->model);
    free(s);
    return st == ST_OK ? EXIT_CLEAN : cmd_fail(o, st, &e);
}
