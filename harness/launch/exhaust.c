/* A kernel in all orders of its waves' accesses that can differ: it is run again and again, from the
 * same buffers, as the explorer says, and what comes out is collected. */
#include "harness/io/file.h"
#include "harness/io/stop.h"
#include "harness/launch/turns.h"
#include "oracle/base/array.h"

#include <inttypes.h>
#include <stdlib.h>

/* Bytes that a kernel can change, and a copy of what it begins with. */
struct piece {
    u8 *bytes, *copy;
    u64 size;
    bool counts; /* they are looked at afterwards */
};

struct exhaust {
    struct dispatch *d;
    struct explore *x;
    struct piece *piece;
    u32 pieces, room;
    u64 *outcome; /* hashes, in a table that is never full; 0: none */
    u32 outcomes, outcome_room;
    u64 runs, whole, wrong; /* all; those that are an order of their own; with a wrong outcome */
    u64 first;              /* outcome of the first that ended; 0: none */
    bool is_cut;            /* a run ended before all of it was seen */
    struct turns_run *how;  /* the first wrong one */
    u32 how_count;
};

static bool is_last_part(const struct launch *l)
{
    return l->part + 1 >= l->part_count;
}

/* --- what it begins with --- */

static bool keep(struct exhaust *x, u8 *bytes, u64 size, bool counts)
{
    struct piece p = { .bytes = bytes, .copy = malloc(size + 1), .size = size, .counts = counts };
    struct piece *moved =
        x->pieces < x->room ? x->piece : array_grow(x->piece, &x->room, x->room + 1ull, sizeof p);
    if (moved)
        x->piece = moved;
    if (!p.copy || !moved) {
        free(p.copy);
        return false;
    }
    memcpy(p.copy, bytes, size);
    x->piece[x->pieces++] = p;
    return true;
}

/* What another kernel behind this one finds counts as a whole. */
static bool keep_all(struct exhaust *x)
{
    const struct launch *l = x->d->l;
    const struct codeobj *co = x->d->co;
    bool ok = true, is_last = is_last_part(l);
    for (u32 i = 0; ok && i < l->arg_count; i++) {
        const struct launch_arg *a = &l->args[i];
        if ((launch_arg_is_buffer(a) || a->symbol) && a->bytes)
            ok = keep(x, a->bytes, a->size, a->kind != LARG_TMP || !is_last);
    }
    for (u32 i = 0; ok && i < co->segment_count; i++) {
        const struct codeobj_segment *s = &co->segments[i];
        if (s->is_writable)
            ok = keep(x, co->image + (s->vaddr - co->image_lo), s->size, !is_last);
    }
    return ok;
}

static void restore(const struct exhaust *x)
{
    for (u32 i = 0; i < x->pieces; i++)
        memcpy(x->piece[i].bytes, x->piece[i].copy, x->piece[i].size);
}

/* --- what it comes to --- */

static u64 hash_bytes(u64 h, const u8 *p, u64 size)
{
    for (u64 i = 0; i < size; i += 8) {
        u64 v = 0;
        memcpy(&v, p + i, size - i < 8 ? size - i : 8);
        h = hash_mix(h, v);
    }
    return h;
}

static u64 hash_outcome(const struct exhaust *x, const struct launch_result *r)
{
    u64 h = 0;
    if (!r->has_ended)
        return hash_bytes(1, (const u8 *)r->why, strlen(r->why)) | 1;
    for (u32 i = 0; i < x->pieces; i++)
        if (x->piece[i].counts)
            h = hash_bytes(h, x->piece[i].bytes, x->piece[i].size);
    return h | 1;
}

static void put(u64 *table, u32 room, u64 hash)
{
    u32 i = (u32)(hash >> 32) & (room - 1);
    while (table[i])
        i = (i + 1) & (room - 1);
    table[i] = hash;
}

/* Whether an outcome has been there; it has from now on. */
static bool is_known(struct exhaust *x, u64 hash)
{
    for (u32 i = 0; i < x->outcome_room; i++) {
        u64 at = x->outcome[((hash >> 32) + i) & (x->outcome_room - 1)];
        if (at == hash)
            return true;
        if (!at)
            break;
    }
    return false;
}

static bool add_outcome(struct exhaust *x, u64 hash)
{
    enum { ROOM = 64 };
    if (is_known(x, hash))
        return true;
    if (2 * x->outcomes >= x->outcome_room) {
        u32 room = x->outcome_room ? 2 * x->outcome_room : ROOM;
        u64 *table = calloc(room, sizeof *table);
        if (!table)
            return false;
        for (u32 i = 0; i < x->outcome_room; i++)
            if (x->outcome[i])
                put(table, room, x->outcome[i]);
        free(x->outcome);
        x->outcome = table;
        x->outcome_room = room;
    }
    put(x->outcome, x->outcome_room, hash);
    x->outcomes++;
    return true;
}

/* Against what LAUNCH.TXT expects behind this kernel; *compared: anything. */
static bool differs(const struct launch *l, bool *compared)
{
    bool wrong = false;
    *compared = false;
    for (u32 i = 0; i < l->expect_count; i++)
        if (l->expects[i].part == l->part) {
            *compared = true;
            wrong |= launch_compare_expect(l, &l->expects[i], 1).wrong > 0;
        }
    for (u32 i = 0; i < l->arg_count && is_last_part(l); i++) {
        *compared |= l->args[i].check.rule != CHECK_NONE;
        wrong |= launch_compare(&l->args[i], 1).wrong > 0;
    }
    return wrong;
}

/* A run that is none of those before. */
static bool take(struct exhaust *x, const struct launch_result *r)
{
    bool compared, wrong = differs(x->d->l, &compared);
    u64 hash = hash_outcome(x, r);
    if (!x->first && r->has_ended)
        x->first = hash;
    x->whole++;
    x->is_cut |= turns_were_cut(x->d->turns);
    if (!compared && is_last_part(x->d->l))
        wrong = hash != x->first;
    if (wrong || !r->has_ended) {
        const struct turns_run *runs;
        u32 count = turns_taken(x->d->turns, &runs);
        if (!x->wrong++ && (x->how = malloc((count + 1) * sizeof *runs)) != NULL) {
            if (count)
                memcpy(x->how, runs, count * sizeof *runs);
            x->how_count = count;
        }
    }
    return add_outcome(x, hash) && (!x->wrong || x->how);
}

/* --- all runs --- */

static enum status run_one(struct exhaust *x, struct launch_result *r, struct err *e)
{
    *r = (struct launch_result){ 0 };
    restore(x);
    x->runs++;
    enum status st = launch_run_groups(x->d, r, e);
    dispatch_get_globals(x->d);
    return st == ST_OK ? turns_check(x->d->turns, e) : st;
}

/* *all: none is left. */
static enum status run_all(struct exhaust *x, bool *all, double *seconds, struct err *e)
{
    struct launch_result r;
    bool has_next = true;
    turns_explore(x->d->turns, x->x);
    while (has_next && x->runs < x->d->cfg->schedules) {
        explore_begin(x->x);
        enum status st = run_one(x, &r, e);
        *seconds += r.seconds;
        if (st != ST_OK)
            return st;
        if (stop_requested())
            return ST_OK;
        if (explore_is_too_long(x->x))
            return err_set(e, ST_INPUT,
                           "--schedule exhaustive: its waves access memory more than %d times",
                           EXPLORE_TURNS);
        if (explore_has_failed(x->x) || (!explore_is_covered(x->x) && !take(x, &r)))
            return err_memory(e);
        has_next = explore_next(x->x);
    }
    *all = !has_next && !x->is_cut;
    return explore_has_failed(x->x) ? err_memory(e) : ST_OK;
}

static void print(const struct exhaust *x, bool all, FILE *out)
{
    const char *s = x->whole == 1 ? "" : "s";
    fprintf(out, "exhaustive: ");
    if (all)
        fprintf(out, "all %" PRIu64 " schedule%s that differ%s", x->whole, s, *s ? "" : "s");
    else
        fprintf(out, "%" PRIu64 " schedule%s, not all", x->whole, s);
    fprintf(out, ", %u outcome%s", x->outcomes, x->outcomes == 1 ? "" : "s");
    if (x->wrong) {
        fprintf(out, ", %" PRIu64 " wrong; the first: --turns ", x->wrong);
        if (x->d->l->part_count > 1)
            fprintf(out, "%u/", x->d->l->part);
        turns_print(out, x->how, x->how_count);
    } else if (x->outcomes > 1 && !is_last_part(x->d->l)) {
        fprintf(out, "; the next kernel goes on from the first");
    }
    fprintf(out, "\n");
}

/* Runs them, and the one that is shown once more. */
static enum status run(struct exhaust *x, const struct launch_cfg *cfg, struct launch_result *r,
                       struct err *e)
{
    bool all = false;
    double seconds = 0;
    enum status st = run_all(x, &all, &seconds, e);
    if (st == ST_OK && !stop_requested()) {
        print(x, all, cfg->out);
        turns_follow(x->d->turns, x->how, x->how_count);
        st = run_one(x, r, e);
    }
    if (st == ST_OK && stop_requested()) {
        *r = (struct launch_result){ 0 };
        snprintf(r->why, sizeof r->why, "%s, behind %" PRIu64 " schedules", stop_text(), x->whole);
    }
    r->seconds += seconds;
    r->wrong = x->wrong;
    return st;
}

static void close_all(struct exhaust *x)
{
    for (u32 i = 0; i < x->pieces; i++)
        free(x->piece[i].copy);
    free(x->piece);
    free(x->outcome);
    free(x->how);
    explore_close(x->x);
    dispatch_close(x->d);
}

enum status exhaust_run(const struct codeobj *co, const struct codeobj_kernel *k, struct launch *l,
                        const struct launch_cfg *cfg, struct launch_result *r, struct err *e)
{
    struct exhaust x = { 0 };
    enum status st = dispatch_open(&x.d, co, k, l, cfg, e);
    *r = (struct launch_result){ 0 };
    if (st == ST_OK && x.d->host && x.d->is_ordered)
        st = err_set(e, ST_INPUT,
                     "--schedule exhaustive: kernel %.60s calls the host (printf, malloc)",
                     k->meta->name);
    if (st == ST_OK)
        st = turns_open(&x.d->turns, x.d, e);
    if (st == ST_OK && (!(x.x = explore_open(turns_threads(x.d->turns))) || !keep_all(&x)))
        st = err_memory(e);
    if (st == ST_OK)
        st = run(&x, cfg, r, e);
    if (st != ST_OK)
        file_error(e, co->file, 0);
    close_all(&x);
    return st;
}
