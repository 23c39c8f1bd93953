/* Does to each job what its poison asks for; see bad.h. */
#include "harness/sdk/gcncheck_dut.h"
#include "harness/t/bad/dut/bad.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int late;

/* Volatile, or the compiler would reason that this cannot happen. */
static int *volatile nowhere;

static void crash(void)
{
    *nowhere = 1;
}

static void die(enum bad what)
{
    switch (what) {
    case BAD_SEGV: crash(); break;
    case BAD_ABORT: abort();
    case BAD_EXIT: exit(3);
    case BAD_KILL: raise(SIGKILL); break;
    case BAD_ORPHAN:
        if (fork() == 0)
            for (;;)
                pause();
        crash();
        break;
    case BAD_HANG:
        for (;;)
            pause();
    default: break;
    }
}

static void trespass(enum bad what, struct gcncheck_job *job)
{
    unsigned char *out = (unsigned char *)job->out;
    switch (what) {
    case BAD_OUT_PAST: out[4] ^= 1; break;
    case BAD_OUT_BEFORE: out[-1] ^= 1; break;
    case BAD_LDS_PAST: job->lds[job->lds_size] ^= 1; break;
    case BAD_LDS_BEFORE: job->lds[-1] ^= 1; break;
    case BAD_WINDOW_PAST: job->windows[1].bytes[job->windows[1].size] ^= 1; break;
    case BAD_WINDOW_BEFORE: job->windows[1].bytes[-1] ^= 1; break;
    case BAD_CODE: *(uint32_t *)(uintptr_t)job->code ^= 1; break;
    case BAD_VALUES: *(uint32_t *)(uintptr_t)job->values ^= 1; break;
    case BAD_FIELD: job->waves++; break;
    case BAD_WINDOWS: job->windows[0].size++; break;
    case BAD_WILD: memset(out, 0x11, 65536); break;
    default: break;
    }
}

static int answer(struct gcncheck_job *job)
{
    enum bad what = (enum bad)job->poison;
    die(what);
    if (what == BAD_GIVE_UP)
        return 5;
    if (what == BAD_LATE)
        late = 1;
    if (what == BAD_PRINT) {
        printf("not ok 1 - this line must not reach standard output\n");
        fflush(stdout);
    }
    job->out[0] = (uint32_t)job->pc + 1;
    if (job->lds_size)
        job->lds[0] = 0x5a;
    job->outcome = what == BAD_NO_OUTCOME ? GCNCHECK_NOT_RUN
                   : what == BAD_OUTCOME  ? 77
                                          : GCNCHECK_DONE;
    if (what == BAD_OPEN_REASON || what == BAD_UGLY_REASON || what == BAD_LONG_REASON) {
        job->outcome = GCNCHECK_UNSUPPORTED;
        memset(job->reason, 'x', what == BAD_LONG_REASON ? 100 : sizeof job->reason);
    }
    if (what == BAD_UGLY_REASON)
        strcpy(job->reason, "a\nb\033c");
    trespass(what, job);
    return 0;
}

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        int code = answer(&jobs[i]);
        if (code)
            return code;
    }
    if (late)
        crash();
    return 0;
}

static int can(const char *mcpu, uint32_t place)
{
    (void)mcpu;
    return place == GCNCHECK_MODE ? GCNCHECK_SHOW
           : place == GCNCHECK_A0 ? GCNCHECK_NO
                                  : GCNCHECK_SHOW_SET;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = { sizeof dut, GCNCHECK_DUT_ABI, "bad\njobs", "0", can,
                                             run };
    return &dut;
}
