/* A library to preload: the n-th allocation of the process fails, once. FAIL_MEMORY=N says which
 * (0: none), COUNT_MEMORY=FILE where the number of allocations is written at the end. Children are
 * left alone. The allocations of libraries count, those of the dynamic loader do not. */
#include <dlfcn.h>
#include <errno.h>
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

static unsigned long fail_at, count;
static int is_ready, is_child;

static void in_child(void)
{
    is_child = 1;
}

static void __attribute__((constructor)) begin(void)
{
    const char *at = getenv("FAIL_MEMORY");
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    pthread_atfork(NULL, NULL, in_child);
    unsetenv("LD_PRELOAD"); /* programs that it starts are left alone, too */
    is_ready = 1;
}

static void __attribute__((destructor)) end(void)
{
    const char *path = getenv("COUNT_MEMORY");
    char text[24];
    if (!path || is_child)
        return;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int n = snprintf(text, sizeof text, "%lu\n", count);
    if (fd < 0 || write(fd, text, (size_t)n) != n)
        _exit(125);
    close(fd);
}

/* Where a debugger stops: break fail_here. */
void fail_here(void);
void __attribute__((noinline)) fail_here(void)
{
    errno = ENOMEM;
}

static int fails(void)
{
    if (!is_ready || is_child)
        return 0;
    if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) != fail_at)
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
