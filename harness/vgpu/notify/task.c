#include "harness/vgpu/notify/notify.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

bool notify_read(pid_t tid, void *to, u64 from, u64 bytes)
{
    struct iovec here = { to, bytes }, there = { (void *)(uintptr_t)from, bytes };
    return process_vm_readv(tid, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

bool notify_write(pid_t tid, u64 to, const void *from, u64 bytes)
{
    struct iovec here = { (void *)(uintptr_t)from, bytes },
                 there = { (void *)(uintptr_t)to, bytes };
    return process_vm_writev(tid, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

/* In pieces that end with a page, as what lies behind the text may not be there. */
bool notify_text(pid_t tid, u64 from, char *to)
{
    enum { PAGE = 4096 };
    for (u32 have = 0; have < NOTIFY_PATH;) {
        u64 left = PAGE - (from + have) % PAGE;
        u32 n = left < NOTIFY_PATH - have ? (u32)left : NOTIFY_PATH - have;
        if (!notify_read(tid, to + have, from + have, n))
            return false;
        if (memchr(to + have, '\0', n))
            return true;
        have += n;
    }
    return false;
}

bool notify_fd_stat(pid_t tid, int fd, struct stat *st)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)tid, fd);
    return fd >= 0 && stat(path, st) == 0;
}

u64 notify_fd_position(pid_t tid, int fd)
{
    char path[64], text[64];
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)tid, fd);
    int info = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = info < 0 ? 0 : read(info, text, sizeof text - 1);
    if (info >= 0)
        close(info);
    text[n > 0 ? n : 0] = '\0';
    return strncmp(text, "pos:", 4) == 0 ? strtoull(text + 4, NULL, 10) : 0;
}

bool notify_link(pid_t tid, const char *name, char *to)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%.20s", (int)tid, name);
    ssize_t n = readlink(path, to, NOTIFY_PATH - 1);
    to[n > 0 ? n : 0] = '\0';
    return n > 0 && n < NOTIFY_PATH - 1;
}

/* The process of a thread. */
static pid_t process_of(pid_t tid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/status", (int)tid);
    int status = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = status < 0 ? 0 : read(status, text, sizeof text - 1);
    if (status >= 0)
        close(status);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strstr(text, "\nTgid:");
    return at ? (pid_t)strtol(at + 6, NULL, 10) : 0;
}

int notify_fd_get(pid_t tid, int fd)
{
    int process = (int)syscall(SYS_pidfd_open, process_of(tid), 0);
    int r = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, fd, 0);
    r = r < 0 ? -errno : r;
    if (process >= 0)
        close(process);
    return r;
}
