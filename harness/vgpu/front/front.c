#include "harness/vgpu/front/front.h"

#include "harness/coverage/coverage.h"
#include "harness/mutant/mutant.h"
#include "oracle/doubt/doubt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- calls that preload stands in for ---- */

static int raw_close(int fd)
{
    return (int)syscall(SYS_close, fd);
}

static int raw_stat(int fd, struct stat *st)
{
    return (int)syscall(SYS_fstat, fd, st);
}

/* The file of a descriptor opened anew, with a position and locks of its own; a negative errno. */
static int reopen(int fd, bool cloexec)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int r = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | (cloexec ? O_CLOEXEC : 0));
    return r < 0 ? -errno : r;
}

/* ---- locks ---- */

static off_t lock_at(u32 number)
{
    return (off_t)(FRONT_HEAP_BYTES + number);
}

static bool hold(int fd, off_t at)
{
    struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
    return fcntl(fd, F_OFD_SETLK, &l) == 0;
}

/* Whether another description of the file holds the lock. */
static bool is_held(int fd, off_t at)
{
    struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
    return fcntl(fd, F_OFD_GETLK, &l) != 0 || l.l_type != F_UNLCK;
}

/* ---- what is planted ---- */

static void plant(struct engine *eng, void *mutant)
{
    mutant_plant(mutant, eng);
}

static void read_otherwise(struct engine *eng, void *doubts)
{
    struct doubt_engine *d = doubts;
    eng->exec = &d->ops;
}

/* Entries of the ledger are read otherwise. */
static enum status choose_doubt(const char *ids, struct vgpu_cfg *cfg, struct err *e)
{
    static struct doubt_engine doubts;
    u64 readings;
    enum status st = doubt_parse(ids, &readings, e);
    if (st != ST_OK)
        return st;
    doubt_engine_open(&doubts, readings);
    cfg->plant = read_otherwise;
    cfg->plant_ctx = &doubts;
    return ST_OK;
}

static enum status choose_mutant(const char *id, struct vgpu_cfg *cfg, struct err *e)
{
    const struct mutant *mu = mutant_find(id);
    if (!mu)
        return err_set(e, ST_INPUT, "no mutant is called '%.60s'", id);
    cfg->plant = plant;
    memcpy(&cfg->plant_ctx, &mu, sizeof mu);
    return ST_OK;
}

/* ---- the device ---- */

/* Positions of descriptors: further on than any file reaches, with the number of the heap's, so that
 * none but this device's has one of them. */
enum { FILE_BITS = 12, NUMBER_AT = 62 };
#define FAR (1ull << NUMBER_AT)

static void discard(void *ctx, u64 offset, u64 bytes)
{
    const struct front *f = ctx;
    fallocate(f->heap_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

static enum status open_heap(struct front *f, struct err *e)
{
    struct stat st;
    f->heap_fd = memfd_create("vgpu", MFD_CLOEXEC);
    if (f->heap_fd < 0 || ftruncate(f->heap_fd, (off_t)FRONT_HEAP_BYTES) != 0 ||
        raw_stat(f->heap_fd, &st) != 0)
        return err_set(e, ST_WORLD, "no memory for buffers: %s", strerror(errno));
    void *at = mmap(NULL, FRONT_HEAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                    f->heap_fd, 0);
    if (at == MAP_FAILED)
        return err_set(e, ST_WORLD, "no memory for buffers: %s", strerror(errno));
    madvise(at, FRONT_HEAP_BYTES, MADV_DONTDUMP); /* a core file would have all of it */
    f->heap = at;
    f->id = (struct front_id){ st.st_dev, st.st_ino };
    f->first = FAR | (st.st_ino & mask64(NUMBER_AT - FILE_BITS)) << FILE_BITS;
    return ST_OK;
}

/* By a system call of its own: in the program, `open` is what asked for the device. */
static enum status open_log(struct front *f, const char *path, struct err *e)
{
    enum { LOG_FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };
    f->log = stderr;
    if (strcmp(path, "-") == 0)
        return ST_OK;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, LOG_FLAGS, 0666);
    f->log = fd < 0 ? NULL : fdopen(fd, "a");
    return f->log ? ST_OK
                  : err_set(e, ST_WORLD, "the log %.120s cannot be written: %s", path,
                            strerror(errno));
}

static void count_executed(const struct machine *m, void *ctx)
{
    struct front *f = ctx;
    struct err e = { .text = "" };
    if (coverage_adder_count(f->coverage, m, &e) != ST_OK)
        fprintf(stderr, "vgpu: --coverage counts nothing: %s\n", e.text);
}

void front_write_coverage(struct front *f)
{
    struct err e = { .text = "" };
    if (f->coverage && coverage_adder_close(f->coverage, &e) != ST_OK)
        fprintf(stderr, "vgpu: --coverage: %s%s%s\n", e.file, e.file[0] ? ": " : "", e.text);
    f->coverage = NULL;
}

enum status front_open(struct front *f, const struct vgpu_under *u,
                       const struct front_threads *threads, struct err *e)
{
    *f = (struct front){ .chip = vgpu_chip_find(u->chip),
                         .heap_fd = -1,
                         .is_inside = threads != NULL };
    struct vgpu_cfg cfg = { .chip = f->chip,
                            .heap_size = FRONT_HEAP_BYTES,
                            .discard = discard,
                            .wait = threads ? threads->wait : NULL,
                            .wake = threads ? threads->wake : NULL,
                            .errors = stderr };
    enum status st = ST_OK;
    if (u->doubt && u->doubt[0])
        st = choose_doubt(u->doubt, &cfg, e);
    else if (u->mutant && u->mutant[0])
        st = choose_mutant(u->mutant, &cfg, e);
    if (st == ST_OK && u->fault)
        st = vgpu_fault_parse(u->fault, &cfg.faults, e);
    if (st == ST_OK)
        st = open_heap(f, e);
    if (st != ST_OK)
        return st;
    if (u->log && u->log[0])
        st = open_log(f, u->log, e);
    if (st == ST_OK && u->coverage && u->coverage[0]) {
        st = coverage_adder_open(&f->coverage, u->coverage, f->chip->mcpu, e);
        cfg.executed = count_executed;
        cfg.executed_ctx = f;
    }
    if (st != ST_OK)
        return st;
    cfg.discard_ctx = f;
    cfg.heap = f->heap;
    cfg.log = f->log;
    cfg.trace = !u->trace ? NULL : f->log ? f->log : stderr;
    return vgpu_open(&f->v, &cfg, e);
}

/* ---- files and objects ---- */

int front_file_open(struct front *f, const struct vgpu_node *n, bool cloexec)
{
    bool is_kfd = n->major == VGPU_KFD_MAJOR;
    if (is_kfd && !f->is_inside) {
        fprintf(stderr,
                "vgpu: %s cannot be had with --front seccomp: its queues are memory of the "
                "program's (--front preload has it)\n",
                n->path);
        return -ENODEV;
    }
    if (is_kfd && f->chip->gen < GEN_GFX9) {
        fprintf(stderr, "vgpu: %s is not implemented for chips before gfx9\n", n->path);
        return -ENODEV;
    }
    front_reap(f);
    u32 file = is_kfd ? vgpu_kfd_open(f->v) : vgpu_file_open(f->v, n->minor == VGPU_PRIMARY_MINOR);
    if (file == 0)
        return -ENFILE;
    int fd = reopen(f->heap_fd, cloexec);
    if (fd >= 0 &&
        (!hold(fd, lock_at(file)) || lseek(fd, (off_t)(f->first + file), SEEK_SET) < 0)) {
        raw_close(fd);
        fd = -EIO;
    }
    if (fd < 0)
        vgpu_file_close(f->v, file);
    return fd;
}

static bool is_same(const struct front_id *id, const struct stat *st)
{
    return id->ino == st->st_ino && id->dev == st->st_dev;
}

u32 front_file_of(const struct front *f, u64 position)
{
    u64 file = position - f->first;
    return f->v && file <= VGPU_FILES_MAX && vgpu_file_is_open(f->v, (u32)file) ? (u32)file : 0;
}

static bool reserve(struct front *f, u32 object)
{
    if (object <= f->object_count)
        return true;
    struct front_object *all = realloc(f->objects, 2 * object * sizeof *all);
    if (!all)
        return false;
    f->objects = all;
    while (f->object_count < 2 * object)
        f->objects[f->object_count++].fd = -1;
    return true;
}

int front_object_open(struct front *f, u32 object, u64 bytes, bool cloexec)
{
    struct stat st;
    front_reap(f);
    int kept = reserve(f, object) ? memfd_create("vgpu-object", MFD_CLOEXEC) : -1;
    if (kept < 0)
        return -ENOMEM;
    int fd = ftruncate(kept, (off_t)bytes) == 0 && raw_stat(kept, &st) == 0 ? reopen(kept, cloexec)
                                                                            : -EIO;
    if (fd >= 0 && !hold(fd, 0)) {
        raw_close(fd);
        fd = -EIO;
    }
    if (fd < 0)
        raw_close(kept);
    else
        f->objects[object - 1] =
            (struct front_object){ .fd = kept, .id = { st.st_dev, st.st_ino } };
    return fd;
}

u32 front_object_of(const struct front *f, const struct stat *st)
{
    for (u32 i = 0; i < f->object_count; i++)
        if (f->objects[i].fd >= 0 && is_same(&f->objects[i].id, st))
            return i + 1;
    return 0;
}

void front_reap(struct front *f)
{
    if (vgpu_is_busy(f->v))
        return; /* the next time */
    for (u32 file = 1; file <= VGPU_FILES_MAX; file++)
        if (vgpu_file_is_open(f->v, file) && !is_held(f->heap_fd, lock_at(file)))
            vgpu_file_close(f->v, file);
    for (u32 i = 0; i < f->object_count; i++) {
        int fd = f->objects[i].fd;
        if (fd < 0 || is_held(fd, 0))
            continue;
        raw_close(fd);
        f->objects[i].fd = -1;
        vgpu_object_close(f->v, i + 1);
    }
}

void front_print_stats(const struct front *f)
{
    const struct vgpu_stats *s = vgpu_stats_of(f->v);
    fprintf(stderr,
            "vgpu: %s: %llu ioctls, %llu submissions, %llu packets, %llu dispatches, %llu "
            "work-groups, %llu waves, %llu instructions, %llu hangs, %llu errors\n",
            f->chip->name, (unsigned long long)s->ioctls, (unsigned long long)s->submissions,
            (unsigned long long)s->packets, (unsigned long long)s->dispatches,
            (unsigned long long)s->groups, (unsigned long long)s->waves,
            (unsigned long long)s->instructions, (unsigned long long)s->hangs,
            (unsigned long long)s->errors);
}
