/* One job on the device: program, records and memory go there, packets are submitted, what has come
 * back is read. */
#include "harness/drm/internal.h"

#include "oracle/insn/insn.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static enum status answer(struct gcncheck_job *job, u32 outcome, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static enum status answer(struct gcncheck_job *job, u32 outcome, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    job->outcome = outcome;
    vsnprintf(job->reason, sizeof job->reason, fmt, args);
    va_end(args);
    return ST_OK;
}

/* ---- the program ---- */

/* The wrapper for a layout, made if there is none yet; NULL and *e. */
static const struct drm_wrapper *wrapper_for(struct drm_session *s, const struct drm_layout *l,
                                             struct err *e)
{
    struct drm_plant plant = { .name = NULL };
    for (u32 i = 0; i < s->wrappers; i++)
        if (memcmp(&s->wrapper[i].layout, l, sizeof *l) == 0)
            return &s->wrapper[i];
    struct drm_wrapper *w = &s->wrapper[s->next_wrapper];
    s->next_wrapper = (s->next_wrapper + 1) % DRM_WRAPPERS;
    drm_wrapper_free(w);
    if (s->plant)
        plant = *s->plant;
    if (drm_wrapper_make(w, &s->isa, l, s->plant ? drm_plant_edit : NULL, &plant, e) != ST_OK)
        return NULL;
    if (s->wrappers < DRM_WRAPPERS)
        s->wrappers++;
    return w;
}

/* Prologue, program, epilogue, one behind the other; *pgm is where the prologue begins. */
static bool put_program(struct drm_session *s, const struct drm_wrapper *w,
                        const struct gcncheck_job *job, u64 *pgm)
{
    const u32 nop = 0xbf800000;
    struct drm_buffer *b = &s->d.buffer[DRM_CODE];
    u32 *to = (u32 *)(void *)b->bytes, at = 0;
    u32 all = w->prologue_dw + job->code_dw + w->epilogue_dw + DRM_CODE_PAD_DW;
    if (all > b->size / 4)
        return false;
    memcpy(to, w->prologue, w->prologue_dw * sizeof *to);
    at += w->prologue_dw;
    memcpy(to + at, job->code, job->code_dw * sizeof *to);
    if (!drm_wrapper_bend(&s->isa, to + at, job->code_dw))
        return false;
    at += job->code_dw;
    memcpy(to + at, w->epilogue, w->epilogue_dw * sizeof *to);
    at += w->epilogue_dw;
    for (u32 i = 0; i < DRM_CODE_PAD_DW; i++)
        to[at + i] = nop;
    *pgm = b->va;
    return true;
}

/* ---- memory ---- */

static struct drm_buffer *find_buffer(struct drm_session *s, u64 first, u64 end)
{
    for (u32 i = DRM_OWN; i < s->d.buffers; i++)
        if (s->d.buffer[i].va <= first && end <= s->d.buffer[i].va + s->d.buffer[i].size)
            return &s->d.buffer[i];
    return NULL;
}

/* Buffers that share a page with the range go; *first and *end grow to hold what they held. */
static void clear_range(struct drm_session *s, u64 *first, u64 *end)
{
    for (u32 i = DRM_OWN; i < s->d.buffers;) {
        struct drm_buffer *b = &s->d.buffer[i];
        if (b->va >= *end || *first >= b->va + b->size) {
            i++;
            continue;
        }
        *first = b->va < *first ? b->va : *first;
        *end = b->va + b->size > *end ? b->va + b->size : *end;
        drm_buffer_close(&s->d, b);
        i = DRM_OWN;
    }
}

/* Makes sure that there is memory for the window. */
static enum status map_window(struct drm_session *s, const struct gcncheck_window *w, struct err *e)
{
    u64 first = w->address / DRM_PAGE * DRM_PAGE;
    u64 end = (w->address + w->size + DRM_PAGE - 1) / DRM_PAGE * DRM_PAGE;
    struct drm_buffer *b;
    if (find_buffer(s, first, end))
        return ST_OK;
    clear_range(s, &first, &end);
    return drm_buffer_open(&s->d, first, end - first,
                           AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE, &b, e);
}

/* Memory that no window of the job has is zero, as a load from nowhere gives. */
static enum status put_windows(struct drm_session *s, const struct gcncheck_job *job, struct err *e)
{
    enum status st = ST_OK;
    while (s->d.buffers > DRM_OWN && s->d.buffers + job->window_count > DRM_BUFFERS_MAX)
        drm_buffer_close(&s->d, &s->d.buffer[s->d.buffers - 1]);
    for (u32 i = 0; i < job->window_count && st == ST_OK; i++)
        st = map_window(s, &job->windows[i], e);
    for (u32 i = DRM_OWN; i < s->d.buffers && st == ST_OK; i++)
        memset(s->d.buffer[i].bytes, 0, s->d.buffer[i].size);
    for (u32 i = 0; i < job->window_count && st == ST_OK; i++) {
        const struct gcncheck_window *w = &job->windows[i];
        struct drm_buffer *b = find_buffer(s, w->address, w->address + w->size);
        if (!b)
            BUG("a window that has just been mapped");
        memcpy(b->bytes + (w->address - b->va), w->bytes, w->size);
    }
    return st;
}

static void take_windows(struct drm_session *s, struct gcncheck_job *job)
{
    for (u32 i = 0; i < job->window_count; i++) {
        struct gcncheck_window *w = &job->windows[i];
        const struct drm_buffer *b = find_buffer(s, w->address, w->address + w->size);
        memcpy(w->bytes, b->bytes + (w->address - b->va), w->size);
    }
}

/* ---- the submission ---- */

static void log_packets(const struct drm_session *s, const u32 *ib, u32 dw)
{
    char one[400];
    struct err e;
    struct pm4_packet p;
    for (u32 at = 0; s->log && at < dw; at += p.dw) {
        struct text t;
        text_init(&t, one, sizeof one);
        if (pm4_decode(ib, dw, at, &p, &e) == ST_OK)
            pm4_print(&p, &t);
        else
            text_add(&t, "%s", e.text);
        fprintf(s->log, "drm: %4u: %s\n", at, one);
    }
    if (s->log)
        fflush(s->log);
}

/* What the device says became of the job. */
static enum status submit(struct drm_session *s, const struct drm_launch *launch,
                          struct gcncheck_job *job, bool *is_done, struct err *e)
{
    struct drm_buffer *ib = &s->d.buffer[DRM_PACKETS];
    struct err why = { .text = "" };
    enum drm_end end = DRM_DONE;
    u32 *packets = (u32 *)(void *)ib->bytes;
    u32 dw = drm_packets(s, launch, packets);
    log_packets(s, packets, dw);
    enum status st = drm_device_submit(
        &s->d, ib->va, dw, drm_plant_is(s->plant, "no-wait") ? 0 : s->limit_ms, &end, &why);
    *is_done = end == DRM_DONE || drm_plant_is(s->plant, "no-wait");
    if (st != ST_OK) {
        *e = why;
        return st;
    }
    return *is_done ? ST_OK : answer(job, GCNCHECK_FAULT, "%.60s", why.text);
}

/* Runs the job with one layout; `only` as in drm_record_read, and then its memory stays as it was. */
static enum status run_once(struct drm_session *s, const struct drm_layout *l,
                            const struct drm_layout *only, struct gcncheck_job *job, struct err *e)
{
    struct err why = { .text = "" };
    u64 pgm;
    u32 wave;
    bool is_done;
    const struct drm_wrapper *w = wrapper_for(s, l, &why);
    if (!w)
        return answer(job, GCNCHECK_UNSUPPORTED, "wrapper: %.50s", why.text);
    if (!put_program(s, w, job, &pgm))
        return answer(job, GCNCHECK_UNSUPPORTED, "the program is too long");
    if (put_windows(s, job, &why) != ST_OK)
        return answer(job, GCNCHECK_UNSUPPORTED, "%.60s", why.text);
    u8 *out = s->d.buffer[DRM_OUT].bytes, *fence = out + DRM_RECORD_BYTES - sizeof(u32);
    u32 value, vgprs = l->vgprs > l->accs ? l->vgprs : l->accs;
    s->nonce += DRM_WAVES_MAX;
    drm_record_fill(s->d.buffer[DRM_IN].bytes, l, job, s->nonce, DRM_OUT_VA);
    memset(out, 0xee, drm_layout_bytes(l));
    memset(fence, 0, sizeof value);
    struct drm_launch launch = { .pgm = pgm,
                                 .in_va = DRM_IN_VA,
                                 .fence_va = DRM_OUT_VA + DRM_RECORD_BYTES - sizeof value,
                                 .threads = l->waves * LANES,
                                 .vgprs = drm_plant_is(s->plant, "few-vgprs") ? vgprs - 4 : vgprs,
                                 .lds = l->lds,
                                 .fence = s->nonce };
    enum status st = submit(s, &launch, job, &is_done, e);
    if (st != ST_OK || !is_done)
        return st;
    memcpy(&value, fence, sizeof value);
    if (value != s->nonce)
        return answer(job, GCNCHECK_FAULT, "the end-of-pipe value has not been written");
    if (!drm_record_is_back(out, l, s->nonce, &wave))
        return answer(job, GCNCHECK_FAULT, "the record of wave %u has not come back", wave);
    drm_record_read(out, l, only, job);
    if (!only)
        take_windows(s, job);
    job->outcome = GCNCHECK_DONE;
    job->reason[0] = '\0';
    return ST_OK;
}

enum status drm_run(struct drm_session *s, struct gcncheck_job *job, struct err *e)
{
    struct drm_layout l, second;
    struct err why = { .text = "" };
    if (drm_check(&s->isa, job, &l, &second, &why) != ST_OK)
        return answer(job, GCNCHECK_UNSUPPORTED, "%.60s", why.text);
    if (second.vgprs) {
        enum status st = run_once(s, &second, &l, job, e);
        if (st != ST_OK || job->outcome != GCNCHECK_DONE)
            return st;
    }
    return run_once(s, &l, NULL, job, e);
}
