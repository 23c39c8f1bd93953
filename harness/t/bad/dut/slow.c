/* Never gets out of can(). */
#include "harness/sdk/gcncheck_dut.h"

#include <unistd.h>

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    (void)jobs;
    return (int)count;
}

static int can(const char *mcpu, uint32_t place)
{
    (void)mcpu;
    (void)place;
    while (pause() < 0)
        ;
    return GCNCHECK_NO;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = { sizeof dut, GCNCHECK_DUT_ABI, "slow", "0", can, run };
    return &dut;
}
