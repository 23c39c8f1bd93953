/* Needs a function that nobody has. */
#include "harness/sdk/gcncheck_dut.h"

int nobody_has_this(void);

const struct gcncheck_dut *gcncheck_dut(void)
{
    static struct gcncheck_dut dut;
    dut.size = (uint32_t)nobody_has_this();
    return &dut;
}
