/* gcncheck replay: runs the minimal program of a finding again, or judges a recording. */
#include "harness/campaign/executor.h"
#include "harness/campaign/finding.h"
#include "harness/cmd/vectors.h"

/* Judges it and says so. */
static int judge(struct opts *o, struct executor *x, struct finding *f)
{
    struct err e = { .text = "" };
    struct jobbuf *jb = jobbuf_new();
    if (!jb)
        return cmd_error(o, EXIT_STOPPED, "out of memory");
    struct subject s = finding_subject(f, jb);
    enum status st = compare_run(x->compare, &s, 1, &e);
    jobbuf_free(jb);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    switch (s.j.verdict) {
    case JUDGED_WRONG:
        f->j = s.j;
        f->repeats = true;
        st = finding_print(stdout, compare_isa(x->compare), f, o->arg[0], &e);
        return st == ST_OK ? EXIT_DIFFERENCES : cmd_fail(o, st, &e);
    case JUDGED_RIGHT: printf("%s: does not differ on %s\n", f->id, f->dut); return EXIT_CLEAN;
    case JUDGED_UNSUPPORTED:
        printf("%s: not judged, %s does not implement it: %s\n", f->id, f->dut, s.j.reason);
        return EXIT_CLEAN;
    default: return cmd_error(o, EXIT_USAGE, "%s: the model cannot run it: %s", f->id, s.j.reason);
    }
}

int cmd_replay(struct opts *o)
{
    struct finding *f = NULL;
    struct executor x = { 0 };
    struct err e = { .text = "" };
    if (vectors_is(o->arg[0]))
        return vectors_replay(o);
    if (o->gate || o->format)
        return cmd_error(o, EXIT_USAGE, "--%s is for recordings", o->gate ? "gate" : "format");
    enum status st = finding_read(o->arg[0], &f, &e);
    if (st == ST_OK)
        st = cmd_ready_finding(o, f->dut_absolute, &e);
    if (st == ST_OK)
        st = executor_open_finding(&x,
                                   &(struct executor_cfg){ .in_process = o->in_process,
                                                           .dut_time_ms = opts_dut_time_ms(o) },
                                   o->dut_is_given ? o->dut : NULL, f, &e);
    int code = st == ST_OK ? judge(o, &x, f) : cmd_fail(o, st, &e);
    if (st == ST_OK)
        executor_close(&x);
    finding_free(f);
    return code;
}
