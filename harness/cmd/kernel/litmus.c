/* gcncheck litmus: outcomes of small programs on weak memory. */
#include "harness/litmus/litmus.h"
#include "harness/cmd/base/cmd.h"
#include "harness/io/file.h"
#include "harness/io/stop.h"

#include <inttypes.h>
#include <stdlib.h>

enum { RUNS = 1000, OUT_BUFFER = 1 << 16 };

struct litmus_counts {
    u64 tests, runs, wrong, missing; /* tests with what is forbidden; without what is expected */
};

static const char *const rule_names[] = {
    [LITMUS_FORBID] = "forbid", [LITMUS_EXPECT] = "expect", [LITMUS_ALLOW] = "allow"
};

/* What the conditions say of an outcome. */
static const char *judge(const struct litmus_test *t, const struct litmus_outcome *o)
{
    static const char *const text[] = { [LITMUS_FORBID] = "  forbidden",
                                        [LITMUS_EXPECT] = "  expected",
                                        [LITMUS_ALLOW] = "  allowed" };
    for (u32 i = 0; i < t->condition_count; i++) {
        const struct litmus_condition *c = &t->condition[i];
        bool holds = true;
        for (u32 k = 0; k < t->place_count; k++)
            holds &= !(c->used >> k & 1) || c->value[k] == o->value[k];
        if (holds)
            return text[c->rule];
    }
    return "";
}

/* What is forbidden came: memory is wrong, or the program. What is expected did not: perhaps there
 * were too few runs. */
static const char *verdict(const struct litmus_test *t)
{
    bool is_wrong = litmus_is_wrong(t), is_missing = litmus_is_missing(t);
    return is_wrong && is_missing ? "WRONG, MISSING"
           : is_wrong             ? "WRONG"
           : is_missing           ? "MISSING"
                                  : "right";
}

static int by_count(const void *a, const void *b)
{
    const struct litmus_outcome *x = a, *y = b;
    if (x->seen != y->seen)
        return x->seen < y->seen ? 1 : -1;
    return memcmp(x->value, y->value, sizeof x->value);
}

static void print_text(struct litmus_test *t)
{
    qsort(t->outcome, t->outcome_count, sizeof t->outcome[0], by_count);
    printf("%s: %" PRIu64 " run%s, %s\n", t->name, t->runs, t->runs == 1 ? "" : "s", verdict(t));
    for (u32 i = 0; i < t->outcome_count; i++) {
        printf("%9" PRIu64 " ", t->outcome[i].seen);
        for (u32 k = 0; k < t->place_count; k++)
            printf(" %s=%u", t->place[k].name, t->outcome[i].value[k]);
        printf("%s\n", judge(t, &t->outcome[i]));
    }
    for (u32 i = 0; i < t->condition_count; i++)
        if (t->condition[i].rule == LITMUS_EXPECT && !t->condition[i].seen)
            printf("          %s  expected, never seen\n", t->condition[i].text);
}

static void print_tsv(const struct litmus_test *t)
{
    for (u32 i = 0; i < t->condition_count; i++)
        printf("%s\t%" PRIu64 "\t%s\t%s\t%" PRIu64 "\n", t->name, t->runs,
               rule_names[t->condition[i].rule], t->condition[i].text, t->condition[i].seen);
}

static enum status do_file(const struct opts *o, const char *path, bool tsv, struct litmus_test *t,
                           struct litmus_counts *n, struct err *e)
{
    struct litmus_file f;
    bool more = true;
    enum status st = litmus_open(&f, path, o->mcpu, e);
    while (st == ST_OK && !stop_requested()) {
        st = litmus_next(&f, t, &more, e);
        if (st != ST_OK || !more)
            break;
        st = litmus_run(t, o->count ? o->count : RUNS, o->seed, e);
        if (st == ST_INPUT)
            file_error(e, path, (int)t->line);
        if (st != ST_OK)
            break;
        n->tests++;
        n->runs += t->runs;
        bool is_wrong = litmus_is_wrong(t), is_missing = litmus_is_missing(t);
        n->wrong += is_wrong;
        n->missing += is_missing;
        if (tsv)
            print_tsv(t);
        else if (!o->quiet || is_wrong || is_missing)
            print_text(t);
    }
    litmus_close(&f);
    return st;
}

int cmd_litmus(struct opts *o)
{
    static char buffer[OUT_BUFFER];
    const char *format = o->format ? o->format : "text";
    struct litmus_counts n = { 0 };
    struct err e = { .text = "" };
    if (!opts_has_word("text tsv", format, strlen(format)))
        return cmd_error(o, EXIT_USAGE, "--format %.40s: must be text or tsv", format);
    struct litmus_test *t = malloc(sizeof *t);
    enum status st = t ? ST_OK : err_memory(&e);
    bool tsv = strcmp(format, "tsv") == 0;
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    stop_catch();
    if (tsv)
        printf("test\truns\trule\tcondition\tseen\n");
    for (u32 i = 0; st == ST_OK && i < o->arg_count; i++)
        st = do_file(o, o->arg[i], tsv, t, &n, &e);
    free(t);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (stop_requested())
        return cmd_error(o, EXIT_STOPPED, "%s", stop_text());
    if (!tsv)
        printf("%" PRIu64 " test%s, %" PRIu64 " runs, %" PRIu64 " wrong, %" PRIu64 " missing\n",
               n.tests, n.tests == 1 ? "" : "s", n.runs, n.wrong, n.missing);
    return n.wrong || n.missing ? EXIT_DIFFERENCES : EXIT_CLEAN;
}
