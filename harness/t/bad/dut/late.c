/* The example device, but it hangs on every vector instruction of the short encodings. */
#include "harness/t/bad/dut/example.h"

#include <unistd.h>

static int run_late(struct gcncheck_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        while (jobs[i].code[0] >> 31 == 0)
            pause();
        run_job(&jobs[i]);
    }
    return 0;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    return example_as("late", run_late);
}
