/* Starts the program under its filter, and answers its calls until nobody is left who could make
 * any. */
#include "harness/vgpu/notify/notify.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKED_MAX = 256, REAP_MS = 100, NOTIF_BYTES = 512 };

/* The kernel's struct may be longer than that of the headers. */
union notif {
    struct seccomp_notif n;
    u8 room[NOTIF_BYTES];
};

/* Calls that wait for other clients. */
struct blocked {
    u32 count;
    struct {
        struct seccomp_notif n;
        u64 since_ns;
    } at[BLOCKED_MAX];
};

static u64 now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

int notify_give(const struct notify_server *s, int fd, bool cloexec, bool is_answer)
{
    struct seccomp_notif_addfd a = { .id = s->id,
                                     .flags = is_answer ? SECCOMP_ADDFD_FLAG_SEND : 0,
                                     .srcfd = (u32)fd,
                                     .newfd_flags = cloexec ? O_CLOEXEC : 0 };
    int r = ioctl(s->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &a);
    r = r < 0 ? -errno : r;
    close(fd);
    return r;
}

/* Who has gone meanwhile needs no answer. */
static void send_answer(const struct notify_server *s, u64 id, i64 result, bool goes_on)
{
    struct seccomp_notif_resp r = { .id = id,
                                    .val = result < 0 ? 0 : result,
                                    .error = result < 0 ? (i32)result : 0,
                                    .flags = goes_on ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0 };
    (void)ioctl(s->listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
}

/* False: it is to be tried again. */
static bool try_call(struct notify_server *s, const struct seccomp_notif *n, u64 since_ns)
{
    i64 result;
    bool cloexec;
    enum notify_end end = notify_call(s, n, since_ns, &result, &cloexec);
    if (end == NOTIFY_BLOCKED)
        return false;
    if (end == NOTIFY_GIVE) {
        int r = notify_give(s, (int)result, cloexec, true);
        if (r < 0)
            send_answer(s, n->id, r, false);
    } else {
        send_answer(s, n->id, result, end == NOTIFY_GO_ON);
    }
    return true;
}

/* Those of clients that have died are forgotten. */
static void try_blocked(struct notify_server *s, struct blocked *b)
{
    u32 kept = 0;
    for (u32 i = 0; i < b->count; i++) {
        u64 id = b->at[i].n.id;
        bool is_there = ioctl(s->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
        if (is_there && !try_call(s, &b->at[i].n, b->at[i].since_ns))
            b->at[kept++] = b->at[i];
    }
    b->count = kept;
}

static void take_call(struct notify_server *s, struct blocked *b)
{
    union notif u = { .room = { 0 } };
    if (ioctl(s->listener, SECCOMP_IOCTL_NOTIF_RECV, &u.n) != 0)
        return;
    if (try_call(s, &u.n, 0)) {
        try_blocked(s, b);
    } else if (b->count < BLOCKED_MAX) {
        b->at[b->count].n = u.n;
        b->at[b->count++].since_ns = now_ns();
    } else {
        send_answer(s, u.n.id, -EBUSY, false);
    }
}

static void serve(struct notify_server *s)
{
    static struct blocked blocked;
    for (;;) {
        struct pollfd p = { .fd = s->listener, .events = POLLIN };
        bool is_soon = blocked.count || !vgpu_is_idle(s->front.v);
        int n = poll(&p, 1, is_soon ? FRONT_LATE_MS : REAP_MS);
        if (n > 0 && p.revents & POLLIN) {
            take_call(s, &blocked);
        } else if (n > 0) {
            return; /* nobody has the filter any more */
        } else if (n == 0) {
            vgpu_run(s->front.v);
            try_blocked(s, &blocked);
            front_reap(&s->front);
        }
    }
}

/* ---- the program ---- */

static pid_t started; /* for the signals that are passed on */

static void pass_on(int signal)
{
    if (started > 0)
        kill(started, signal);
}

/* What the child says before it becomes the program: the number of its listener, or an errno. */
struct word {
    int listener, error;
};

/* In the child. Dies with its parent; waits until that has the listener. */
static void become(const char *program, char *const *argv, pid_t parent, int say, int hear)
{
    char go;
    struct word w = { .listener = -1 };
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    w.listener = notify_filter();
    if (w.listener < 0)
        w.error = -w.listener;
    if (write(say, &w, sizeof w) != sizeof w || w.error || read(hear, &go, 1) != 1)
        _exit(127);
    execvp(program, argv);
    w = (struct word){ .error = errno };
    if (write(say, &w, sizeof w) != sizeof w)
        _exit(126);
    _exit(127);
}

/* Has the child's listener, lets it go on, and knows whether it has become the program. */
static enum status meet(struct notify_server *s, pid_t child, int hear, int say,
                        const char *program, struct err *e)
{
    struct word w;
    if (read(hear, &w, sizeof w) != sizeof w)
        return err_set(e, ST_WORLD, "the process that was to become '%.120s' has died", program);
    if (w.error)
        return err_set(e, ST_WORLD, "seccomp user notification cannot be had here: %s%s",
                       strerror(w.error), w.error == EBUSY ? " (another supervisor has it)" : "");
    s->listener = notify_fd_get(child, w.listener);
    if (s->listener < 0)
        return err_set(e, ST_WORLD, "the program's listener cannot be had: %s",
                       strerror(-s->listener));
    if (write(say, "", 1) != 1)
        return err_set(e, ST_WORLD, "'%.120s' cannot be started", program);
    return ST_OK;
}

/* Calls of the child on its way to the program are answered, too. */
static enum status wait_for_exec(struct notify_server *s, int hear, const char *program,
                                 struct err *e)
{
    struct blocked none = { .count = 0 };
    struct word w;
    for (;;) {
        struct pollfd p[] = { { .fd = hear, .events = POLLIN },
                              { .fd = s->listener, .events = POLLIN } };
        if (poll(p, 2, -1) < 0)
            continue;
        if (p[0].revents)
            break;
        if (p[1].revents & POLLIN)
            take_call(s, &none);
    }
    if (read(hear, &w, sizeof w) == sizeof w)
        return err_set(e, ST_INPUT, "%.120s: %s", program, strerror(w.error));
    return ST_OK;
}

static int exit_code(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static enum status start(struct notify_server *s, const char *program, char *const *argv,
                         struct err *e)
{
    int up[2], down[2];
    if (pipe2(up, O_CLOEXEC) != 0 || pipe2(down, O_CLOEXEC) != 0)
        return err_set(e, ST_WORLD, "no pipe: %s", strerror(errno));
    pid_t self = getpid(), child = fork();
    if (child < 0)
        return err_set(e, ST_WORLD, "no process: %s", strerror(errno));
    if (child == 0)
        become(program, argv, self, up[1], down[0]);
    close(up[1]);
    close(down[0]);
    started = child;
    enum status st = meet(s, child, up[0], down[1], program, e);
    if (st == ST_OK)
        st = wait_for_exec(s, up[0], program, e);
    close(up[0]);
    close(down[1]);
    if (st != ST_OK) {
        kill(child, SIGKILL);
        exit_code(child);
    }
    return st;
}

enum status gcncheck_vgpu_serve(const struct vgpu_under *u, const char *program, char *const *argv,
                                int *code, struct err *e)
{
    static struct notify_server s;
    static const int passed[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };
    s = (struct notify_server){ .listener = -1 };
    enum status st = front_open(&s.front, u, NULL, e);
    if (st == ST_OK)
        st = start(&s, program, argv, e);
    if (st != ST_OK)
        return st;
    for (u32 i = 0; i < COUNT_OF(passed); i++)
        signal(passed[i], pass_on);
    signal(SIGINT, SIG_IGN); /* the program is told by the terminal */
    signal(SIGQUIT, SIG_IGN);
    serve(&s);
    *code = exit_code(started);
    front_write_coverage(&s.front);
    if (u->stats)
        front_print_stats(&s.front);
    vgpu_close(s.front.v);
    return ST_OK;
}
