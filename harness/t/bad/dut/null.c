/* Answers nothing. */
#include "harness/sdk/gcncheck_dut.h"

const struct gcncheck_dut *gcncheck_dut(void)
{
    return 0;
}
