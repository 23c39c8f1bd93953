#include "harness/finding/stream_job.h"

/* A stream's places are the job's, at once: the structs are alike. */
static void set_places(struct jobbuf *jb, const struct stream *s)
{
    struct gcncheck_slot slot[STREAM_SETS_MAX];
    for (u32 i = 0; i < s->set_count; i++)
        slot[i] = (struct gcncheck_slot){ s->set[i].wave, s->set[i].place, s->set[i].at };
    job_set_all(jb, slot, s->set_count, s->values, s->value_dw);
}

struct gcncheck_job *stream_job_build(const struct stream *s, struct jobbuf *jb)
{
    jobbuf_reset(jb, s->mcpu);
    job_code(jb, s->code, s->code_dw, s->pc);
    set_places(jb, s);
    for (u32 wave = 0; wave < s->waves; wave++)
        job_set_defaults(jb, wave);
    for (u32 i = 0; i < s->window_count; i++)
        job_window(jb, s->window[i].address, s->window[i].size, s->window[i].bytes);
    if (s->lds_size)
        job_lds(jb, s->lds_size, s->lds);
    return job_ready_with(jb, s->waves, s->max_steps, s->poison);
}

static enum status check_sizes(const struct gcncheck_job *job, struct err *e)
{
    if (job->code_dw > STREAM_DW_MAX || job->waves > STREAM_WAVES_MAX ||
        job->set_count > STREAM_SETS_MAX || job->window_count > STREAM_WINDOWS_MAX ||
        job->lds_size > STREAM_LDS_MAX)
        return err_set(e, ST_INPUT, "the job is too large for a stream");
    for (u32 i = 0; i < job->window_count; i++)
        if (job->windows[i].size > STREAM_WINDOW_MAX)
            return err_set(e, ST_INPUT, "a memory window of the job is too large for a stream");
    return ST_OK;
}

enum status stream_job_read(const struct gcncheck_job *job, struct stream *s, struct err *e)
{
    enum status st = check_sizes(job, e);
    if (st != ST_OK)
        return st;
    s->mcpu = job->mcpu;
    s->seed = s->number = 0;
    s->focus = 0;
    s->features = 0;
    s->waves = (u16)job->waves;
    s->max_steps = job->max_steps;
    s->pc = job->pc;
    s->poison = job->poison;
    s->code_dw = job->code_dw;
    memcpy(s->code, job->code, job->code_dw * sizeof *s->code);
    s->set_count = s->value_dw = 0;
    for (u32 i = 0; i < job->set_count; i++) {
        u32 n = GCNCHECK_PLACE_DW(job->set[i].place);
        if (s->value_dw + n > STREAM_VALUES_MAX)
            return err_set(e, ST_INPUT, "the job sets more than a stream can");
        s->set[s->set_count++] =
            (struct stream_set){ job->set[i].wave, job->set[i].place, s->value_dw };
        memcpy(s->values + s->value_dw, job->values + job->set[i].index, n * sizeof(u32));
        s->value_dw += n;
    }
    s->window_count = job->window_count;
    for (u32 i = 0; i < job->window_count; i++) {
        s->window[i].address = job->windows[i].address;
        s->window[i].size = (u32)job->windows[i].size;
        s->window[i].read_only = false;
        memcpy(s->window[i].bytes, job->windows[i].bytes, job->windows[i].size);
    }
    s->lds_size = job->lds_size;
    if (job->lds_size)
        memcpy(s->lds, job->lds, job->lds_size);
    return ST_OK;
}
