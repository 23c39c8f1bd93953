/* What a device made of a job, held beside what the model did: what counts as equal, differences. */
#include "harness/check/internal.h"

/* ---- jobs ---- */

void compare_copy_memory(const struct gcncheck_job *start, struct jobbuf *dst)
{
    for (u32 i = 0; i < start->window_count; i++) {
        const struct gcncheck_window *w = &start->windows[i];
        job_window(dst, w->address, w->size, w->bytes);
    }
    if (start->lds_size)
        job_lds(dst, start->lds_size, start->lds);
}

void compare_copy(struct jobbuf *dst, const struct gcncheck_job *start)
{
    jobbuf_reset(dst, start->mcpu);
    job_code(dst, start->code, start->code_dw, start->pc);
    for (u32 i = 0; i < start->set_count; i++) {
        const struct gcncheck_slot *s = &start->set[i];
        memcpy(job_set(dst, s->wave, s->place), start->values + s->index,
               GCNCHECK_PLACE_DW(s->place) * sizeof(u32));
    }
    compare_copy_memory(start, dst);
}

/* Carries over what job_ready does not know of. */
struct gcncheck_job *compare_ready(struct jobbuf *jb, const struct gcncheck_job *start)
{
    return job_ready_with(jb, start->waves, start->max_steps, start->poison);
}

/* ---- results that two right implementations may disagree on ---- */

/* What was read back of a place and lane; false if it was not. */
static bool read_back(const struct gcncheck_job *job, u32 wave, u32 place, u32 lane, u32 *value)
{
    for (u32 i = 0; i < job->get_count; i++) {
        const struct gcncheck_slot *s = &job->get[i];
        if (s->wave != wave || s->place != place)
            continue;
        *value = job->out[s->index + lane];
        return true;
    }
    return false;
}

/* The whole vector result, of one register or two. A half that was not read back counts as right. */
static bool is_right_vector(const struct acceptance_at *l, const struct gcncheck_job *want,
                            const struct gcncheck_job *got, u32 lane)
{
    u64 w = 0, g = 0;
    for (u32 i = 0; i < l->dw[0]; i++) {
        u32 a = 0, b = 0;
        if (read_back(want, 0, l->vector + i, lane, &a) &&
            read_back(got, 0, l->vector + i, lane, &b)) {
            w |= (u64)a << i * 32;
            g |= (u64)b << i * 32;
        }
    }
    return acceptance_takes(&l->acceptance, lane, w, g);
}

static bool is_tolerated(const struct pending *p, const struct gcncheck_job *got_job, u32 place,
                         u32 lane, u32 want, u32 got)
{
    const struct acceptance_at *l = &p->acceptance;
    const struct acceptance *acceptance = &l->acceptance;
    if (!l->is_single)
        return false;
    if (l->vector && place >= l->vector && place < l->vector + l->dw[0]) {
        u32 open = acceptance_open_bits(acceptance, lane, place - l->vector);
        return ((want ^ got) & ~open) == 0 ||
               (l->dw[0] <= 2 && is_right_vector(l, p->want, got_job, lane));
    }
    if (acceptance->mask_lanes && (place == l->mask || place == l->mask + 1u)) {
        u32 bits = (u32)(place == l->mask ? acceptance->mask_lanes : acceptance->mask_lanes >> 32);
        return ((want ^ got) & ~bits) == 0;
    }
    return acceptance->scalar && place >= l->scalar && place < l->scalar + l->dw[1];
}

bool compare_accepts(const struct compare *c, const struct pending *p,
                     const struct gcncheck_job *got_job, const struct gcncheck_slot *slot, u32 lane,
                     u32 want, u32 got)
{
    return !c->cfg.exact && is_tolerated(p, got_job, slot->place, lane, want, got);
}

/* ---- differences ---- */

/* A subject whose two results are being compared. */
struct judging {
    struct compare *c;
    struct subject *s;
    const struct pending *p;
    const struct gcncheck_job *want, *got;
    u32 place;       /* of the memory at hand: PLACE_MEM, PLACE_LDS */
    u64 address;     /* of its first byte */
    u64 size;        /* bytes */
    const u8 *start; /* what it held before the program */
};

static void on_lane(void *arg, const struct gcncheck_slot *slot, u32 lane, u32 want, u32 got)
{
    const struct judging *g = arg;
    struct subject *s = g->s;
    enum diff_what what = judge_what_of(slot->place);
    if (s->marker && slot->place == s->marker)
        what = DIFF_PC;
    else if (!judge_has(&g->p->announced, slot->place))
        what = DIFF_STRAY_REGISTER;
    if (compare_accepts(g->c, g->p, g->got, slot, lane, want, got)) {
        s->j.tolerated = true;
        return;
    }
    judge_add_diff(&s->j,
                   &(struct diff){ .what = (u8)what,
                                   .lane = (u8)lane,
                                   .wave = slot->wave,
                                   .place = slot->place,
                                   .start = job_initial(g->want, slot->wave, slot->place, lane),
                                   .want = want,
                                   .got = got });
}

/* Whether the model writes any of the four bytes at `addr`. Asked only when something differs
 * there: the model runs the program again and its log is searched. */
static bool is_written(struct compare *c, const struct subject *s, u32 place, u64 addr)
{
    struct jobbuf *jb = jobbuf_new();
    struct err e;
    u32 who;
    bool found = false;
    if (!jb)
        return true;
    compare_copy(jb, s->start);
    const struct gcncheck_job *again = compare_ready(jb, s->start);
    found = !again; /* without memory for a proof nothing is called unannounced */
    if (again && model_start(c->ref, again, &e) == ST_OK) {
        machine_run(c->ref->m, s->start->max_steps, &who);
        const struct wlog *log = &c->ref->m->log;
        for (u32 i = 0; i < log->count && !found; i++) {
            const struct wlog_entry *w = &log->entry[i];
            found = w->place == place && w->addr < addr + 4 && addr < w->addr + w->size;
        }
        found = found || log->full;
    }
    jobbuf_free(jb);
    return found;
}

static void on_dword(void *arg, u64 at, u32 want, u32 got)
{
    const struct judging *g = arg;
    struct subject *s = g->s;
    enum diff_what what = g->place == PLACE_LDS ? DIFF_LDS : DIFF_MEMORY;
    if (s->j.diff_count < DIFFS_MAX && !is_written(g->c, s, g->place, g->address + at))
        what = DIFF_STRAY_MEMORY;
    judge_add_diff(&s->j, &(struct diff){ .what = (u8)what,
                                          .place = (u16)g->place,
                                          .addr = g->address + at,
                                          .start = judge_dword(g->start, g->size, at),
                                          .want = want,
                                          .got = got });
}

static void judge_memory(struct judging *g)
{
    const struct gcncheck_job *start = g->s->start, *want = g->want, *got = g->got;
    g->place = PLACE_MEM;
    for (u32 i = 0; i < start->window_count; i++) {
        g->address = start->windows[i].address;
        g->size = start->windows[i].size;
        g->start = start->windows[i].bytes;
        judge_bytes(want->windows[i].bytes, got->windows[i].bytes, g->size, on_dword, g);
    }
    g->place = PLACE_LDS;
    g->address = 0;
    g->size = start->lds_size;
    g->start = start->lds;
    judge_bytes(want->lds, got->lds, g->size, on_dword, g);
}

void compare_judge(struct compare *c, const struct pending *p, const struct gcncheck_job *got)
{
    struct subject *s = p->subject;
    const struct gcncheck_job *want = p->want;
    s->j.outcome = (u8)got->outcome;
    memcpy(s->j.reason, got->reason, sizeof s->j.reason);
    if (got->outcome == OUT_NOT_RUN) {
        s->j.verdict = JUDGED_INVALID;
        return;
    }
    if (got->outcome != OUT_DONE) {
        s->j.verdict = got->outcome == OUT_UNSUPPORTED ? JUDGED_UNSUPPORTED : JUDGED_WRONG;
        s->j.what = s->j.verdict == JUDGED_WRONG ? DIFF_OUTCOME : DIFF_NONE;
        return;
    }
    s->j.verdict = JUDGED_RIGHT;
    struct judging g = { .c = c, .s = s, .p = p, .want = want, .got = got };
    for (u32 i = 0; i < want->get_count; i++)
        judge_register(&want->get[i], want->out + want->get[i].index, got->out + want->get[i].index,
                       on_lane, &g);
    judge_memory(&g);
}
