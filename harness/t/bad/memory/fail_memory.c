/* A library to preload: the n-th allocation of the process fails, once. FAIL_MEMORY=N says which
 * (0: none). COUNT_MEMORY=FILE: at the end the number of allocations is written there, and the
 * numbers of those that are the first from their place, a line each: a place is the calls that lead
 * to it, from main on. Children are left alone. The allocations of libraries count, those of the
 * dynamic loader do not. */
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

enum { PLACES = 1 << 14, DEPTH = 48 };

static unsigned long fail_at, count;
static int is_ready, is_child;
static const char *count_path;
/* The places seen, at the first free slot from their hash on, and who is looking. */
static struct place {
    uint64_t hash;
    unsigned long first;
} places[PLACES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int is_looking;

static void in_child(void)
{
    is_child = 1;
}

static void __attribute__((constructor)) begin(void)
{
    const char *at = getenv("FAIL_MEMORY");
    void *frame[1];
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    count_path = getenv("COUNT_MEMORY");
    backtrace(frame, 1); /* which loads what it needs */
    pthread_atfork(NULL, NULL, in_child);
    unsetenv("LD_PRELOAD"); /* programs that it starts are left alone, too */
    is_ready = 1;
}

static void __attribute__((destructor)) end(void)
{
    unsigned long total = count;
    if (!count_path || is_child)
        return;
    is_ready = 0;
    int fd = open(count_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || dprintf(fd, "%lu\n", total) < 0)
        _exit(125);
    for (int i = 0; i < PLACES; i++)
        if (places[i].first && dprintf(fd, "%lu\n", places[i].first) < 0)
            _exit(125);
    close(fd);
}

/* Where a debugger stops: break fail_here. */
void fail_here(void);
void __attribute__((noinline)) fail_here(void)
{
    errno = ENOMEM;
}

/* Notes that allocation n is made here, unless this place is known. */
static void note(unsigned long n)
{
    void *frames[DEPTH];
    uint64_t hash = 1469598103934665603u;
    is_looking = 1;
    int depth = backtrace(frames, DEPTH);
    for (int i = 0; i < depth; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * 1099511628211u;
    pthread_mutex_lock(&lock);
    for (unsigned at = (unsigned)(hash >> 32), i = 0; i < PLACES; i++) {
        struct place *p = &places[(at + i) % PLACES];
        if (!p->first)
            *p = (struct place){ hash, n };
        if (p->hash == hash)
            break;
    }
    pthread_mutex_unlock(&lock);
    is_looking = 0;
}

static int fails(void)
{
    if (!is_ready || is_child || is_looking)
        return 0;
    unsigned long n = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    if (count_path)
        note(n);
    if (n != fail_at)
        return 0;
    fail_here();
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    return fails() ? NULL : __libc_realloc(p, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return fails() ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void **p, size_t align, size_t size)
{
    *p = fails() ? NULL : __libc_memalign(align, size);
    return *p ? 0 : ENOMEM;
}
