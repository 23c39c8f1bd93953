/* The example device, right but where three things meet: v_sub_u32 in VOP3, with clamp, whose first source
 * is a scalar register that starts with 0xa5c36e in its upper three bytes. Of random values one in
 * sixteen millions is that; each branch on the way is one that a fuzzer led by coverage can see. */
#include "harness/t/bad/dut/example.h"

static int (*example_run)(struct gcncheck_job *, uint32_t);

static const uint32_t *start_of(const struct gcncheck_job *job, uint32_t place)
{
    for (uint32_t i = 0; i < job->set_count; i++)
        if (job->set[i].wave == 0 && job->set[i].place == place)
            return &job->values[job->set[i].index];
    return NULL;
}

static int is_met(uint32_t v)
{
    if (v >> 28 != 0xa)
        return 0;
    if ((v >> 24 & 15) != 0x5)
        return 0;
    if ((v >> 20 & 15) != 0xc)
        return 0;
    if ((v >> 16 & 15) != 0x3)
        return 0;
    if ((v >> 12 & 15) != 0x6)
        return 0;
    return (v >> 8 & 15) == 0xe;
}

static void err(struct gcncheck_job *job, uint32_t reg)
{
    for (uint32_t i = 0; i < job->get_count; i++)
        if (job->get[i].place == GCNCHECK_V0 + reg && job->get[i].wave == 0)
            for (uint32_t lane = 0; lane < 64; lane++)
                job->out[job->get[i].index + lane] ^= 1;
}

static void look(struct gcncheck_job *job)
{
    for (uint32_t i = 0; i + 1 < job->code_dw; i++) {
        uint32_t first = job->code[i], second = job->code[i + 1];
        if (first >> 16 != 0xd135) /* v_sub_u32 */
            continue;
        if (!(first >> 15 & 1)) /* clamp */
            continue;
        if ((second & 0x1ff) >= 102) /* a scalar register */
            continue;
        const uint32_t *v = start_of(job, second & 0x1ff);
        if (v && is_met(*v))
            err(job, first & 0xff);
    }
}

static int run_deep(struct gcncheck_job *jobs, uint32_t count)
{
    int code = example_run(jobs, count);
    for (uint32_t i = 0; i < count; i++)
        if (jobs[i].outcome == GCNCHECK_DONE)
            look(&jobs[i]);
    return code;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    struct gcncheck_dut *dut = example_as("deep", run_deep);
    example_run = example_dut()->run;
    memset(bug_is_on, 0, sizeof bug_is_on);
    return dut;
}
