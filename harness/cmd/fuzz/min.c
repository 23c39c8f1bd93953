/* gcncheck min: makes the minimal program of a finding smaller still. */
#include "harness/cmd/base/cmd.h"
#include "harness/cmd/base/findings.h"
#include "harness/finding/executor.h"
#include "harness/finding/finding.h"
#include "harness/io/stop.h"

#include <stdlib.h>

enum { CALLS = 40000, CALLS_HANG = 60 };

static int shrink(struct opts *o, struct executor *x, struct finding *f, const char *dir)
{
    struct err e = { .text = "" };
    bool complete = false;
    u64 before = stream_hash(f->minimal);
    u32 calls = f->j.what == DIFF_OUTCOME && f->j.outcome == OUT_HANG ? CALLS_HANG : CALLS;
    enum status st = finding_shrink(x->compare, f, calls, &complete, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (!f->repeats && stop_requested())
        return cmd_error(o, EXIT_STOPPED, "%s: the finding is as it was", stop_text());
    if (!f->repeats)
        return cmd_error(o, EXIT_STOPPED, "%s does not differ on %s: nothing to go by", f->id,
                         f->dut);
    bool same = stream_hash(f->minimal) == before;
    const char *kept = NULL;
    if (!same) { /* of several devices only this one was asked */
        f->stands[0] = '\0';
        f->votes = 0;
    }
    if (!same)
        st = finding_write(compare_isa(x->compare), f, dir, o->force, &kept, &e);
    findings_say_kept(o->arg[0], kept);
    if (!o->quiet && st == ST_OK)
        st = finding_print(stdout, compare_isa(x->compare), f, o->arg[0], &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    printf("%s: %u instruction%s%s%s\n", f->id, f->insns, f->insns == 1 ? "" : "s",
           same ? ", as before" : "", complete ? "" : "; may be smaller still");
    if (stop_requested() && !complete)
        return cmd_error(o, EXIT_STOPPED, "%s", stop_text());
    return EXIT_CLEAN;
}

int cmd_min(struct opts *o)
{
    struct finding *f = NULL;
    struct executor x = { 0 };
    struct err e = { .text = "" };
    char dir[1024];
    int code;
    stop_catch();
    enum status st = findings_refuse(o->arg[0], &e);
    if (st == ST_OK)
        st = finding_read(o->arg[0], &f, &e);
    if (st == ST_OK)
        st = cmd_ready_finding(o, f->dut_absolute, &e);
    if (st == ST_OK)
        st = finding_split(o->arg[0], f, dir, sizeof dir, &e);
    if (st == ST_OK)
        st = executor_open_finding(&x,
                                   &(struct executor_cfg){ .in_process = o->in_process,
                                                           .dut_time_ms = opts_dut_time_ms(o) },
                                   o->dut_is_given ? o->dut : NULL, f, &e);
    if (st == ST_OK) {
        code = shrink(o, &x, f, dir);
        executor_close(&x);
    } else {
        code = cmd_fail(o, st, &e);
    }
    finding_free(f);
    return code;
}
