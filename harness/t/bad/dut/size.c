/* Was built against a shorter struct. */
#include "harness/sdk/gcncheck_dut.h"

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    (void)jobs;
    return (int)count;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = { 16, GCNCHECK_DUT_ABI, "size", "0", 0, run };
    return &dut;
}
