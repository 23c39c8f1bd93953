/* What every file of the virtual GPU uses: the log, handles, arrays of the client. */
#include "harness/vgpu/core/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

u64 vgpu_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

u64 vgpu_clock_ticks(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * VGPU_COUNTER_KHZ * 1000 + (u64)t.tv_nsec * VGPU_COUNTER_KHZ / 1000000;
}

static void say(FILE *to, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));
static void say(FILE *to, const char *fmt, va_list args)
{
    if (!to)
        return;
    fputs("vgpu: ", to);
    vfprintf(to, fmt, args);
    fputc('\n', to);
    fflush(to);
}

void vgpu_log(struct vgpu *v, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(v->cfg.log, fmt, args);
    va_end(args);
}

void vgpu_error(struct vgpu *v, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    v->stats.errors++;
    say(v->cfg.errors, fmt, args);
    if (v->cfg.log != v->cfg.errors)
        say(v->cfg.log, fmt, again);
    va_end(again);
    va_end(args);
}

u32 vgpu_table_add(struct vgpu_table *t, void *p)
{
    for (u32 i = 0; i < t->count; i++)
        if (!t->at[i]) {
            t->at[i] = p;
            return i + 1;
        }
    u32 count = t->count ? 2 * t->count : 16;
    void **at = realloc(t->at, count * sizeof *at);
    if (!at)
        return 0;
    memset(at + t->count, 0, (count - t->count) * sizeof *at);
    at[t->count] = p;
    u32 handle = t->count + 1;
    t->at = at;
    t->count = count;
    return handle;
}

void *vgpu_table_get(const struct vgpu_table *t, u32 handle)
{
    return handle - 1 < t->count ? t->at[handle - 1] : NULL;
}

/* The handle of p, or 0. */
u32 vgpu_table_find(const struct vgpu_table *t, const void *p)
{
    for (u32 i = 0; i < t->count; i++)
        if (t->at[i] == p)
            return i + 1;
    return 0;
}

void *vgpu_table_take(struct vgpu_table *t, u32 handle)
{
    void *p = vgpu_table_get(t, handle);
    if (p)
        t->at[handle - 1] = NULL;
    return p;
}

void *vgpu_fetch(struct vgpu_call *c, u64 from, u64 count, size_t size, int *r)
{
    enum { COUNT_MAX = 1 << 16 };
    void *to = count && count <= COUNT_MAX ? malloc(count * size) : NULL;
    *r = count == 0 || count > COUNT_MAX ? -EINVAL : to ? 0 : -ENOMEM;
    if (to && !c->client->read(c->client->ctx, to, from, count * size)) {
        free(to);
        to = NULL;
        *r = -EFAULT;
    }
    return to;
}
