#include "harness/vgpu/fault.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/* A number from 1 on; *end is behind it. 0 if there is none. */
static u64 read_number(const char *at, const char **end)
{
    char *stop;
    u64 n = isdigit((unsigned char)at[0]) ? strtoull(at, &stop, 10) : 0;
    *end = n ? stop : at;
    return n;
}

static int read_errno(const char *at, const char **end)
{
    static const struct {
        const char *name;
        int number;
    } names[] = { { "EIO", EIO },       { "ENOMEM", ENOMEM }, { "EINVAL", EINVAL },
                  { "EBUSY", EBUSY },   { "EINTR", EINTR },   { "EAGAIN", EAGAIN },
                  { "ENODEV", ENODEV }, { "ETIME", ETIME },   { "ECANCELED", ECANCELED },
                  { "EACCES", EACCES }, { "EPERM", EPERM },   { "ENOSPC", ENOSPC } };
    size_t len = strcspn(at, ",");
    for (u32 i = 0; i < COUNT_OF(names); i++)
        if (strlen(names[i].name) == len && strncmp(at, names[i].name, len) == 0) {
            *end = at + len;
            return names[i].number;
        }
    u64 n = read_number(at, end);
    return n <= 4095 ? (int)n : 0;
}

enum status vgpu_fault_parse(const char *text, struct vgpu_faults *f, struct err *e)
{
    const char *at = text;
    *f = (struct vgpu_faults){ 0 };
    do {
        u64 *to = strncmp(at, "hang=", 5) == 0    ? &f->hang
                  : strncmp(at, "lose=", 5) == 0  ? &f->lose
                  : strncmp(at, "ioctl=", 6) == 0 ? &f->ioctl
                                                  : NULL;
        at += strcspn(at, "=");
        if (to && *at == '=')
            *to = read_number(at + 1, &at);
        bool is_ok = to && *to;
        if (is_ok && to == &f->ioctl) {
            f->error = *at == ':' ? read_errno(at + 1, &at) : 0;
            is_ok = f->error != 0;
        }
        if (!is_ok || (*at != ',' && *at != '\0'))
            return err_set(e, ST_INPUT,
                           "fault '%.60s': must be hang=N, lose=N or ioctl=N:ERRNO, N from 1 on",
                           text);
    } while (*at++ == ',');
    return ST_OK;
}
