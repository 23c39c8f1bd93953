#include "harness/io/pool.h"

#include "harness/io/stack.h"

#include <pthread.h>
#include <stdlib.h>

/* Whoever is opened may fork. The C library's allocator survives that while other threads use it,
 * that of the address sanitizer does not: its locks stay held in the child. So under it workers are
 * opened one after the other, and none works before all are open. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
enum { OPENS_ALONE = true };
#else
enum { OPENS_ALONE = false };
#endif

struct pool {
    const struct pool_job *job;
    pthread_attr_t attr;
    pthread_mutex_t opens; /* held by the one who may fork, if OPENS_ALONE */
    pthread_mutex_t lock;  /* everything below */
    pthread_cond_t changed;
    u64 next;      /* item to be begun */
    u64 turn;      /* item whose result is taken up next */
    u64 end;       /* no item from here on is begun */
    u64 places;    /* for results: item i has place i % places */
    bool *is_done; /* of each place */
    char *result;  /* likewise */
    u32 opening; /* workers that are not open yet, the caller's among them until all are started */
    bool is_taking; /* a result is being taken up */
    bool stop;
    enum status st; /* the first failure */
    struct err e;
};

static void *result_at(const struct pool *p, u64 index)
{
    return p->result + index % p->places * p->job->result_size;
}

/* With the lock. */
static void fail(struct pool *p, enum status st, const struct err *e)
{
    if (st == ST_OK)
        return;
    if (p->st == ST_OK) {
        p->st = st;
        p->e = *e;
    }
    p->stop = true;
}

/* Takes up the result whose turn it is. With the lock, which it gives up meanwhile. */
static void take_result(struct pool *p, void *worker)
{
    struct err e = { .text = "" };
    u64 index = p->turn;
    p->is_taking = true;
    pthread_mutex_unlock(&p->lock);
    enum status st = p->job->settle(worker, index, result_at(p, index), &e);
    pthread_mutex_lock(&p->lock);
    p->is_taking = false;
    p->is_done[index % p->places] = false;
    p->turn++;
    fail(p, st, &e);
    pthread_cond_broadcast(&p->changed);
}

/* Does the next item. With the lock, which it gives up meanwhile. */
static void do_item(struct pool *p, void *worker)
{
    u64 index = p->next++;
    void *result = result_at(p, index);
    pthread_mutex_unlock(&p->lock);
    bool goes_on = p->job->work(worker, index, result);
    pthread_mutex_lock(&p->lock);
    p->is_done[index % p->places] = true;
    if (!goes_on && index < p->end)
        p->end = index + 1;
    pthread_cond_broadcast(&p->changed);
}

/* Whether there is an item to be begun; remembers if there is none. With the lock. */
static bool has_next(struct pool *p)
{
    if (p->next < p->end && !p->job->more(p->job->ctx, p->next))
        p->end = p->next;
    return p->next < p->end;
}

static void work_until_end(struct pool *p, void *worker)
{
    while (!p->stop) {
        bool is_waiting = p->next > p->turn;
        if (is_waiting && !p->is_taking && p->opening == 0 && p->is_done[p->turn % p->places])
            take_result(p, worker);
        else if (p->next < p->turn + p->places && has_next(p))
            do_item(p, worker);
        else if (p->next == p->turn && p->next >= p->end)
            return;
        else
            pthread_cond_wait(&p->changed, &p->lock);
    }
}

static enum status open_worker(struct pool *p, void **worker, struct err *e)
{
    if (OPENS_ALONE)
        pthread_mutex_lock(&p->opens);
    enum status st = p->job->open(p->job->ctx, worker, e);
    if (OPENS_ALONE)
        pthread_mutex_unlock(&p->opens);
    return st;
}

/* One worker less has to be opened. With the lock. */
static void is_open(struct pool *p)
{
    p->opening--;
    pthread_cond_broadcast(&p->changed);
    while (OPENS_ALONE && p->opening > 0)
        pthread_cond_wait(&p->changed, &p->lock);
}

static void *work(void *arg)
{
    struct pool *p = arg;
    struct err e = { .text = "" };
    void *worker = NULL;
    enum status st = open_worker(p, &worker, &e);
    pthread_mutex_lock(&p->lock);
    fail(p, st, &e);
    is_open(p);
    if (st == ST_OK)
        work_until_end(p, worker);
    pthread_mutex_unlock(&p->lock);
    if (st == ST_OK)
        p->job->close(worker);
    return NULL;
}

/* Starts the other threads; answers how many there are. */
static u32 start_threads(struct pool *p, pthread_t *thread, u32 count)
{
    u32 n = 0;
    if (OPENS_ALONE)
        pthread_mutex_lock(&p->opens);
    for (; n < count; n++) {
        pthread_mutex_lock(&p->lock);
        p->opening++;
        pthread_mutex_unlock(&p->lock);
        if (pthread_create(&thread[n], &p->attr, work, p) != 0) {
            pthread_mutex_lock(&p->lock);
            p->opening--;
            pthread_mutex_unlock(&p->lock);
            break;
        }
    }
    if (OPENS_ALONE)
        pthread_mutex_unlock(&p->opens);
    return n;
}

static void run_threads(struct pool *p, pthread_t *thread, u32 count)
{
    u32 others = start_threads(p, thread, count - 1);
    if (p->job->mine) {
        pthread_mutex_lock(&p->lock);
        is_open(p);
        work_until_end(p, p->job->mine);
        pthread_mutex_unlock(&p->lock);
    } else {
        work(p);
    }
    for (u32 i = 0; i < others; i++)
        pthread_join(thread[i], NULL);
    for (u64 i = p->turn; i < p->next && p->job->drop; i++)
        p->job->drop(result_at(p, i));
}

enum status pool_run(const struct pool_job *job, struct err *e)
{
    u32 threads = job->threads < POOL_THREADS_MAX ? job->threads : POOL_THREADS_MAX;
    struct pool p = { .job = job, .end = UINT64_MAX, .opening = 1 };
    p.places = (u64)threads * (1 + job->ahead);
    p.is_done = calloc(p.places, sizeof *p.is_done);
    p.result = calloc(p.places, job->result_size);
    pthread_t *thread = calloc(threads, sizeof *thread);
    if (p.is_done && p.result && thread) {
        pthread_attr_init(&p.attr);
        pthread_attr_setstacksize(&p.attr, STACK_BYTES); /* whatever ulimit -s says */
        pthread_mutex_init(&p.opens, NULL);
        pthread_mutex_init(&p.lock, NULL);
        pthread_cond_init(&p.changed, NULL);
        run_threads(&p, thread, threads);
        pthread_cond_destroy(&p.changed);
        pthread_mutex_destroy(&p.lock);
        pthread_mutex_destroy(&p.opens);
        pthread_attr_destroy(&p.attr);
        *e = p.e;
    } else {
        p.st = err_memory(e);
    }
    free(p.is_done);
    free(p.result);
    free(thread);
    return p.st;
}
