#include "harness/io/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The keeper's descriptors; 2 is gcncheck's standard error. */
enum { FD_ERRORS = 0, FD_SIGNALS = 1 };

/* How long the keeper hunts what the child left behind: only one that starts processes faster than
 * they can be killed lives that long. */
enum { HUNT_MS = 2000 };

/* ---- confinement: Landlock, without whose header this has to build ---- */

struct ruleset {
    u64 fs, net, scoped;
};

enum { LANDLOCK_VERSION = 1, SCOPES_SINCE = 6, SCOPE_SIGNAL = 2, CREATE = 444, RESTRICT = 446 };

bool keeper_can_confine(void)
{
    return syscall(CREATE, NULL, 0, LANDLOCK_VERSION) >= SCOPES_SINCE;
}

/* The domain ends ptrace of processes outside by itself. */
static void confine(void)
{
    struct ruleset rules = { .scoped = SCOPE_SIGNAL };
    if (!keeper_can_confine() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    int fd = (int)syscall(CREATE, &rules, sizeof rules, 0);
    if (fd < 0)
        return;
    syscall(RESTRICT, fd, 0);
    close(fd);
}

/* ---- limits ---- */

/* The n-th number (from 0) in a file of /proc, where blanks and '/' stand between numbers and what
 * has a '.' is one word; 0 if it cannot be read. */
static u64 read_number(const char *path, u32 index)
{
    char text[128];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    const char *at = text;
    for (u32 i = 0; i < index; i++) {
        at += strcspn(at, " /");
        at += *at != '\0';
    }
    u64 v = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        v = v * 10 + (u64)(*at - '0');
    return v;
}

/* Lowers a limit; one that is lower already stays. */
static void limit(int what, u64 value)
{
    struct rlimit l;
    if (getrlimit((__rlimit_resource_t)what, &l) != 0)
        return;
    l.rlim_max = l.rlim_max < value ? l.rlim_max : value;
    l.rlim_cur = l.rlim_cur < l.rlim_max ? l.rlim_cur : l.rlim_max;
    setrlimit((__rlimit_resource_t)what, &l);
}

static void limit_all(const struct keeper_limits *l)
{
    enum { TASKS = 4, DATA = 5 }; /* where they stand in loadavg and statm */
    limit(RLIMIT_CORE, 0);
    if (l->memory_bytes)
        limit(RLIMIT_DATA,
              l->memory_bytes + read_number("/proc/self/statm", DATA) * (u64)sysconf(_SC_PAGESIZE));
    if (l->files)
        limit(RLIMIT_NOFILE, l->files);
    if (l->processes)
        limit(RLIMIT_NPROC, l->processes + read_number("/proc/loadavg", TASKS));
    /* If the machine runs out of memory all the same, the kernel takes this one first. */
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        if (write(fd, "1000", 4) != 4) /* then it is as likely as any */
            errno = 0;
        close(fd);
    }
}

/* ---- the child ---- */

/* Its standard input and output are the plan's, standard error is the pipe's end; nothing else is
 * open, and signals are at their defaults. The three are above 2 as they come. */
static _Noreturn void child_main(const struct keeper_plan *plan, int errors, pid_t keeper)
{
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper)
        _exit(127);
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(plan->in, 0) < 0 || dup2(plan->out, 1) < 0 || dup2(errors, 2) < 0)
        _exit(127);
    close_range(3, ~0u, 0);
    limit_all(&plan->limits);
    if (plan->limits.is_confined)
        confine();
    plan->run(plan->ctx);
    _exit(0);
}

/* ---- the keeper ---- */

/* What it passes on of standard error. */
struct relay {
    char bytes[1 << 16];
    size_t from, used; /* bytes[from..from+used-1] wait to be written */
    u64 allowance, last_ms, left_out;
    bool ended;
};

static u64 now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

static void relay_read(struct relay *r)
{
    ssize_t n = read(FD_ERRORS, r->bytes, sizeof r->bytes);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        r->ended = true;
    if (n <= 0)
        return;
    u64 now = now_ms();
    r->allowance += (now - r->last_ms) * KEEPER_RATE / 1000;
    r->allowance = r->allowance < KEEPER_BURST ? r->allowance : KEEPER_BURST;
    r->last_ms = now;
    r->from = 0;
    r->used = (u64)n <= r->allowance ? (size_t)n : 0;
    r->allowance -= r->used;
    r->left_out += (u64)n - r->used;
}

static void relay_write(struct relay *r)
{
    enum { PIECE = 4096 }; /* PIPE_BUF: as many as a pipe takes at once when it takes any */
    ssize_t n = write(2, r->bytes + r->from, r->used < PIECE ? r->used : PIECE);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    r->from += n > 0 ? (size_t)n : 0;
    r->used -= n > 0 ? (size_t)n : r->used; /* nobody reads it */
}

/* What waits in the pipe of standard error, and how much was left out. */
static void relay_finish(struct relay *r)
{
    struct text t;
    u64 end = now_ms() + HUNT_MS;
    while (now_ms() < end && (r->used || !r->ended)) {
        struct pollfd p = { .fd = r->used ? 2 : FD_ERRORS, .events = r->used ? POLLOUT : POLLIN };
        int n = poll(&p, 1, r->used ? 100 : 0);
        if (n <= 0 && !r->used)
            break;
        if (n > 0 && r->used)
            relay_write(r);
        else if (n > 0)
            relay_read(r);
    }
    if (r->left_out == 0 || r->used)
        return;
    text_init(&t, r->bytes, sizeof r->bytes);
    text_add(
        &t,
        "\ngcncheck: %llu bytes that the device under test wrote to standard error are left out\n",
        (unsigned long long)r->left_out);
    r->from = 0;
    r->used = t.len;
    relay_write(r);
}

/* Kills whoever is the keeper's child; as orphans become its children, in the end all. */
static void kill_children(void)
{
    char path[64], text[4096];
    struct text t;
    text_init(&t, path, sizeof path);
    text_add(&t, "/proc/self/task/%d/children", (int)getpid());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (fd >= 0)
        close(fd);
    pid_t pid = 0;
    for (ssize_t i = 0; i < n; i++) {
        if (text[i] != ' ') {
            pid = pid * 10 + (text[i] - '0');
            continue;
        }
        kill(pid, SIGKILL);
        pid = 0;
    }
}

/* Until there is no process left that comes from the child. */
static void hunt(pid_t child, int *status)
{
    u64 end = now_ms() + HUNT_MS;
    kill(-child, SIGKILL); /* its number is its own still: it is not reaped */
    kill(child, SIGKILL);
    for (u32 us = 100; now_ms() < end; us = us < 10000 ? us * 2 : us) {
        int st;
        pid_t pid;
        while ((pid = waitpid(-1, &st, WNOHANG)) > 0)
            if (pid == child)
                *status = st;
        if (pid < 0 && errno == ECHILD)
            return;
        kill_children();
        usleep(us);
    }
}

/* Whether the child has ended; what else has ended is reaped. */
static bool has_ended(pid_t child)
{
    siginfo_t info = { 0 };
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) {
        if (info.si_pid == child)
            return true;
        waitpid(info.si_pid, NULL, 0);
        info.si_pid = 0;
    }
    return false;
}

/* Until the child ends or the keeper is to end. */
static void watch(struct relay *r, pid_t child)
{
    while (!has_ended(child)) {
        struct signalfd_siginfo s;
        bool writes = r->used > 0;
        struct pollfd p[2] = { { .fd = FD_SIGNALS, .events = POLLIN },
                               { .fd = r->ended ? -1
                                       : writes ? 2
                                                : FD_ERRORS,
                                 .events = writes ? POLLOUT : POLLIN } };
        poll(p, 2, -1);
        if ((p[0].revents & POLLIN) && read(FD_SIGNALS, &s, sizeof s) == (ssize_t)sizeof s &&
            s.ssi_signo != SIGCHLD)
            return;
        if (p[1].revents && writes)
            relay_write(r);
        else if (p[1].revents)
            relay_read(r);
    }
}

static _Noreturn void end_as(int status)
{
    sigset_t one;
    if (!WIFSIGNALED(status))
        _exit(WEXITSTATUS(status));
    int number = WTERMSIG(status);
    sigemptyset(&one);
    sigaddset(&one, number);
    signal(number, SIG_DFL);
    kill(getpid(), number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    _exit(128 + number);
}

/* The descriptor, or a copy, above 2, so that no dup2 overwrites another's source. */
static int above_standard(int fd)
{
    return fd > 2 ? fd : fcntl(fd, F_DUPFD, 3);
}

/* Has nothing open but the pipe of standard error, signals, and standard error itself. */
static bool settle(struct keeper_plan *plan, int errors[2])
{
    struct rlimit no_core = { 0, 0 };
    setrlimit(RLIMIT_CORE, &no_core);
    plan->in = above_standard(plan->in);
    plan->out = above_standard(plan->out);
    if (plan->in < 0 || plan->out < 0)
        return false;
    int low = plan->in < plan->out ? plan->in : plan->out;
    int high = plan->in < plan->out ? plan->out : plan->in;
    if (low > 3)
        close_range(3, (u32)low - 1, 0);
    if (high > low + 1)
        close_range((u32)low + 1, (u32)high - 1, 0);
    close_range((u32)high + 1, ~0u, 0);
    close(0);
    close(1);
    /* The first two go to where the keeper has them. */
    if (pipe2(errors, O_CLOEXEC) != 0 || errors[0] != FD_ERRORS || errors[1] != 1)
        return false;
    errors[1] = fcntl(errors[1], F_DUPFD_CLOEXEC, 3);
    fcntl(FD_ERRORS, F_SETFL, O_NONBLOCK);
    close(1);
    return errors[1] >= 3;
}

_Noreturn void keeper_main(const struct keeper_plan *given)
{
    struct keeper_plan plan = *given;
    static struct relay relay; /* of this process: it is a copy */
    sigset_t all, ours;
    int errors[2], status = 127 << 8;
    pid_t self = getpid();
    relay = (struct relay){ .allowance = KEEPER_BURST, .last_ms = now_ms() };
    setpgid(0, 0);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (getppid() != plan.parent || !settle(&plan, errors))
        _exit(127);
    sigemptyset(&ours);
    sigaddset(&ours, SIGCHLD);
    sigaddset(&ours, SIGTERM);
    if (signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK) != FD_SIGNALS)
        _exit(127);
    pid_t child = fork();
    if (child == 0)
        child_main(&plan, errors[1], self);
    close(plan.in);
    close(plan.out);
    close(errors[1]);
    if (child < 0)
        _exit(127);
    setpgid(child, child); /* here too: a kill of the group may come before the child runs */
    watch(&relay, child);
    hunt(child, &status);
    relay_finish(&relay);
    end_as(status);
}
