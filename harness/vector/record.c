#include "harness/vector/record.h"

#include "oracle/state/place.h"

#include <stdlib.h>

enum { BATCH = 64 };

struct waiting {
    u8 *bytes;
    size_t size;
    struct gcncheck_vector v;
    const char *refused; /* why it is not run; NULL: it is */
    struct jobbuf *jb;
};

struct recorder {
    struct dut *d;
    char mcpu[32];
    bool can[GCNCHECK_PLACES]; /* be shown, from a value that is known */
    struct vector_build *b;
    u32 count;
    struct waiting waiting[BATCH];
    struct gcncheck_job job[BATCH];
};

enum status record_open(struct recorder **out, const char *mcpu, struct dut *d, struct err *e)
{
    struct recorder *rec = calloc(1, sizeof *rec);
    bool is_ok = rec != NULL && (rec->b = vector_build_new()) != NULL;
    for (u32 i = 0; is_ok && i < BATCH; i++)
        is_ok = (rec->waiting[i].jb = jobbuf_new()) != NULL;
    if (!is_ok) {
        record_close(rec);
        return err_memory(e);
    }
    rec->d = d;
    snprintf(rec->mcpu, sizeof rec->mcpu, "%s", mcpu);
    for (u32 place = 0; place < GCNCHECK_PLACES; place++)
        rec->can[place] = dut_can(d, place) == GCNCHECK_SHOW_SET ||
                          (place >= PLACE_STATUS && dut_can(d, place) != GCNCHECK_NO);
    *out = rec;
    return ST_OK;
}

void record_close(struct recorder *rec)
{
    if (!rec)
        return;
    for (u32 i = 0; i < BATCH; i++) {
        gcncheck_vector_free(&rec->waiting[i].v);
        free(rec->waiting[i].bytes);
        jobbuf_free(rec->waiting[i].jb);
    }
    vector_build_free(rec->b);
    free(rec);
}

/* Whether a vector gives this value to a place of which it knows nothing, as harness/run/job.c does: a
 * device that cannot set the place may run it all the same. */
static bool is_usual(const struct dut *d, u32 place, u32 value)
{
    switch (place) {
    case GCNCHECK_EXEC_LO:
    case GCNCHECK_EXEC_HI: return value == ~0u;
    case GCNCHECK_MODE: return value == dut_mode(d, MODE_DEFAULT);
    case GCNCHECK_SCC: return value == 0;
    case GCNCHECK_M0: return value == ~0u || value == gcncheck_poison(1, place, 0);
    case GCNCHECK_VCC_LO:
    case GCNCHECK_VCC_HI: return value == gcncheck_poison(1, place, 0);
    case GCNCHECK_TRAPSTS: return true;
    default: return false;
    }
}

/* Why the device cannot run the vector, or NULL. */
static const char *refusal(const struct recorder *rec, const struct gcncheck_vector *v)
{
    if (!v->code.count)
        return "code that an assembler must refuse";
    for (u32 i = 0; i < v->set_count; i++) {
        u32 place = v->set[i].place;
        if (dut_can(rec->d, place) != GCNCHECK_SHOW_SET &&
            !is_usual(rec->d, place, gcncheck_dword(&v->set[i].value, 0)))
            return place == GCNCHECK_MODE ? "needs another MODE" : "cannot set a register";
    }
    return NULL;
}

static enum status finish_one(struct recorder *rec, struct waiting *w, struct gcncheck_job *job,
                              recorded_fn *fn, void *ctx, struct err *e)
{
    struct vector_record r = { .bytes = w->bytes, .size = w->size };
    struct gcncheck_job none = { .size = sizeof none };
    if (w->refused) {
        dut_answer(&none, OUT_UNSUPPORTED, "%s", w->refused);
        job = &none;
    }
    enum status st = vector_answer(rec->b, &w->v, job, rec->can, &r, e);
    return st == ST_OK ? fn(ctx, &r, &w->v, e) : st;
}

enum status record_flush(struct recorder *rec, recorded_fn *fn, void *ctx, struct err *e)
{
    u32 jobs = 0, at = 0;
    enum status st = ST_OK;
    for (u32 i = 0; i < rec->count && st == ST_OK; i++) {
        struct waiting *w = &rec->waiting[i];
        w->refused = refusal(rec, &w->v);
        if (w->refused)
            continue;
        const struct gcncheck_job *job = vector_job(&w->v, rec->mcpu, rec->can, w->jb);
        if (job)
            rec->job[jobs++] = *job;
        else
            st = err_memory(e);
    }
    if (st == ST_OK)
        st = dut_run(rec->d, rec->job, jobs, e);
    for (u32 i = 0; i < rec->count && st == ST_OK; i++) {
        struct waiting *w = &rec->waiting[i];
        st = finish_one(rec, w, w->refused ? NULL : &rec->job[at], fn, ctx, e);
        at += w->refused == NULL;
    }
    for (u32 i = 0; i < rec->count; i++) {
        gcncheck_vector_free(&rec->waiting[i].v);
        free(rec->waiting[i].bytes);
        rec->waiting[i].bytes = NULL;
    }
    rec->count = 0;
    return st;
}

enum status record_add(struct recorder *rec, const struct vector_record *r, recorded_fn *fn,
                       void *ctx, struct err *e)
{
    struct waiting *w = &rec->waiting[rec->count];
    w->bytes = malloc(r->size + 1);
    if (!w->bytes)
        return err_memory(e);
    memcpy(w->bytes, r->bytes, r->size);
    w->size = r->size;
    if (!gcncheck_vector_parse(&w->v, w->bytes, w->size)) {
        if (!w->v.is_short)
            BUG("a vector that was read before");
        gcncheck_vector_free(&w->v);
        free(w->bytes);
        w->bytes = NULL;
        return err_memory(e);
    }
    return ++rec->count == BATCH ? record_flush(rec, fn, ctx, e) : ST_OK;
}
