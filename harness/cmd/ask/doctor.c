/* gcncheck doctor: what this machine has of what gcncheck can use, and what is lost without it. */
#include "harness/cmd/ask/doctor_card.h"
#include "harness/cmd/base/cmd.h"
#include "harness/io/shell.h"
#include "harness/vgpu/under.h"
#include "oracle/exec/exec.h"

#include <stdio.h>

static void line(bool have, const char *what, const char *detail)
{
    printf("%-4s %-22s %s\n", have ? "ok" : "--", what, detail);
}

static void check_processors(void)
{
    static struct isa isa;
    struct err e;
    char text[96];
    for (u32 i = 0; isa_target_at(i); i++) {
        u32 all, modelled;
        if (isa_open(&isa, isa_target_at(i)->mcpu, &e) != ST_OK)
            BUG("a listed processor");
        isa_count(&isa, &all, &modelled);
        if (isa_target_modelled(isa.target))
            snprintf(text, sizeof text, "%s, %u of %u opcodes modelled", isa.target->mcpu, modelled,
                     all);
        else
            snprintf(text, sizeof text, "%s, %u opcodes described", isa.target->mcpu, all);
        line(true, "processor", text);
    }
}

/* The host engine has rows of its own only where the CPU allows it. */
static void check_engines(void)
{
    static struct engine ref, host;
    struct err e;
    u32 rows = 0, own = 0;
    char text[96];
    if (engine_open(&ref, "ref", &e) != ST_OK || engine_open(&host, "host", &e) != ST_OK)
        BUG("engines");
    for (u32 op = 0; op < isa_op_count; op++) {
        rows += ref.sem[op] != NULL;
        own += ref.sem[op] != host.sem[op];
    }
    line(true, "engine ref", "integers only");
    if (own)
        snprintf(text, sizeof text, "%u of %u modelled rows on this CPU's AVX2 and FMA", own, rows);
    else
        snprintf(text, sizeof text, "no AVX2 and FMA here: the same as ref, float rows are slower");
    line(own > 0, "engine host", text);
}

static void check_gpu(void)
{
    char path[VGPU_PATH];
    bool have = vgpu_under_library("gcncheck-drm", path);
    doctor_card(line);
    line(have, "libdrm_amdgpu",
         have ? "--dut drm, --dut vgpu:CHIP, gcncheck vgpu"
              : "not there when this was built: no --dut drm, no virtual GPU (Debian: libdrm-dev)");
}

int cmd_doctor(struct opts *o)
{
    static const struct {
        const char *program, *use;
    } tools[] = {
        { "llvm-mc-19",
          "scripts/xcheck/xcheck-llvm.sh compares assembler and disassembler with it" },
        { "clang-19", "compiles kernels for gcncheck launch" },
        { "prove", "scripts/run/run-tests.sh counts test points with its library" },
        { "python3", "scripts/mutate/mutate.py and the pipe example" },
        { "afl-fuzz", "coverage-guided fuzzing of the parsers" },
    };
    char cases[CMD_CASES_PATH], path[SHELL_PATH];
    bool has_cases = cmd_own_cases(cases);
    (void)o;
    printf("gcncheck " GCNCHECK_VERSION "\n");
    line(has_cases, "cases",
         has_cases ? cases : "none: gcncheck run and export have to be told which");
    check_processors();
    check_engines();
    check_gpu();
    for (size_t i = 0; i < COUNT_OF(tools); i++)
        line(shell_program(tools[i].program, path), tools[i].program, tools[i].use);
    return EXIT_CLEAN;
}
