#include "reports/file/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, NAME_BYTES = 256 };

struct output {
    int fd;
    int dir;       /* the folder; -1 for a device */
    FILE *stream;  /* NULL until it is asked for */
    bool has_part; /* it has the name `part` already: the folder knows no files without one */
    bool replaces; /* there is a file of its name */
    bool published;
    char path[PATH_BYTES];
    char name[NAME_BYTES], part[NAME_BYTES + 8]; /* in the folder */
};

/* ---- errors: the path is the file of *e ---- */

static enum status fail_errno(struct err *e, const char *path)
{
    char text[128];
    snprintf(text, sizeof text, "cannot be written: %s", strerror(errno));
    return err_file(e, ST_WORLD, path, text);
}

enum status output_fail_locked(const char *path, struct err *e)
{
    return err_file(e, ST_INPUT, path, "another gcncheck writes this journal");
}

/* ---- what has the name already ---- */

enum there { THERE_NOTHING, THERE_FILE, THERE_DEVICE };

static enum status judge_file(const char *path, const struct output_rule *rule, struct err *e)
{
    u8 head[OUTPUT_HEAD];
    char text[160];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    if (n == 0)
        return ST_OK;
    const char *why = n < 0         ? "cannot be read"
                      : rule->judge ? rule->judge(rule->ctx, head, (size_t)n)
                                    : "is there already";
    if (!why)
        return ST_OK;
    snprintf(text, sizeof text, "%s: --force replaces it", why);
    return err_file(e, ST_INPUT, path, text);
}

/* Whether some process holds the lock of the file: it appends to what is there. */
static bool is_being_written(const char *path)
{
    int fd = output_append_fd(path);
    bool is_free = fd < 0 || output_lock(fd);
    if (fd >= 0)
        close(fd);
    return !is_free;
}

/* Looks at what is there; *mode is that of a file. */
static enum status look(const char *path, const struct output_rule *rule, enum there *what,
                        mode_t *mode, struct err *e)
{
    struct stat sb;
    *what = THERE_NOTHING;
    if (lstat(path, &sb) != 0)
        return errno == ENOENT ? ST_OK : fail_errno(e, path);
    if (S_ISLNK(sb.st_mode))
        return err_file(
            e, ST_INPUT, path,
            "is a symbolic link, through which nothing is written: name the file itself");
    if (S_ISDIR(sb.st_mode))
        return err_file(e, ST_INPUT, path, "is a folder");
    *what = THERE_DEVICE;
    if (S_ISCHR(sb.st_mode))
        return ST_OK;
    /* To open a FIFO would be to wait for somebody who reads it. */
    if (!S_ISREG(sb.st_mode))
        return err_file(e, ST_INPUT, path,
                        S_ISFIFO(sb.st_mode)   ? "is a FIFO, not a file"
                        : S_ISSOCK(sb.st_mode) ? "is a socket, not a file"
                                               : "is no file");
    *what = THERE_FILE;
    *mode = sb.st_mode & 07777;
    if (access(path, W_OK) != 0)
        return fail_errno(e, path);
    if (is_being_written(path))
        return output_fail_locked(path, e);
    return rule->force || sb.st_size == 0 ? ST_OK : judge_file(path, rule, e);
}

/* ---- a file without a name ---- */

static enum status split(struct output *o, const char *path, char *folder, struct err *e)
{
    size_t n = strlen(path), at = n;
    while (at > 0 && path[at - 1] != '/')
        at--;
    if (n == at || n - at >= sizeof o->name || n >= sizeof o->path)
        return err_file(e, ST_INPUT, path, "the name of a file is empty or too long");
    memcpy(o->path, path, n + 1);
    memcpy(o->name, path + at, n - at + 1);
    snprintf(o->part, sizeof o->part, ".%.*s.part", (int)sizeof o->name - 1, o->name);
    if (at == 0) {
        memcpy(folder, ".", 2);
    } else {
        memcpy(folder, path, at);
        folder[at] = '\0';
    }
    return ST_OK;
}

/* Of two writers of one name the later one wins; what a killed one left goes. */
static int open_part(struct output *o)
{
    unlinkat(o->dir, o->part, 0);
    o->has_part = true;
    return openat(o->dir, o->part, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static enum status open_nameless(struct output *o, const char *folder, mode_t mode, struct err *e)
{
    o->dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (o->dir < 0)
        return fail_errno(e, o->path);
    o->fd = openat(o->dir, ".", O_RDWR | O_APPEND | O_TMPFILE | O_CLOEXEC, 0666);
    if (o->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
        o->fd = open_part(o);
    if (o->fd < 0 || (o->replaces && fchmod(o->fd, mode) != 0))
        return fail_errno(e, o->path);
    return ST_OK;
}

static enum status open_at(struct output *o, const char *path, const struct output_rule *rule,
                           struct err *e)
{
    char folder[PATH_BYTES];
    enum there what;
    mode_t mode = 0;
    enum status st = split(o, path, folder, e);
    if (st == ST_OK)
        st = look(path, rule, &what, &mode, e);
    if (st != ST_OK)
        return st;
    if (what == THERE_DEVICE) {
        o->published = true;
        o->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
        return o->fd < 0 ? fail_errno(e, path) : ST_OK;
    }
    o->replaces = what == THERE_FILE;
    return open_nameless(o, folder, mode, e);
}

enum status output_open(struct output **out, const char *path, const struct output_rule *rule,
                        struct err *e)
{
    struct output *o = calloc(1, sizeof *o);
    *out = NULL;
    if (!o)
        return err_memory(e);
    o->fd = o->dir = -1;
    enum status st = open_at(o, path, rule, e);
    if (st == ST_OK && !(o->stream = fdopen(o->fd, "w")))
        st = fail_errno(e, path);
    if (st != ST_OK)
        output_drop(o);
    else
        *out = o;
    return st;
}

enum status output_check(const char *path, const struct output_rule *rule, struct err *e)
{
    struct output *o;
    struct stat sb;
    if (lstat(path, &sb) == 0 && S_ISCHR(sb.st_mode))
        return ST_OK;
    enum status st = output_open(&o, path, rule, e);
    if (st == ST_OK)
        output_drop(o);
    return st;
}

enum status output_check_folder(const char *path, struct err *e)
{
    struct output *o = calloc(1, sizeof *o);
    char there[PATH_BYTES];
    struct err why = { .text = "" };
    struct stat sb;
    if (!o)
        return err_memory(e);
    o->fd = o->dir = -1;
    if (strlen(path) >= sizeof there || !path[0]) {
        output_drop(o);
        return err_file(e, ST_INPUT, path, "the name of a folder is empty or too long");
    }
    strcpy(there, path);
    while (there[0] && stat(there, &sb) != 0 && errno == ENOENT) {
        char *slash = strrchr(there, '/');
        *(slash ? slash : there) = '\0';
    }
    const char *root = path[0] == '/' ? "/" : ".";
    /* Where files without a name cannot be made, it has one that nobody else's has. */
    snprintf(o->part, sizeof o->part, ".gcncheck.%d.part", (int)getpid());
    enum status st = open_nameless(o, there[0] ? there : root, 0, &why);
    output_drop(o);
    return st == ST_OK ? ST_OK : err_file(e, st, path, why.text);
}

FILE *output_stream(struct output *o)
{
    return o->stream;
}

int output_fd(const struct output *o)
{
    return o->fd;
}

bool output_replaces(const struct output *o)
{
    return o->replaces;
}

/* ---- the name ---- */

/* Names the file `name`, which no file has. */
static int link_as(const struct output *o, const char *name)
{
    char self[32];
    if (o->has_part)
        return linkat(o->dir, o->part, o->dir, name, 0);
    snprintf(self, sizeof self, "/proc/self/fd/%d", o->fd);
    return linkat(AT_FDCWD, self, o->dir, name, AT_SYMLINK_FOLLOW);
}

static enum status take_place(struct output *o, struct err *e)
{
    if (!o->has_part) {
        unlinkat(o->dir, o->part, 0);
        if (link_as(o, o->part) != 0)
            return fail_errno(e, o->path);
        o->has_part = true;
    }
    if (renameat(o->dir, o->part, o->dir, o->name) != 0)
        return fail_errno(e, o->path);
    o->has_part = false;
    return ST_OK;
}

/* What cannot be synchronised (a pipe, a terminal) need not be. `answer`: of fsync or syncfs. */
static bool is_synced(int answer)
{
    return answer == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

static bool sync_fd(int fd)
{
    return is_synced(fsync(fd));
}

enum status output_publish(struct output *o, struct err *e)
{
    if (fflush(o->stream) != 0 || ferror(o->stream))
        return fail_errno(e, o->path);
    if (o->dir < 0 || o->published)
        return ST_OK;
    if (!sync_fd(o->fd))
        return fail_errno(e, o->path);
    if (o->replaces) {
        enum status st =
            is_being_written(o->path) ? output_fail_locked(o->path, e) : take_place(o, e);
        if (st != ST_OK)
            return st;
    } else if (link_as(o, o->name) != 0) {
        return errno == EEXIST
                   ? err_file(e, ST_INPUT, o->path, "was made by another while it was written")
                   : fail_errno(e, o->path);
    }
    o->published = true;
    if (o->has_part)
        unlinkat(o->dir, o->part, 0);
    o->has_part = false;
    return sync_fd(o->dir) ? ST_OK : fail_errno(e, o->path);
}

enum status output_commit(struct output *o, struct err *e)
{
    enum status st = output_publish(o, e);
    FILE *stream = o->stream;
    o->stream = NULL;
    o->fd = -1;
    if (fclose(stream) != 0 && st == ST_OK)
        st = fail_errno(e, o->path);
    output_drop(o);
    return st;
}

void output_drop(struct output *o)
{
    if (!o)
        return;
    if (o->has_part)
        unlinkat(o->dir, o->part, 0);
    if (o->stream)
        fclose(o->stream);
    else if (o->fd >= 0)
        close(o->fd);
    if (o->dir >= 0)
        close(o->dir);
    free(o);
}

/* ---- whole files ---- */

/* Whether the file holds just these bytes. */
static bool is_same(const char *path, const u8 *bytes, size_t size)
{
    struct stat sb;
    u8 part[4096];
    ssize_t n;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    bool same = fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode) && (u64)sb.st_size == size;
    for (size_t at = 0; same && at < size; at += (size_t)n) {
        n = read(fd, part, sizeof part);
        same = n > 0 && (size_t)n <= size - at && memcmp(part, bytes + at, (size_t)n) == 0;
    }
    close(fd);
    return same;
}

enum status output_may_write(const char *path, const void *bytes, size_t size,
                             const struct output_rule *rule, struct err *e)
{
    enum there what;
    mode_t mode;
    return is_same(path, bytes, size) ? ST_OK : look(path, rule, &what, &mode, e);
}

enum status output_write(const char *path, const void *bytes, size_t size,
                         const struct output_rule *rule, struct err *e)
{
    struct output *o;
    if (is_same(path, bytes, size))
        return ST_OK;
    enum status st = output_open(&o, path, rule, e);
    if (st != ST_OK)
        return st;
    if (size && fwrite(bytes, 1, size, output_stream(o)) != size)
        st = fail_errno(e, path);
    if (st == ST_OK)
        return output_commit(o, e);
    output_drop(o);
    return st;
}

/* ---- files of a new folder ---- */

enum status output_put(const char *path, const void *bytes, size_t size, struct err *e)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    bool is_put = fd >= 0;
    for (size_t at = 0; is_put && at < size;) {
        ssize_t n = write(fd, (const u8 *)bytes + at, size - at);
        is_put = n > 0 || (n < 0 && errno == EINTR);
        at += n > 0 ? (size_t)n : 0;
    }
    enum status st = is_put ? ST_OK : fail_errno(e, path);
    if (fd >= 0 && close(fd) != 0 && st == ST_OK)
        st = fail_errno(e, path);
    return st;
}

enum status output_sync(const char *folder, struct err *e)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_done = fd >= 0 && is_synced(syncfs(fd));
    enum status st = is_done ? ST_OK : fail_errno(e, folder);
    if (fd >= 0)
        close(fd);
    return st;
}

/* ---- what is appended to ---- */

int output_append_fd(const char *path)
{
    return open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
}

enum status output_check_log(const char *path, struct err *e)
{
    static const struct output_rule any = { .force = true };
    enum there what;
    mode_t mode;
    enum status st = look(path, &any, &what, &mode, e);
    if (st != ST_OK)
        return st;
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0666);
    if (fd < 0)
        return fail_errno(e, path);
    close(fd);
    return ST_OK;
}

int output_place_fd(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
}

bool output_lock(int fd)
{
    struct stat sb;
    bool is_file = fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode);
    return !is_file || flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}
