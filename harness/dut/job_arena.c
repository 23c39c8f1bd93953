#include "harness/dut/job_arena.h"

#include <assert.h>

enum { GUARD = 64, ALIGN = 64, OUT_FILL = 0xcd };

/* Where the next buffer goes. */
struct pen {
    u8 *base;
    size_t at;
};

static void *piece(struct pen *p, size_t bytes, size_t align)
{
    p->at = (p->at + align - 1) / align * align;
    u8 *r = p->base + p->at;
    p->at += bytes;
    return r;
}

/* A buffer with a guard right before and right after it. */
static u8 *guarded(struct pen *p, size_t bytes)
{
    piece(p, GUARD, ALIGN);
    u8 *r = piece(p, bytes, 1);
    piece(p, GUARD, 1);
    return r;
}

/* The guard's bytes: no two neighbours alike, so that a copied or shifted guard does not pass. */
static const u8 *guard_bytes(void)
{
    static const u8 bytes[GUARD] = {
        0x9d, 0x3b, 0xe1, 0x57, 0xc8, 0x2f, 0xa4, 0x76, 0x1d, 0xb3, 0x68, 0xf5, 0x4a,
        0xde, 0x91, 0x0c, 0x83, 0x5e, 0xf7, 0x29, 0xba, 0x64, 0xd2, 0x17, 0xeb, 0x40,
        0x9c, 0x35, 0xc1, 0x7a, 0xa8, 0x56, 0x2d, 0xe4, 0x8f, 0x13, 0xb9, 0x6c, 0xf2,
        0x45, 0xda, 0x97, 0x31, 0xc6, 0x7e, 0xab, 0x52, 0x0f, 0x84, 0xed, 0x6b, 0x33,
        0xbc, 0x49, 0xd5, 0x98, 0x26, 0xf1, 0x5d, 0xa2, 0x78, 0xce, 0x1b, 0xe6,
    };
    return bytes;
}

/* The buffers of one job but for its windows, which follow in order. */
struct laid {
    char *mcpu;
    u32 *code, *values;
    struct gcncheck_slot *set, *get;
    struct gcncheck_window *windows;
    u8 *out, *lds;
    size_t mcpu_len, code_len, values_len, set_len, get_len, windows_len, out_len,
        lds_len; /* bytes */
};

static struct laid lay(struct pen *p, const struct gcncheck_job *j, const struct job_dw *dw)
{
    struct laid l = {
        .mcpu_len = strlen(j->mcpu) + 1,
        .code_len = (size_t)j->code_dw * 4,
        .values_len = (size_t)dw->values * 4,
        .set_len = j->set_count * sizeof *j->set,
        .get_len = j->get_count * sizeof *j->get,
        .windows_len = j->window_count * sizeof *j->windows,
        .out_len = (size_t)dw->out * 4,
        .lds_len = j->lds_size,
    };
    l.windows = piece(p, l.windows_len, ALIGN);
    l.set = piece(p, l.set_len, 8);
    l.get = piece(p, l.get_len, 8);
    l.code = piece(p, l.code_len, 4);
    l.values = piece(p, l.values_len, 4);
    l.mcpu = piece(p, l.mcpu_len, 1);
    l.out = guarded(p, l.out_len);
    l.lds = guarded(p, l.lds_len);
    return l;
}

/* The array of job structs comes first; what follows it is the pen's. */
static struct gcncheck_job *lay_jobs(struct pen *p, u32 count)
{
    return (struct gcncheck_job *)(void *)guarded(p, count * sizeof(struct gcncheck_job));
}

size_t job_arena_bytes(const struct gcncheck_job *job, struct job_dw *dw)
{
    struct pen p = { .base = NULL, .at = 0 };
    *dw = (struct job_dw){ .values = dut_slots_dw(job->set, job->set_count),
                           .out = dut_slots_dw(job->get, job->get_count) };
    lay(&p, job, dw);
    for (u32 w = 0; w < job->window_count; w++)
        guarded(&p, job->windows[w].size);
    return sizeof *job + 2 * GUARD + 2 * ALIGN + p.at + ALIGN;
}

static void copy(void *to, const void *from, size_t len)
{
    if (len)
        memcpy(to, from, len);
}

static void set_guards(u8 *buf, size_t len)
{
    memcpy(buf - GUARD, guard_bytes(), GUARD);
    memcpy(buf + len, guard_bytes(), GUARD);
}

/* The struct that the plug-in sees, but for outcome and reason. */
static struct gcncheck_job facing(const struct gcncheck_job *j, const struct laid *l)
{
    struct gcncheck_job f = *j;
    f.size = sizeof f;
    f.mcpu = l->mcpu;
    f.code = l->code;
    f.set = l->set;
    f.get = l->get;
    f.values = l->values;
    f.out = (u32 *)(void *)l->out;
    f.windows = j->window_count ? l->windows : NULL;
    f.lds = j->lds_size ? l->lds : NULL;
    f.outcome = OUT_NOT_RUN;
    memset(f.reason, 0, sizeof f.reason);
    return f;
}

static void store_one(struct pen *p, const struct gcncheck_job *j, const struct job_dw *dw,
                      struct gcncheck_job *to)
{
    struct laid l = lay(p, j, dw);
    copy(l.mcpu, j->mcpu, l.mcpu_len);
    copy(l.code, j->code, l.code_len);
    copy(l.set, j->set, l.set_len);
    copy(l.get, j->get, l.get_len);
    copy(l.values, j->values, l.values_len);
    copy(l.lds, j->lds, l.lds_len);
    memset(l.out, OUT_FILL, l.out_len);
    set_guards(l.out, l.out_len);
    set_guards(l.lds, l.lds_len);
    for (u32 w = 0; w < j->window_count; w++) {
        const struct gcncheck_window *win = &j->windows[w];
        u8 *bytes = guarded(p, win->size);
        copy(bytes, win->bytes, win->size);
        set_guards(bytes, win->size);
        l.windows[w] = (struct gcncheck_window){ win->address, win->size, bytes };
    }
    *to = facing(j, &l);
}

struct gcncheck_job *job_arena_store(u8 *base, size_t size, const struct gcncheck_job *jobs,
                                     const struct job_dw *dw, u32 count)
{
    struct pen p = { .base = base, .at = 0 };
    struct gcncheck_job *array = lay_jobs(&p, count);
    for (u32 i = 0; i < count; i++)
        store_one(&p, &jobs[i], &dw[i], &array[i]);
    set_guards((u8 *)array, count * sizeof *array);
    assert(p.at <= size);
    (void)size;
    return array;
}

static bool same(const void *a, const void *b, size_t len)
{
    return len == 0 || memcmp(a, b, len) == 0;
}

static bool guards_hold(const u8 *buf, size_t len)
{
    return same(buf - GUARD, guard_bytes(), GUARD) && same(buf + len, guard_bytes(), GUARD);
}

static const char *trespass_one(struct pen *p, const struct gcncheck_job *j,
                                const struct job_dw *dw, const struct gcncheck_job *seen)
{
    struct laid l = lay(p, j, dw);
    const char *what = NULL;
    struct gcncheck_job sent = facing(j, &l);
    if (!same(l.code, j->code, l.code_len))
        what = "changed code, an input";
    else if (!same(l.set, j->set, l.set_len) || !same(l.get, j->get, l.get_len))
        what = "changed set or get, an input";
    else if (!same(l.values, j->values, l.values_len))
        what = "changed values, an input";
    else if (!same(l.mcpu, j->mcpu, l.mcpu_len))
        what = "changed mcpu, an input";
    else if (!same(seen, &sent, offsetof(struct gcncheck_job, outcome)))
        what = "changed the job's input fields";
    else if (!guards_hold(l.out, l.out_len))
        what = "wrote outside out";
    else if (!guards_hold(l.lds, l.lds_len))
        what = "wrote outside lds";
    for (u32 w = 0; w < j->window_count; w++) {
        const struct gcncheck_window *win = &j->windows[w], *got = &l.windows[w];
        u8 *bytes = guarded(p, win->size);
        if (!what &&
            (got->address != win->address || got->size != win->size || got->bytes != bytes))
            what = "changed a window's address, size or pointer";
        if (!what && !guards_hold(bytes, win->size))
            what = "wrote outside a memory window";
    }
    return what;
}

const char *job_arena_trespass(u8 *base, const struct gcncheck_job *jobs, const struct job_dw *dw,
                               u32 count)
{
    struct pen p = { .base = base, .at = 0 };
    struct gcncheck_job *array = lay_jobs(&p, count);
    const char *what = NULL;
    for (u32 i = 0; i < count && !what; i++)
        what = trespass_one(&p, &jobs[i], &dw[i], &array[i]);
    if (!what && !guards_hold((u8 *)array, count * sizeof *array))
        what = "wrote outside the job";
    return what;
}

static void collect_one(struct pen *p, struct gcncheck_job *j, const struct job_dw *dw,
                        const struct gcncheck_job *seen)
{
    struct laid l = lay(p, j, dw);
    u32 outcome = seen->outcome;
    bool done = outcome == OUT_DONE;
    for (u32 w = 0; w < j->window_count; w++) {
        u8 *bytes = guarded(p, j->windows[w].size);
        if (done)
            copy(j->windows[w].bytes, bytes, j->windows[w].size);
    }
    if (outcome == OUT_NOT_RUN) {
        dut_answer(j, OUT_NONSENSE, "run() left the job without an outcome");
    } else if (outcome > OUT_LIMIT) {
        dut_answer(j, OUT_NONSENSE, "outcome %u is none of enum gcncheck_outcome", outcome);
    } else if (done) {
        copy(j->out, l.out, l.out_len);
        copy(j->lds, l.lds, l.lds_len);
        j->outcome = OUT_DONE;
    } else if (!memchr(seen->reason, 0, sizeof seen->reason)) {
        dut_answer(j, OUT_NONSENSE, "the reason (outcome %s) has no terminating NUL",
                   dut_outcome_name(outcome));
    } else {
        j->outcome = outcome;
        dut_clean_text(j->reason, sizeof j->reason, seen->reason, sizeof seen->reason);
    }
}

void job_arena_collect(u8 *base, struct gcncheck_job *jobs, const struct job_dw *dw, u32 count)
{
    struct pen p = { .base = base, .at = 0 };
    struct gcncheck_job *array = lay_jobs(&p, count);
    for (u32 i = 0; i < count; i++)
        collect_one(&p, &jobs[i], &dw[i], &array[i]);
}
