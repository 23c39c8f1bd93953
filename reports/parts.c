#include "reports/parts.h"

#include "oracle/base/array.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHARDS_NAMED = 6 };

/* The shard that a head without a number of it says in its arguments. */
static void read_shard(struct journal_head *h)
{
    const char *at = strstr(h->args, " --shard ");
    unsigned i, n;
    if (!h->shards && at && sscanf(at, " --shard %u/%u", &i, &n) == 2 && i >= 1 && i <= n) {
        h->shard = i - 1;
        h->shards = n;
    }
    if (!h->shards)
        h->shards = 1;
}

void parts_drop_shard(char *args)
{
    char *at = strstr(args, " --shard ");
    if (!at)
        return;
    const char *end = at + strlen(" --shard ");
    end += strcspn(end, " ");
    memmove(at, end, strlen(end) + 1);
}

bool parts_add(struct parts *p, const struct journal_head *head, const char *file)
{
    struct part *at = array_grow(p->at, &p->cap, p->count + 1ull, sizeof *at);
    if (!at)
        return false;
    p->at = at;
    at = &p->at[p->count++];
    at->head = *head;
    snprintf(at->file, sizeof at->file, "%s", file);
    read_shard(&at->head);
    parts_drop_shard(at->head.args);
    return true;
}

void parts_free(struct parts *p)
{
    free(p->at);
    *p = (struct parts){ 0 };
}

/* Orders by run: what all its shards have in common. */
static int by_run(const struct journal_head *a, const struct journal_head *b)
{
    int c = strcmp(a->version, b->version);
    c = c ? c : strcmp(a->mcpu, b->mcpu);
    c = c ? c : strcmp(a->dut, b->dut);
    c = c ? c : strcmp(a->args, b->args);
    c = c || !a->options[0] || !b->options[0] ? c : strcmp(a->options, b->options);
    return c ? c : (a->shards > b->shards) - (a->shards < b->shards);
}

bool parts_same_run(const struct journal_head *a, const struct journal_head *b)
{
    return by_run(a, b) == 0;
}

static int by_shard(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    int c = by_run(&x->head, &y->head);
    c = c ? c : (x->head.shard > y->head.shard) - (x->head.shard < y->head.shard);
    return c ? c : strcmp(x->file, y->file);
}

/* Two parts of one run that are neighbours. */
static enum status check_pair(const struct part *a, const struct part *b, struct err *e)
{
    const struct journal_head *x = &a->head, *y = &b->head;
    if (strcmp(x->dut_hash, y->dut_hash) != 0 && x->dut_hash[0] && y->dut_hash[0])
        return err_set(e, ST_INPUT, "%.60s and %.60s: different builds of %.50s: %.12s, %.12s",
                       a->file, b->file, x->dut, x->dut_hash, y->dut_hash);
    if (x->offered != y->offered && x->offered && y->offered)
        return err_set(
            e, ST_INPUT, "%.60s and %.60s: shards of different cases: %llu results in all, %llu",
            a->file, b->file, (unsigned long long)x->offered, (unsigned long long)y->offered);
    if (x->shard != y->shard)
        return ST_OK;
    if (x->shards > 1)
        return err_set(e, ST_INPUT, "shard %u/%u of gcncheck %.80s is there twice: %.50s and %.50s",
                       x->shard + 1, x->shards, x->args, a->file, b->file);
    return err_set(e, ST_INPUT, "gcncheck %.100s is there twice: %.60s and %.60s", x->args, a->file,
                   b->file);
}

/* One run, whose shards are there once each at most. */
static enum status check_all_there(const struct part *at, u32 count, struct err *e)
{
    char names[128];
    struct text t;
    u32 missing = 0, next = 0, shards = at->head.shards;
    text_init(&t, names, sizeof names);
    for (u32 i = 0; i <= count; i++) {
        u32 end = i < count ? at[i].head.shard : shards;
        for (; next < end; next++)
            if (missing++ < SHARDS_NAMED)
                text_add(&t, "%s%u/%u", missing > 1 ? ", " : "", next + 1, shards);
        next = end + 1;
    }
    if (!missing)
        return ST_OK;
    if (missing > SHARDS_NAMED)
        text_add(&t, " and %u more", missing - SHARDS_NAMED);
    return err_set(e, ST_INPUT, "gcncheck %.80s: shard%s %s %s missing (--partial: may be)",
                   at->head.args, missing == 1 ? "" : "s", names, missing == 1 ? "is" : "are");
}

enum status parts_check(struct parts *p, bool partial, struct err *e)
{
    enum status st = ST_OK;
    if (p->count)
        qsort(p->at, p->count, sizeof *p->at, by_shard);
    for (u32 i = 0, n; st == ST_OK && i < p->count; i += n) {
        for (n = 1; st == ST_OK && i + n < p->count; n++) {
            if (!parts_same_run(&p->at[i].head, &p->at[i + n].head))
                break;
            st = check_pair(&p->at[i + n - 1], &p->at[i + n], e);
        }
        if (st == ST_OK && !partial)
            st = check_all_there(&p->at[i], n, e);
    }
    return st;
}
