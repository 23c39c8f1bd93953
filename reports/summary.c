#include "reports/summary.h"

#include "oracle/base/array.h"
#include "oracle/base/hash.h"
#include "reports/parts.h"

#include <stdlib.h>

const char *const tally_names[TALLY_COUNT] = {
    [TALLY_RIGHT] = "right",
    [TALLY_WRONG] = "wrong",
    [TALLY_UNIMPLEMENTED] = "unimplemented",
    [TALLY_NARROWED] = "narrowed",
    [TALLY_SKIPPED] = "skipped",
    [TALLY_TODO] = "below the gate",
    [TALLY_KNOWN] = "known",
};

const char *const summary_forms[SUMMARY_FORMS] = { "base", "e32", "literal", "e64",
                                                   "sdwa", "dpp", "-" };

/* Where a result counts: it has a form of its own unless another instruction is to blame. */
static u32 form_of(const struct result *r)
{
    u32 i = 0;
    while (i < SUMMARY_FORMS - 1 && (r->blame[0] || strcmp(r->form, summary_forms[i]) != 0))
        i++;
    return i;
}

enum tally summary_tally_of(const struct result *r)
{
    switch (r->status) {
    case RESULT_OK: return r->narrowed[0] ? TALLY_NARROWED : TALLY_RIGHT;
    case RESULT_SKIP:
        if (strcmp(r->reason, RESULT_UNIMPLEMENTED) == 0)
            return TALLY_UNIMPLEMENTED;
        return r->narrowed[0] ? TALLY_NARROWED : TALLY_SKIPPED;
    case RESULT_TODO: return TALLY_TODO;
    case RESULT_KNOWN: return TALLY_KNOWN;
    default: return TALLY_WRONG;
    }
}

static u32 key_hash(const char *key)
{
    u64 h = hash_text(key);
    return (u32)(h ^ h >> 29);
}

static void rehash(struct summary_groups *g)
{
    u32 mask = 2 * g->cap - 1;
    memset(g->slots, 0, sizeof(*g->slots) * 2 * g->cap);
    for (u32 i = 0; i < g->count; i++) {
        u32 slot = key_hash(g->at[i].key) & mask;
        while (g->slots[slot])
            slot = (slot + 1) & mask;
        g->slots[slot] = i + 1;
    }
}

/* Room for one more group; the hash holds at most half of its slots. junit.c does it for its cases, of
 * which only some are hashed, by another key. */
static bool grow(struct summary_groups *g)
{
    if (g->count < g->cap)
        return true;
    u32 cap = g->cap, slots_cap = g->cap;
    struct summary_group *at = array_grow(g->at, &cap, g->count + 1ull, sizeof *at);
    if (!at)
        return false;
    g->at = at;
    u32 *slots = array_grow(g->slots, &slots_cap, g->count + 1ull, 2 * sizeof *slots);
    if (!slots)
        return false;
    g->slots = slots;
    g->cap = cap;
    rehash(g);
    return true;
}

static struct summary_group *find(struct summary_groups *g, const char *key)
{
    if (!grow(g))
        return NULL;
    u32 mask = 2 * g->cap - 1;
    u32 slot = key_hash(key) & mask;
    for (; g->slots[slot]; slot = (slot + 1) & mask) {
        struct summary_group *found = &g->at[g->slots[slot] - 1];
        if (strcmp(found->key, key) == 0)
            return found;
    }
    struct summary_group *made = &g->at[g->count++];
    memset(made, 0, sizeof(*made));
    snprintf(made->key, sizeof(made->key), "%s", key);
    g->slots[slot] = g->count;
    return made;
}

/* The key as groups have it, cut to its length. */
static const char *cut_key(const char *key, char *buf, size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    text_add(&t, "%s", key);
    return buf;
}

static bool count_in(struct summary_groups *g, const char *key, const struct result *r)
{
    char cut[sizeof(g->at->key)];
    struct summary_group *group = find(g, cut_key(key, cut, sizeof cut));
    if (!group)
        return false;
    if (g->keeps_first && !group->first) {
        group->first = malloc(sizeof(*r));
        if (!group->first) { /* it is the newest: without it everything is as it was */
            g->count--;
            rehash(g);
            return false;
        }
        *group->first = *r;
    } else if (g->keeps_first && result_compare(r, group->first) < 0) {
        *group->first = *r;
    }
    group->total++;
    group->count[summary_tally_of(r)]++;
    group->form[form_of(r)][summary_tally_of(r)]++;
    return true;
}

/* Keeps the failure if it is one of the least. */
static bool keep_failure(struct summary *s, const struct result *r)
{
    u32 at = s->failures;
    struct result *copy;
    while (at && result_compare(r, s->failure[at - 1]) < 0)
        at--;
    if (at == SUMMARY_FAILURES_MAX)
        return true;
    if (s->failures == SUMMARY_FAILURES_MAX)
        copy = s->failure[--s->failures];
    else
        copy = malloc(sizeof(*copy));
    if (!copy)
        return false;
    *copy = *r;
    memmove(&s->failure[at + 1], &s->failure[at], sizeof(s->failure[0]) * (s->failures - at));
    s->failure[at] = copy;
    s->failures++;
    return true;
}

struct summary *summary_new(void)
{
    struct summary *s = calloc(1, sizeof(*s));
    if (s)
        s->causes.keeps_first = s->known.keeps_first = s->reasons.keeps_first =
            s->narrowed.keeps_first = true;
    return s;
}

static void free_groups(struct summary_groups *g)
{
    for (u32 i = 0; i < g->count; i++)
        free(g->at[i].first);
    free(g->at);
    free(g->slots);
}

void summary_free(struct summary *s)
{
    if (!s)
        return;
    free_groups(&s->ops);
    free_groups(&s->causes);
    free_groups(&s->known);
    free_groups(&s->reasons);
    free_groups(&s->narrowed);
    for (u32 i = 0; i < s->failures; i++)
        free(s->failure[i]);
    for (u32 i = 0; i < s->tables; i++)
        free(s->table[i].row);
    free(s->waiting);
    free(s);
}

const struct summary_group *summary_cause_of(const struct summary *s, const struct result *r)
{
    const struct summary_groups *g = &s->causes;
    char text[256], key[sizeof(g->at->key)];
    if (!g->count)
        return NULL;
    cut_key(result_cause(r, text, sizeof text), key, sizeof key);
    u32 mask = 2 * g->cap - 1;
    for (u32 slot = key_hash(key) & mask; g->slots[slot]; slot = (slot + 1) & mask)
        if (strcmp(g->at[g->slots[slot] - 1].key, key) == 0)
            return &g->at[g->slots[slot] - 1];
    return NULL;
}

/* Shards run beside each other: they begin with the first and take as long as the longest. */
static void share_time(struct summary *s)
{
    if (!s->now.is_known || s->latest >= SUMMARY_HEADS_MAX)
        return;
    struct timing *all = &s->timing[s->latest];
    u64 date = all->is_known && all->date < s->now.date ? all->date : s->now.date;
    u64 ms = all->is_known && all->ms > s->now.ms ? all->ms : s->now.ms;
    *all = (struct timing){ .is_known = true, .date = date, .ms = ms };
}

/* Lets the cause of a wrong result wait for the time that comes behind it. */
static bool wait_for_time(struct summary *s, const struct result *r)
{
    if (!s->now.is_known)
        return true;
    u32 *waiting = s->waits < s->waiting_cap
                       ? s->waiting
                       : array_grow(s->waiting, &s->waiting_cap, s->waits + 1ull, sizeof *waiting);
    const struct summary_group *cause = summary_cause_of(s, r);
    if (waiting)
        s->waiting = waiting;
    if (waiting && cause)
        waiting[s->waits++] = (u32)(cause - s->causes.at);
    return waiting != NULL;
}

void summary_add_time(struct summary *s, const struct journal_time *time)
{
    if (!s->heads)
        return;
    timing_take(&s->now, time);
    share_time(s);
    for (u32 i = 0; i < s->waits; i++) {
        struct summary_group *cause = &s->causes.at[s->waiting[i]];
        if (!cause->has_time || s->now.ms < cause->first_ms)
            cause->first_ms = s->now.ms;
        cause->has_time = true;
    }
    s->waits = 0;
}

bool summary_add(struct summary *s, const struct result *r)
{
    enum tally tally = summary_tally_of(r);
    char key[256];
    bool added = true;
    /* A wrong result counts where the blame is, not where the case stands. */
    const char *encoding = r->blame[0] ? r->blame_encoding : r->encoding;
    const char *mnemonic = r->blame[0] ? r->blame : r->mnemonic;
    snprintf(key, sizeof(key), "%s %s", encoding[0] ? encoding : "-", mnemonic[0] ? mnemonic : "-");
    added = count_in(&s->ops, key, r);
    if (tally == TALLY_WRONG)
        added = added && count_in(&s->causes, result_cause(r, key, sizeof(key)), r) &&
                wait_for_time(s, r) && keep_failure(s, r);
    if (tally == TALLY_KNOWN)
        added = added && count_in(&s->known, result_cause(r, key, sizeof(key)), r);
    if (r->status == RESULT_SKIP)
        added = added && count_in(&s->reasons, r->reason[0] ? r->reason : "no reason given", r);
    if (tally == TALLY_NARROWED)
        added = added && count_in(&s->narrowed, r->narrowed, r);
    s->total += added;
    s->count[tally] += added;
    return added;
}

/* A head of its own. */
static void append_head(struct summary *s, const struct journal_head *head)
{
    s->latest = s->heads++;
    if (s->latest < SUMMARY_HEADS_MAX) {
        s->head[s->latest] = *head;
        s->parts[s->latest] = 1;
    }
}

void summary_add_head(struct summary *s, const struct journal_head *head)
{
    s->waits = 0;
    s->now = s->before = (struct timing){ 0 };
    struct journal_head h = *head;
    if (h.shards > 1) {
        parts_drop_shard(h.args);
        s->latest_shard = h.shard;
        for (u32 i = 0; i < s->heads && i < SUMMARY_HEADS_MAX; i++) {
            if (parts_same_run(&s->head[i], &h)) {
                s->parts[i]++;
                s->latest = i;
                s->before = s->timing[i];
                return;
            }
        }
    }
    append_head(s, &h);
}

void summary_add_dut(struct summary *s, const struct journal_dut *dut)
{
    if (!s->heads || s->latest >= SUMMARY_HEADS_MAX)
        return;
    struct journal_dut *known = &s->dut[s->latest];
    bool same = strcmp(known->name, dut->name) == 0 && strcmp(known->version, dut->version) == 0;
    if (s->parts[s->latest] > 1 && !same) { /* shards of two versions are not one run */
        s->parts[s->latest]--;
        s->timing[s->latest] = s->before;
        struct journal_head h = s->head[s->latest];
        h.shard = s->latest_shard;
        append_head(s, &h);
        share_time(s);
    }
    if (s->latest < SUMMARY_HEADS_MAX)
        s->dut[s->latest] = *dut;
}

const char *summary_shards(const struct summary *s, u32 head, char *buf, size_t size)
{
    u32 parts = s->parts[head], shards = s->head[head].shards;
    buf[0] = 0;
    if (shards > 1 && parts == 1)
        snprintf(buf, size, ", shard %u/%u", s->head[head].shard + 1, shards);
    else if (shards > 1 && parts == shards)
        snprintf(buf, size, ", %u shards", shards);
    else if (shards > 1)
        snprintf(buf, size, ", %u of %u shards", parts, shards);
    return buf;
}

static bool same_row(const struct journal_row *a, const struct journal_row *b)
{
    bool same = a->count == b->count;
    for (u32 i = 0; same && i < a->count; i++)
        same = strcmp(a->cell[i], b->cell[i]) == 0;
    return same;
}

bool summary_add_row(struct summary *s, const struct journal_row *row)
{
    u32 i = 0;
    while (i < s->tables && strcmp(s->table[i].name, row->table) != 0)
        i++;
    if (i == SUMMARY_TABLES_MAX)
        return true;
    struct summary_table *t = &s->table[i];
    if (i == s->tables) {
        s->tables++;
        memcpy(t->name, row->table, sizeof(t->name));
    }
    struct journal_row *row_at = array_grow(t->row, &t->cap, t->count + 1ull, sizeof *row_at);
    if (!row_at)
        return false;
    t->row = row_at;
    /* A concatenated journal brings the heads of its columns again. */
    if (!t->count || !same_row(&t->row[0], row))
        t->row[t->count++] = *row;
    return true;
}

static int by_key(const void *a, const void *b)
{
    const struct summary_group *x = a, *y = b;
    return strcmp(x->key, y->key);
}

static int by_count(const void *a, const void *b)
{
    const struct summary_group *x = a, *y = b;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return strcmp(x->key, y->key);
}

static void sort_groups(struct summary_groups *g, int (*order)(const void *, const void *))
{
    if (!g->count)
        return;
    qsort(g->at, g->count, sizeof(*g->at), order);
    rehash(g);
}

void summary_sort(struct summary *s)
{
    s->waits = 0; /* they go by their place */
    sort_groups(&s->ops, by_key);
    sort_groups(&s->causes, by_count);
    sort_groups(&s->known, by_count);
    sort_groups(&s->reasons, by_count);
    sort_groups(&s->narrowed, by_count);
}

static void add_causes(const struct summary_groups *causes, struct text *t)
{
    if (causes->count)
        text_add(t, " (%u cause%s)", causes->count, causes->count == 1 ? "" : "s");
}

const char *summary_line(const struct summary *s, char *buf, size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    text_add(&t, "right %llu, wrong %llu", (unsigned long long)s->count[TALLY_RIGHT],
             (unsigned long long)s->count[TALLY_WRONG]);
    add_causes(&s->causes, &t);
    if (s->count[TALLY_KNOWN])
        text_add(&t, ", known %llu", (unsigned long long)s->count[TALLY_KNOWN]);
    add_causes(&s->known, &t);
    text_add(&t, ", unimplemented %llu, narrowed %llu",
             (unsigned long long)s->count[TALLY_UNIMPLEMENTED],
             (unsigned long long)s->count[TALLY_NARROWED]);
    for (u32 i = 0; i < s->narrowed.count; i++)
        text_add(&t, "%s%s%s", i ? ", " : " (", s->narrowed.at[i].key,
                 i + 1 == s->narrowed.count ? ")" : "");
    if (s->count[TALLY_SKIPPED])
        text_add(&t, ", skipped %llu", (unsigned long long)s->count[TALLY_SKIPPED]);
    if (s->count[TALLY_TODO])
        text_add(&t, ", below the gate %llu", (unsigned long long)s->count[TALLY_TODO]);
    return buf;
}
