#include "reports/file/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* What it is that is no file; NULL for a file. */
static const char *kind_of(mode_t mode)
{
    return S_ISREG(mode)    ? NULL
           : S_ISDIR(mode)  ? "a directory"
           : S_ISFIFO(mode) ? "a FIFO"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISCHR(mode)  ? "a device"
           : S_ISBLK(mode)  ? "a device"
                            : "something else";
}

/* Whether the name is one of a descriptor that is open here already. */
static bool is_own(const char *path)
{
    static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return strcmp(path, "/dev/stdin") == 0;
}

static enum status check(const char *path, mode_t mode, struct err *e)
{
    const char *kind = kind_of(mode);
    if (!kind || (S_ISFIFO(mode) && is_own(path)))
        return ST_OK;
    return err_set(e, ST_INPUT, "is %s, not a file", kind);
}

enum status input_check(const char *path, struct err *e)
{
    struct stat sb;
    return stat(path, &sb) == 0 ? check(path, sb.st_mode, e) : ST_OK;
}

int input_open(const char *path, struct err *e)
{
    struct stat sb;
    if (input_check(path, e) != ST_OK)
        return -1;
    /* Should it become a FIFO in between, nobody waits for who writes it. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        err_set(e, ST_INPUT, "cannot be opened: %s", strerror(errno));
        return -1;
    }
    if (fstat(fd, &sb) != 0 || check(path, sb.st_mode, e) != ST_OK ||
        fcntl(fd, F_SETFL, O_RDONLY) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}
