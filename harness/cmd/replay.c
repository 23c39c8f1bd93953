/* gcncheck replay: runs the minimal program of a finding again. */
#include "harness/campaign/finding.h"
#include "harness/campaign/finding_lab.h"
#include "harness/cmd/cmd.h"

#include <stdlib.h>

enum { REPORT_BYTES = 1 << 18 };

int finding_print(struct finding_lab *lab, const struct finding *f, const char *folder)
{
    char *buf = malloc(REPORT_BYTES);
    struct text t;
    if (!buf)
        return EXIT_STOPPED;
    text_init(&t, buf, REPORT_BYTES);
    finding_report(compare_isa(lab->compare), f, folder, &t);
    fputs(buf, stdout);
    free(buf);
    return EXIT_CLEAN;
}

enum status finding_lab_open(struct finding_lab *lab, const struct opts *o, struct finding *f,
                             struct err *e)
{
    *lab = (struct finding_lab){ 0 };
    if (o->dut_is_given) {
        enum status set = finding_set_dut(f, o->dut, e);
        if (set != ST_OK)
            return set;
        f->dut_is_other = true;
        f->exact = strncmp(o->dut, "model", 5) == 0 || strncmp(o->dut, "mutant:", 7) == 0;
    }
    struct dut_cfg dc = { .mcpu = f->mcpu,
                          .time_limit_ms =
                              (u32)(o->dut_time_limit_ms < ~0u ? o->dut_time_limit_ms : ~0u),
                          .in_process = o->in_process };
    struct compare_cfg cc = { .mcpu = f->mcpu, .engine = "ref", .exact = f->exact };
    enum status st = dut_open(f->dut_absolute, &dc, &lab->dut, e);
    if (st == ST_OK)
        st = compare_open(&lab->compare, &cc, lab->dut, e);
    if (st != ST_OK) {
        finding_lab_close(lab);
        return st;
    }
    memcpy(f->dut_name, lab->dut->name, sizeof f->dut_name);
    memcpy(f->dut_version, lab->dut->version, sizeof f->dut_version);
    return ST_OK;
}

void finding_lab_close(struct finding_lab *lab)
{
    compare_close(lab->compare);
    dut_close(lab->dut);
}

/* Judges it and says so. */
static int judge(struct opts *o, struct finding_lab *lab, struct finding *f)
{
    struct err e = { .text = "" };
    struct jobbuf *jb = jobbuf_new();
    if (!jb)
        return cmd_error(o, EXIT_STOPPED, "out of memory");
    struct subject s = finding_subject(f, jb);
    enum status st = compare_run(lab->compare, &s, 1, &e);
    jobbuf_free(jb);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    switch (s.j.verdict) {
    case JUDGED_WRONG:
        f->j = s.j;
        f->repeats = true;
        if (finding_print(lab, f, o->arg[0]) != EXIT_CLEAN)
            return cmd_error(o, EXIT_STOPPED, "out of memory");
        return EXIT_DIFFERENCES;
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
    struct finding_lab lab = { 0 };
    struct err e = { .text = "" };
    enum status st = finding_read(o->arg[0], &f, &e);
    if (st == ST_OK)
        st = cmd_ready_dut(o, o->dut_is_given ? o->dut : f->dut_absolute, &e);
    if (st == ST_OK)
        st = finding_lab_open(&lab, o, f, &e);
    int code = st == ST_OK ? judge(o, &lab, f) : cmd_fail(o, st, &e);
    if (st == ST_OK)
        finding_lab_close(&lab);
    finding_free(f);
    return code;
}
