/* Answers can() with no enum gcncheck_can. */
#include "harness/sdk/gcncheck_dut.h"

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    (void)jobs;
    return (int)count;
}

static int can(const char *mcpu, uint32_t place)
{
    (void)mcpu;
    return place == GCNCHECK_M0 ? 7 : GCNCHECK_NO;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = { sizeof dut, GCNCHECK_DUT_ABI, "can", "0", can, run };
    return &dut;
}
