#include "harness/io/spread.h"

#include "harness/io/stack.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS_MAX = 64, LARGE = 4 << 20 /* bytes, of which large pages are worth it */ };

struct spread {
    u64 next, count;
    spread_fn *fn;
    void *ctx;
};

static void *work(void *arg)
{
    struct spread *s = arg;
    for (;;) {
        u64 piece = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED);
        if (piece >= s->count)
            return NULL;
        s->fn(s->ctx, piece);
    }
}

void spread_run(u32 threads, u64 count, spread_fn *fn, void *ctx)
{
    struct spread s = { .count = count, .fn = fn, .ctx = ctx };
    pthread_t thread[THREADS_MAX];
    pthread_attr_t attr;
    u32 others = 0, most = threads < THREADS_MAX ? threads : THREADS_MAX;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    while (others + 1 < most && others + 1 < count &&
           pthread_create(&thread[others], &attr, work, &s) == 0)
        others++;
    work(&s);
    while (others > 0)
        pthread_join(thread[--others], NULL);
    pthread_attr_destroy(&attr);
}

void spread_prefer_large(void *bytes, u64 size)
{
    long page = sysconf(_SC_PAGESIZE);
    if (!bytes || size < LARGE || page <= 0)
        return;
    uintptr_t first = ((uintptr_t)bytes + (u64)page - 1) / (u64)page * (u64)page;
    u64 whole = ((uintptr_t)bytes + size - first) / (u64)page * (u64)page;
    (void)madvise((void *)first, whole, MADV_HUGEPAGE); /* where it is refused nothing is lost */
}
