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

static bool read_ioctl(const char *at, const char **end, struct vgpu_faults *f)
{
    f->ioctl = read_number(at, &at);
    f->error = f->ioctl && *at == ':' ? read_errno(at + 1, &at) : 0;
    *end = at;
    return f->error != 0;
}

static bool read_flip(const char *at, const char **end, struct vgpu_faults *f)
{
    char *stop;
    f->flip_at = isdigit((unsigned char)at[0]) ? strtoull(at, &stop, 0) : 0;
    if (f->flip_at == 0 || *stop != ':' || stop[1] < '0' || stop[1] > '7')
        return false;
    f->flip_bit = (u8)(stop[1] - '0');
    at = stop + 2;
    if (*at == ':') {
        f->flip = read_number(at + 1, &at);
        f->is_flip_behind = *at == '+';
        at += f->is_flip_behind;
        if (f->flip == 0)
            return false;
    }
    *end = at;
    return true;
}

static bool read_slow(const char *at, const char **end, struct vgpu_faults *f)
{
    enum { LONGEST_MS = 3600000 };
    u64 ms = *at == '=' ? read_number(at + 1, end) : VGPU_SLOW_MS;
    if (*at != '=')
        *end = at;
    f->slow_ms = ms <= LONGEST_MS ? (u32)ms : 0;
    return f->slow_ms != 0;
}

/* One fault, up to the comma behind it. */
static bool read_fault(const char *at, const char **end, struct vgpu_faults *f)
{
    if (strncmp(at, "hang=", 5) == 0)
        return (f->hang = read_number(at + 5, end)) != 0;
    if (strncmp(at, "lose=", 5) == 0)
        return (f->lose = read_number(at + 5, end)) != 0;
    if (strncmp(at, "ioctl=", 6) == 0)
        return read_ioctl(at + 6, end, f);
    if (strncmp(at, "flip=", 5) == 0)
        return read_flip(at + 5, end, f);
    return strncmp(at, "slow", 4) == 0 && read_slow(at + 4, end, f);
}

enum status vgpu_fault_parse(const char *text, struct vgpu_faults *f, struct err *e)
{
    const char *at = text;
    *f = (struct vgpu_faults){ 0 };
    do {
        if (!read_fault(at, &at, f) || (*at != ',' && *at != '\0'))
            return err_set(e, ST_INPUT,
                           "fault '%.60s': must be hang=N, lose=N or ioctl=N:ERRNO, N from 1 on, "
                           "flip=ADDR:BIT, flip=ADDR:BIT:N or :N+, BIT 0 to 7, slow or slow=MS",
                           text);
    } while (*at++ == ',');
    return ST_OK;
}
