#include "harness/dut/worker.h"

#include "harness/dut/limits.h"
#include "harness/io/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
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
    worker_forget(w); /* its keeper has the old arena */
    unmap_arena(w);
    return map_arena(w, size, e);
}

/* A copy of the descriptor where a plug-in that counts on small numbers does not meet it. */
static int move_away(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 100);
    return high >= 0 ? high : fcntl(fd, F_DUPFD_CLOEXEC, 3); /* few are allowed */
}

/* Waits a moment without sleeping: who sleeps is woken late, which for one small job is most of the time
 * that it takes. */
static void linger(int fd)
{
    enum { LINGER_US = 50 };
    double end = clock_seconds(CLOCK_MONOTONIC) + LINGER_US * 1e-6;
    do {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        if (poll(&p, 1, 0) != 0)
            return;
        sched_yield(); /* to the other, where there is one processor */
    } while (clock_seconds(CLOCK_MONOTONIC) < end);
}

/* One byte, whatever a plug-in did to the descriptor or to signals. False: there is none to come. */
static bool read_byte(int in, char *byte)
{
    for (;;) {
        ssize_t n = read(in, byte, 1);
        struct pollfd p = { .fd = in, .events = POLLIN };
        if (n == 1)
            return true;
        if (n == 0 || (errno != EINTR && errno != EAGAIN))
            return false;
        if (errno == EAGAIN)
            poll(&p, 1, -1);
    }
}

/* The worker's life. Moves the two streams away from 0 and 1 so that a plug-in that prints or reads
 * does not meddle with them. */
static void worker_main(void *arg)
{
    struct worker *w = arg;
    int in = move_away(0), out = move_away(1), null = open("/dev/null", O_RDONLY);
    pid_t self = getpid();
    char byte;
    if (in < 0 || out < 0 || null < 0 || dup2(null, 0) < 0 || dup2(2, 1) < 0)
        _exit(127);
    close(null);
    for (linger(in); read_byte(in, &byte); linger(in)) {
        w->ops->serve(w->ctx);
        if (getpid() != self) /* a plug-in that forks and forgets which one it is */
            _exit(0);
        ssize_t n;
        while ((n = write(out, &byte, 1)) < 0 && errno == EINTR)
            ;
        if (n != 1)
            _exit(127);
    }
    w->ops->finish(w->ctx);
    _exit(0); /* not exit(): what the parent registered or buffered is not ours to run or write */
}

enum status worker_start(struct worker *w, struct err *e)
{
    struct keeper_limits limits = dut_limits();
    limits.is_confined = true;
    return worker_runs(w) ? ST_OK : child_start(&w->child, worker_main, w, &limits, e);
}

enum child_io worker_call(struct worker *w, u32 limit_ms, bool *babbled)
{
    u8 byte = ++w->turn;
    u64 deadline = clock_ms() + limit_ms;
    *babbled = child_pending(&w->child);
    if (*babbled)
        return CHILD_OK;
    enum child_io io = child_write(&w->child, &byte, 1, deadline);
    if (io == CHILD_OK)
        linger(w->child.from);
    if (io == CHILD_OK)
        io = child_read(&w->child, &byte, 1, deadline);
    *babbled = io == CHILD_OK && (byte != w->turn || child_pending(&w->child));
    return io;
}

void worker_stop(struct worker *w, u32 grace_ms)
{
    child_end(&w->child, grace_ms);
}

void worker_forget(struct worker *w)
{
    child_close(&w->child, 0);
}

void worker_close(struct worker *w)
{
    child_close(&w->child, 200);
    unmap_arena(w);
}
