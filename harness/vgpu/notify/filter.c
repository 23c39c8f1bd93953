/* Which system calls are handed over: those that name a path, those that ask about a descriptor, and
 * the ioctls of DRM. */
#include "harness/vgpu/notify/notify.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH     AUDIT_ARCH_X86_64
#define NR_FIRST 0x40000000 /* numbers from here on are of another interface */
#elif defined(__aarch64__)
#define ARCH     AUDIT_ARCH_AARCH64
#define NR_FIRST 0x7fffffff
#else
#define ARCH     0
#define NR_FIRST 0
#endif

static const u32 handed[] = {
#ifdef SYS_open
    SYS_open,      SYS_stat,       SYS_lstat,      SYS_access,     SYS_readlink,
#endif
    SYS_openat,    SYS_openat2,    SYS_fstat,      SYS_statx,      SYS_newfstatat,
    SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64,
};

enum { DRM_TYPE = 'd', FILTER_MAX = 64 };

static u32 at(size_t offset)
{
    return (u32)(offsetof(struct seccomp_data, nr) + offset);
}

int notify_filter(void)
{
    struct sock_filter f[FILTER_MAX];
    u32 n = 0, count = COUNT_OF(handed);
    const u32 allow = SECCOMP_RET_ALLOW, notify = SECCOMP_RET_USER_NOTIF;
#define PUT(code, k, jt, jf) \
    f[n++] = (struct sock_filter)BPF_JUMP((u16)(code), (u32)(k), (u8)(jt), (u8)(jf))
#define LOAD(field) PUT(BPF_LD | BPF_W | BPF_ABS, at(offsetof(struct seccomp_data, field)), 0, 0)
    LOAD(arch);
    PUT(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    PUT(BPF_RET | BPF_K, allow, 0, 0);
    LOAD(nr);
    PUT(BPF_JMP | BPF_JGE | BPF_K, NR_FIRST, 0, 1);
    PUT(BPF_RET | BPF_K, allow, 0, 0);
    for (u32 i = 0; i < count; i++) /* to the last instruction; five of ioctl and one lie between */
        PUT(BPF_JMP | BPF_JEQ | BPF_K, handed[i], count - i - 1 + 5, 0);
    PUT(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 3);
    LOAD(args[1]);
    PUT(BPF_ALU | BPF_AND | BPF_K, 0xff00, 0, 0);
    PUT(BPF_JMP | BPF_JEQ | BPF_K, DRM_TYPE << 8, 1, 0);
    PUT(BPF_RET | BPF_K, allow, 0, 0);
    PUT(BPF_RET | BPF_K, notify, 0, 0);
#undef LOAD
#undef PUT
    const struct sock_fprog prog = { .len = (u16)n, .filter = f };
    if (ARCH == 0)
        return -ENOSYS;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -errno;
    /* A call that has been received is not interrupted but by death: it may have had its effect. */
    u32 flags = SECCOMP_FILTER_FLAG_NEW_LISTENER, killable = 1u << 5;
    long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | killable, &prog);
    if (fd < 0 && errno == EINVAL)
        fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
    return fd < 0 ? -errno : (int)fd;
}
