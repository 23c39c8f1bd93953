/* The example device, but v_xor_b32 in its short form crashes it and v_and_b32 hangs it. */
#include "harness/t/bad/dut/example.h"

#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

static void look(const struct gcncheck_job *job)
{
    for (uint32_t at = 0; at < job->code_dw; at++) {
        uint32_t dword = job->code[at], src0 = dword & 0x1ff;
        if (dword >> 31 == 0 && (src0 == 249 || src0 == 250)) { /* SDWA, DPP */
            at++;
            continue;
        }
        if (dword >> 25 == 0x15)
            raise(SIGSEGV);
        while (dword >> 25 == 0x13)
            pause();
        bool is_two = dword >> 30 == 3 && dword >> 26 != 0x35; /* all but VINTRP */
        at += is_two || takes_literal(dword);
    }
}

static int run_fatal(struct gcncheck_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        look(&jobs[i]);
        run_job(&jobs[i]);
    }
    return 0;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    return example_as("fatal", run_fatal);
}
