/* Speaks another ABI. */
#include "harness/sdk/gcncheck_dut.h"

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    (void)jobs;
    return (int)count;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = { sizeof dut, 99, "abi", "0", 0, run };
    return &dut;
}
