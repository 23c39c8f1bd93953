#include "harness/io/keeper.h"

#include "harness/io/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The keeper's descriptors; 2 is gcncheck's standard error. Those of a child are above. */
enum { FD_SIGNALS = 0, FD_CONTROL = 1 };

/* How long the keeper hunts what the child left behind: only one that starts processes faster than
 * they can be killed lives that long. */
enum { HUNT_MS = 2000 };

/* Not every C library has a function for it. */
static void close_above(u32 fd)
{
    syscall(SYS_close_range, fd + 1, ~0u, 0);
}

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

/* Lowers a limit; one that is lower already stays. C libraries have different types for `what`. */
static void limit(int what, u64 value)
{
    struct {
        u64 current, most;
    } l;
    if (syscall(SYS_prlimit64, 0, what, NULL, &l) != 0)
        return;
    l.most = l.most < value ? l.most : value;
    l.current = l.current < l.most ? l.current : l.most;
    syscall(SYS_prlimit64, 0, what, &l, NULL);
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

/* The three are its standard input, output and error; nothing else is open, and signals are at
 * their defaults. They are above 2 as they come. */
static _Noreturn void child_main(const struct keeper_plan *plan, const int fds[3], pid_t keeper)
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
    if (dup2(fds[0], 0) < 0 || dup2(fds[1], 1) < 0 || dup2(fds[2], 2) < 0)
        _exit(127);
    close_above(2);
    limit_all(&plan->limits);
    if (plan->limits.is_confined)
        confine();
    plan->run(plan->ctx);
    _exit(0);
}

/* ---- the keeper ---- */

/* What it passes on of standard error. */
struct relay {
    int fd; /* the pipe that the child writes to */
    char bytes[1 << 16];
    size_t from, used; /* bytes[from..from+used-1] wait to be written */
    u64 allowance, last_ms, left_out;
    bool ended;
};

static void relay_read(struct relay *r)
{
    ssize_t n = read(r->fd, r->bytes, sizeof r->bytes);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        r->ended = true;
    if (n <= 0)
        return;
    u64 now = clock_ms();
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
    u64 end = clock_ms() + HUNT_MS;
    while (clock_ms() < end && (r->used || !r->ended)) {
        struct pollfd p = { .fd = r->used ? 2 : r->fd, .events = r->used ? POLLOUT : POLLIN };
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

/* Waits until a signal has come, `ms` at most (-1: for ever), and takes all that have. */
static void take_signals(int ms)
{
    struct signalfd_siginfo s;
    struct pollfd p = { .fd = FD_SIGNALS, .events = POLLIN };
    poll(&p, 1, ms);
    while (read(FD_SIGNALS, &s, sizeof s) == (ssize_t)sizeof s)
        ;
}

/* Until there is no process left that comes from the child. False: they outlive it. */
static bool hunt(pid_t child, int *status)
{
    u64 end = clock_ms() + HUNT_MS;
    kill(-child, SIGKILL); /* its number is its own still: it is not reaped */
    kill(child, SIGKILL);
    for (bool is_first = true; clock_ms() < end; is_first = false) {
        int st;
        pid_t pid;
        while ((pid = waitpid(-1, &st, WNOHANG)) > 0)
            if (pid == child)
                *status = st;
        if (pid < 0 && errno == ECHILD)
            return true;
        if (!is_first) /* nearly always there is but the child, which is dying */
            kill_children();
        take_signals(10);
    }
    return false;
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

/* Until the child ends, or is to end: by a signal, by a packet, or as gcncheck is gone. */
static void watch(struct relay *r, pid_t child)
{
    while (!has_ended(child)) {
        struct signalfd_siginfo s;
        bool writes = r->used > 0;
        struct pollfd p[3] = { { .fd = FD_SIGNALS, .events = POLLIN },
                               { .fd = FD_CONTROL, .events = POLLIN },
                               { .fd = r->ended ? -1
                                       : writes ? 2
                                                : r->fd,
                                 .events = writes ? POLLOUT : POLLIN } };
        poll(p, 3, -1);
        if (p[1].revents)
            return;
        if ((p[0].revents & POLLIN) && read(FD_SIGNALS, &s, sizeof s) == (ssize_t)sizeof s &&
            s.ssi_signo != SIGCHLD)
            return;
        if (p[2].revents && writes)
            relay_write(r);
        else if (p[2].revents)
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

/* Has nothing open but signals, the socket, and standard error. */
static bool settle(const struct keeper_plan *plan)
{
    struct rlimit no_core = { 0, 0 };
    sigset_t ours;
    setrlimit(RLIMIT_CORE, &no_core);
    sigemptyset(&ours);
    sigaddset(&ours, SIGCHLD);
    sigaddset(&ours, SIGTERM);
    if (dup2(plan->control, FD_CONTROL) < 0)
        return false;
    close_above(2);
    close(FD_SIGNALS);
    return signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK) == FD_SIGNALS;
}

/* The life of one child, whose streams are fds[0] and fds[1], closed here; fds[2] is free. Returns
 * false if something outlives it. *status is -errno if there is no process or pipe to be had. */
static bool keep(const struct keeper_plan *plan, int fds[3], int *status)
{
    static struct relay relay; /* of this process: it is a copy */
    int errors[2] = { -1, -1 };
    pid_t self = getpid();
    relay = (struct relay){ .allowance = KEEPER_BURST, .last_ms = clock_ms() };
    *status = 127 << 8;
    take_signals(0); /* they were for the child before */
    pid_t child = pipe2(errors, O_CLOEXEC) == 0 ? fork() : -1;
    int why = errno;
    fds[2] = errors[1];
    if (child == 0)
        child_main(plan, fds, self);
    if (child < 0)
        *status = -why;
    for (int i = 0; i < 3; i++)
        close(fds[i]);
    bool is_alone = true;
    if (child > 0) {
        setpgid(child, child); /* here too: a kill of the group may come before the child runs */
        relay.fd = errors[0];
        fcntl(relay.fd, F_SETFL, O_NONBLOCK);
        watch(&relay, child);
        is_alone = hunt(child, status);
        relay_finish(&relay);
    }
    close(errors[0]);
    return is_alone;
}

/* ---- the socket ---- */

/* What a packet to the keeper asks for. As packets keep their order, a PACKET_END that comes too
 * late never meets the next child. */
enum { PACKET_START = 's', PACKET_END = 'e' };

/* Room for two descriptors beside a packet. */
union beside {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(2 * sizeof(int))];
};

bool keeper_ask(int control, int in, int out)
{
    char byte = PACKET_START;
    int fds[2] = { in, out };
    union beside beside = { .bytes = { 0 } };
    struct iovec part = { &byte, 1 };
    struct msghdr m = { .msg_iov = &part,
                        .msg_iovlen = 1,
                        .msg_control = beside.bytes,
                        .msg_controllen = sizeof beside.bytes };
    struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof fds);
    memcpy(CMSG_DATA(head), fds, sizeof fds);
    return sendmsg(control, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

void keeper_end(int control)
{
    char byte = PACKET_END;
    send(control, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

int keeper_status(int control, int *status)
{
    ssize_t n = recv(control, status, sizeof *status, MSG_DONTWAIT);
    bool none = n < 0 && (errno == EAGAIN || errno == EINTR);
    return n == (ssize_t)sizeof *status ? 1 : none ? 0 : -1;
}

/* Waits for the next child's streams. False: there is none to come; or, and then errno is EMFILE, as
 * many descriptors are not allowed. */
static bool await_request(int fds[2])
{
    char byte = 0;
    union beside beside;
    struct iovec part = { &byte, 1 };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = beside.bytes };
    do {
        m.msg_controllen = sizeof beside.bytes;
        errno = 0;
        if (recvmsg(FD_CONTROL, &m, MSG_CMSG_CLOEXEC) != 1)
            return false;
    } while (byte != PACKET_START);
    struct cmsghdr *head = CMSG_FIRSTHDR(&m);
    bool has_any = head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len > CMSG_LEN(0);
    if (has_any)
        memcpy(fds, CMSG_DATA(head), head->cmsg_len - CMSG_LEN(0));
    if (has_any && head->cmsg_len == CMSG_LEN(2 * sizeof(int)))
        return true;
    if (has_any)
        close(fds[0]);
    errno = EMFILE;
    return false;
}

_Noreturn void keeper_main(const struct keeper_plan *plan)
{
    sigset_t all;
    int fds[3], status = 127 << 8;
    setpgid(0, 0);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (getppid() != plan->parent || !settle(plan))
        _exit(127);
    for (;;) {
        bool is_alone = true;
        if (await_request(fds))
            is_alone = keep(plan, fds, &status);
        else if (errno == EMFILE)
            status = -EMFILE;
        else
            _exit(127);
        if (!is_alone ||
            send(FD_CONTROL, &status, sizeof status, MSG_NOSIGNAL) != (ssize_t)sizeof status)
            end_as(status < 0 ? 127 << 8 : status);
    }
}
