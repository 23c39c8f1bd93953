#include "harness/dut/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static enum status map_arena(struct worker *w, size_t size, struct err *e)
{
    size_t page = page_size();
    size = (size + page - 1) / page * page;
    void *m = mmap(NULL, size + 2 * page, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m == MAP_FAILED)
        return err_set(e, ST_WORLD, "cannot map %zu bytes of shared memory: %s", size,
                       strerror(errno));
    mprotect(m, page, PROT_NONE);
    mprotect((u8 *)m + page + size, page, PROT_NONE);
    w->arena = (u8 *)m + page;
    w->size = size;
    return ST_OK;
}

static void unmap_arena(struct worker *w)
{
    if (w->arena)
        munmap(w->arena - page_size(), w->size + 2 * page_size());
    w->arena = NULL;
    w->size = 0;
}

enum status worker_open(struct worker *w, const struct worker_ops *ops, void *ctx, size_t size,
                        struct err *e)
{
    *w = (struct worker){ .ops = ops, .ctx = ctx };
    return map_arena(w, size, e);
}

enum status worker_resize(struct worker *w, size_t size, struct err *e)
{
    if (size <= w->size)
        return ST_OK;
    worker_stop(w, 0);
    unmap_arena(w);
    return map_arena(w, size, e);
}

/* The worker's life. Moves the two streams away from 0 and 1 so that a plug-in that prints or reads
 * does not meddle with them. */
static void worker_main(void *arg)
{
    struct worker *w = arg;
    int in = fcntl(0, F_DUPFD_CLOEXEC, 100), out = fcntl(1, F_DUPFD_CLOEXEC, 100);
    int null = open("/dev/null", O_RDONLY);
    char byte;
    if (in < 0 || out < 0 || null < 0 || dup2(null, 0) < 0 || dup2(2, 1) < 0)
        _exit(127);
    close(null);
    while (read(in, &byte, 1) == 1) {
        w->ops->serve(w->ctx);
        if (write(out, &byte, 1) != 1)
            _exit(127);
    }
    w->ops->finish(w->ctx);
    _exit(0); /* not exit(): what the parent registered or buffered is not ours to run or write */
}

enum status worker_start(struct worker *w, struct err *e)
{
    return worker_runs(w) ? ST_OK : child_start(&w->child, worker_main, w, e);
}

enum child_io worker_call(struct worker *w, u32 limit_ms)
{
    char byte = 'g';
    u64 deadline = child_now_ms() + limit_ms;
    enum child_io io = child_write(&w->child, &byte, 1, deadline);
    return io == CHILD_OK ? child_read(&w->child, &byte, 1, deadline) : io;
}

void worker_stop(struct worker *w, u32 grace_ms)
{
    child_end(&w->child, grace_ms);
}

void worker_close(struct worker *w)
{
    worker_stop(w, 200);
    unmap_arena(w);
}
