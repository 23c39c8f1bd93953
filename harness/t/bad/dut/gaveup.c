/* The example device, but its run() gives up, as BAD_GAVEUP says: "all" of its jobs, "silent": it
 * returns 0 without having answered, "rest": everything but programs of s_endpgm alone, "long":
 * every program of more than 60 dwords. */
#include "harness/t/bad/dut/example.h"

static int run_gaveup(struct gcncheck_job *jobs, uint32_t count)
{
    const char *what = getenv("BAD_GAVEUP");
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(what, "silent") == 0)
            continue;
        if (strcmp(what, "all") == 0 ||
            (strcmp(what, "rest") == 0 && jobs[i].code[0] != 0xbf810000) ||
            (strcmp(what, "long") == 0 && jobs[i].code_dw > 60))
            return 7;
        run_job(&jobs[i]);
    }
    return 0;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    return example_as("gaveup", run_gaveup);
}
