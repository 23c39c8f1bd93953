/* Proper, but exports functions with the names of gcncheck's own: its calls must reach its own. */
#include "harness/sdk/gcncheck_dut.h"

int dut_can(uint32_t x);
int dut_run(uint32_t x);
int dut_can(uint32_t x)
{
    return (int)x;
}
int dut_run(uint32_t x)
{
    return dut_can(x) + 1;
}

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        jobs[i].out[0] = (uint32_t)dut_run((uint32_t)jobs[i].pc);
        jobs[i].outcome = GCNCHECK_DONE;
    }
    return 0;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = { sizeof dut, GCNCHECK_DUT_ABI, "collide", "0", 0, run };
    return &dut;
}
