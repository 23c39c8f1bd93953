/* What came and went: reading two runs, and comparing their causes. */
#include "reports/diff.h"

#include "oracle/base/array.h"
#include "oracle/base/hash.h"

#include <stdio.h>
#include <stdlib.h>

const char *const diff_change_names[DIFF_CHANGES] = {
    [DIFF_CAME] = "came",
    [DIFF_WENT] = "went",
    [DIFF_STAYED] = "stayed",
};

/* ---- reading ---- */

/* Who collects the results of one side, as the state of a report. */
struct collector {
    struct diff *d;
    enum diff_side side;
};

static u8 now_of(const struct result *r)
{
    switch (r->status) {
    case RESULT_OK: return DIFF_NOW_RIGHT;
    case RESULT_NOT_OK:
    case RESULT_KNOWN: return DIFF_NOW_OTHER;
    default: return DIFF_NOW_NOT_JUDGED;
    }
}

static bool add_result(struct report *r, const struct result *result)
{
    const struct collector *c = r->state;
    struct diff *d = c->d;
    char key[176];
    bool differs = result->status == RESULT_NOT_OK || result->status == RESULT_KNOWN;
    if (!summary_add(d->summary[c->side], result))
        return false;
    if (c->side == DIFF_OLD && !differs)
        return true;
    struct diff_result *at = array_grow(d->result[c->side], &d->results_cap[c->side],
                                        d->results[c->side] + 1ull, sizeof *at);
    if (!at)
        return false;
    d->result[c->side] = at;
    at[d->results[c->side]++] =
        (struct diff_result){ .id = hash_text(result->id),
                              .cause =
                                  differs ? hash_text(result_cause(result, key, sizeof key)) : 0,
                              .now = now_of(result) };
    return true;
}

static bool add_record(struct report *r, const struct journal_record *rec)
{
    const struct collector *c = r->state;
    struct summary *s = c->d->summary[c->side];
    if (rec->kind == JOURNAL_HEAD)
        summary_add_head(s, &rec->head);
    else if (rec->kind == JOURNAL_DUT)
        summary_add_dut(s, &rec->dut);
    return rec->kind != JOURNAL_ROW || summary_add_row(s, &rec->row);
}

enum status diff_read(struct diff *d, enum diff_side side, const char *path, struct err *e)
{
    static const struct report_writer writer = { .result = add_result, .record = add_record };
    static const struct report_format format = { .name = "diff", .writer = &writer };
    struct collector c = { .d = d, .side = side };
    struct report r = { .format = &format, .state = &c };
    return report_journal(&r, path, &d->found[side], e);
}

enum status diff_open(struct diff *d, struct err *e)
{
    *d = (struct diff){ .causes = 0 };
    for (u32 side = 0; side < DIFF_SIDES; side++)
        d->summary[side] = summary_new();
    if (d->summary[DIFF_OLD] && d->summary[DIFF_NEW])
        return ST_OK;
    diff_close(d);
    return err_memory(e);
}

void diff_close(struct diff *d)
{
    for (u32 side = 0; side < DIFF_SIDES; side++) {
        summary_free(d->summary[side]);
        parts_free(&d->found[side].parts);
        free(d->result[side]);
    }
    free(d->cause);
}

/* ---- comparing ---- */

/* The streams that show a cause, by the table of a campaign; 0: there is none, or it has it not. */
static u64 streams_of(const struct summary *s, const char *key)
{
    for (u32 i = 0; i < s->tables; i++) {
        const struct summary_table *t = &s->table[i];
        u32 what = JOURNAL_CELLS_MAX, streams = JOURNAL_CELLS_MAX;
        u64 n = 0;
        if (strcmp(t->name, "causes") != 0 || !t->count)
            continue;
        for (u32 c = 0; c < t->row[0].count; c++) {
            what = strcmp(t->row[0].cell[c], "what") == 0 ? c : what;
            streams = strcmp(t->row[0].cell[c], "streams") == 0 ? c : streams;
        }
        for (u32 r = 1; r < t->count && what < JOURNAL_CELLS_MAX && streams < JOURNAL_CELLS_MAX;
             r++)
            if (strcmp(t->row[r].cell[what], key) == 0)
                n += strtoull(t->row[r].cell[streams], NULL, 10);
        return n;
    }
    return 0;
}

/* Adds the causes of one side. */
static void take_causes(struct diff *d, enum diff_side side)
{
    const struct summary *s = d->summary[side];
    const struct summary_groups *const groups[] = { &s->causes, &s->known };
    for (u32 g = 0; g < COUNT_OF(groups); g++)
        for (u32 i = 0; i < groups[g]->count; i++) {
            const struct summary_group *from = &groups[g]->at[i];
            struct diff_cause *c = &d->cause[d->causes++];
            *c = (struct diff_cause){ .first = from->first,
                                      .change = side == DIFF_OLD ? DIFF_WENT : DIFF_CAME };
            memcpy(c->key, from->key, sizeof c->key);
            u64 streams = streams_of(s, c->key);
            c->count[side] = streams ? streams : from->total;
        }
}

/* By name; of one name the new run's first, whose first result is to be shown. */
static int by_key(const void *a, const void *b)
{
    const struct diff_cause *x = a, *y = b;
    int c = strcmp(x->key, y->key);
    return c ? c : (x->change > y->change) - (x->change < y->change);
}

static int by_change(const void *a, const void *b)
{
    const struct diff_cause *x = a, *y = b;
    int c = (x->change > y->change) - (x->change < y->change);
    return c ? c : strcmp(x->key, y->key);
}

/* Makes one cause of those that have one name. A cause may be known in part: then a side has it
 * twice. */
static void join(struct diff *d)
{
    u32 kept = 0;
    for (u32 i = 0; i < d->causes; i++) {
        struct diff_cause *last = kept ? &d->cause[kept - 1] : NULL;
        if (!last || strcmp(last->key, d->cause[i].key) != 0) {
            d->cause[kept++] = d->cause[i];
            continue;
        }
        if (last->change != d->cause[i].change)
            last->change = DIFF_STAYED;
        bool is_streams = streams_of(d->summary[DIFF_OLD], last->key) ||
                          streams_of(d->summary[DIFF_NEW], last->key);
        for (u32 side = 0; side < DIFF_SIDES; side++) {
            u64 n = d->cause[i].count[side];
            last->count[side] = is_streams && n ? n : last->count[side] + n;
        }
    }
    d->causes = kept;
}

static int by_id(const void *a, const void *b)
{
    const struct diff_result *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_cause(const void *a, const void *b)
{
    const struct diff_result *x = a, *y = b;
    return (x->cause > y->cause) - (x->cause < y->cause);
}

/* The first of the results, which are in the order of their causes, that has this one or a later. */
static u32 first_of_cause(const struct diff_result *r, u32 count, u64 cause)
{
    u32 from = 0;
    for (u32 to = count; from < to;) {
        u32 mid = from + (to - from) / 2;
        if (r[mid].cause < cause)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

/* What became of the cases of causes that went. */
static void look_up(struct diff *d)
{
    struct diff_result *now = d->result[DIFF_NEW], *before = d->result[DIFF_OLD];
    u32 count = d->results[DIFF_NEW], count_before = d->results[DIFF_OLD];
    if (count)
        qsort(now, count, sizeof *now, by_id);
    if (count_before)
        qsort(before, count_before, sizeof *before, by_cause);
    for (u32 i = 0; i < d->causes; i++) {
        struct diff_cause *c = &d->cause[i];
        u64 key = hash_text(c->key);
        if (c->change != DIFF_WENT)
            continue;
        for (u32 k = first_of_cause(before, count_before, key);
             k < count_before && before[k].cause == key; k++) {
            const struct diff_result *found =
                count ? bsearch(&before[k], now, count, sizeof *now, by_id) : NULL;
            c->now[found ? found->now : (u8)DIFF_NOW_GONE]++;
        }
    }
}

enum status diff_find(struct diff *d, struct err *e)
{
    u64 most = 0;
    for (u32 side = 0; side < DIFF_SIDES; side++)
        most += d->summary[side]->causes.count + d->summary[side]->known.count;
    d->cause = malloc((most ? most : 1) * sizeof *d->cause);
    if (!d->cause)
        return err_memory(e);
    take_causes(d, DIFF_NEW);
    take_causes(d, DIFF_OLD);
    qsort(d->cause, d->causes, sizeof *d->cause, by_key);
    join(d);
    qsort(d->cause, d->causes, sizeof *d->cause, by_change);
    look_up(d);
    for (u32 i = 0; i < d->causes; i++)
        d->changes[d->cause[i].change]++;
    return ST_OK;
}
