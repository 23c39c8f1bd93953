/* A client of the virtual GPU as a stranger would write it: one file, the kernel's headers, system
 * calls of its own and no library of the device's. Linked statically, nothing can be loaded before
 * it; linked dynamically, what is loaded sees none of its calls. What it does is its first argument;
 * it exits with 0, or says what went wrong. */
#include <amdgpu_drm.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 65536, CODE_VA = 0x1000000, DATA_VA = 0x2000000, IB_VA = 0x3000000 };
enum { RW = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE | AMDGPU_VM_PAGE_EXECUTABLE };

#define NODE "/dev/dri/renderD128"

static void fail(const char *what)
{
    fprintf(stderr, "client: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void must(int holds, const char *what)
{
    if (!holds)
        fail(what);
}

static int open_node(const char *path)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    must(fd >= 0, path);
    return fd;
}

static int call(int fd, unsigned long cmd, void *arg)
{
    return (int)syscall(SYS_ioctl, fd, cmd, arg);
}

static void must_call(int fd, unsigned long cmd, void *arg, const char *what)
{
    must(call(fd, cmd, arg) == 0, what);
}

/* ---- what /dev and /sys say ---- */

static void look(void)
{
    char text[64] = "", name[16] = "", link[256];
    struct stat st;
    struct dirent *e;
    int nodes = 0;
    DIR *d = opendir("/dev/dri");
    must(d != NULL, "/dev/dri");
    while ((e = readdir(d)) != NULL)
        nodes += !strcmp(e->d_name, "card0") || !strcmp(e->d_name, "renderD128");
    closedir(d);
    must(nodes == 2, "two nodes in /dev/dri");
    int dir = (int)syscall(SYS_openat, AT_FDCWD, "/dev/dri", O_RDONLY | O_DIRECTORY);
    must(dir >= 0 && fstatat(dir, "card0", &st, 0) == 0 && S_ISCHR(st.st_mode),
         "card0 in a folder");
    must(stat(NODE, &st) == 0 && S_ISCHR(st.st_mode), "stat of the node");
    must(st.st_rdev == makedev(226, 128), "its number");
    must(stat("/dev/kfd", &st) == 0 && S_ISCHR(st.st_mode), "the node of the other driver");
    must(open("/dev/kfd", O_RDWR) < 0 && errno == ENODEV,
         "which only the program's process can have");
    must(stat("/dev/dri/card7", &st) != 0 && errno == ENOENT, "no other node");
    int fd = open_node(NODE);
    must(fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(226, 128), "fstat");
    int file = open("/sys/dev/char/226:128/device/vendor", O_RDONLY);
    must(file >= 0 && read(file, text, sizeof text) > 0 && !strcmp(text, "0x1002\n"), "vendor");
    must(open("/sys/dev/char/226:128/device/vendor", O_RDWR) < 0 && errno == EACCES,
         "a file of /sys");
    must(readlink("/sys/dev/char/226:0/device/subsystem", link, sizeof link) > 0, "a link");
    must(realpath("/sys/dev/char/226:128", link) != NULL && strstr(link, "/drm/renderD128"),
         "realpath");
    must(access("/dev/dri", F_OK) == 0 && access("/sys/bus/pci/devices/none", F_OK) != 0, "access");
    char *edge = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(edge != MAP_FAILED && munmap(edge + 4096, 4096) == 0, "a page with nothing behind it");
    strcpy(edge + 4096 - sizeof NODE, NODE);
    must(access(edge + 4096 - sizeof NODE, F_OK) == 0, "a path at the end of memory");
    must(chdir("/dev") == 0 && access("dri/card0", R_OK) == 0, "a path that is relative");
    struct drm_version v = { .name = name, .name_len = sizeof name };
    must_call(fd, DRM_IOCTL_VERSION, &v, "VERSION");
    must(!strcmp(name, "amdgpu") && v.version_major == 3, "the driver's name");
    must(call(fd, DRM_IOCTL_VERSION, (void *)1) != 0 && errno == EFAULT, "a pointer to nothing");
    must(call(0, DRM_IOCTL_VERSION, &v) != 0 && errno != EFAULT, "another descriptor is not ours");
}

/* ---- buffers and submissions ---- */

static uint32_t buffer(int fd, uint64_t bytes)
{
    union drm_amdgpu_gem_create a = { .in = { .bo_size = bytes,
                                              .domains = AMDGPU_GEM_DOMAIN_VRAM } };
    must_call(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &a, "GEM_CREATE");
    return a.out.handle;
}

static void *map(int fd, uint32_t handle, uint64_t bytes)
{
    union drm_amdgpu_gem_mmap a = { .in = { .handle = handle } };
    must_call(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &a, "GEM_MMAP");
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)a.out.addr_ptr);
    must(at != MAP_FAILED, "mmap");
    return at;
}

static void place(int fd, uint32_t handle, uint64_t va)
{
    struct drm_amdgpu_gem_va a = { .handle = handle,
                                   .operation = AMDGPU_VA_OP_MAP,
                                   .flags = RW,
                                   .va_address = va,
                                   .map_size = BYTES };
    must_call(fd, DRM_IOCTL_AMDGPU_GEM_VA, &a, "GEM_VA");
}

static uint32_t context(int fd)
{
    union drm_amdgpu_ctx a = { .in = { .op = AMDGPU_CTX_OP_ALLOC_CTX } };
    must_call(fd, DRM_IOCTL_AMDGPU_CTX, &a, "CTX");
    return a.out.alloc.ctx_id;
}

/* Submits the packets in a context and waits; the buffers are all that the file has. */
static void run(int fd, const uint32_t *handle, uint32_t count, uint32_t dw)
{
    struct drm_amdgpu_bo_list_entry entry[4] = { { 0 } };
    for (uint32_t i = 0; i < count; i++)
        entry[i].bo_handle = handle[i];
    struct drm_amdgpu_bo_list_in list = { .operation = ~0u,
                                          .list_handle = ~0u,
                                          .bo_number = count,
                                          .bo_info_size = sizeof entry[0],
                                          .bo_info_ptr = (uintptr_t)entry };
    struct drm_amdgpu_cs_chunk_ib ib = { .va_start = IB_VA,
                                         .ib_bytes = dw * 4,
                                         .ip_type = AMDGPU_HW_IP_COMPUTE };
    struct drm_amdgpu_cs_chunk chunk[] = { { AMDGPU_CHUNK_ID_BO_HANDLES, sizeof list / 4,
                                             (uintptr_t)&list },
                                           { AMDGPU_CHUNK_ID_IB, sizeof ib / 4, (uintptr_t)&ib } };
    uint64_t at[] = { (uintptr_t)&chunk[0], (uintptr_t)&chunk[1] };
    uint32_t ctx = context(fd);
    union drm_amdgpu_cs cs = { .in = { .ctx_id = ctx, .num_chunks = 2, .chunks = (uintptr_t)at } };
    must_call(fd, DRM_IOCTL_AMDGPU_CS, &cs, "CS");
    union drm_amdgpu_wait_cs w = { .in = { .handle = cs.out.handle,
                                           .timeout = ~0ull,
                                           .ip_type = AMDGPU_HW_IP_COMPUTE,
                                           .ctx_id = ctx } };
    must_call(fd, DRM_IOCTL_AMDGPU_WAIT_CS, &w, "WAIT_CS");
}

/* v_lshlrev_b32 v1, 2, v0; global_store_dword v1, v0, s[0:1]; s_waitcnt vmcnt(0); s_endpgm */
static const uint32_t program[] = { 0x24020082, 0xdc708000, 0x00000001, 0xbf8c0f70, 0xbf810000 };

static const uint32_t packets[] = {
    0xc0055802, 0x28c40000, ~0u,
    0xff,       0,          0,
    10, /* ACQUIRE_MEM */
    0xc0037602, 0x207,      64,
    1,          1, /* threads */
    0xc0027602, 0x20c,      CODE_VA >> 8,
    0, /* program */
    0xc0027602, 0x212,      0x000c0081,
    2 << 1, /* resources */
    0xc0027602, 0x240,      DATA_VA,
    0, /* s[0:1] */
    0xc0031502, 1,          1,
    1,          5 /* dispatch */
};

static void dispatch(void)
{
    static const uint64_t va[] = { CODE_VA, DATA_VA, IB_VA };
    uint32_t handle[3], *at[3], wrong = 0;
    int fd = open_node(NODE);
    for (int i = 0; i < 3; i++) {
        handle[i] = buffer(fd, BYTES);
        at[i] = map(fd, handle[i], BYTES);
        place(fd, handle[i], va[i]);
    }
    memcpy(at[0], program, sizeof program);
    memcpy(at[2], packets, sizeof packets);
    run(fd, handle, 3, sizeof packets / 4);
    for (uint32_t i = 0; i < 64; i++)
        wrong += at[1][i] != i;
    must(wrong == 0 && at[1][64] == 0, "what 64 lanes have stored");
}

/* Memory of this process as a buffer: it is written without a mapping of the device's. */
static void userptr(void)
{
    static _Alignas(4096) uint32_t own[BYTES / 4];
    int fd = open_node(NODE);
    struct drm_amdgpu_gem_userptr u = { .addr = (uintptr_t)own, .size = BYTES };
    must_call(fd, DRM_IOCTL_AMDGPU_GEM_USERPTR, &u, "GEM_USERPTR");
    uint32_t handle[3] = { buffer(fd, BYTES), u.handle, buffer(fd, BYTES) };
    static const uint64_t va[] = { CODE_VA, DATA_VA, IB_VA };
    for (int i = 0; i < 3; i++)
        place(fd, handle[i], va[i]);
    memcpy(map(fd, handle[0], BYTES), program, sizeof program);
    memcpy(map(fd, handle[2], BYTES), packets, sizeof packets);
    run(fd, handle, 3, sizeof packets / 4);
    must(own[63] == 63 && own[64] == 0, "what 64 lanes have stored in memory of the process");
}

/* ---- between processes ---- */

static void send_fd(int to, int fd)
{
    char byte = 0, room[CMSG_SPACE(sizeof fd)] = { 0 };
    struct iovec v = { &byte, 1 };
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room
    };
    struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    must(sendmsg(to, &m, 0) == 1, "sendmsg");
}

static int receive_fd(int from)
{
    char byte, room[CMSG_SPACE(sizeof(int))];
    int fd;
    struct iovec v = { &byte, 1 };
    struct msghdr m = {
        .msg_iov = &v, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room
    };
    must(recvmsg(from, &m, 0) == 1 && CMSG_FIRSTHDR(&m), "recvmsg");
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof fd);
    return fd;
}

static uint64_t vram_used(void)
{
    uint64_t used = ~0ull;
    struct drm_amdgpu_info a = { .return_pointer = (uintptr_t)&used,
                                 .return_size = sizeof used,
                                 .query = AMDGPU_INFO_VRAM_USAGE };
    must_call(open_node(NODE), DRM_IOCTL_AMDGPU_INFO, &a, "INFO");
    return used;
}

/* A child makes a buffer and a timeline, and hands both over; then it dies. */
static void share(void)
{
    int pair[2], status;
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
    pid_t child = fork();
    if (child == 0) {
        int fd = open_node(NODE);
        uint32_t bo = buffer(fd, BYTES);
        *(uint32_t *)map(fd, bo, BYTES) = 0xfeed;
        struct drm_prime_handle p = { .handle = bo, .flags = DRM_CLOEXEC | DRM_RDWR };
        must_call(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &p, "PRIME_HANDLE_TO_FD");
        send_fd(pair[1], p.fd);
        struct drm_syncobj_create s = { 0 };
        must_call(fd, DRM_IOCTL_SYNCOBJ_CREATE, &s, "SYNCOBJ_CREATE");
        struct drm_syncobj_handle h = { .handle = s.handle };
        must_call(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &h, "SYNCOBJ_HANDLE_TO_FD");
        send_fd(pair[1], h.fd);
        usleep(200000); /* the parent waits by now */
        uint64_t point = 7;
        struct drm_syncobj_timeline_array a = { .handles = (uintptr_t)&s.handle,
                                                .points = (uintptr_t)&point,
                                                .count_handles = 1 };
        must_call(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &a, "SYNCOBJ_TIMELINE_SIGNAL");
        _exit(0);
    }
    int fd = open_node(NODE), shared = receive_fd(pair[0]);
    must(lseek(shared, 0, SEEK_END) == BYTES && lseek(shared, 0, SEEK_SET) == 0, "its size");
    struct drm_syncobj_handle h = { .fd = receive_fd(pair[0]) };
    must_call(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &h, "SYNCOBJ_FD_TO_HANDLE");
    uint64_t point = 7;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    struct drm_syncobj_timeline_wait w = { .handles = (uintptr_t)&h.handle,
                                           .points = (uintptr_t)&point,
                                           .timeout_nsec = (t.tv_sec + 20) * 1000000000,
                                           .count_handles = 1,
                                           .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT };
    must_call(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &w, "SYNCOBJ_TIMELINE_WAIT");
    must(waitpid(child, &status, 0) == child && status == 0, "the child");
    struct drm_prime_handle p = { .fd = shared };
    must_call(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &p, "PRIME_FD_TO_HANDLE");
    uint32_t *there = map(fd, p.handle, BYTES);
    must(*there == 0xfeed && vram_used() == BYTES, "what the child has written");
    struct drm_gem_close c = { .handle = p.handle };
    must_call(fd, DRM_IOCTL_GEM_CLOSE, &c, "GEM_CLOSE");
    must(vram_used() == BYTES, "the descriptor holds the buffer");
    close(shared);
    must(vram_used() == 0, "as nobody does then");
}

/* ---- what is left behind ---- */

static void usage(void)
{
    printf("used %llu\n", (unsigned long long)vram_used());
}

/* Has a buffer, and a copy of its descriptor, until it is killed. */
static void hold(void)
{
    int fd = open_node(NODE);
    uint32_t bo = buffer(fd, 1 << 20);
    memset(map(fd, bo, 1 << 20), 1, 1 << 20);
    must(dup(fd) >= 0, "dup");
    puts("holding");
    fflush(stdout);
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*fn)(void);
    } modes[] = { { "look", look },   { "dispatch", dispatch }, { "userptr", userptr },
                  { "share", share }, { "usage", usage },       { "hold", hold } };
    for (size_t i = 0; argc == 2 && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(argv[1], modes[i].name) == 0) {
            modes[i].fn();
            return 0;
        }
    fputs("client: look, dispatch, userptr, share, usage or hold\n", stderr);
    return 2;
}
