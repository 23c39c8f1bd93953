/* gcncheck replay: runs the minimal program of a finding again, or judges a recording. */
#include "harness/cmd/base/findings.h"
#include "harness/cmd/run/vectors.h"
#include "harness/finding/executor.h"
#include "harness/finding/finding.h"
#include "harness/io/file.h"
#include "harness/io/stop.h"

#include <stdio.h>

/* Judges it and says so. */
static int judge(const struct opts *o, const char *folder, struct executor *x, struct finding *f)
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
        st = finding_print(stdout, compare_isa(x->compare), f, folder, &e);
        return st == ST_OK ? EXIT_DIFFERENCES : cmd_fail(o, st, &e);
    case JUDGED_RIGHT: printf("%s: does not differ on %s\n", f->id, f->dut); return EXIT_CLEAN;
    case JUDGED_UNSUPPORTED:
        printf("%s: not judged, %s does not implement it: %s\n", f->id, f->dut, s.j.reason);
        return EXIT_CLEAN;
    default: return cmd_error(o, EXIT_USAGE, "%s: the model cannot run it: %s", f->id, s.j.reason);
    }
}

/* Of several findings a message says which. */
static void name_finding(const char *folder, bool is_one_of, struct err *e)
{
    if (is_one_of && !e->file[0] && !stop_requested())
        file_error(e, folder, 0);
}

static int replay_one(const struct opts *o, const char *folder, bool is_one_of)
{
    struct finding *f = NULL;
    struct executor x = { 0 };
    struct err e = { .text = "" };
    enum status st = finding_read(folder, &f, &e);
    if (st == ST_OK)
        st = cmd_ready_finding(o, f->dut_absolute, &e);
    if (st == ST_OK)
        st = executor_open_finding(&x,
                                   &(struct executor_cfg){ .in_process = o->in_process,
                                                           .dut_time_ms = opts_dut_time_ms(o) },
                                   o->dut_is_given ? o->dut : NULL, f, &e);
    if (st != ST_OK)
        name_finding(folder, is_one_of, &e);
    int code = st == ST_OK ? judge(o, folder, &x, f) : cmd_fail(o, st, &e);
    if (st == ST_OK)
        executor_close(&x);
    finding_free(f);
    return code;
}

static bool path_of(const struct opts *o, const struct dirent *name, char path[4096])
{
    int n = snprintf(path, 4096, "%s/%s", o->arg[0], name->d_name);
    return n > 0 && n < 4096;
}

/* Every finding of a folder of them. That their DUTs can be opened is found out before anything is
 * printed (cmd_ready_dut). */
static int replay_all(const struct opts *o, struct dirent **names, u32 count)
{
    char folder[4096];
    struct err e = { .text = "" };
    enum status st = ST_OK;
    int code = EXIT_CLEAN;
    u32 differ = 0, judged = 0;
    for (u32 i = 0; i < count && st == ST_OK; i++) {
        struct finding *f = NULL;
        st = path_of(o, names[i], folder)
                 ? finding_read(folder, &f, &e)
                 : err_set(&e, ST_INPUT, "the name of a folder is too long");
        if (st == ST_OK && (st = cmd_ready_finding(o, f->dut_absolute, &e)) != ST_OK)
            name_finding(folder, true, &e);
        finding_free(f);
    }
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    for (u32 i = 0; i < count && !stop_requested() && path_of(o, names[i], folder); i++) {
        int one = replay_one(o, folder, true);
        differ += one == EXIT_DIFFERENCES;
        judged += one == EXIT_DIFFERENCES || one == EXIT_CLEAN;
        code = cmd_exit_worse(code, one);
    }
    if (stop_requested())
        return cmd_error(o, EXIT_STOPPED, "%s", stop_text());
    if (!o->quiet)
        fprintf(stderr, "%u of %u findings differ%s\n", differ, count,
                judged < count ? ", and not all could be run" : "");
    return code;
}

int cmd_replay(struct opts *o)
{
    struct dirent **names;
    u32 count;
    struct err e = { .text = "" };
    enum status st = findings_list(o->arg[0], &names, &count, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (!count && vectors_is(o->arg[0])) {
        findings_free(names, count);
        return vectors_replay(o);
    }
    int code;
    stop_catch();
    if (o->gate || o->format)
        code = cmd_error(o, EXIT_USAGE, "--%s is for recordings", o->gate ? "gate" : "format");
    else
        code = count ? replay_all(o, names, count) : replay_one(o, o->arg[0], false);
    findings_free(names, count);
    return code;
}
