/* Supports nothing, but at an SDWA instruction it does what BAD_SDWA says: crash, hang or
 * nonsense. */
#include "harness/sdk/gcncheck_dut.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void misbehave(struct gcncheck_job *job)
{
    const char *how = getenv("BAD_SDWA");
    if (how && strcmp(how, "crash") == 0)
        abort();
    if (how && strcmp(how, "hang") == 0)
        for (;;)
            pause();
    job->outcome = 77;
}

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        jobs[i].outcome = GCNCHECK_UNSUPPORTED;
        strcpy(jobs[i].reason, "everything");
        if ((jobs[i].code[0] & 511) == 249)
            misbehave(&jobs[i]);
    }
    return 0;
}

static const struct gcncheck_dut dut = { sizeof dut, GCNCHECK_DUT_ABI, "sdwa", "1", NULL, run };

const struct gcncheck_dut *gcncheck_dut(void)
{
    return &dut;
}
