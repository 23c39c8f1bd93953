/* Crashes while it is loaded. */
#include "harness/sdk/gcncheck_dut.h"

#include <stdlib.h>

__attribute__((constructor)) static void on_load(void)
{
    abort();
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    return 0;
}
