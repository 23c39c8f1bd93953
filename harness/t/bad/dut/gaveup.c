/* The example device, but its run() gives up, as BAD_GAVEUP says: "all" of its jobs, "silent": it
 * returns 0 without having answered, "rest": everything but programs of s_endpgm alone, "long":
 * every program of more than 60 dwords. */
#define gcncheck_dut(none) example_dut(none)
#include "harness/sdk/example_dut.c"
#undef gcncheck_dut

const struct gcncheck_dut *gcncheck_dut(void);

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
    static struct gcncheck_dut dut;
    dut = *example_dut();
    dut.name = "gaveup";
    dut.run = run_gaveup;
    return &dut;
}
