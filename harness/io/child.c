#include "harness/io/child.h"

#include "harness/io/clock.h"
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
#include <sys/wait.h>
#include <unistd.h>

/* How long to sleep between looks at whether the child lives: only needed when a process that it
 * started keeps the pipe open, so that its end is not seen as the end of the stream. */
enum { SLICE_MS = 50, CLOSED_GRACE_MS = 500 };

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++)
        if (pair[i] >= 0)
            close(pair[i]);
}

/* Ends the keeper, if there is one, whatever it does. */
static void end_keeper(struct child *c, int *status)
{
    if (c->keeper <= 0)
        return;
    kill(c->keeper, SIGKILL);
    while (waitpid(c->keeper, status, 0) < 0 && errno == EINTR)
        ;
    close(c->control);
    c->keeper = 0;
}

static bool start_keeper(struct child *c, struct keeper_plan *plan)
{
    int control[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0)
        return false;
    fflush(stdout); /* or a child that calls exit() would print our pending text again */
    fflush(stderr);
    plan->control = control[1];
    pid_t pid = fork();
    if (pid == 0)
        keeper_main(plan);
    int why = errno;
    close(control[1]);
    if (pid < 0)
        close(control[0]);
    errno = why;
    c->keeper = pid > 0 ? pid : 0;
    c->control = control[0];
    return pid > 0;
}

/* Hands the streams of a child to the keeper, or to a new one. */
static bool ask_keeper(struct child *c, struct keeper_plan *plan, int in, int out)
{
    int status;
    if (c->keeper > 0 && keeper_ask(c->control, in, out))
        return true;
    end_keeper(c, &status);
    return start_keeper(c, plan) && keeper_ask(c->control, in, out);
}

enum status child_start(struct child *c, void (*run)(void *ctx), void *ctx,
                        const struct keeper_limits *limits, struct err *e)
{
    int in[2] = { -1, -1 }, out[2] = { -1, -1 };
    struct keeper_plan plan = { .parent = getpid(), .run = run, .ctx = ctx, .limits = *limits };
    *c = (struct child){ .to = -1, .from = -1, .keeper = c->keeper, .control = c->control };
    bool ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 &&
              pipe2(out, O_CLOEXEC) == 0 && ask_keeper(c, &plan, in[1], out[1]);
    int why = errno;
    if (ok) {
        c->pid = c->keeper;
        c->to = in[0];
        c->from = out[0];
        in[0] = out[0] = -1;
        fcntl(c->from, F_SETFL, O_NONBLOCK);
    }
    close_pair(in);
    close_pair(out);
    if (!ok) {
        struct rlimit files = { 0, 0 };
        bool has_limit = why == EMFILE && getrlimit(RLIMIT_NOFILE, &files) == 0;
        return has_limit ? err_set(e, ST_WORLD, "cannot start a process: %s (ulimit -n is %llu)",
                                   strerror(why), (unsigned long long)files.rlim_cur)
                         : err_set(e, ST_WORLD, "cannot start a process: %s", strerror(why));
    }
    return ST_OK;
}

/* True once the child has ended, and with it all that it started. */
static bool reap(struct child *c)
{
    if (c->dead || c->pid <= 0)
        return c->dead;
    int answer = keeper_status(c->control, &c->status);
    if (answer < 0) /* it ended as the child did, or was killed */
        end_keeper(c, &c->status);
    c->dead = answer != 0;
    return c->dead;
}

static bool wait_dead(struct child *c, u32 ms)
{
    u64 end = clock_ms() + ms;
    while (!reap(c)) {
        u64 now = clock_ms();
        struct pollfd p = { .fd = c->control, .events = POLLIN };
        if (now >= end)
            return false;
        poll(&p, 1, (int)(end - now));
    }
    return true;
}

/* Ends what runs. The keeper does it, though the child may have stopped it; if it cannot, it goes,
 * and the child with it. */
static void kill_all(struct child *c)
{
    keeper_end(c->control);
    kill(c->pid, SIGCONT);
    if (wait_dead(c, KEEPER_END_MS))
        return;
    end_keeper(c, &c->status);
    c->dead = true;
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
        u64 now = clock_ms();
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

int child_unborn(const struct child *c)
{
    return c->dead && c->status < 0 ? -c->status : 0;
}

/* NULL: it has none. Not every C library knows them. */
static const char *signal_name(int number)
{
#define NAME(name) [name] = #name
    static const char *const names[] = {
        NAME(SIGHUP),    NAME(SIGINT),  NAME(SIGQUIT),  NAME(SIGILL),  NAME(SIGTRAP),
        NAME(SIGABRT),   NAME(SIGBUS),  NAME(SIGFPE),   NAME(SIGKILL), NAME(SIGUSR1),
        NAME(SIGSEGV),   NAME(SIGUSR2), NAME(SIGPIPE),  NAME(SIGALRM), NAME(SIGTERM),
        NAME(SIGSTKFLT), NAME(SIGCHLD), NAME(SIGCONT),  NAME(SIGSTOP), NAME(SIGTSTP),
        NAME(SIGTTIN),   NAME(SIGTTOU), NAME(SIGURG),   NAME(SIGXCPU), NAME(SIGXFSZ),
        NAME(SIGVTALRM), NAME(SIGPROF), NAME(SIGWINCH), NAME(SIGPOLL), NAME(SIGPWR),
        NAME(SIGSYS),
    };
#undef NAME
    return number > 0 && (u32)number < COUNT_OF(names) ? names[number] : NULL;
}

const char *child_death(const struct child *c, char *buf, size_t size)
{
    if (c->cut) {
        snprintf(buf, size, "closed its end of the pipe");
    } else if (child_unborn(c)) {
        snprintf(buf, size, "could not be started: %s", strerror(child_unborn(c)));
    } else if (WIFSIGNALED(c->status)) {
        const char *name = signal_name(WTERMSIG(c->status));
        if (name)
            snprintf(buf, size, "%s", name);
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

void child_close(struct child *c, u32 grace_ms)
{
    int status;
    child_end(c, grace_ms);
    end_keeper(c, &status);
}
