#include "harness/io/child.h"

#include "harness/io/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long to sleep between looks at whether the child lives: only needed when a process that it
 * started keeps the pipe open, so that its end is not seen as the end of the stream. */
enum { SLICE_MS = 50, CLOSED_GRACE_MS = 500 };

u64 child_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

enum status child_start(struct child *c, void (*run)(void *ctx), void *ctx,
                        const struct keeper_limits *limits, struct err *e)
{
    int in[2] = { -1, -1 }, out[2] = { -1, -1 };
    struct keeper_plan plan = { .parent = getpid(), .run = run, .ctx = ctx, .limits = *limits };
    *c = (struct child){ .to = -1, .from = -1 };
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 && pipe2(out, O_CLOEXEC) == 0) {
        fflush(stdout); /* or a child that calls exit() would print our pending text again */
        fflush(stderr);
        c->pid = fork();
    } else {
        c->pid = -1;
    }
    if (c->pid == 0) {
        plan.in = in[1];
        plan.out = out[1];
        keeper_main(&plan);
    }
    int why = errno;
    if (c->pid > 0) {
        c->to = in[0];
        c->from = out[0];
        in[0] = out[0] = -1;
        fcntl(c->from, F_SETFL, O_NONBLOCK);
    }
    for (int i = 0; i < 2; i++) {
        if (in[i] >= 0)
            close(in[i]);
        if (out[i] >= 0)
            close(out[i]);
    }
    if (c->pid < 0) {
        c->pid = 0;
        struct rlimit files = { 0, 0 };
        bool has_limit = why == EMFILE && getrlimit(RLIMIT_NOFILE, &files) == 0;
        return has_limit ? err_set(e, ST_WORLD, "cannot start a process: %s (ulimit -n is %llu)",
                                   strerror(why), (unsigned long long)files.rlim_cur)
                         : err_set(e, ST_WORLD, "cannot start a process: %s", strerror(why));
    }
    return ST_OK;
}

/* True once the keeper has ended, and with it the child and all that it started. */
static bool reap(struct child *c)
{
    if (c->dead || c->pid <= 0)
        return c->dead;
    pid_t pid = waitpid(c->pid, &c->status, WNOHANG);
    if (pid == 0 || (pid < 0 && errno == EINTR))
        return false;
    c->dead = true;
    return true;
}

/* Sleeps until the keeper has ended, `ms` at most. Where the kernel cannot tell (before Linux 5.3),
 * or has no descriptor to tell by, `us`. */
static void sleep_until_dead(const struct child *c, u64 ms, u32 us)
{
    int fd = (int)syscall(SYS_pidfd_open, c->pid, 0);
    struct pollfd p = { .fd = fd, .events = POLLIN };
    if (fd < 0) {
        usleep(us);
        return;
    }
    poll(&p, 1, (int)ms);
    close(fd);
}

static bool wait_dead(struct child *c, u32 ms)
{
    u64 end = child_now_ms() + ms;
    for (u32 us = 100; !reap(c); us = us < 10000 ? us * 2 : us) {
        u64 now = child_now_ms();
        if (now >= end)
            return false;
        sleep_until_dead(c, end - now, us);
    }
    return true;
}

/* Ends what runs. The keeper does it, though the child may have stopped it; if it cannot, it goes,
 * and the child with it. */
static void kill_all(struct child *c)
{
    kill(c->pid, SIGTERM);
    kill(c->pid, SIGCONT);
    if (wait_dead(c, KEEPER_END_MS))
        return;
    kill(c->pid, SIGKILL);
    wait_dead(c, 10000);
}

/* The stream ended. Nearly always the child is about to be a zombie; else it closed it on
 * purpose. */
static enum child_io stream_ended(struct child *c)
{
    if (!wait_dead(c, CLOSED_GRACE_MS)) {
        c->cut = true;
        kill_all(c);
    }
    return CHILD_DIED;
}

/* Waits for `events` on fd. CHILD_OK also when the stream has ended: then the read or
 * write fails. */
static enum child_io wait_fd(struct child *c, int fd, short events, u64 deadline_ms)
{
    for (;;) {
        u64 now = child_now_ms();
        u64 left = deadline_ms > now ? deadline_ms - now : 0;
        struct pollfd p = { .fd = fd, .events = events };
        int n = poll(&p, 1, (int)(left < SLICE_MS ? left : SLICE_MS));
        if (n > 0)
            return CHILD_OK;
        if (reap(c)) {
            /* What it wrote before it ended still counts. */
            return poll(&p, 1, 0) > 0 ? CHILD_OK : CHILD_DIED;
        }
        if (left == 0 || stop_requested())
            return CHILD_SLOW;
    }
}

/* After a call on fd that moved nothing and returned n: CHILD_OK if it is to be made again. */
static enum child_io await_turn(struct child *c, ssize_t n, int fd, short events, u64 deadline_ms)
{
    if (n < 0 && errno == EAGAIN)
        return wait_fd(c, fd, events, deadline_ms);
    return n < 0 && errno == EINTR ? CHILD_OK : stream_ended(c);
}

enum child_io child_write(struct child *c, const void *buf, size_t len, u64 deadline_ms)
{
    const u8 *at = buf;
    while (len) {
        ssize_t n = send(c->to, at, len, MSG_NOSIGNAL | MSG_DONTWAIT);
        enum child_io io = n > 0 ? CHILD_OK : await_turn(c, n, c->to, POLLOUT, deadline_ms);
        if (io != CHILD_OK)
            return io;
        if (n > 0) {
            at += n;
            len -= (size_t)n;
        }
    }
    return CHILD_OK;
}

/* As child_write; read() and send() differ in what they may change, their loops in nothing else. */
enum child_io child_read(struct child *c, void *buf, size_t len, u64 deadline_ms)
{
    u8 *at = buf;
    while (len) {
        ssize_t n = read(c->from, at, len);
        enum child_io io = n > 0 ? CHILD_OK : await_turn(c, n, c->from, POLLIN, deadline_ms);
        if (io != CHILD_OK)
            return io;
        if (n > 0) {
            at += n;
            len -= (size_t)n;
        }
    }
    return CHILD_OK;
}

bool child_pending(const struct child *c)
{
    struct pollfd p = { .fd = c->from, .events = POLLIN };
    return poll(&p, 1, 0) > 0 && (p.revents & POLLIN);
}

bool child_took(const struct child *c)
{
    int unread = 0;
    return ioctl(c->to, SIOCOUTQ, &unread) != 0 || unread == 0;
}

const char *child_death(const struct child *c, char *buf, size_t size)
{
    if (c->cut) {
        snprintf(buf, size, "closed its end of the pipe");
    } else if (WIFSIGNALED(c->status)) {
        const char *name = sigabbrev_np(WTERMSIG(c->status));
        if (name)
            snprintf(buf, size, "SIG%s", name);
        else
            snprintf(buf, size, "signal %d", WTERMSIG(c->status));
    } else {
        snprintf(buf, size, "exited with code %d", WEXITSTATUS(c->status));
    }
    return buf;
}

void child_end(struct child *c, u32 grace_ms)
{
    if (c->pid <= 0)
        return;
    close(c->to);
    if (!wait_dead(c, grace_ms))
        kill_all(c);
    close(c->from);
    c->pid = 0;
    c->to = c->from = -1;
}
