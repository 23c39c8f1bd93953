#include "harness/io/file.h"

#include "harness/io/spread.h"
#include "reports/file/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 64 * 1024, PIECE = 1 << 20, PIECES_MIN = 4 };

static enum status too_large(size_t limit, struct err *e)
{
    return err_set(e, ST_INPUT, "is larger than the limit of %zu bytes", limit);
}

/* Reads until the end; pipes do not know their size beforehand. */
static enum status read_all(FILE *f, size_t limit, u8 **bytes, size_t *size, struct err *e)
{
    size_t room = FIRST_BYTES, used = 0;
    u8 *buf = malloc(room + 1);
    if (!buf)
        return err_memory(e);
    for (;;) {
        size_t n = fread(buf + used, 1, room - used, f);
        used += n;
        if (used > limit) {
            free(buf);
            return too_large(limit, e);
        }
        if (n == 0)
            break;
        if (used == room) {
            u8 *more = realloc(buf, room * 2 + 1);
            if (!more) {
                free(buf);
                return err_memory(e);
            }
            buf = more;
            room *= 2;
        }
    }
    if (ferror(f)) {
        free(buf);
        return err_set(e, ST_INPUT, "cannot be read: %s", strerror(errno));
    }
    buf[used] = 0;
    *bytes = buf;
    *size = used;
    return ST_OK;
}

/* A file whose size is known, in pieces. */
struct pieces {
    int fd;
    u8 *bytes;
    u64 size;
    bool lacks; /* a piece is not there, or cannot be read */
};

static void read_piece(void *ctx, u64 piece)
{
    struct pieces *p = ctx;
    u64 at = piece * PIECE, end = p->size - at < PIECE ? p->size : at + PIECE;
    while (at < end) {
        ssize_t n = pread(p->fd, p->bytes + at, end - at, (off_t)at);
        if (n <= 0) {
            __atomic_store_n(&p->lacks, true, __ATOMIC_RELAXED);
            return;
        }
        at += (u64)n;
    }
}

/* Reads a large file by several threads. False: it is to be read from one end to the other, which says
 * what is wrong with it. */
static bool read_pieces(int fd, u64 file_size, u32 threads, u8 **bytes, size_t *size)
{
    struct pieces p = { .fd = fd, .size = file_size };
    u8 more;
    if (file_size < (u64)PIECE * PIECES_MIN || !(p.bytes = malloc(file_size + 1)))
        return false;
    spread_prefer_large(p.bytes, file_size);
    spread_run(threads, (file_size + PIECE - 1) / PIECE, read_piece, &p);
    if (p.lacks || pread(fd, &more, 1, (off_t)file_size) != 0) {
        free(p.bytes);
        return false;
    }
    p.bytes[file_size] = 0;
    *bytes = p.bytes;
    *size = file_size;
    return true;
}

/* One that is too large is not read to find that out. */
static enum status read_file(FILE *f, size_t limit, u32 threads, u8 **bytes, size_t *size,
                             struct err *e)
{
    struct stat sb;
    bool has_size = fstat(fileno(f), &sb) == 0 && S_ISREG(sb.st_mode) && sb.st_size > 0;
    if (has_size && (u64)sb.st_size > limit)
        return too_large(limit, e);
    if (has_size && read_pieces(fileno(f), (u64)sb.st_size, threads, bytes, size))
        return ST_OK;
    return read_all(f, limit, bytes, size, e);
}

enum status file_read(const char *path, size_t limit, u8 **bytes, size_t *size, struct err *e)
{
    return file_read_by(path, limit, 1, bytes, size, e);
}

enum status file_read_by(const char *path, size_t limit, u32 threads, u8 **bytes, size_t *size,
                         struct err *e)
{
    if (strcmp(path, "-") == 0)
        return read_all(stdin, limit, bytes, size, e);
    int fd = input_open(path, e);
    if (fd < 0)
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? ST_WORLD : ST_INPUT;
    FILE *f = fdopen(fd, "rb");
    if (!f) {
        close(fd);
        return err_memory(e);
    }
    enum status st = read_file(f, limit, threads, bytes, size, e);
    fclose(f);
    return st;
}

void file_error(struct err *e, const char *path, int line)
{
    snprintf(e->file, sizeof e->file, "%s", path);
    e->line = line;
    for (char *c = e->text; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
}

enum status file_make_dir(const char *path, struct err *e)
{
    char part[4096];
    struct stat sb;
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof part)
        return err_set(e, ST_INPUT, "the name of a folder is empty or too long: '%.60s'", path);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return err_set(e, ST_WORLD, "cannot make the folder %.200s: %s", part, strerror(errno));
    }
    if (stat(path, &sb) != 0 || !S_ISDIR(sb.st_mode))
        return err_set(e, ST_WORLD, "%.200s is not a folder", path);
    return ST_OK;
}

int file_hold_dir(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR)
        continue;
    return fd;
}
