/* What a system call of a client is answered with. */
#include "harness/vgpu/notify/notify.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* A call under way. */
struct call {
    struct notify_server *s;
    pid_t tid;
    const u64 *arg;
    i64 result;
    bool cloexec;
};

static enum notify_end answer(struct call *c, i64 result)
{
    c->result = result;
    return NOTIFY_ANSWER;
}

/* ---- folders ---- */

/* An entry as the kernel lays it out. */
struct entry {
    u64 ino;
    i64 off;
    u16 bytes;
    u8 type;
    char name[64];
};

/* All entries of a folder, into the file. */
static bool write_entries(const struct notify_server *s, const char *path, int fd)
{
    struct vgpu_node n;
    const char *name;
    u32 at = 0;
    i64 off = 0;
    bool is_ok = true;
    while (is_ok && front_list(s->front.chip, path, &at, &n, &name)) {
        struct entry en = { .ino = at, .type = front_dirent_type(&n) };
        size_t bytes = offsetof(struct entry, name) + strlen(name) + 1;
        en.bytes = (u16)((bytes + 7) / 8 * 8);
        off += en.bytes;
        en.off = off;
        snprintf(en.name, sizeof en.name, "%.63s", name);
        is_ok = write(fd, &en, en.bytes) == en.bytes;
    }
    return is_ok;
}

static const struct notify_dir *find_dir(struct notify_server *s, const char *path)
{
    struct stat st;
    for (u32 i = 0; i < s->dir_count; i++)
        if (strcmp(s->dirs[i].path, path) == 0)
            return &s->dirs[i];
    if (s->dir_count == NOTIFY_DIRS_MAX)
        return NULL;
    struct notify_dir *d = &s->dirs[s->dir_count];
    d->fd = memfd_create("vgpu-folder", MFD_CLOEXEC);
    if (d->fd < 0 || !write_entries(s, path, d->fd) || fstat(d->fd, &st) != 0)
        return NULL;
    d->id = (struct front_id){ st.st_dev, st.st_ino };
    snprintf(d->path, sizeof d->path, "%s", path);
    s->dir_count++;
    return d;
}

static const struct notify_dir *dir_of(const struct notify_server *s, const struct stat *st)
{
    for (u32 i = 0; i < s->dir_count; i++)
        if (s->dirs[i].id.ino == st->st_ino && s->dirs[i].id.dev == st->st_dev)
            return &s->dirs[i];
    return NULL;
}

static enum notify_end open_dir(struct call *c, const struct vgpu_node *n)
{
    char path[40];
    const struct notify_dir *d = find_dir(c->s, n->path);
    if (!d)
        return answer(c, -ENOMEM);
    snprintf(path, sizeof path, "/proc/self/fd/%d", d->fd);
    c->result = open(path, O_RDONLY | O_CLOEXEC);
    return c->result < 0 ? answer(c, -errno) : NOTIFY_GIVE;
}

/* As many whole entries as fit, from the descriptor's position on, which is moved. */
static enum notify_end get_entries(struct call *c)
{
    struct stat st;
    u8 all[2048];
    int fd = (int)c->arg[0];
    u64 room = c->arg[2] < sizeof all ? c->arg[2] : sizeof all, used = 0;
    if (!notify_fd_stat(c->tid, fd, &st) || !dir_of(c->s, &st))
        return NOTIFY_GO_ON;
    int here = notify_fd_get(c->tid, fd);
    if (here < 0)
        return answer(c, here);
    off_t at = lseek(here, 0, SEEK_CUR);
    ssize_t n = pread(here, all, sizeof all, at);
    for (u16 bytes; n > 0 && used < (u64)n; used += bytes) {
        memcpy(&bytes, all + used + offsetof(struct entry, bytes), sizeof bytes);
        if (bytes == 0 || used + bytes > room)
            break;
    }
    lseek(here, at + (off_t)used, SEEK_SET);
    close(here);
    if (n > 0 && used == 0)
        return answer(c, -EINVAL);
    return answer(c, used && !notify_write(c->tid, c->arg[1], all, used) ? -EFAULT : (i64)used);
}

/* ---- paths ---- */

/* The path of an argument, made absolute; false if it cannot be one of ours. */
static bool path_of(const struct call *c, int dir, u64 at, char *to)
{
    char path[NOTIFY_PATH], link[24], base[NOTIFY_PATH];
    struct stat st;
    if (!notify_text(c->tid, at, path) || !path[0])
        return false;
    if (path[0] == '/') {
        memcpy(to, path, sizeof path);
        return true;
    }
    snprintf(link, sizeof link, "fd/%d", dir);
    const struct notify_dir *ours =
        dir != AT_FDCWD && notify_fd_stat(c->tid, dir, &st) ? dir_of(c->s, &st) : NULL;
    if (!ours && !notify_link(c->tid, dir == AT_FDCWD ? "cwd" : link, base))
        return false;
    struct text t;
    text_init(&t, to, NOTIFY_PATH);
    text_add(&t, "%s/%s", ours ? ours->path : base, path);
    return !t.full;
}

/* A folder on the way to what the device owns, where the machine has none. */
static bool leads_there(const char *path)
{
    struct stat st;
    return vgpu_tree_leads(path) && lstat(path, &st) != 0 && errno == ENOENT;
}

static enum front_found look(const struct call *c, int dir, u64 at, bool nofollow,
                             struct vgpu_node *n)
{
    char path[NOTIFY_PATH];
    if (!path_of(c, dir, at, path))
        return FRONT_FOREIGN;
    enum front_found f = front_look(c->s->front.chip, path, nofollow, n);
    if (f != FRONT_FOREIGN || !leads_there(path))
        return f;
    *n = (struct vgpu_node){ .kind = VGPU_DIR };
    snprintf(n->path, sizeof n->path, "%.95s", path);
    return FRONT_OURS;
}

static enum notify_end open_path(struct call *c, int dir, u64 path, u64 flags)
{
    struct vgpu_node n;
    enum front_found f = look(c, dir, path, flags & O_NOFOLLOW, &n);
    if (f != FRONT_OURS)
        return f == FRONT_FOREIGN ? NOTIFY_GO_ON : answer(c, -ENOENT);
    bool is_dir = n.kind == VGPU_DIR, is_write = (flags & O_ACCMODE) != O_RDONLY;
    c->cloexec = flags & O_CLOEXEC;
    if (n.kind == VGPU_LINK)
        return answer(c, -ELOOP);
    if (!is_dir && flags & O_DIRECTORY)
        return answer(c, -ENOTDIR);
    if (n.kind != VGPU_DEVICE && is_write)
        return answer(c, is_dir ? -EISDIR : -EACCES);
    if (is_dir)
        return open_dir(c, &n);
    c->result =
        n.kind == VGPU_DEVICE ? front_file_open(&c->s->front, &n, true) : front_contents(&n);
    return c->result < 0 ? answer(c, c->result) : NOTIFY_GIVE;
}

/* openat2 has its flags in memory. */
static enum notify_end open_how(struct call *c)
{
    u64 flags;
    if (c->arg[3] < sizeof flags || !notify_read(c->tid, &flags, c->arg[2], sizeof flags))
        return NOTIFY_GO_ON;
    return open_path(c, (int)c->arg[0], c->arg[1], flags);
}

static enum notify_end check_access(struct call *c, int dir, u64 path)
{
    struct vgpu_node n;
    enum front_found f = look(c, dir, path, false, &n);
    return f == FRONT_FOREIGN ? NOTIFY_GO_ON : answer(c, f == FRONT_OURS ? 0 : -ENOENT);
}

static enum notify_end read_link(struct call *c, int dir, u64 path, u64 to, u64 size)
{
    struct vgpu_node n;
    enum front_found f = look(c, dir, path, true, &n);
    if (f == FRONT_FOREIGN)
        return NOTIFY_GO_ON;
    if (f != FRONT_OURS || n.kind != VGPU_LINK)
        return answer(c, f == FRONT_OURS ? -EINVAL : -ENOENT);
    u64 len = n.bytes < size ? n.bytes : size;
    return answer(c, notify_write(c->tid, to, n.text, len) ? (i64)len : -EFAULT);
}

/* ---- stat ---- */

/* What the client asks about: a path, or with AT_EMPTY_PATH (or no path) a descriptor. */
static enum front_found find_node(const struct call *c, int dir, u64 path, bool by_fd,
                                  bool nofollow, struct vgpu_node *n)
{
    struct stat st;
    if (!by_fd)
        return look(c, dir, path, nofollow, n);
    if (!notify_fd_stat(c->tid, dir, &st))
        return FRONT_FOREIGN;
    const struct notify_dir *d = dir_of(c->s, &st);
    if (d) {
        *n = (struct vgpu_node){ .kind = VGPU_DIR };
        memcpy(n->path, d->path, sizeof d->path);
        return FRONT_OURS;
    }
    if (st.st_ino != c->s->front.id.ino || st.st_dev != c->s->front.id.dev)
        return FRONT_FOREIGN;
    u32 file = front_file_of(&c->s->front, notify_fd_position(c->tid, dir));
    *n = front_device_node(&c->s->front, file);
    return file ? FRONT_OURS : FRONT_FOREIGN;
}

/* Numbers of nodes, by their paths, so that different ones differ. */
static u64 inode_of(const struct vgpu_node *n)
{
    u64 h = 14695981039346656037u;
    for (const char *at = n->path; *at; at++)
        h = (h ^ (u8)*at) * 1099511628211u;
    return (h ^ n->minor) & 0x7fffffff;
}

static enum notify_end put_stat(struct call *c, enum front_found f, const struct vgpu_node *n,
                                u64 to)
{
    if (f != FRONT_OURS)
        return f == FRONT_FOREIGN ? NOTIFY_GO_ON : answer(c, -ENOENT);
    const struct stat st = { .st_mode = front_mode(n),
                             .st_rdev = front_rdev(n),
                             .st_ino = inode_of(n),
                             .st_nlink = 1,
                             .st_size = n->kind == VGPU_FILE ? (off_t)n->bytes : 0,
                             .st_blksize = 4096 };
    return answer(c, notify_write(c->tid, to, &st, sizeof st) ? 0 : -EFAULT);
}

static enum notify_end stat_at(struct call *c, int dir, u64 path, u64 to, u64 flags)
{
    struct vgpu_node n;
    char first = '\0';
    bool is_empty =
        flags & AT_EMPTY_PATH && (!path || (notify_read(c->tid, &first, path, 1) && !first));
    enum front_found f = find_node(c, dir, path, is_empty, flags & AT_SYMLINK_NOFOLLOW, &n);
    return put_stat(c, f, &n, to);
}

static enum notify_end stat_extended(struct call *c)
{
    struct vgpu_node n;
    char first = '\0';
    u64 flags = c->arg[2];
    bool is_empty = flags & AT_EMPTY_PATH &&
                    (!c->arg[1] || (notify_read(c->tid, &first, c->arg[1], 1) && !first));
    enum front_found f =
        find_node(c, (int)c->arg[0], c->arg[1], is_empty, flags & AT_SYMLINK_NOFOLLOW, &n);
    if (f != FRONT_OURS)
        return f == FRONT_FOREIGN ? NOTIFY_GO_ON : answer(c, -ENOENT);
    const struct statx st = { .stx_mask = STATX_BASIC_STATS,
                              .stx_mode = (u16)front_mode(&n),
                              .stx_rdev_major = major(front_rdev(&n)),
                              .stx_rdev_minor = minor(front_rdev(&n)),
                              .stx_ino = inode_of(&n),
                              .stx_nlink = 1,
                              .stx_size = n.kind == VGPU_FILE ? n.bytes : 0,
                              .stx_blksize = 4096 };
    return answer(c, notify_write(c->tid, c->arg[4], &st, sizeof st) ? 0 : -EFAULT);
}

/* ---- ioctl ---- */

static bool client_read(void *ctx, void *to, u64 from, u64 bytes)
{
    return notify_read((pid_t)(uintptr_t)ctx, to, from, bytes);
}

static bool client_write(void *ctx, u64 to, const void *from, u64 bytes)
{
    return notify_write((pid_t)(uintptr_t)ctx, to, from, bytes);
}

static struct notify_server *giving; /* whose call is being answered */

static int client_give(void *ctx, u32 object, u64 bytes, bool cloexec)
{
    (void)ctx;
    int fd = front_object_open(&giving->front, object, bytes, true);
    return fd < 0 ? fd : notify_give(giving, fd, cloexec, false);
}

static u32 client_take(void *ctx, int fd)
{
    struct stat st;
    return notify_fd_stat((pid_t)(uintptr_t)ctx, fd, &st) ? front_object_of(&giving->front, &st)
                                                          : 0;
}

static enum notify_end device_ioctl(struct call *c, u64 since_ns)
{
    struct stat st;
    int fd = (int)c->arg[0];
    if (!notify_fd_stat(c->tid, fd, &st) || st.st_ino != c->s->front.id.ino)
        return NOTIFY_GO_ON;
    u32 file = front_file_of(&c->s->front, notify_fd_position(c->tid, fd));
    const struct vgpu_client client = { .read = client_read,
                                        .write = client_write,
                                        .give = client_give,
                                        .take = client_take,
                                        .ctx = (void *)(uintptr_t)c->tid,
                                        .since_ns = since_ns };
    giving = c->s;
    int r = vgpu_ioctl(c->s->front.v, file, (u32)c->arg[1], c->arg[2], &client);
    return r == VGPU_BLOCKED ? NOTIFY_BLOCKED : answer(c, r);
}

static enum notify_end dispatch(struct call *c, int nr, u64 since_ns)
{
    const u64 *a = c->arg;
    struct vgpu_node n;
    switch (nr) {
#ifdef SYS_open
    case SYS_open: return open_path(c, AT_FDCWD, a[0], a[1]);
    case SYS_stat: return stat_at(c, AT_FDCWD, a[0], a[1], 0);
    case SYS_lstat: return stat_at(c, AT_FDCWD, a[0], a[1], AT_SYMLINK_NOFOLLOW);
    case SYS_access: return check_access(c, AT_FDCWD, a[0]);
    case SYS_readlink: return read_link(c, AT_FDCWD, a[0], a[1], a[2]);
#endif
    case SYS_openat: return open_path(c, (int)a[0], a[1], a[2]);
    case SYS_openat2: return open_how(c);
    case SYS_fstat: return put_stat(c, find_node(c, (int)a[0], 0, true, false, &n), &n, a[1]);
    case SYS_newfstatat: return stat_at(c, (int)a[0], a[1], a[2], a[3]);
    case SYS_statx: return stat_extended(c);
    case SYS_faccessat:
    case SYS_faccessat2: return check_access(c, (int)a[0], a[1]);
    case SYS_readlinkat: return read_link(c, (int)a[0], a[1], a[2], a[3]);
    case SYS_getdents64: return get_entries(c);
    case SYS_ioctl: return device_ioctl(c, since_ns);
    default: return NOTIFY_GO_ON;
    }
}

enum notify_end notify_call(struct notify_server *s, const struct seccomp_notif *n, u64 since_ns,
                            i64 *result, bool *cloexec)
{
    u64 arg[6];
    for (u32 i = 0; i < COUNT_OF(arg); i++)
        arg[i] = n->data.args[i];
    struct call c = { .s = s, .tid = (pid_t)n->pid, .arg = arg };
    s->id = n->id;
    enum notify_end end = dispatch(&c, n->data.nr, since_ns);
    *result = c.result;
    *cloexec = c.cloexec;
    return end;
}
