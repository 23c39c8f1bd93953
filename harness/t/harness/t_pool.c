/* The ordered pool: every order of threads gives the same results, the first failure is the one
 * reported, and what comes behind it is dropped. */
#include "harness/io/pool.h"
#include "harness/t/lib/tap_test.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { ITEMS = 1000, ROUNDS = 100 };

struct bench {
    pthread_mutex_t lock;
    u64 count;                /* items there are */
    u64 stop_at, fail_at;     /* items: the last to be begun; that cannot be taken up */
    u32 fail_open;            /* worker that cannot be opened, from 1; 0: all can */
    u32 opened, closed;       /* workers */
    u64 begun, dropped, held; /* items; results with memory */
    u64 taken, wrong;         /* results; those out of order, or not of their item */
};

struct result {
    u64 *value; /* so that a lost one is noticed */
};

static struct bench *bench_of; /* drop gets the result alone */

static enum status open_worker(void *ctx, void **worker, struct err *e)
{
    struct bench *b = ctx;
    pthread_mutex_lock(&b->lock);
    bool fails = ++b->opened == b->fail_open;
    b->opened -= fails;
    b->fail_open *= !fails;
    pthread_mutex_unlock(&b->lock);
    *worker = b;
    return fails ? err_set(e, ST_INPUT, "not this one") : ST_OK;
}

static void close_worker(void *worker)
{
    struct bench *b = worker;
    pthread_mutex_lock(&b->lock);
    b->closed++;
    pthread_mutex_unlock(&b->lock);
}

static bool more(void *ctx, u64 index)
{
    return index < ((const struct bench *)ctx)->count;
}

/* Items take turns in being slow, so that they end out of order. */
static bool work(void *worker, u64 index, void *result)
{
    struct bench *b = worker;
    struct result *r = result;
    u64 *value = malloc(sizeof *value);
    if (!value)
        BUG("memory");
    *value = index * index;
    for (u64 i = 0; i < hash_mix(index, 7) % 8; i++)
        sched_yield();
    r->value = value;
    pthread_mutex_lock(&b->lock);
    b->begun++;
    b->held++;
    pthread_mutex_unlock(&b->lock);
    return index != b->stop_at;
}

static void release(struct bench *b, struct result *r)
{
    free(r->value);
    r->value = NULL;
    pthread_mutex_lock(&b->lock);
    b->held--;
    pthread_mutex_unlock(&b->lock);
}

static enum status settle(void *worker, u64 index, void *result, struct err *e)
{
    struct bench *b = worker;
    struct result *r = result;
    b->wrong += index != b->taken || *r->value != index * index;
    b->taken++;
    release(b, r);
    return index == b->fail_at ? err_set(e, ST_WORLD, "item %u", (u32)index) : ST_OK;
}

static void drop(void *result)
{
    bench_of->dropped++;
    release(bench_of, result);
}

static enum status run(struct bench *b, u32 threads, u32 ahead, void *mine, struct err *e)
{
    struct pool_job job = { .threads = threads,
                            .ahead = ahead,
                            .result_size = sizeof(struct result),
                            .ctx = b,
                            .mine = mine,
                            .open = open_worker,
                            .close = close_worker,
                            .more = more,
                            .work = work,
                            .settle = settle,
                            .drop = drop };
    bench_of = b;
    pthread_mutex_init(&b->lock, NULL);
    enum status st = pool_run(&job, e);
    pthread_mutex_destroy(&b->lock);
    return st;
}

static void all_of_them(u32 threads, u32 ahead)
{
    struct bench b = { .count = ITEMS, .stop_at = ~0ull, .fail_at = ~0ull };
    struct err e = { .text = "" };
    is_i64(ST_OK, run(&b, threads, ahead, NULL, &e), "%u threads, %u ahead", threads, ahead);
    is_i64(ITEMS, (i64)b.taken, "every result is taken up");
    is_i64(0, (i64)b.wrong, "in order, and of its item");
    is_i64(b.opened, b.closed, "what was opened is closed");
    ok(b.opened >= 1 && b.opened <= threads, "no more threads than allowed");
    is_i64(0, (i64)(b.held + b.dropped), "nothing is left over");
}

static void ends(u32 threads)
{
    struct err e = { .text = "" };
    struct bench stops = { .count = ITEMS, .stop_at = 400, .fail_at = ~0ull };
    is_i64(ST_OK, run(&stops, threads, 2, NULL, &e), "%u threads: an item ends the work", threads);
    ok(stops.taken >= 401 && stops.taken <= 401 + 3 * threads, "none behind it is begun");
    is_i64(0, (i64)(stops.wrong + stops.held), "nothing is lost");

    struct bench fails = { .count = ITEMS, .stop_at = ~0ull, .fail_at = 300 };
    is_i64(ST_WORLD, run(&fails, threads, 2, NULL, &e), "a result cannot be taken up");
    is_str("item 300", e.text, "the first such failure is the one that is reported");
    is_i64(301, (i64)fails.taken, "nothing behind it is taken up");
    is_i64((i64)(fails.begun - fails.taken), (i64)fails.dropped, "but dropped");
    is_i64(0, (i64)fails.held, "and freed");

    struct bench shut = {
        .count = ITEMS, .stop_at = ~0ull, .fail_at = ~0ull, .fail_open = threads
    };
    is_i64(ST_INPUT, run(&shut, threads, 2, NULL, &e), "a worker that cannot be opened");
    is_str("not this one", e.text, "is the result");
    is_i64(0, (i64)shut.taken, "and the only one");
    is_i64(0, (i64)shut.held, "nothing is left over");
}

static void own_worker(void)
{
    struct err e = { .text = "" };
    struct bench b = { .count = 50, .stop_at = ~0ull, .fail_at = ~0ull };
    is_i64(ST_OK, run(&b, 1, 0, &b, &e), "the caller's own worker alone");
    is_i64(50, (i64)b.taken, "does everything");
    is_i64(0, b.opened + b.closed, "and is neither opened nor closed");
    struct bench none = { .count = 0, .stop_at = ~0ull, .fail_at = ~0ull };
    is_i64(ST_OK, run(&none, 3, 1, NULL, &e), "no items");
    is_i64(0, (i64)none.taken, "no results");
}

/* The first helpers are open, and could take results up, while the last is still to be started.
 * Whether they would is a race: many rounds lose it somewhere. */
static void own_worker_waits(u32 threads)
{
    u64 taken = 0, left = 0;
    u32 refused = 0;
    for (u32 round = 0; round < ROUNDS; round++) {
        struct err e = { .text = "" };
        struct bench b = {
            .count = ITEMS, .stop_at = ~0ull, .fail_at = ~0ull, .fail_open = threads - 1
        };
        refused += run(&b, threads, 2, &b, &e) == ST_INPUT && strcmp(e.text, "not this one") == 0;
        taken += b.taken;
        left += b.held + (b.opened - b.closed);
    }
    is_i64(ROUNDS, refused, "%u threads with the caller's own worker: the last cannot be opened",
           threads);
    is_i64(0, (i64)taken, "nothing is taken up before it");
    is_i64(0, (i64)left, "nothing is left over");

    struct err e = { .text = "" };
    struct bench b = { .count = ITEMS, .stop_at = ~0ull, .fail_at = ~0ull };
    is_i64(ST_OK, run(&b, threads, 2, &b, &e), "all can be opened");
    is_i64(ITEMS, (i64)b.taken, "everything is taken up");
    is_i64(0, (i64)b.wrong, "in order");
    ok(b.opened <= threads - 1 && b.opened == b.closed, "the caller's worker is not opened");
}

static void limit(void)
{
    struct err e = { .text = "" };
    struct bench b = { .count = ITEMS, .stop_at = ~0ull, .fail_at = ~0ull };
    is_i64(ST_OK, run(&b, 10 * POOL_THREADS_MAX, 1, NULL, &e), "more threads than a pool has");
    is_i64(ITEMS, (i64)b.taken, "everything is taken up");
    ok(b.opened <= POOL_THREADS_MAX, "by no more threads than that");
}

int main(void)
{
    static const u32 threads[] = { 1, 2, 3, 16 };
    for (u32 i = 0; i < COUNT_OF(threads); i++) {
        all_of_them(threads[i], 0);
        all_of_them(threads[i], 4);
        ends(threads[i]);
        if (threads[i] > 1)
            own_worker_waits(threads[i]);
    }
    own_worker();
    limit();
    return done();
}
