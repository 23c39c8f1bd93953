/* The virtual GPU for programs that are linked with libc dynamically: build/gcncheck-vgpu.so, which
 * `gcncheck vgpu` loads before the program. It answers what the program asks of /dev/dri and of the
 * part of /sys that leads there, and hands its ioctls to the core.
 *
 * An open device is a descriptor of a memfd in which all buffers lie, so that mmap, dup, fork and
 * close are the kernel's business. Which of the open files it is stands in the descriptor's file
 * position, which copies of a descriptor share.
 *
 * Environment: GCNCHECK_VGPU (chip; without it nothing is done), GCNCHECK_VGPU_LOG (file),
 * GCNCHECK_VGPU_STATS (counts at the end), GCNCHECK_VGPU_MUTANT (a bug in the model), GCNCHECK_VGPU_DOUBT (other readings of the ledger),
 * GCNCHECK_VGPU_FAULT (what goes wrong on demand). */
#include "harness/mutant/mutant.h"
#include "harness/vgpu/preload/node.h"
#include "harness/vgpu/vgpu.h"
#include "oracle/doubt/doubt.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEAP_BYTES (64ull << 30) /* of the memfd; pages are there when they are touched */

enum { DRM_TYPE = 'd', KFD_TYPE = 'K', LATE_US = 2000 };

/* What is wrapped, and called in turn. clang-format is at odds with itself about such a list. */
/* clang-format off */
#define EACH(X) \
    X(open) X(open64) X(openat) X(openat64) X(fopen) X(fopen64) X(stat) \
    X(stat64) X(lstat) X(lstat64) X(fstat) X(fstat64) X(access) X(readlink) \
    X(realpath) X(opendir) X(readdir) X(readdir64) X(closedir) X(ioctl) X(close)
/* clang-format on */

static struct {
#define X(name) __typeof__(name) *name;
    EACH(X)
#undef X
} real;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t submitted, changed, called;
    const struct vgpu_chip *chip; /* NULL: nothing is done */
    struct vgpu *v;               /* opened with the first file */
    pid_t owner;
    int heap_fd;
    dev_t dev;
    ino_t ino;
    u8 *heap;
    FILE *log;
    bool has_thread, has_card;
    u64 called_at; /* the last ioctl of /dev/kfd */
    u32 waiting;   /* threads that want the lock */
} g = { .lock = PTHREAD_MUTEX_INITIALIZER, .submitted = PTHREAD_COND_INITIALIZER, .heap_fd = -1 };

static void start(void)
{
#define X(name)                            \
    do {                                   \
        void *p = dlsym(RTLD_NEXT, #name); \
        memcpy(&real.name, &p, sizeof p);  \
    } while (0);
    EACH(X)
#undef X
    const char *chip = getenv("GCNCHECK_VGPU");
    g.chip = chip ? vgpu_chip_find(chip) : NULL;
}

static const struct vgpu_chip *chip_here(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
    return g.chip;
}

/* ---- the device ---- */

static bool client_read(void *ctx, void *to, u64 from, u64 bytes)
{
    (void)ctx;
    if (from == 0)
        return false;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return true;
}

static bool client_write(void *ctx, u64 to, const void *from, u64 bytes)
{
    (void)ctx;
    if (to == 0)
        return false;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return true;
}

static u8 *client_share(void *ctx, u64 at, u64 bytes)
{
    (void)ctx;
    (void)bytes;
    return (u8 *)(uintptr_t)at;
}

static u32 file_of(int fd);

static u32 client_file(void *ctx, u32 fd)
{
    (void)ctx;
    return file_of((int)fd);
}

static const struct vgpu_client client = {
    .read = client_read, .write = client_write, .share = client_share, .file = client_file
};

static u64 now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

static struct timespec time_of(u64 ns)
{
    return (struct timespec){ .tv_sec = (time_t)(ns / 1000000000u),
                              .tv_nsec = (long)(ns % 1000000000u) };
}

static void lock_device(void)
{
    __atomic_fetch_add(&g.waiting, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&g.lock);
    __atomic_fetch_sub(&g.waiting, 1, __ATOMIC_RELAXED);
}

/* Who only lets others in, because his time is over, does so if there are any. */
static void wait_for_others(void *ctx, u64 deadline_ns)
{
    enum { LEAST_NS = 50000 };
    u64 now = now_ns();
    (void)ctx;
    if (deadline_ns <= now && !__atomic_load_n(&g.waiting, __ATOMIC_RELAXED))
        return;
    if (deadline_ns < now + LEAST_NS)
        deadline_ns = now + LEAST_NS;
    /* An endless wait looks now and then, too. */
    if (deadline_ns - now > 1000000000u)
        deadline_ns = now + 1000000000u;
    struct timespec t = time_of(deadline_ns);
    pthread_cond_timedwait(&g.changed, &g.lock, &t);
}

static void wake_others(void *ctx)
{
    (void)ctx;
    pthread_cond_broadcast(&g.changed);
}

static void discard(void *ctx, u64 offset, u64 bytes)
{
    (void)ctx;
    fallocate(g.heap_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

/* Executes what nobody waits for, soon: a program may look at memory instead of waiting. */
static void *execute_late(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&g.lock);
        while (vgpu_is_idle(g.v))
            pthread_cond_wait(&g.submitted, &g.lock);
        pthread_mutex_unlock(&g.lock);
        usleep(LATE_US);
        pthread_mutex_lock(&g.lock);
        vgpu_run(g.v);
        pthread_mutex_unlock(&g.lock);
    }
    return NULL;
}

/* Doorbells are memory: this looks at them, less often the longer nobody has rung one or called. */
static void *watch_doorbells(void *arg)
{
    enum { OFTEN_NS = 20000, SELDOM_NS = 2000000, BUSY_FOR = 100 };
    u64 last = 0;
    (void)arg;
    pthread_mutex_lock(&g.lock);
    for (;;) {
        while (!vgpu_kfd_has_queues(g.v))
            pthread_cond_wait(&g.called, &g.lock);
        u64 now = now_ns();
        if (vgpu_kfd_poll(g.v) || last < g.called_at)
            last = now = now_ns();
        u64 sleep = (now - last) / BUSY_FOR;
        sleep = sleep < OFTEN_NS ? OFTEN_NS : sleep > SELDOM_NS ? SELDOM_NS : sleep;
        struct timespec t = time_of(now + sleep);
        pthread_cond_timedwait(&g.called, &g.lock, &t);
    }
    return NULL;
}

static void plant(struct engine *eng, void *mutant)
{
    mutant_plant(mutant, eng);
}

static void read_otherwise(struct engine *eng, void *doubts)
{
    struct doubt_engine *d = doubts;
    eng->exec = &d->ops;
}

/* Entries of the ledger are read otherwise; false if one has no other reading. */
static bool choose_doubt(const char *ids, struct vgpu_cfg *cfg)
{
    static struct doubt_engine doubts;
    struct err e = { .text = "" };
    u64 readings;
    if (doubt_parse(ids, &readings, &e) != ST_OK) {
        fprintf(stderr, "vgpu: %s\n", e.text);
        return false;
    }
    doubt_engine_open(&doubts, readings);
    cfg->plant = read_otherwise;
    cfg->plant_ctx = &doubts;
    return true;
}

/* The bug that the environment asks for; false if there is none of that name. */
static bool choose_mutant(struct vgpu_cfg *cfg)
{
    const char *id = getenv("GCNCHECK_VGPU_MUTANT"), *doubt = getenv("GCNCHECK_VGPU_DOUBT");
    if (doubt && doubt[0])
        return choose_doubt(doubt, cfg);
    if (!id || !id[0])
        return true;
    const struct mutant *mu = mutant_find(id);
    cfg->plant = plant;
    memcpy(&cfg->plant_ctx, &mu, sizeof mu);
    if (!mu)
        fprintf(stderr, "vgpu: no mutant is called '%s'\n", id);
    return mu != NULL;
}

/* False, and errno is set, if there can be no device. */
static bool open_device(void)
{
    struct err e = { .text = "" };
    struct stat st;
    const char *log = getenv("GCNCHECK_VGPU_LOG");
    if (g.v)
        return true;
    g.heap_fd = memfd_create("vgpu", MFD_CLOEXEC);
    if (g.heap_fd < 0 || ftruncate(g.heap_fd, HEAP_BYTES) != 0 || real.fstat(g.heap_fd, &st) != 0)
        return false;
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0 ||
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) != 0 ||
        pthread_cond_init(&g.changed, &monotonic) != 0 ||
        pthread_cond_init(&g.called, &monotonic) != 0)
        return false;
    void *at =
        mmap(NULL, HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, g.heap_fd, 0);
    if (at == MAP_FAILED)
        return false;
    madvise(at, HEAP_BYTES, MADV_DONTDUMP); /* a core file would have all of it */
    g.heap = at;
    g.dev = st.st_dev;
    g.ino = st.st_ino;
    g.owner = getpid();
    if (log && log[0])
        g.log = strcmp(log, "-") == 0 ? stderr : real.fopen(log, "a");
    struct vgpu_cfg cfg = { .chip = g.chip,
                            .heap = g.heap,
                            .heap_size = HEAP_BYTES,
                            .discard = discard,
                            .log = g.log,
                            .errors = stderr,
                            .wait = wait_for_others,
                            .wake = wake_others };
    const char *fault = getenv("GCNCHECK_VGPU_FAULT");
    bool is_ok = choose_mutant(&cfg);
    if (fault && vgpu_fault_parse(fault, &cfg.faults, &e) != ST_OK)
        fprintf(stderr, "vgpu: %s\n", e.text);
    if (is_ok && vgpu_open(&g.v, &cfg, &e) == ST_OK)
        return true;
    if (is_ok)
        fprintf(stderr, "vgpu: %s\n", e.text);
    errno = ENODEV;
    return false;
}

static int open_node(const struct vgpu_node *n, int flags)
{
    int fd = -1;
    char path[40];
    pthread_mutex_lock(&g.lock);
    u32 file = !open_device()               ? 0
               : n->major == VGPU_KFD_MAJOR ? vgpu_kfd_open(g.v)
                                            : vgpu_file_open(g.v, n->minor == VGPU_PRIMARY_MINOR);
    if (file) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", g.heap_fd);
        fd = real.open(path, O_RDWR | (flags & O_CLOEXEC));
        if (fd < 0)
            vgpu_file_close(g.v, file);
        else
            lseek(fd, file, SEEK_SET);
    } else if (g.v) {
        errno = ENFILE;
    }
    pthread_mutex_unlock(&g.lock);
    return fd;
}

/* The open file that a descriptor is of, or 0 if it is none of ours. */
static u32 file_of(int fd)
{
    struct stat st;
    if (!g.v || real.fstat(fd, &st) != 0 || st.st_ino != g.ino || st.st_dev != g.dev ||
        fd == g.heap_fd)
        return 0;
    return (u32)lseek(fd, 0, SEEK_CUR);
}

/* Whether another descriptor is of the same open file. */
static bool is_open_elsewhere(u32 file)
{
    DIR *d = real.opendir("/proc/self/fd");
    bool found = false;
    if (!d)
        return true;
    for (const struct dirent *e; (e = real.readdir(d)) != NULL && !found;)
        found = e->d_name[0] != '.' && file_of(atoi(e->d_name)) == file;
    real.closedir(d);
    return found;
}

int close(int fd)
{
    u32 file = chip_here() ? file_of(fd) : 0;
    int r = real.close(fd);
    if (file && r == 0 && getpid() == g.owner) {
        pthread_mutex_lock(&g.lock);
        if (!is_open_elsewhere(file))
            vgpu_file_close(g.v, file);
        pthread_mutex_unlock(&g.lock);
    }
    return r;
}

static void start_thread(bool *has, void *(*run)(void *arg))
{
    pthread_t thread;
    if (!*has)
        *has = pthread_create(&thread, NULL, run, NULL) == 0 && pthread_detach(thread) == 0;
}

/* A device of this process; a forked child has only a picture of it. */
static int device_ioctl(u32 file, unsigned long cmd, void *arg)
{
    bool is_kfd = _IOC_TYPE(cmd) == KFD_TYPE;
    if (getpid() != g.owner) {
        fputs("vgpu: a device that was opened before a fork cannot be used behind it\n", stderr);
        errno = EIO;
        return -1;
    }
    lock_device();
    if (is_kfd) {
        g.called_at = now_ns();
        pthread_cond_signal(&g.called);
    }
    int r = is_kfd ? vgpu_kfd_ioctl(g.v, file, (u32)cmd, (u64)(uintptr_t)arg, &client)
                   : vgpu_ioctl(g.v, file, (u32)cmd, (u64)(uintptr_t)arg, &client);
    if (!vgpu_is_idle(g.v)) {
        start_thread(&g.has_thread, execute_late);
        pthread_cond_signal(&g.submitted);
    }
    if (vgpu_kfd_has_queues(g.v))
        start_thread(&g.has_card, watch_doorbells);
    pthread_mutex_unlock(&g.lock);
    if (r < 0)
        errno = -r;
    return r < 0 ? -1 : r;
}

int ioctl(int fd, unsigned long cmd, ...)
{
    va_list args;
    va_start(args, cmd);
    void *arg = va_arg(args, void *);
    va_end(args);
    bool is_ours = _IOC_TYPE(cmd) == DRM_TYPE || _IOC_TYPE(cmd) == KFD_TYPE;
    u32 file = chip_here() && is_ours ? file_of(fd) : 0;
    return file ? device_ioctl(file, cmd, arg) : real.ioctl(fd, cmd, arg);
}

u64 gcncheck_vgpu_oracle_ns(void);
u64 gcncheck_vgpu_oracle_ns(void)
{
    return g.v ? vgpu_stats_of(g.v)->oracle_ns : 0;
}

/* Counts, if they are wanted. */
static void __attribute__((destructor)) end(void)
{
    if (!g.v || !getenv("GCNCHECK_VGPU_STATS") || getpid() != g.owner)
        return;
    const struct vgpu_stats *s = vgpu_stats_of(g.v);
    fprintf(stderr,
            "vgpu: %s: %llu ioctls, %llu submissions, %llu packets, %llu dispatches, %llu "
            "work-groups, %llu waves, %llu instructions, %llu hangs, %llu errors\n",
            g.chip->name, (unsigned long long)s->ioctls, (unsigned long long)s->submissions,
            (unsigned long long)s->packets, (unsigned long long)s->dispatches,
            (unsigned long long)s->groups, (unsigned long long)s->waves,
            (unsigned long long)s->instructions, (unsigned long long)s->hangs,
            (unsigned long long)s->errors);
}

/* ---- paths ---- */

/* What one of our paths names. NODE_FOREIGN: it is none of ours. NODE_NONE: it is, and is not
 * there; errno is set. */
static enum node_found look(const char *path, bool nofollow, struct vgpu_node *n)
{
    const struct vgpu_chip *chip = chip_here();
    return chip ? node_look(chip, path, nofollow, n) : NODE_FOREIGN;
}

static int open_ours(const struct vgpu_node *n, int flags)
{
    if (n->kind == VGPU_DEVICE)
        return open_node(n, flags);
    if (n->kind == VGPU_DIR) {
        errno = EISDIR;
        return -1;
    }
    return node_contents(n);
}

#define OPEN(name, before, params)                                                \
    int name params                                                               \
    {                                                                             \
        struct vgpu_node n;                                                       \
        va_list args;                                                             \
        va_start(args, flags);                                                    \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0; \
        va_end(args);                                                             \
        enum node_found f = look(path, false, &n);                                \
        return f == NODE_OURS   ? open_ours(&n, flags)                            \
               : f == NODE_NONE ? -1                                              \
                                : real.name(before path, flags, mode);            \
    }
#define FROM dir,
OPEN(open, , (const char *path, int flags, ...))
OPEN(open64, , (const char *path, int flags, ...))
OPEN(openat, FROM, (int dir, const char *path, int flags, ...))
OPEN(openat64, FROM, (int dir, const char *path, int flags, ...))
#undef FROM
#undef OPEN

#define FOPEN(name)                                             \
    FILE *name(const char *path, const char *mode)              \
    {                                                           \
        struct vgpu_node n;                                     \
        enum node_found f = look(path, false, &n);              \
        if (f == NODE_FOREIGN)                                  \
            return real.name(path, mode);                       \
        int fd = f == NODE_OURS ? open_ours(&n, O_RDONLY) : -1; \
        return fd < 0 ? NULL : fdopen(fd, "r");                 \
    }
FOPEN(fopen)
FOPEN(fopen64)
#undef FOPEN

#define STAT(name, type, nofollow)                                                                \
    int name(const char *path, struct type *st)                                                   \
    {                                                                                             \
        struct vgpu_node n;                                                                       \
        enum node_found f = look(path, nofollow, &n);                                             \
        if (f == NODE_FOREIGN)                                                                    \
            return real.name(path, st);                                                           \
        *st = (struct type){                                                                      \
            .st_mode = node_mode(&n), .st_rdev = node_rdev(&n), .st_nlink = 1, .st_blksize = 4096 \
        };                                                                                        \
        return f == NODE_OURS ? 0 : -1;                                                           \
    }
STAT(stat, stat, false)
STAT(stat64, stat64, false)
STAT(lstat, stat, true)
STAT(lstat64, stat64, true)
#undef STAT

static struct vgpu_node node_of(u32 file)
{
    bool is_kfd = vgpu_file_is_kfd(g.v, file);
    return (struct vgpu_node){ .kind = VGPU_DEVICE,
                               .major = is_kfd ? VGPU_KFD_MAJOR : VGPU_DRM_MAJOR,
                               .minor = is_kfd                            ? VGPU_KFD_MINOR
                                        : vgpu_file_is_primary(g.v, file) ? VGPU_PRIMARY_MINOR
                                                                          : VGPU_RENDER_MINOR };
}

/* An open device: the node's mode and number, which follow from the open file. */
#define FSTAT(name, type)                         \
    int name(int fd, struct type *st)             \
    {                                             \
        u32 file = chip_here() ? file_of(fd) : 0; \
        int r = real.name(fd, st);                \
        if (r == 0 && file) {                     \
            struct vgpu_node n = node_of(file);   \
            st->st_mode = node_mode(&n);          \
            st->st_rdev = node_rdev(&n);          \
            st->st_size = 0;                      \
        }                                         \
        return r;                                 \
    }
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)
#undef FSTAT

int access(const char *path, int mode)
{
    struct vgpu_node n;
    enum node_found f = look(path, false, &n);
    return f == NODE_FOREIGN ? real.access(path, mode) : f == NODE_OURS ? 0 : -1;
}

ssize_t readlink(const char *path, char *buf, size_t size)
{
    struct vgpu_node n;
    enum node_found f = look(path, true, &n);
    if (f == NODE_FOREIGN)
        return real.readlink(path, buf, size);
    if (f == NODE_OURS && n.kind != VGPU_LINK)
        errno = EINVAL;
    if (f != NODE_OURS || n.kind != VGPU_LINK)
        return -1;
    size_t len = n.bytes < size ? n.bytes : size;
    memcpy(buf, n.text, len);
    return (ssize_t)len;
}

char *realpath(const char *restrict path, char *restrict to)
{
    struct vgpu_node n;
    enum node_found f = look(path, false, &n);
    if (f != NODE_OURS)
        return f == NODE_FOREIGN ? real.realpath(path, to) : NULL;
    return to ? strcpy(to, n.path) : strdup(n.path);
}

/* What a fortified program calls instead. */
char *__realpath_chk(const char *path, char *to, size_t size);
char *__realpath_chk(const char *path, char *to, size_t size)
{
    if (size < PATH_MAX)
        abort();
    return realpath(path, to);
}

/* ---- folders ---- */

DIR *opendir(const char *path)
{
    struct vgpu_node n;
    enum node_found f = look(path, false, &n);
    if (f == NODE_FOREIGN)
        return real.opendir(path);
    if (f == NODE_OURS && n.kind != VGPU_DIR)
        errno = ENOTDIR;
    return f == NODE_OURS && n.kind == VGPU_DIR ? (DIR *)node_dir_open(g.chip, n.path) : NULL;
}

struct dirent *readdir(DIR *d)
{
    chip_here();
    struct node_dir *dir = node_dir_of(d);
    return dir ? node_dir_read(dir) : real.readdir(d);
}

struct dirent64 *readdir64(DIR *d)
{
    chip_here();
    struct node_dir *dir = node_dir_of(d);
    _Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "one size of offsets");
    return dir ? (struct dirent64 *)(void *)node_dir_read(dir) : real.readdir64(d);
}

int closedir(DIR *d)
{
    chip_here();
    struct node_dir *dir = node_dir_of(d);
    if (!dir)
        return real.closedir(d);
    node_dir_close(dir);
    return 0;
}
