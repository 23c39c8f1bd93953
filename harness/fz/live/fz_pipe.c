/* Frames that a pipe DUT answers with: what it says of itself, and results of three jobs. The first
 * byte chooses which; the id that the answer must repeat is 1. */
#include "harness/dut/job.h"
#include "harness/dut/pipe_msg.h"
#include "harness/fz/fz.h"
#include "oracle/state/place.h"

enum { JOBS = 3, MEMORY = 64 };

static struct jobbuf *buf[JOBS];

void fz_open(void)
{
    for (u32 i = 0; i < JOBS; i++)
        if (!(buf[i] = jobbuf_new()))
            fz_broken("a job has memory", "none");
}

/* A job of `waves` waves with a window and LDS of its own, which asks for three places. */
static struct gcncheck_job make_job(struct jobbuf *jb, u32 waves)
{
    static const u32 code[] = { 0xbf810000 };
    jobbuf_reset(jb, "gfx900");
    job_code(jb, code, 1, 0x1000);
    for (u32 wave = 0; wave < waves; wave++) {
        job_set_defaults(jb, wave);
        job_get(jb, wave, PLACE_V0);
        job_get(jb, wave, 0);
        job_get(jb, wave, 1);
    }
    job_window(jb, 0x100000, MEMORY, NULL);
    job_lds(jb, MEMORY, NULL);
    struct gcncheck_job *job = job_ready(jb);
    if (!job)
        fz_broken("a job has memory", "none");
    job->waves = waves;
    return *job;
}

static bool answer(const u8 *data, size_t size)
{
    struct gcncheck_job job[JOBS];
    struct err e = { .text = "" };
    bool is_stale, any = false;
    for (u32 i = 0; i < JOBS; i++)
        job[i] = make_job(buf[i], i + 1);
    enum status st = pipe_unpack_run(data, size, 1, job, JOBS, &is_stale, &e);
    if (st != ST_OK)
        fz_check_message(&e);
    for (u32 i = 0; i < JOBS; i++) {
        if ((st == ST_OK) == (job[i].outcome == GCNCHECK_NOT_RUN))
            fz_broken("every job has an outcome, or none was touched", e.text);
        if (!memchr(job[i].reason, '\0', sizeof job[i].reason))
            fz_broken("a reason ends", "none");
        any |= job[i].outcome == GCNCHECK_DONE;
    }
    return any;
}

static bool hello(const u8 *data, size_t size)
{
    static struct dut d;
    struct err e = { .text = "" };
    memset(&d, 0, sizeof d);
    enum status st = pipe_unpack_hello(data, size, 1, &d, &e);
    if (st != ST_OK)
        fz_check_message(&e);
    return st == ST_OK;
}

bool fz_one(const u8 *data, size_t size)
{
    if (size < 1)
        return false;
    return data[0] & 1 ? answer(data + 1, size - 1) : hello(data + 1, size - 1);
}
