/* Runs a program of which one system call fails.
 *
 *   fail_calls KIND N COUNT PROGRAM [ARGUMENT]...
 *
 * The n-th call of the kind (0: none) that the program makes is answered with an error in place of
 * the kernel's; those of its threads count, those of processes that it starts do not. COUNT is a
 * file for the number of calls, or "-". The kernel asks through a filter of seccomp before each of
 * the calls: all others cost nothing, so that a run takes hardly longer than the program alone.
 *
 * The exit code is that of the program, 128 and the signal that ended it, or 125 if calls cannot be
 * watched here, or if a process that the program started is there ten seconds after its end.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 125, CALLS = 6, AFTER_END_MS = 10000 };

/* Where a processor has only the newer call of two, that one stands in both places. */
#ifndef SYS_rename
#define SYS_rename   SYS_renameat2
#define SYS_renameat SYS_renameat2
#endif
#ifndef SYS_open
#define SYS_open  SYS_openat
#define SYS_mkdir SYS_mkdirat
#define SYS_link  SYS_linkat
#define SYS_pipe  SYS_pipe2
#define SYS_fork  SYS_clone
#define SYS_vfork SYS_clone
#endif

static const struct kind {
    const char *name;
    int error;
    int calls[CALLS]; /* filled up with the first */
} kinds[] = {
    { "write", ENOSPC, { SYS_write, SYS_pwrite64, SYS_writev, SYS_write, SYS_write, SYS_write } },
    { "sync", EIO, { SYS_fsync, SYS_fdatasync, SYS_syncfs, SYS_fsync, SYS_fsync, SYS_fsync } },
    { "rename",
      ENOSPC,
      { SYS_renameat2, SYS_rename, SYS_renameat, SYS_renameat2, SYS_renameat2, SYS_renameat2 } },
    { "link", ENOSPC, { SYS_linkat, SYS_link, SYS_linkat, SYS_linkat, SYS_linkat, SYS_linkat } },
    { "open", EMFILE, { SYS_openat, SYS_open, SYS_openat, SYS_openat, SYS_openat, SYS_openat } },
    { "mkdir",
      ENOSPC,
      { SYS_mkdirat, SYS_mkdir, SYS_mkdirat, SYS_mkdirat, SYS_mkdirat, SYS_mkdirat } },
    { "fork", EAGAIN, { SYS_clone, SYS_clone3, SYS_fork, SYS_vfork, SYS_clone, SYS_clone } },
    { "pipe", EMFILE, { SYS_pipe2, SYS_pipe, SYS_socketpair, SYS_pipe2, SYS_pipe2, SYS_pipe2 } },
    { "mmap", ENOMEM, { SYS_mmap, SYS_mremap, SYS_mmap, SYS_mmap, SYS_mmap, SYS_mmap } },
    { "truncate",
      EIO,
      { SYS_ftruncate, SYS_ftruncate, SYS_ftruncate, SYS_ftruncate, SYS_ftruncate,
        SYS_ftruncate } },
};

static void fail(const char *what)
{
    fprintf(stderr, "fail_calls: %s: %s\n", what, strerror(errno));
    _exit(FAILED);
}

/* ---- the program ---- */

/* Asks the kernel to ask before each call of the kind; returns where it does. */
static int watch(const struct kind *k)
{
    struct sock_filter code[2 * CALLS + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    for (int i = 0; i < CALLS; i++) {
        code[2 * i + 1] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)k->calls[i], 0, 1);
        code[2 * i + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    code[2 * CALLS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = { 2 * CALLS + 2, code };
    unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
#ifdef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV /* a signal does not make the kernel ask twice */
    flags |= SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
#endif
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* One byte, and a descriptor with it, which is given (send) or taken. */
static int pass(int socket, int fd, int is_given)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control = { 0 };
    char byte = 0;
    struct iovec part = { &byte, 1 };
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
    };
    if (!is_given) {
        if (recvmsg(socket, &m, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&m))
            return -1;
        memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
        return fd;
    }
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    return sendmsg(socket, &m, 0) == 1 ? 0 : -1;
}

static void become(const struct kind *k, int socket, char **program)
{
    if (prctl(PR_SET_PDEATHSIG, SIGKILL))
        fail("prctl");
    int listener = watch(k);
    if (listener < 0 || pass(socket, listener, 1))
        _exit(FAILED);
    close(listener);
    close(socket);
    execvp(program[0], program);
    _exit(127);
}

/* ---- who answers ---- */

/* Whether it is a thread of the process. */
static int is_of(pid_t process, pid_t thread)
{
    char path[64];
    if (thread == process)
        return 1;
    snprintf(path, sizeof path, "/proc/%d/task/%d", process, thread);
    return access(path, F_OK) == 0;
}

/* Answers one call. The caller may have died: then nobody minds. */
static void answer(int listener, const struct kind *k, pid_t process, unsigned long *count,
                   unsigned long n)
{
    struct seccomp_notif asked = { 0 };
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked))
        return;
    struct seccomp_notif_resp said = { .id = asked.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
    if (is_of(process, (pid_t)asked.pid) && ++*count == n) {
        said.flags = 0;
        said.error = -k->error;
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &said);
}

/* Serves until all processes under the filter are gone; returns the exit code. */
static int serve(int listener, const struct kind *k, pid_t process, unsigned long *count,
                 unsigned long n)
{
    int code = -1, self = (int)syscall(SYS_pidfd_open, process, 0);
    if (self < 0)
        fail("pidfd_open");
    for (;;) {
        struct pollfd polled[2] = { { listener, POLLIN, 0 }, { code < 0 ? self : -1, POLLIN, 0 } };
        int ready = poll(polled, 2, code < 0 ? -1 : AFTER_END_MS);
        if (ready < 0)
            fail("poll");
        if (!ready) {
            fputs("fail_calls: a process is left over\n", stderr);
            return FAILED;
        }
        if (polled[0].revents & POLLIN)
            answer(listener, k, process, count, n);
        int status;
        if (polled[1].revents && waitpid(process, &status, WNOHANG) == process)
            code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (code >= 0 && polled[0].revents & POLLHUP)
            return code;
    }
}

int main(int argc, char **argv)
{
    const struct kind *k = kinds, *end = kinds + sizeof kinds / sizeof *kinds;
    if (argc < 5)
        return FAILED;
    while (k < end && strcmp(k->name, argv[1]))
        k++;
    if (k == end)
        return FAILED;
    unsigned long count = 0, n = strtoul(argv[2], NULL, 10);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        fail("socketpair");
    pid_t process = fork();
    if (process < 0)
        fail("fork");
    if (!process)
        become(k, ends[1], argv + 4);
    close(ends[1]);
    int listener = pass(ends[0], -1, 0);
    if (listener < 0)
        fail("seccomp");
    close(ends[0]);
    int code = serve(listener, k, process, &count, n);
    if (strcmp(argv[3], "-")) {
        FILE *f = fopen(argv[3], "w");
        if (!f || fprintf(f, "%lu\n", count) < 0 || fclose(f))
            fail(argv[3]);
    }
    return code;
}
