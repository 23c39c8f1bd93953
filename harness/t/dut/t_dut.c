/* Devices that misbehave: every wrong job gets the right outcome and reason, all other jobs are
 * answered, and a device that cannot be used says why in one line. The bad plug-ins are
 * harness/t/bad/<name>.c, built as bad_<name>.so beside this program. Run from the root of the
 * repository. */
#include "harness/t/bad/dut/bad.h"
#include "harness/t/lib/job.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/state/place.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT_MS = 800, OPEN_LIMIT_MS = 800, PIPE_LIMIT_MS = 5000 };

/* `detail` is said only if it does not hold. */
static bool check(bool good, const char *what, const char *detail)
{
    if (!ok(good, "%s", what))
        diag("%s", detail);
    return good;
}

static char build_dir[PATH_MAX];

static struct dut *open_spec(const char *spec, u32 limit_ms, struct err *e)
{
    struct dut_cfg cfg = { .mcpu = "gfx900", .time_limit_ms = limit_ms, .open_limit_ms = 10000 };
    struct dut *d = NULL;
    *e = (struct err){ .text = "" };
    if (strstr(spec, "slow") || strstr(spec, "sleep"))
        cfg.open_limit_ms = OPEN_LIMIT_MS;
    enum status st = dut_open(spec, &cfg, &d, e);
    if ((st == ST_OK) != (d != NULL))
        bail("dut_open's status and result differ for %s", spec);
    return d;
}

static struct dut *open_plugin(const char *name, u32 limit_ms, struct err *e)
{
    char spec[PATH_MAX + 64];
    snprintf(spec, sizeof spec, "plugin:%s/%s.so", build_dir, name);
    return open_spec(spec, limit_ms, e);
}

/* ---- devices that cannot be opened ---- */

static void refused(struct dut *d, const struct err *e, const char *what, const char *why)
{
    char name[300];
    snprintf(name, sizeof name, "%s is refused", what);
    check(!d && strstr(e->text, why) && !strchr(e->text, '\n'), name, d ? "it opened" : e->text);
    dut_close(d);
}

static void bad_specs(void)
{
    static const struct {
        const char *spec, *why;
    } list[] = {
        { "", "unknown DUT ''" },
        { "modl", "unknown DUT 'modl'" },
        { "plugi:x.so", "unknown DUT" },
        { "plugin", "needs a shared object" },
        { "plugin:", "needs a shared object" },
        { "pipe:", "needs a command" },
        { "mutant:", "needs an ID" },
        { "plugin:/nowhere/at/all.so", "No such file" },
        { "plugin:Makefile", "./Makefile" },
        { "pipe:exit 3", "ended before it answered hello (exited with code 3)" },
        { "pipe:true", "exited with code 0" },
        { "pipe:kill -9 $$", "SIGKILL" },
        { "pipe:/nowhere/at/all 2>/dev/null", "exited with code 127" },
        { "pipe:echo hello, world; cat >/dev/null", "not an answer to hello (printed 'hell...'" },
        { "pipe:printf '\\377\\377\\377\\377'; cat >/dev/null", "a frame of 4294967295 bytes" },
        { "pipe:printf '\\003\\000\\000\\000abc'; cat >/dev/null", "not one msgpack value" },
        { "pipe:printf '\\001\\000\\000\\000\\007'; cat >/dev/null", "not a map" },
        { "pipe:printf '\\001\\000\\000\\000\\200'; cat >/dev/null",
          "does not repeat the request's id" },
        { "pipe:printf '\\005\\000\\000\\000\\201\\242id\\001'; cat >/dev/null",
          "name or version missing" },
        { "pipe:printf '\\000\\000\\000\\000'; cat >/dev/null", "not one msgpack value" },
        { "pipe:sleep 100", "did not answer hello (no answer in 6.4 s)" },
        { "pipe:sleep 100 & exit 5", "exited with code 5" },
        { "pipe:exec >&-; sleep 100", "closed its end of the pipe" },
        { "pipe:cat /dev/zero", "more than one frame" },
    };
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        struct err e;
        struct dut *d = open_spec(list[i].spec, LIMIT_MS, &e);
        refused(d, &e, list[i].spec, list[i].why);
    }
}

static void bad_plugins(void)
{
    static const struct {
        const char *name, *why;
    } list[] = {
        { "bad_symbol", "does not export gcncheck_dut" },
        { "bad_abi", "speaks ABI 99, this gcncheck speaks 1" },
        { "bad_size", "has 16 bytes" },
        { "bad_norun", "run must not be NULL" },
        { "bad_null", "answers NULL" },
        { "bad_load", "crash (SIGABRT) while it was loaded" },
        { "bad_entry", "crash (exited with code 4) in gcncheck_dut()" },
        { "bad_can", "can(124) answers 7" },
        { "bad_slow", "no answer in 6400 ms in can()" },
        { "bad_undefined", "nobody_has_this" },
    };
    for (size_t i = 0; i < COUNT_OF(list); i++) {
        struct err e;
        struct dut *d = open_plugin(list[i].name, LIMIT_MS, &e);
        refused(d, &e, list[i].name, list[i].why);
    }
}

/* ---- jobs that go wrong among jobs that do not ---- */

struct wrong {
    u64 what; /* the job's poison */
    u32 outcome;
    const char *reason;
};

static const u32 code[] = { 0xbf810000 }; /* s_endpgm */

enum { GROUP = 40 };

/* GROUP jobs with memory; job `at` of them is told to go wrong, the others to behave. */
static void build(struct test_job *t, struct gcncheck_job *array, u32 at, u64 what)
{
    for (u32 i = 0; i < GROUP; i++) {
        test_job_init(&t[i], code, 1);
        test_job_add_memory(&t[i]);
        test_job_get(&t[i], 0);
        t[i].job.pc = 1000 + i;
        t[i].job.poison = i == at ? what : (u64)BAD_NOT;
        array[i] = t[i].job;
    }
}

/* Whether all jobs but `at` are answered properly; else says which is not. */
static bool others_fine(const struct test_job *t, const struct gcncheck_job *array, u32 at,
                        u8 lds_byte, char *detail, size_t size)
{
    for (u32 i = 0; i < GROUP; i++) {
        if (i == at ||
            (array[i].outcome == OUT_DONE && t[i].out[0] == 1001 + i && t[i].lds[0] == lds_byte))
            continue;
        snprintf(detail, size, "job %u: %s %s out 0x%x lds 0x%x", i,
                 dut_outcome_name(array[i].outcome), array[i].reason, t[i].out[0], t[i].lds[0]);
        return false;
    }
    return true;
}

static void goes_wrong(struct dut *d, const struct wrong *w, const char *who, u8 lds_byte)
{
    static struct test_job t[GROUP];
    struct gcncheck_job array[GROUP];
    struct err e = { .text = "" };
    char name[200], detail[400];
    u32 at = (u32)(w->what * 7 % GROUP);
    build(t, array, at, w->what);
    enum status st = dut_run(d, array, GROUP, &e);
    snprintf(name, sizeof name, "%s %u: %s: %s", who, (u32)w->what, dut_outcome_name(w->outcome),
             w->reason);
    snprintf(detail, sizeof detail, "status %d %s; got %s: %s", (int)st, e.text,
             dut_outcome_name(array[at].outcome), array[at].reason);
    check(st == ST_OK && array[at].outcome == w->outcome &&
              strcmp(array[at].reason, w->reason) == 0,
          name, detail);
    snprintf(name, sizeof name, "%s %u: the other jobs are answered", who, (u32)w->what);
    check(others_fine(t, array, at, lds_byte, detail, sizeof detail), name, detail);
    if (w->outcome == OUT_DONE)
        return;
    snprintf(name, sizeof name, "%s %u: its buffers are left alone", who, (u32)w->what);
    check(t[at].out[0] == 0 && t[at].lds[0] == 0 && t[at].bytes[0][29] == 0, name, "they changed");
}

static const struct wrong plugin_wrongs[] = {
    { BAD_SEGV, OUT_CRASH, "SIGSEGV" },
    { BAD_ABORT, OUT_CRASH, "SIGABRT" },
    { BAD_EXIT, OUT_CRASH, "exited with code 3" },
    { BAD_KILL, OUT_CRASH, "SIGKILL" },
    { BAD_ORPHAN, OUT_CRASH, "SIGSEGV" },
    { BAD_HANG, OUT_HANG, "no answer in 0.8 s" },
    { BAD_GIVE_UP, OUT_CRASH, "run() gave up with code 5" },
    { BAD_LATE, OUT_CRASH, "SIGSEGV" },
    { BAD_NO_OUTCOME, OUT_NONSENSE, "run() left the job without an outcome" },
    { BAD_OUTCOME, OUT_NONSENSE, "outcome 77 is none of enum gcncheck_outcome" },
    { BAD_OPEN_REASON, OUT_NONSENSE, "the reason (outcome unsupported) has no terminating NUL" },
    { BAD_LONG_REASON, OUT_NONSENSE, "wrote outside the job" },
    { BAD_UGLY_REASON, OUT_UNSUPPORTED, "a?b?c" },
    { BAD_OUT_PAST, OUT_NONSENSE, "wrote outside out" },
    { BAD_OUT_BEFORE, OUT_NONSENSE, "wrote outside out" },
    { BAD_LDS_PAST, OUT_NONSENSE, "wrote outside lds" },
    { BAD_LDS_BEFORE, OUT_NONSENSE, "wrote outside lds" },
    { BAD_WINDOW_PAST, OUT_NONSENSE, "wrote outside a memory window" },
    { BAD_WINDOW_BEFORE, OUT_NONSENSE, "wrote outside a memory window" },
    { BAD_CODE, OUT_NONSENSE, "changed code, an input" },
    { BAD_VALUES, OUT_NONSENSE, "changed values, an input" },
    { BAD_FIELD, OUT_NONSENSE, "changed the job's input fields" },
    { BAD_WINDOWS, OUT_NONSENSE, "changed a window's address, size or pointer" },
    { BAD_WILD, OUT_NONSENSE, "wrote outside out" },
    { BAD_PRINT, OUT_DONE, "" },
};

/* Several jobs of one batch go wrong, each in its own way, the first and the last among them. */
static void many_wrong(struct dut *d)
{
    static struct test_job t[GROUP];
    struct gcncheck_job array[GROUP];
    struct err e = { .text = "" };
    char detail[200] = "";
    bool good = true;
    build(t, array, GROUP, 0);
    array[0].poison = BAD_SEGV;
    array[7].poison = BAD_WILD;
    array[8].poison = BAD_EXIT;
    array[20].poison = BAD_OUTCOME;
    array[GROUP - 1].poison = BAD_ABORT;
    for (u32 round = 0; round < 2; round++) {
        good &= dut_run(d, array, GROUP, &e) == ST_OK;
        for (u32 i = 0; i < GROUP; i++) {
            u64 p = array[i].poison;
            u32 want = p == BAD_NOT                        ? OUT_DONE
                       : p == BAD_WILD || p == BAD_OUTCOME ? OUT_NONSENSE
                                                           : OUT_CRASH;
            if (array[i].outcome == want)
                continue;
            good = false;
            snprintf(detail, sizeof detail, "job %u: %s %s", i, dut_outcome_name(array[i].outcome),
                     array[i].reason);
        }
    }
    check(good, "five wrong jobs in one batch, twice", detail);
}

static void plugin_jobs(void)
{
    struct err e;
    struct dut *d = open_plugin("bad_jobs", LIMIT_MS, &e);
    if (!check(d != NULL, "bad_jobs opens", e.text))
        return;
    check(strcmp(d->name, "bad?jobs") == 0, "the name is made printable", d->name);
    check(dut_can(d, 5) == GCNCHECK_SHOW_SET && dut_can(d, GCNCHECK_MODE) == GCNCHECK_SHOW &&
              dut_can(d, GCNCHECK_A0 + 3) == GCNCHECK_NO && dut_can(d, 125) == GCNCHECK_NO &&
              dut_can(d, 200) == GCNCHECK_NO && dut_can(d, GCNCHECK_PLACES) == GCNCHECK_NO,
          "can() by class", "wrong class");
    for (size_t i = 0; i < COUNT_OF(plugin_wrongs); i++)
        goes_wrong(d, &plugin_wrongs[i], "plugin job", 0x5a);
    many_wrong(d);
    check(d->unblamed == 0, "no failure was left without a guilty job", "unblamed");
    dut_close(d);
}

/* The numbers from 100 on are bad_pipe.py's own. */
static const struct wrong pipe_wrongs[] = {
    { BAD_SEGV, OUT_CRASH, "SIGSEGV" },
    { BAD_EXIT, OUT_CRASH, "exited with code 3" },
    { BAD_HANG, OUT_HANG, "no answer in 5.0 s" },
    { BAD_NO_OUTCOME, OUT_NONSENSE, "outcome missing, or not 1 to 5" },
    { BAD_OUTCOME, OUT_NONSENSE, "outcome missing, or not 1 to 5" },
    { 100, OUT_NONSENSE, "0 results for 1 jobs" },
    { 101, OUT_NONSENSE, "printed 'hell...' where a frame should begin" },
    /* 64 KiB, 2 KiB for the job, 12 for its one value and as many for the value's dword, and 16 for
     * each byte of LDS and windows. */
    { 102, OUT_NONSENSE, "a frame of 4294967295 bytes (at most 69656)" },
    { 103, OUT_CRASH, "exited with code 0" },
    { 105, OUT_NONSENSE, "the result is not a map" },
    { 106, OUT_NONSENSE, "out does not hold 1 values of the right sizes" },
    { 107, OUT_NONSENSE, "out does not hold 1 values of the right sizes" },
    { 108, OUT_NONSENSE, "out does not hold 1 values of the right sizes" },
    { 109, OUT_NONSENSE, "a frame of 5 bytes that is not one msgpack value" },
    { 110, OUT_NONSENSE, "windows is not a list of [window, offset, bytes] inside them" },
    { 111, OUT_NONSENSE, "lds is not a list of [offset, bytes] inside it" },
    { 112, OUT_CRASH, "closed its end of the pipe" },
    { 113, OUT_DONE, "" },
    { 114, OUT_UNSUPPORTED, "a?b?c" },
};

static void pipe_jobs(void)
{
    struct err e;
    struct dut *d = open_spec("pipe:exec python3 harness/t/bad/dut/bad_pipe.py", PIPE_LIMIT_MS, &e);
    if (!check(d != NULL, "bad_pipe.py opens", e.text))
        return;
    check(strcmp(d->name, "bad?pipe") == 0, "the pipe's name is made printable", d->name);
    check(dut_can(d, 101) == GCNCHECK_SHOW_SET && dut_can(d, GCNCHECK_MODE) == GCNCHECK_SHOW &&
              dut_can(d, GCNCHECK_V0) == GCNCHECK_NO,
          "can of the pipe", "wrong class");
    for (size_t i = 0; i < COUNT_OF(pipe_wrongs); i++)
        goes_wrong(d, &pipe_wrongs[i], "pipe job", 0);
    dut_close(d);
}

/* A second frame, seen at once or only later, is never taken for another job's answer. */
static void pipe_second_frame(void)
{
    static struct test_job t[GROUP];
    struct gcncheck_job array[GROUP];
    struct err e;
    char detail[200] = "";
    bool good = true;
    struct dut *d = open_spec("pipe:exec python3 harness/t/bad/dut/bad_pipe.py", PIPE_LIMIT_MS, &e);
    if (!check(d != NULL, "bad_pipe.py opens for second frames", e.text))
        return;
    for (u32 round = 0; round < 3; round++) {
        build(t, array, 9, 104);
        array[30].poison = 104;
        good &= dut_run(d, array, GROUP, &e) == ST_OK;
        good &= array[9].outcome == OUT_DONE || array[9].outcome == OUT_NONSENSE;
        /* NONSENSE if it was seen at once; else its answer counts, and others_fine looks. */
        if (array[30].outcome == OUT_NONSENSE) {
            t[30].out[0] = 1031;
            array[30].outcome = OUT_DONE;
        }
        good &= others_fine(t, array, 9, 0, detail, sizeof detail);
    }
    check(good, "no answer is taken for another's", detail);
    check(d->restarts > 0, "the pipe was started again", "it was not");
    dut_close(d);
}

/* What the pipe's patches do to memory: bad_pipe.py's job 113 ends window 0 with "xyz" and LDS with
 * "!". */
static void pipe_patches(void)
{
    static struct test_job t;
    struct err e;
    struct dut *d = open_spec("pipe:exec python3 harness/t/bad/dut/bad_pipe.py", PIPE_LIMIT_MS, &e);
    if (!check(d != NULL, "bad_pipe.py opens again", e.text))
        return;
    test_job_init(&t, code, 1);
    test_job_add_memory(&t);
    test_job_get(&t, 0);
    t.job.poison = 113;
    dut_run(d, &t.job, 1, &e);
    check(t.job.outcome == OUT_DONE && memcmp(t.bytes[0] + 28, "\0xyz", 4) == 0 && t.lds[62] == 0 &&
              t.lds[63] == '!' && t.out[0] == PC_DEFAULT + 1,
          "patches of windows and LDS land where they say", t.job.reason);
    dut_close(d);
}

static void no_way_back(void)
{
    static struct test_job t[GROUP];
    struct gcncheck_job array[GROUP];
    char so[PATH_MAX + 32], from[PATH_MAX + 32], cmd[2 * PATH_MAX + 100];
    struct err e;
    snprintf(from, sizeof from, "%s/bad_jobs.so", build_dir);
    snprintf(so, sizeof so, "%s/t_dut_gone.so", build_dir);
    snprintf(cmd, sizeof cmd, "cp '%s' '%s'", from, so);
    if (system(cmd) != 0)
        bail("cannot copy %s", from);
    struct dut *d = open_plugin("t_dut_gone", LIMIT_MS, &e);
    unlink(so);
    if (!check(d != NULL, "a plug-in opens whose file then goes away", e.text))
        return;
    build(t, array, 3, BAD_SEGV);
    check(dut_run(d, array, GROUP, &e) == ST_WORLD && strstr(e.text, "cannot start again"),
          "after the crash it cannot be started again", e.text);
    /* Jobs 0 (alone) and 1, 2 (together) came before the batch that crashed. */
    check(array[0].outcome == OUT_DONE && t[0].out[0] == 1001 &&
              array[GROUP - 1].outcome == OUT_NOT_RUN,
          "what was answered before is kept, the rest is not run",
          dut_outcome_name(array[0].outcome));
    dut_close(d);
}

static void own_symbols(void)
{
    static struct test_job t;
    struct err e;
    struct dut *d = open_plugin("bad_collide", LIMIT_MS, &e);
    if (!check(d != NULL, "bad_collide opens", e.text))
        return;
    test_job_init(&t, code, 1);
    test_job_get(&t, 0);
    dut_run(d, &t.job, 1, &e);
    check(t.job.outcome == OUT_DONE && t.out[0] == PC_DEFAULT + 1,
          "a plug-in's functions win over ours of the same name", t.job.reason);
    dut_close(d);
}

static void in_process(void)
{
    static struct test_job t[GROUP];
    struct gcncheck_job array[GROUP];
    struct dut_cfg cfg = { .mcpu = "gfx900", .in_process = true };
    struct err e = { .text = "" };
    char spec[PATH_MAX + 64], detail[200] = "";
    struct dut *d = NULL;
    snprintf(spec, sizeof spec, "plugin:%s/bad_jobs.so", build_dir);
    if (!check(dut_open(spec, &cfg, &d, &e) == ST_OK, "in_process opens", e.text))
        return;
    build(t, array, 11, BAD_LDS_PAST);
    check(dut_run(d, array, GROUP, &e) == ST_OK && array[11].outcome == OUT_NONSENSE &&
              others_fine(t, array, 11, 0x5a, detail, sizeof detail),
          "in_process pins a trespass too", detail);
    dut_close(d);
}

/* Jobs with more memory than one exchange, or the arena, holds. */
static void big_jobs(void)
{
    enum { BIG = 3 << 20, N = 3 };
    static struct test_job t[N];
    struct gcncheck_job array[N];
    struct err e;
    bool good = true;
    u8 *bytes = malloc((size_t)BIG * N);
    struct dut *d = open_plugin("bad_jobs", LIMIT_MS * 10, &e);
    if (!check(d && bytes, "bad_jobs opens for big jobs", e.text))
        return;
    memset(bytes, 0x33, (size_t)BIG * N);
    for (u32 i = 0; i < N; i++) {
        test_job_init(&t[i], code, 1);
        test_job_add_memory(&t[i]);
        test_job_get(&t[i], 0);
        t[i].windows[1].bytes = bytes + (size_t)BIG * i;
        t[i].windows[1].size = BIG;
        t[i].job.poison = i == 1 ? (u64)BAD_WINDOW_PAST : (u64)BAD_NOT;
        array[i] = t[i].job;
    }
    array[2].lds_size = 0;
    array[2].lds = NULL;
    good &= dut_run(d, array, N, &e) == ST_OK;
    good &= array[0].outcome == OUT_DONE && array[1].outcome == OUT_NONSENSE;
    good &= array[2].outcome == OUT_DONE && bytes[(size_t)BIG * N - 1] == 0x33;
    check(good, "windows of 3 MiB travel, and their guards hold", array[1].reason);
    dut_close(d);
    free(bytes);
}

/* Tiny jobs per second through shared memory, each with buffers and a result of its own, as in a
 * campaign: jobs that share buffers stay in the cache and look twice as fast. Fails only when far
 * off: machines differ. */
static void throughput(void)
{
    enum { N = 4000 };
    static const u32 add[] = { 0x80000201, 0xbf810000 }; /* s_add_u32 s0, s1, s2 */
    struct test_job *t = calloc(N, sizeof *t);
    struct gcncheck_job *array = calloc(N, sizeof *array);
    struct timespec a, b;
    struct err e;
    char text[80];
    u32 right = 0;
    struct dut *d = open_plugin("example_dut", 0, &e);
    if (!check(d && t && array, "the example opens", e.text))
        return;
    for (u32 i = 0; i < N; i++) {
        test_job_init(&t[i], add, 2);
        test_job_set(&t[i], 1, i);
        test_job_set(&t[i], 2, 6);
        test_job_get(&t[i], 0);
        test_job_get(&t[i], GCNCHECK_SCC);
        array[i] = t[i].job;
    }
    clock_gettime(CLOCK_MONOTONIC, &a);
    enum status st = dut_run(d, array, N, &e);
    clock_gettime(CLOCK_MONOTONIC, &b);
    double s = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    for (u32 i = 0; i < N; i++)
        right += array[i].outcome == OUT_DONE && t[i].out[0] == i + 6;
    snprintf(text, sizeof text, "%u of %u right", right, (u32)N);
    check(st == ST_OK && right == N, "every one of many tiny jobs has its own answer", text);
    double rate = (double)N / s;
    snprintf(text, sizeof text, "%.0f tiny jobs/s", rate);
    check(rate > 20000, "tiny jobs go through at more than 20,000 a second", text);
    diag("%s", text);
    dut_close(d);
    free(array);
    free(t);
}

/* A class of registers that have a name together is called by it. */
static void class_names(void)
{
    static const enum dut_class numbered[] = { CLASS_SGPR, CLASS_VGPR, CLASS_AGPR, CLASS_TTMP };
    for (u32 class = 0; class < CLASS_COUNT; class ++) {
        const char *name = dut_class_name((enum dut_class) class), *why;
        struct place_range p;
        bool is_numbered = false;
        for (u32 i = 0; i < COUNT_OF(numbered); i++)
            is_numbered |= numbered[i] == (enum dut_class) class;
        if (is_numbered)
            continue;
        bool same = place_parse(PLACE_GEN, name, strlen(name), &p, &why) == ST_OK &&
                    p.place == dut_class_place((enum dut_class) class);
        for (u32 i = 0; same && i < p.dw; i++)
            same = dut_place_class(p.place + i) == (enum dut_class) class;
        same = same && dut_place_class(p.place + p.dw) != (enum dut_class) class;
        ok(same, "class %s has the registers of that name", name);
    }
}

int main(void)
{
    ssize_t n = readlink("/proc/self/exe", build_dir, sizeof build_dir - 1);
    if (n < 0)
        bail("cannot find this program's folder");
    build_dir[n] = '\0';
    *strrchr(build_dir, '/') = '\0';

    class_names();
    bad_specs();
    bad_plugins();
    plugin_jobs();
    pipe_jobs();
    pipe_second_frame();
    pipe_patches();
    no_way_back();
    own_symbols();
    in_process();
    big_jobs();
    throughput();
    check(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "no child is left", "there is one");
    return done();
}
