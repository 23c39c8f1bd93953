/* What the bad plug-in and the bad pipe program do to a job: its poison says which. A job with
 * poison BAD_NOT is answered properly: out[0] = pc + 1 and nothing else. Shared with
 * harness/t/dut/t_dut.c; bad_pipe.py repeats the numbers it uses. */
#ifndef HARNESS_T_BAD_DUT_BAD_H
#define HARNESS_T_BAD_DUT_BAD_H

enum bad {
    BAD_NOT,
    BAD_SEGV,        /* reads through a null pointer */
    BAD_ABORT,       /* calls abort() */
    BAD_EXIT,        /* calls exit(3) */
    BAD_KILL,        /* kills itself with SIGKILL */
    BAD_ORPHAN,      /* crashes, leaving a process behind that holds all descriptors open */
    BAD_HANG,        /* never returns */
    BAD_GIVE_UP,     /* run() returns 5 */
    BAD_LATE,        /* answers all jobs of the call, then crashes */
    BAD_NO_OUTCOME,  /* leaves NOT_RUN */
    BAD_OUTCOME,     /* outcome 77 */
    BAD_OPEN_REASON, /* no NUL in the reason */
    BAD_LONG_REASON, /* writes a reason of 100 bytes */
    BAD_UGLY_REASON, /* a reason with a newline and an escape; proper otherwise */
    BAD_OUT_PAST,
    BAD_OUT_BEFORE,
    BAD_LDS_PAST,
    BAD_LDS_BEFORE,
    BAD_WINDOW_PAST,
    BAD_WINDOW_BEFORE,
    BAD_CODE,    /* changes the program */
    BAD_VALUES,  /* changes the values to set */
    BAD_FIELD,   /* changes job->waves */
    BAD_WINDOWS, /* changes a window's size */
    BAD_WILD,    /* overwrites 64 KiB from out[] on */
    BAD_PRINT,   /* prints to standard output; proper otherwise */
    BAD_COUNT
};

#endif
