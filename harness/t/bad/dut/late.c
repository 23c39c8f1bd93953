/* The example device, but it hangs on every vector instruction of the short encodings. */
#define gcncheck_dut(none) example_dut(none)
#include "harness/sdk/example_dut.c"
#undef gcncheck_dut

#include <unistd.h>

const struct gcncheck_dut *gcncheck_dut(void);

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
    static struct gcncheck_dut dut;
    dut = *example_dut();
    dut.name = "late";
    dut.run = run_late;
    return &dut;
}
