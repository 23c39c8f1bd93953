/* The virtual GPU for programs that are linked with libc dynamically: build/gcncheck-vgpu.so, which
 * `gcncheck vgpu` loads before the program. It answers what the program asks of /dev/dri, /dev/kfd and
 * of the part of /sys that leads there, and hands its ioctls to the core.
 *
 * Environment: GCNCHECK_VGPU (chip; without it nothing is done), GCNCHECK_VGPU_LOG (file),
 * GCNCHECK_VGPU_STATS (counts at the end), GCNCHECK_VGPU_MUTANT (a bug in the model), GCNCHECK_VGPU_DOUBT (other readings of the ledger),
 * GCNCHECK_VGPU_FAULT (what goes wrong on demand), GCNCHECK_VGPU_TRACE (every instruction). */
#include "harness/vgpu/front/front.h"
#include "harness/vgpu/preload/dir.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { DRM_TYPE = 'd', KFD_TYPE = 'K' };

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
    pthread_cond_t submitted; /* something, after a while in which nothing was */
    pthread_cond_t changed;   /* what somebody may wait for: a call was made, an event was set */
    pthread_cond_t called;    /* /dev/kfd was */
    const struct vgpu_chip *chip; /* NULL: nothing is done */
    struct front front;           /* v is opened with the first file */
    bool is_picture;              /* of the device of a parent, which cannot be used */
    bool has_late, has_card;      /* threads */
    u64 called_at;                /* the last ioctl of /dev/kfd */
    u32 waiting;                  /* threads that want the lock */
    u64 oldest; /* about the first submission that has not been executed; 0: all have */
} g = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void lock(void)
{
    __atomic_fetch_add(&g.waiting, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&g.lock);
    __atomic_fetch_sub(&g.waiting, 1, __ATOMIC_RELAXED);
}

static void unlock(void)
{
    pthread_mutex_unlock(&g.lock);
}

static void init_conditions(void)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&g.submitted, &monotonic);
    pthread_cond_init(&g.changed, &monotonic);
    pthread_cond_init(&g.called, &monotonic);
}

/* A child has one thread, and no calls under way. */
static void begin_child(void)
{
    g.has_late = g.has_card = false;
    g.waiting = 0;
    g.oldest = 0;
    g.is_picture = g.front.v != NULL;
    init_conditions();
    unlock();
}

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
    init_conditions();
    pthread_atfork(lock, unlock, begin_child);
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

static int client_give(void *ctx, u32 object, u64 bytes, bool cloexec)
{
    (void)ctx;
    return front_object_open(&g.front, object, bytes, cloexec);
}

static u32 client_take(void *ctx, int fd)
{
    struct stat st;
    (void)ctx;
    return real.fstat(fd, &st) == 0 ? front_object_of(&g.front, &st) : 0;
}

/* The program's memory is this process's. */
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

static u64 now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

/* With the lock, which others may have meanwhile. */
static void sleep_until(pthread_cond_t *condition, u64 ns)
{
    struct timespec t = { .tv_sec = (time_t)(ns / 1000000000u),
                          .tv_nsec = (long)(ns % 1000000000u) };
    pthread_cond_timedwait(condition, &g.lock, &t);
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
    sleep_until(&g.changed, deadline_ns);
}

static void wake_others(void *ctx)
{
    (void)ctx;
    pthread_cond_broadcast(&g.changed);
}

/* What stands in the queue, for who looks without the lock. */
static void note_queue(void)
{
    u64 oldest = vgpu_is_idle(g.front.v) ? 0
                 : g.oldest              ? g.oldest
                                         : vgpu_stats_of(g.front.v)->submissions;
    __atomic_store_n(&g.oldest, oldest, __ATOMIC_RELAXED);
}

/* Executes what nobody waits for, soon: a program may look at memory instead of waiting. Who submits and
 * waits is not disturbed: the lock is taken for what was there at the look before, too, and this
 * thread sleeps when there has been nothing for a while. */
static void *execute_late(void *arg)
{
    enum { QUIET = 100 };
    u64 seen = 0;
    (void)arg;
    for (u32 quiet = 0;; quiet++) {
        usleep(FRONT_LATE_MS * 1000 / 2);
        u64 oldest = __atomic_load_n(&g.oldest, __ATOMIC_RELAXED);
        if (oldest && oldest == seen) {
            lock();
            vgpu_run(g.front.v);
            note_queue();
            unlock();
        } else if (quiet == QUIET) {
            lock();
            while (vgpu_is_idle(g.front.v))
                pthread_cond_wait(&g.submitted, &g.lock);
            unlock();
        }
        quiet = oldest || quiet == QUIET ? 0 : quiet;
        seen = oldest;
    }
    return NULL;
}

/* Doorbells are memory: this looks at them, less often the longer nobody has rung one or called. */
static void *watch_doorbells(void *arg)
{
    enum { OFTEN_NS = 20000, SELDOM_NS = 2000000, BUSY_FOR = 100 };
    u64 last = 0;
    (void)arg;
    lock();
    for (;;) {
        while (!vgpu_kfd_has_queues(g.front.v))
            pthread_cond_wait(&g.called, &g.lock);
        u64 now = now_ns();
        if (vgpu_kfd_poll(g.front.v) || last < g.called_at)
            last = now = now_ns();
        u64 sleep = (now - last) / BUSY_FOR;
        sleep = sleep < OFTEN_NS ? OFTEN_NS : sleep > SELDOM_NS ? SELDOM_NS : sleep;
        sleep_until(&g.called, now + sleep);
    }
    return NULL;
}

/* False, and errno is set, if there can be no device. A forked child has but a picture of its
 * parent's: where it opens the device again, it gets one of its own. */
static bool open_device(void)
{
    static const struct front_threads threads = { .wait = wait_for_others, .wake = wake_others };
    struct err e = { .text = "" };
    struct vgpu_under u = { .chip = getenv("GCNCHECK_VGPU"),
                            .log = getenv("GCNCHECK_VGPU_LOG"),
                            .mutant = getenv("GCNCHECK_VGPU_MUTANT"),
                            .doubt = getenv("GCNCHECK_VGPU_DOUBT"),
                            .fault = getenv("GCNCHECK_VGPU_FAULT"),
                            .coverage = getenv("GCNCHECK_VGPU_COVERAGE"),
                            .trace = getenv("GCNCHECK_VGPU_TRACE") != NULL };
    if (g.front.v && !g.is_picture)
        return true;
    if (front_open(&g.front, &u, &threads, &e) == ST_OK) {
        g.is_picture = false;
        return true;
    }
    fprintf(stderr, "vgpu: %s\n", e.text);
    errno = ENODEV;
    return false;
}

static int open_node(const struct vgpu_node *n, int flags)
{
    int fd = -1;
    lock();
    if (open_device()) {
        fd = front_file_open(&g.front, n, flags & O_CLOEXEC);
        if (fd < 0) {
            errno = -fd;
            fd = -1;
        }
    }
    unlock();
    return fd;
}

/* The open file that a descriptor is of, or 0 if it is none of ours. */
static u32 file_of(int fd)
{
    return g.front.v ? front_file_of(&g.front, (u64)lseek(fd, 0, SEEK_CUR)) : 0;
}

static bool is_object(int fd)
{
    return g.front.object_count && client_take(NULL, fd) != 0;
}

int close(int fd)
{
    bool is_ours = chip_here() && (file_of(fd) || is_object(fd));
    int r = real.close(fd);
    if (is_ours && r == 0 && !g.is_picture) {
        lock();
        front_reap(&g.front);
        unlock();
    }
    return r;
}

/* Calls, and calls again as long as others must do something first. */
static int call_locked(u32 file, unsigned long cmd, void *arg)
{
    struct vgpu_client client = { .read = client_read,
                                  .write = client_write,
                                  .share = client_share,
                                  .file = client_file,
                                  .give = client_give,
                                  .take = client_take };
    bool is_kfd = _IOC_TYPE(cmd) == KFD_TYPE;
    for (;;) {
        int r = is_kfd ? vgpu_kfd_ioctl(g.front.v, file, (u32)cmd, (u64)(uintptr_t)arg, &client)
                       : vgpu_ioctl(g.front.v, file, (u32)cmd, (u64)(uintptr_t)arg, &client);
        pthread_cond_broadcast(&g.changed);
        if (r != VGPU_BLOCKED)
            return r;
        u64 now = now_ns();
        if (!client.since_ns)
            client.since_ns = now;
        /* A dispatch under way lets in who wants the lock. */
        __atomic_fetch_add(&g.waiting, 1, __ATOMIC_RELAXED);
        sleep_until(&g.changed, now + FRONT_LATE_MS * 1000000);
        __atomic_fetch_sub(&g.waiting, 1, __ATOMIC_RELAXED);
    }
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
    if (g.is_picture) {
        fputs("vgpu: a device that was opened before a fork cannot be used behind it\n", stderr);
        errno = EIO;
        return -1;
    }
    lock();
    if (_IOC_TYPE(cmd) == KFD_TYPE) {
        g.called_at = now_ns();
        pthread_cond_signal(&g.called);
    }
    int r = call_locked(file, cmd, arg);
    note_queue();
    if (!vgpu_is_idle(g.front.v)) {
        start_thread(&g.has_late, execute_late);
        pthread_cond_signal(&g.submitted);
    }
    if (vgpu_kfd_has_queues(g.front.v))
        start_thread(&g.has_card, watch_doorbells);
    unlock();
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
    return g.front.v ? vgpu_stats_of(g.front.v)->oracle_ns : 0;
}

/* Counts and coverage, if they are wanted. */
static void __attribute__((destructor)) end(void)
{
    if (!g.front.v || g.is_picture)
        return;
    front_write_coverage(&g.front);
    if (getenv("GCNCHECK_VGPU_STATS"))
        front_print_stats(&g.front);
}

/* ---- paths ---- */

/* What one of our paths names. FRONT_NONE: errno is set. */
static enum front_found look(const char *path, bool nofollow, struct vgpu_node *n)
{
    const struct vgpu_chip *chip = chip_here();
    enum front_found f = chip ? front_look(chip, path, nofollow, n) : FRONT_FOREIGN;
    if (f == FRONT_NONE)
        errno = ENOENT;
    return f;
}

static int open_ours(const struct vgpu_node *n, int flags)
{
    if (n->kind == VGPU_DEVICE)
        return open_node(n, flags);
    int fd = n->kind == VGPU_DIR ? -EISDIR : front_contents(n);
    if (fd < 0)
        errno = -fd;
    return fd < 0 ? -1 : fd;
}

#define OPEN(name, before, params)                                                \
    int name params                                                               \
    {                                                                             \
        struct vgpu_node n;                                                       \
        va_list args;                                                             \
        va_start(args, flags);                                                    \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0; \
        va_end(args);                                                             \
        enum front_found f = look(path, false, &n);                               \
        return f == FRONT_OURS   ? open_ours(&n, flags)                           \
               : f == FRONT_NONE ? -1                                             \
                                 : real.name(before path, flags, mode);           \
    }
#define FROM dir,
OPEN(open, , (const char *path, int flags, ...))
OPEN(open64, , (const char *path, int flags, ...))
OPEN(openat, FROM, (int dir, const char *path, int flags, ...))
OPEN(openat64, FROM, (int dir, const char *path, int flags, ...))
#undef FROM
#undef OPEN

#define FOPEN(name)                                              \
    FILE *name(const char *path, const char *mode)               \
    {                                                            \
        struct vgpu_node n;                                      \
        enum front_found f = look(path, false, &n);              \
        if (f == FRONT_FOREIGN)                                  \
            return real.name(path, mode);                        \
        int fd = f == FRONT_OURS ? open_ours(&n, O_RDONLY) : -1; \
        return fd < 0 ? NULL : fdopen(fd, "r");                  \
    }
FOPEN(fopen)
FOPEN(fopen64)
#undef FOPEN

#define STAT(name, type, nofollow)                      \
    int name(const char *path, struct type *st)         \
    {                                                   \
        struct vgpu_node n;                             \
        enum front_found f = look(path, nofollow, &n);  \
        if (f == FRONT_FOREIGN)                         \
            return real.name(path, st);                 \
        *st = (struct type){ .st_mode = front_mode(&n), \
                             .st_rdev = front_rdev(&n), \
                             .st_nlink = 1,             \
                             .st_blksize = 4096 };      \
        return f == FRONT_OURS ? 0 : -1;                \
    }
STAT(stat, stat, false)
STAT(stat64, stat64, false)
STAT(lstat, stat, true)
STAT(lstat64, stat64, true)
#undef STAT

/* An open device: the node's mode and number, which follow from the open file. */
#define FSTAT(name, type)                                           \
    int name(int fd, struct type *st)                               \
    {                                                               \
        u32 file = chip_here() ? file_of(fd) : 0;                   \
        int r = real.name(fd, st);                                  \
        if (r == 0 && file) {                                       \
            struct vgpu_node n = front_device_node(&g.front, file); \
            st->st_mode = front_mode(&n);                           \
            st->st_rdev = front_rdev(&n);                           \
            st->st_size = 0;                                        \
        }                                                           \
        return r;                                                   \
    }
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)
#undef FSTAT

int access(const char *path, int mode)
{
    struct vgpu_node n;
    enum front_found f = look(path, false, &n);
    return f == FRONT_FOREIGN ? real.access(path, mode) : f == FRONT_OURS ? 0 : -1;
}

ssize_t readlink(const char *path, char *buf, size_t size)
{
    struct vgpu_node n;
    enum front_found f = look(path, true, &n);
    if (f == FRONT_FOREIGN)
        return real.readlink(path, buf, size);
    if (f == FRONT_OURS && n.kind != VGPU_LINK)
        errno = EINVAL;
    if (f != FRONT_OURS || n.kind != VGPU_LINK)
        return -1;
    size_t len = n.bytes < size ? n.bytes : size;
    memcpy(buf, n.text, len);
    return (ssize_t)len;
}

char *realpath(const char *restrict path, char *restrict to)
{
    struct vgpu_node n;
    enum front_found f = look(path, false, &n);
    if (f != FRONT_OURS)
        return f == FRONT_FOREIGN ? real.realpath(path, to) : NULL;
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
    enum front_found f = look(path, false, &n);
    if (f == FRONT_FOREIGN)
        return real.opendir(path);
    if (f == FRONT_OURS && n.kind != VGPU_DIR)
        errno = ENOTDIR;
    return f == FRONT_OURS && n.kind == VGPU_DIR ? (DIR *)dir_open(g.chip, n.path) : NULL;
}

struct dirent *readdir(DIR *d)
{
    chip_here();
    struct dir *dir = dir_of(d);
    return dir ? dir_read(dir) : real.readdir(d);
}

struct dirent64 *readdir64(DIR *d)
{
    chip_here();
    struct dir *dir = dir_of(d);
    _Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "one size of offsets");
    return dir ? (struct dirent64 *)(void *)dir_read(dir) : real.readdir64(d);
}

int closedir(DIR *d)
{
    chip_here();
    struct dir *dir = dir_of(d);
    if (!dir)
        return real.closedir(d);
    dir_close(dir);
    return 0;
}
