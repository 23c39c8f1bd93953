/* Jobs on the device, many to a submission. Where one goes wrong, each of its jobs is submitted
 * again by itself, so that the guilty one is found and the others are answered. */
#include "harness/drm/internal.h"

static enum status run_alone(struct drm_session *s, struct gcncheck_job *job, struct err *e)
{
    struct err why = { .text = "" };
    bool is_full, is_done;
    drm_batch_empty(s);
    drm_batch_add(s, job, &is_full);
    if (is_full)
        BUG("no room in an empty batch");
    enum status st = drm_batch_run(s, &is_done, &why);
    drm_batch_empty(s);
    if (st != ST_OK)
        *e = why;
    else if (!is_done)
        drm_answer(job, GCNCHECK_FAULT, "%.60s", why.text);
    return st;
}

/* Runs what has been collected. */
static enum status flush(struct drm_session *s, struct err *e)
{
    struct gcncheck_job *job[DRM_UNITS_MAX];
    struct err why = { .text = "" };
    bool is_done;
    u32 count = drm_batch_jobs(&s->batch, job);
    enum status st = drm_batch_run(s, &is_done, &why);
    if (st != ST_OK)
        *e = why;
    if (st == ST_OK && !is_done && count == 1)
        drm_answer(job[0], GCNCHECK_FAULT, "%.60s", why.text);
    drm_batch_empty(s);
    for (u32 i = 0; i < count && count > 1 && !is_done && st == ST_OK; i++)
        st = run_alone(s, job[i], e);
    return st;
}

enum status drm_run(struct drm_session *s, struct gcncheck_job *jobs, u32 count, struct err *e)
{
    enum status st = ST_OK;
    for (u32 i = 0; i < count && st == ST_OK; i++) {
        bool is_full;
        drm_batch_add(s, &jobs[i], &is_full);
        if (!is_full)
            continue;
        st = flush(s, e);
        i--;
    }
    return st == ST_OK ? flush(s, e) : st;
}
