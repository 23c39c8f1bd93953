/* A shared object without gcncheck_dut. */
#include "harness/sdk/gcncheck_dut.h"

int gcncheck_dud(void);
int gcncheck_dud(void)
{
    return 0;
}
