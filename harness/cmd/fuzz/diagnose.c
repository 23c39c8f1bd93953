/* gcncheck diagnose: what a finding is like. */
#include "harness/finding/diagnose.h"
#include "harness/cmd/base/cmd.h"
#include "harness/cmd/base/findings.h"

#include <stdlib.h>

static int say(const struct opts *o, const struct finding *f, const char *missing)
{
    printf("%s:%s\n", f->id, f->like[0] || f->fails[0] ? "" : " nothing was found");
    if (f->like[0])
        printf("  like:   %s\n", f->like);
    if (f->fails[0])
        printf("  fails:  %s\n", f->fails);
    if (missing[0] && !o->quiet)
        fprintf(stderr, "gcncheck: mutants were not tried: %s\n", missing);
    return EXIT_CLEAN;
}

int cmd_diagnose_one(const struct opts *o, const char *folder)
{
    struct finding *f = NULL;
    struct executor x = { 0 };
    struct err e = { .text = "" };
    char dir[4096], missing[DIAGNOSE_MISSING_MAX];
    const char *kept = NULL;
    enum status st = findings_refuse(folder, &e);
    if (st == ST_OK)
        st = finding_read(folder, &f, &e);
    if (st == ST_OK)
        st = cmd_ready_finding(o, f->dut_absolute, &e);
    if (st == ST_OK)
        st = finding_split(folder, f, dir, sizeof dir, &e);
    if (st == ST_OK)
        st = executor_open_finding(&x,
                                   &(struct executor_cfg){ .in_process = o->in_process,
                                                           .dut_time_ms = opts_dut_time_ms(o) },
                                   o->dut_is_given ? o->dut : NULL, f, &e);
    if (st == ST_OK)
        st = diagnose_finding(&x, f, missing, &e);
    if (st == ST_OK && (f->like[0] || f->fails[0]))
        st = finding_write(compare_isa(x.compare), f, dir, o->force, &kept, &e);
    findings_say_kept(folder, kept);
    int code = st == ST_OK ? say(o, f, missing) : cmd_fail(o, st, &e);
    executor_close(&x);
    finding_free(f);
    return code;
}

int cmd_diagnose(struct opts *o)
{
    int code = EXIT_CLEAN;
    for (u32 i = 0; i < o->arg_count; i++)
        code = cmd_exit_worse(code, cmd_diagnose_one(o, o->arg[i]));
    return code;
}
