/* Has no run(). */
#include "harness/sdk/gcncheck_dut.h"

const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = { sizeof dut, GCNCHECK_DUT_ABI, "norun", "0", 0, 0 };
    return &dut;
}
