/* A submission that carries many dispatches. Each has its own program, records and, where it has
 * memory, contents of it that are copied in before it and out behind it, as all jobs believe to be
 * alone at the same addresses. */
#include "harness/drm/internal.h"

#include <stdarg.h>
#include <stdio.h>

void drm_answer(struct gcncheck_job *job, u32 outcome, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    job->outcome = outcome;
    vsnprintf(job->reason, sizeof job->reason, fmt, args);
    va_end(args);
}

/* ---- what goes in ---- */

static u32 align_page(u64 bytes)
{
    return (u32)((bytes + 255) / 256 * 256);
}

/* Whether there is room for the packets of one more unit, with all copies that this brings. */
static bool has_packets_room(const struct drm_session *s, const struct drm_unit *u)
{
    u32 buffers = 0;
    for (u32 i = DRM_OWN; i < s->d.buffers; i++)
        buffers += (u32)((s->batch.memory | u->memory) >> i & 1);
    return (s->batch.count + 2) * (DRM_UNIT_PACKETS_DW + 2 * buffers * DRM_COPY_PACKETS_DW) <=
           DRM_PACKET_BYTES / 4;
}

/* Room for records and image; they lie at the same offset of IN and of OUT. */
static bool place_records(struct drm_session *s, struct drm_unit *u, bool *is_full)
{
    struct drm_batch *b = &s->batch;
    u64 image = drm_memory_bytes(s, u->memory), room = DRM_RECORD_BYTES - 64;
    bool is_big = image > DRM_STAGED_MAX;
    u32 bytes = align_page(drm_layout_bytes(&u->layout));
    u->record = b->record_bytes;
    u->image = u->record + bytes;
    bytes += is_big ? 0 : align_page(image);
    *is_full = b->count && (is_big || bytes > room - b->record_bytes || !has_packets_room(s, u));
    if (*is_full)
        return false;
    b->record_bytes += bytes;
    b->is_closed |= is_big;
    return true;
}

/* `is_second`: the run that only shows the two registers which are the wrapper's in the other. */
static enum status add_unit(struct drm_session *s, struct gcncheck_job *job,
                            const struct drm_needs *n, bool is_second, bool *is_full,
                            struct err *why)
{
    struct drm_batch *b = &s->batch;
    struct drm_unit *u = &b->unit[b->count];
    u32 code_dw = b->code_dw;
    *u = (struct drm_unit){ .job = job,
                            .layout = is_second ? n->second : n->layout,
                            .touches_memory = n->touches_memory };
    if (is_second)
        u->only = n->layout;
    enum status st = drm_memory_map(s, job, &u->memory, is_full, why);
    if (st == ST_OK)
        st = drm_code_place(s, u, is_full, why);
    if (st == ST_OK && !place_records(s, u, is_full)) {
        b->code_dw = code_dw;
        st = err_set(why, ST_INPUT, "no room for the records");
    }
    if (st != ST_OK)
        return st;
    b->memory |= u->memory;
    b->count++;
    return ST_OK;
}

void drm_batch_add(struct drm_session *s, struct gcncheck_job *job, bool *is_full)
{
    struct drm_batch *b = &s->batch;
    struct drm_needs n;
    struct err why = { .text = "" };
    struct {
        u32 count, code_dw;
    } before = { b->count, b->code_dw };
    u64 hash = s->journal ? drm_journal_hash(job) : 0;
    bool is_suspect = drm_journal_is_suspect(s->journal, hash);
    *is_full = b->is_closed || b->count + 2 > DRM_UNITS_MAX || (is_suspect && b->count);
    if (*is_full)
        return;
    if (drm_journal_is_culprit(s->journal, hash)) {
        drm_answer(job, GCNCHECK_UNSUPPORTED, "the machine went down when it was submitted before");
        return;
    }
    enum status st =
        drm_check(&s->isa, s->d.va_end, s->model ? drm_safe_insn : NULL, job, &n, &why);
    if (st == ST_OK && s->model)
        st = drm_safe_program(s, job, &n, &why);
    if (st != ST_OK) {
        drm_answer(job, GCNCHECK_UNSUPPORTED, "%.60s", why.text);
        return;
    }
    if (n.second.waves)
        st = add_unit(s, job, &n, true, is_full, &why);
    if (st == ST_OK)
        st = add_unit(s, job, &n, false, is_full, &why);
    if (st == ST_OK) {
        b->is_closed |= is_suspect;
        return;
    }
    b->has_rest = *is_full && before.count == 0;
    b->rest = n;
    if (b->has_rest) {
        b->is_closed = true;
        *is_full = false;
        return;
    }
    b->count = before.count;
    b->code_dw = before.code_dw;
    if (!*is_full)
        drm_answer(job, GCNCHECK_UNSUPPORTED, "%.60s", why.text);
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
        if (pm4_decode(s->d.chip->gen, ib, dw, at, &p, &e) == ST_OK)
            pm4_print(&p, &t);
        else
            text_add(&t, "%s", e.text);
        fprintf(s->log, "drm: %4u: %s\n", at, one);
    }
    if (s->log)
        fflush(s->log);
}

/* Program, records and memory of a unit; what comes back is seen by what it was before. */
static void write_unit(struct drm_session *s, struct drm_unit *u, bool is_alone)
{
    u8 *in = s->d.buffer[DRM_IN].bytes, *out = s->d.buffer[DRM_OUT].bytes;
    s->nonce += DRM_WAVES_MAX;
    u->nonce = s->nonce;
    drm_code_write(s, u);
    struct drm_start start = { .program = u->program,
                               .out_va = DRM_OUT_VA + u->record,
                               .nonce = u->nonce };
    drm_record_fill(in + u->record, &u->layout, u->job, &start);
    memset(out + u->record, 0xee, drm_layout_bytes(&u->layout));
    if (u->memory || is_alone)
        drm_memory_put(s, u->job, u->memory, is_alone ? NULL : in + u->image);
}

/* Copies between the buffers of a unit's memory and its image; buffers that only other units have
 * become zero. */
static void add_copies(const struct drm_session *s, const struct drm_unit *u, bool is_in,
                       struct drm_packets *p)
{
    u64 image = (is_in ? DRM_IN_VA : DRM_OUT_VA) + u->image;
    for (u32 i = DRM_OWN; i < s->d.buffers; i++) {
        const struct drm_buffer *b = &s->d.buffer[i];
        if (u->memory >> i & 1) {
            drm_packets_copy(p, is_in ? b->va : image, is_in ? image : b->va, (u32)b->size);
            image += b->size;
        } else if (is_in && u->touches_memory && s->batch.memory >> i & 1) {
            drm_packets_zero(p, b->va, (u32)b->size);
        }
    }
}

static void add_packets(const struct drm_session *s, const struct drm_unit *u, bool is_alone,
                        struct drm_packets *p)
{
    bool is_staged = s->batch.memory && !is_alone;
    u32 vgprs = drm_layout_vgprs(&u->layout);
    struct drm_launch launch = { .pgm = u->pgm,
                                 .in_va = DRM_IN_VA + u->record,
                                 .stride = drm_layout_stride(&u->layout),
                                 .threads = u->layout.waves * LANES,
                                 .vgprs = drm_plant_is(s->plant, "few-vgprs") ? vgprs - 4 : vgprs,
                                 .lds = u->layout.lds };
    if (is_staged)
        add_copies(s, u, true, p);
    if (is_staged)
        drm_packets_wait(p, true);
    drm_packets_dispatch(p, &launch);
    if (is_staged)
        drm_packets_wait(p, false);
    if (is_staged)
        add_copies(s, u, false, p);
}

/* The first unit whose records have not come back, with the reason. */
static bool check_records(const struct drm_session *s, struct err *why)
{
    const struct drm_batch *b = &s->batch;
    const u8 *out = s->d.buffer[DRM_OUT].bytes;
    u32 value, wave, last = b->unit[b->count - 1].nonce;
    memcpy(&value, out + DRM_RECORD_BYTES - sizeof value, sizeof value);
    if (value != last) {
        err_set(why, ST_WORLD, "the end-of-pipe value has not been written");
        return false;
    }
    for (u32 i = 0; i < b->count; i++) {
        const struct drm_unit *u = &b->unit[i];
        if (!drm_record_is_back(out + u->record, &u->layout, u->nonce, &wave)) {
            err_set(why, ST_WORLD, "the record of wave %u has not come back", wave);
            return false;
        }
    }
    return true;
}

static void read_unit(const struct drm_session *s, const struct drm_unit *u, bool is_alone)
{
    const u8 *out = s->d.buffer[DRM_OUT].bytes;
    bool is_part = u->only.waves != 0;
    drm_record_read(out + u->record, &u->layout, is_part ? &u->only : NULL, u->job);
    if (is_part)
        return;
    drm_memory_take(s, u->job, u->memory, is_alone ? NULL : out + u->image);
    u->job->outcome = GCNCHECK_DONE;
    u->job->reason[0] = '\0';
}

static u32 write_packets(struct drm_session *s, bool is_alone)
{
    struct drm_batch *b = &s->batch;
    struct drm_buffer *ib = &s->d.buffer[DRM_PACKETS];
    struct drm_packets p;
    u32 zero = 0;
    memcpy(s->d.buffer[DRM_OUT].bytes + DRM_RECORD_BYTES - sizeof zero, &zero, sizeof zero);
    drm_packets_start(&p, s, (u32 *)(void *)ib->bytes);
    for (u32 i = 0; i < b->count; i++)
        add_packets(s, &b->unit[i], is_alone, &p);
    drm_packets_end(&p, DRM_OUT_VA + DRM_RECORD_BYTES - sizeof zero, b->unit[b->count - 1].nonce);
    log_packets(s, p.to, p.dw);
    return p.dw;
}

u32 drm_batch_jobs(const struct drm_batch *b, struct gcncheck_job **job)
{
    u32 count = 0;
    for (u32 i = 0; i < b->count; i++)
        if (count == 0 || job[count - 1] != b->unit[i].job)
            job[count++] = b->unit[i].job;
    return count;
}

void drm_batch_empty(struct drm_session *s)
{
    struct drm_batch *b = &s->batch;
    b->count = b->code_dw = b->record_bytes = 0;
    b->memory = 0;
    b->is_closed = b->has_rest = false;
}

static enum status run_once(struct drm_session *s, bool *is_done, struct err *why)
{
    struct drm_batch *b = &s->batch;
    enum drm_end end = DRM_DONE;
    bool no_wait = drm_plant_is(s->plant, "no-wait"), is_alone = b->count == 1;
    drm_memory_clear(s, b->memory);
    for (u32 i = 0; i < b->count; i++)
        write_unit(s, &b->unit[i], is_alone);
    u32 dw = write_packets(s, is_alone), limit_ms = no_wait ? 0 : s->limit_ms;
    struct gcncheck_job *job[DRM_UNITS_MAX];
    u32 jobs = drm_batch_jobs(b, job);
    enum status st = drm_journal_begin(s->journal, job, jobs, why);
    if (st == ST_OK)
        st = drm_device_submit(&s->d, DRM_PACKET_VA, dw, limit_ms, &end, why);
    if (!drm_plant_is(s->plant, "journal-stays"))
        drm_journal_end(s->journal);
    *is_done = st == ST_OK && (end == DRM_DONE || no_wait) && check_records(s, why);
    for (u32 i = 0; i < b->count && *is_done; i++)
        read_unit(s, &b->unit[i], is_alone);
    return st;
}

/* Wrappers stay where they are from one submission to the next: damage of theirs would be in all answers,
 * so that it is looked for behind each, whatever has come back. */
static enum status run_sound(struct drm_session *s, bool *is_done, struct err *why)
{
    struct err damage = { .text = "" };
    enum status st = run_once(s, is_done, why);
    if (st != ST_OK || drm_code_mend(s, &damage))
        return st;
    fprintf(stderr, "drm: %s: %s; it is written again, and the submission repeated\n", s->d.node,
            damage.text);
    return run_once(s, is_done, why);
}

enum status drm_batch_run(struct drm_session *s, bool *is_done, struct err *why)
{
    struct drm_batch *b = &s->batch;
    *is_done = true;
    if (b->count == 0)
        return ST_OK;
    enum status st = run_sound(s, is_done, why);
    if (st != ST_OK || !*is_done || !b->has_rest)
        return st;
    struct gcncheck_job *job = b->unit[0].job;
    struct drm_needs rest = b->rest;
    bool is_full;
    drm_batch_empty(s);
    *is_done = add_unit(s, job, &rest, false, &is_full, why) == ST_OK;
    return *is_done ? run_sound(s, is_done, why) : ST_OK;
}
