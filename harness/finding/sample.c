/* Running samples. */
#include "harness/finding/sample.h"

#include "oracle/base/hash.h"

/* Part by part, as stream_job.c does with a stream: a job keeps the same in other structs. */
void sample_copy(struct jobbuf *dst, const struct gcncheck_job *job)
{
    jobbuf_reset(dst, job->mcpu);
    job_code(dst, job->code, job->code_dw, job->pc);
    for (u32 i = 0; i < job->set_count; i++)
        memcpy(job_set(dst, job->set[i].wave, job->set[i].place), job->values + job->set[i].index,
               GCNCHECK_PLACE_DW(job->set[i].place) * sizeof(u32));
    for (u32 i = 0; i < job->window_count; i++)
        job_window(dst, job->windows[i].address, job->windows[i].size, job->windows[i].bytes);
    if (job->lds_size)
        job_lds(dst, job->lds_size, job->lds);
}

struct gcncheck_job *sample_ready(struct jobbuf *dst, const struct gcncheck_job *job)
{
    return job_ready_with(dst, job->waves, job->max_steps, job->poison);
}

static u64 hash_dwords(u64 h, const u32 *dw, u32 n)
{
    for (u32 i = 0; i < n; i++)
        h = hash_mix(h, dw[i]);
    return h;
}

static u64 hash_bytes(u64 h, const u8 *bytes, u64 n)
{
    for (u64 i = 0; i < n; i += 8) {
        u64 v = 0;
        memcpy(&v, bytes + i, n - i < 8 ? n - i : 8);
        h = hash_mix(h, v);
    }
    return h;
}

static u64 hash_results(const struct gcncheck_job *j)
{
    if (j->outcome != GCNCHECK_DONE)
        return 0;
    u64 h = hash_dwords(1, j->out, dut_slots_dw(j->get, j->get_count));
    for (u32 i = 0; i < j->window_count; i++)
        h = hash_bytes(h, j->windows[i].bytes, j->windows[i].size);
    return hash_bytes(h, j->lds, j->lds_size) | 1;
}

enum { RUN_AT_ONCE = 32 };

enum status sample_run(struct dut *d, const struct samples *s, u32 first, u32 n, u64 *hash,
                       struct err *e)
{
    struct jobbuf *jb[RUN_AT_ONCE] = { NULL };
    struct gcncheck_job job[RUN_AT_ONCE];
    enum status st = ST_OK;
    for (u32 i = 0; i < RUN_AT_ONCE && i < n && st == ST_OK; i++)
        st = (jb[i] = jobbuf_new()) ? ST_OK : err_memory(e);
    for (u32 done = 0; done < n && st == ST_OK; done += RUN_AT_ONCE) {
        u32 count = n - done < RUN_AT_ONCE ? n - done : RUN_AT_ONCE;
        for (u32 i = 0; i < count && st == ST_OK; i++) {
            const struct gcncheck_job *start = s->sample[first + done + i].job;
            sample_copy(jb[i], start);
            for (u32 k = 0; k < start->get_count; k++)
                job_get(jb[i], start->get[k].wave, start->get[k].place);
            struct gcncheck_job *j = sample_ready(jb[i], start);
            st = j ? ST_OK : err_memory(e);
            if (j)
                job[i] = *j;
        }
        if (st == ST_OK)
            st = dut_run(d, job, count, e);
        for (u32 i = 0; i < count && st == ST_OK; i++)
            hash[done + i] = hash_results(&job[i]);
    }
    for (u32 i = 0; i < RUN_AT_ONCE; i++)
        jobbuf_free(jb[i]);
    return st;
}
