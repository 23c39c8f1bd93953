/* Devices under test (DUTs): what runs gcncheck's jobs. The model, a mutant of it, a plug-in
 * (shared object) and a child process on a pipe are all alike to the rest of the harness.
 *
 * A job is the contract's own struct gcncheck_job (harness/sdk/gcncheck_dut.h). The runner fills
 * its inputs, calls dut_run and finds the outcome, and for OUT_DONE the read-back values, in the
 * same struct. A DUT that crashes, hangs or answers nonsense never takes gcncheck down: exactly the
 * guilty job says so and all other jobs are answered. A struct dut belongs to the thread that
 * opened it (a worker process dies with that thread); several threads open one each. */
#ifndef HARNESS_DUT_DUT_H
#define HARNESS_DUT_DUT_H

#include "harness/sdk/gcncheck_dut.h"
#include "oracle/base/base.h"

/* What gcncheck sees in job.outcome: the contract's outcomes, then three that only gcncheck writes.
 * For everything but OUT_DONE job.reason holds one printable line. */
enum outcome {
    OUT_NOT_RUN = GCNCHECK_NOT_RUN,
    OUT_DONE = GCNCHECK_DONE,
    OUT_UNSUPPORTED = GCNCHECK_UNSUPPORTED,
    OUT_ILLEGAL = GCNCHECK_ILLEGAL,
    OUT_FAULT = GCNCHECK_FAULT,
    OUT_LIMIT = GCNCHECK_LIMIT,
    OUT_CRASH,    /* the DUT's process died, e.g. "SIGSEGV" or "exited with code 3" */
    OUT_HANG,     /* no answer within the time limit, e.g. "no answer in 10.0 s" */
    OUT_NONSENSE, /* answered what the contract rules out, e.g. "wrote past the end of out" */
    OUT_COUNT
};

/* "done", "unsupported", ... "nonsense"; "?" for a value that is none of enum outcome. */
const char *dut_outcome_name(u32 outcome);

/* can() is asked once per register class. A class is named by its first place. */
enum dut_class {
    CLASS_SGPR,
    CLASS_FLAT_SCRATCH,
    CLASS_XNACK_MASK,
    CLASS_VCC,
    CLASS_TTMP,
    CLASS_M0,
    CLASS_EXEC,
    CLASS_VGPR,
    CLASS_AGPR,
    CLASS_SCC,
    CLASS_MODE,
    CLASS_STATUS,
    CLASS_TRAPSTS,
    CLASS_PC,
    CLASS_TBA,
    CLASS_COUNT
};

/* The class of a place, or CLASS_COUNT if no register has that number. */
enum dut_class dut_place_class(u32 place);
/* The first place of a class, which stands for the class in can(). */
u32 dut_class_place(enum dut_class class);
/* "sgpr", "flat_scratch", ... as the pipe's hello spells them. */
const char *dut_class_name(enum dut_class class);

/* How a DUT is opened. The string is the caller's and must outlive the DUT. */
struct dut_cfg {
    const char *mcpu;  /* the processor that all jobs are for, "gfx900" */
    u32 time_limit_ms; /* for one job; 0 means 10 seconds */
    u32 open_limit_ms; /* for loading it, or for its hello; 0 means as for a job, at least 1 s */
    bool in_process;   /* plug-ins: no worker, so that a debugger sees them; nothing is isolated */
};

enum { DUT_TIME_LIMIT_MS = 10000, DUT_OPEN_MIN_MS = 1000 };

/* How long opening may take, in ms. */
u32 dut_open_limit_ms(const struct dut_cfg *cfg);

struct dut;

struct dut_ops {
    enum status (*run)(struct dut *d, struct gcncheck_job *jobs, u32 count, struct err *e);
    void (*close)(struct dut *d);
};

/* The common head of every DUT; its constructor fills it. */
struct dut {
    const struct dut_ops *ops;
    char name[64]; /* as the DUT calls itself, printable */
    char version[64];
    u8 can[CLASS_COUNT]; /* enum gcncheck_can */
    /* It knows no MODE but this, and can[CLASS_MODE] is at most GCNCHECK_SHOW. */
    bool has_fixed_mode;
    u32 fixed_mode;
    bool is_here; /* runs in this process: it gains nothing from getting several jobs at a time */
    /* For tests, which read them: */
    u64 restarts; /* times a worker or child had to be started again */
    u64 unblamed; /* failures for which no job could be blamed */
};

/* Opens the DUT that `spec` names, of one of the kinds in harness/dut/kinds.def. On ST_OK *out is
 * the caller's to dut_close. ST_INPUT: the spec is wrong, or what it names cannot be used as a DUT
 * (the text says why in one line). ST_WORLD: no memory, no process, or stop_requested() before it
 * answered. can[] is NO for registers that the processor does not have, whatever the DUT says. */
enum status dut_open(const char *spec, const struct dut_cfg *cfg, struct dut **out, struct err *e);

/* Runs jobs[0..count-1]; every job is for the cfg's mcpu. The caller owns everything the jobs point
 * to. Written per job: outcome, reason, and for OUT_DONE alone out, windows' bytes and lds; for the
 * other outcomes those keep what they held. ST_OK: every job has an outcome. ST_WORLD: the DUT
 * could not be started again; jobs it did not get to stay OUT_NOT_RUN, the others are valid. */
enum status dut_run(struct dut *d, struct gcncheck_job *jobs, u32 count, struct err *e);

/* What the DUT can do with a place: enum gcncheck_can (GCNCHECK_NO for a number that is no
 * place). */
static inline u32 dut_can(const struct dut *d, u32 place)
{
    enum dut_class class = dut_place_class(place);
    return class == CLASS_COUNT ? (u32)GCNCHECK_NO : d->can[class];
}

/* The MODE a job of the DUT has where `mode` is asked for. */
static inline u32 dut_mode(const struct dut *d, u32 mode)
{
    return d->has_fixed_mode ? d->fixed_mode : mode;
}

/* Takes over that the DUT knows only one MODE. ST_INPUT: it has bits that no MODE has. */
enum status dut_set_fixed_mode(struct dut *d, u64 mode, struct err *e);

/* Ends the DUT's process, if any, and frees d. NULL is allowed. */
void dut_close(struct dut *d);

/* Dwords of the arrays that a job's slots index into: the end of the furthest value. BUG for a
 * place that does not exist. */
u32 dut_slots_dw(const struct gcncheck_slot *slots, u32 count);

/* Copies a text from outside into dst (always terminated), unprintable bytes as '?', so that no DUT
 * can break a line of our output. `len` bounds the read; a NUL ends it earlier. */
void dut_clean_text(char *dst, size_t size, const char *src, size_t len);

/* Fills job->outcome and, cut to fit, job->reason. */
void dut_answer(struct gcncheck_job *job, u32 outcome, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- what a DUT's name says, before it is opened ---- */

/* Whether it is one of our own engines, of which every bit is compared. */
bool dut_is_exact(const char *spec);

/* The chip, and what may stand behind it, of a DUT in a virtual GPU; NULL if it is no such DUT. */
const char *dut_vgpu_rest(const char *spec);

/* Whether opening it starts a program, or loads one, that the spec names. */
bool dut_is_program(const char *spec);

/* Adds the spec with what is relative to the current folder made absolute, so that dut_open finds
 * the same DUT from any folder. */
void dut_add_absolute(const char *spec, struct text *t);

/* The kinds of DUT as they are written, "model, ..., pipe:COMMAND"; `last` stands before the last
 * of them. */
void dut_kinds_text(char *buf, size_t size, const char *last);

#endif
