/* The example device, right, but without s_nop; and it claims registers that gfx900 does not have,
 * with something of its own in them. */
#include "harness/t/bad/dut/example.h"

static int has_nop(const struct gcncheck_job *job)
{
    for (uint32_t at = 0; at < job->code_dw; at++)
        if (job->code[at] >> 16 == 0xbf80)
            return 1;
    return 0;
}

static int can_bare(const char *mcpu, uint32_t place)
{
    return place == GCNCHECK_A0 ? GCNCHECK_SHOW_SET : can(mcpu, place);
}

static int run_bare(struct gcncheck_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct gcncheck_job *job = &jobs[i];
        if (has_nop(job)) {
            job->outcome = GCNCHECK_UNSUPPORTED;
            strcpy(job->reason, "s_nop");
            continue;
        }
        run_job(job);
        for (uint32_t k = 0; k < job->get_count; k++)
            if (job->get[k].place >= GCNCHECK_A0 && job->get[k].place < GCNCHECK_SCC)
                memset(job->out + job->get[k].index, 0x5a, 256);
    }
    return 0;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    struct gcncheck_dut *dut = example_as("bare", run_bare);
    dut->can = can_bare;
    return dut;
}
