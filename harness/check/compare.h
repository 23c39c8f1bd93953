/* Comparing a DUT with the model. Three tiers: the end of whole programs (compare_run); on a
 * difference the program is cut into step cases, one instruction each from the model's state before
 * it, so that every instruction is judged on its own inputs (compare_explain); and if no step case
 * differs, prefixes of the program in order, because then the difference needs the sequence.
 *
 * What the DUT cannot set or show is left out and counted, never failed. A register that an
 * instruction writes without its row announcing it is a difference. */
#ifndef HARNESS_CHECK_COMPARE_H
#define HARNESS_CHECK_COMPARE_H

#include "harness/dut/dut.h"
#include "harness/dut/job.h"
#include "harness/dut/model.h"
#include "oracle/insn/insn.h"

struct compare_cfg {
    const char *mcpu;   /* must outlive the comparison */
    const char *engine; /* of the model: "ref" or "host" */
    bool exact;         /* the DUT is one of our own engines: TRAPSTS and every NaN's payload are
                           compared as well */
};

/* What differs: names the kind of a difference and, with mnemonic and form, its cause. */
enum diff_what {
    DIFF_NONE,
    DIFF_OUTCOME,        /* the DUT did not end the program as the model did */
    DIFF_STRAY_REGISTER, /* a register that no instruction announces was written */
    DIFF_STRAY_MEMORY,   /* memory or LDS that the program does not write was written */
    DIFF_PC,             /* a branch went elsewhere */
    DIFF_VGPR,
    DIFF_SGPR,
    DIFF_VCC,
    DIFF_EXEC,
    DIFF_M0,
    DIFF_SCC,
    DIFF_MODE,
    DIFF_TRAPSTS,
    DIFF_MEMORY,
    DIFF_LDS,
    DIFF_WHAT_COUNT
};

/* "vgpr", "stray-register", ...: one word, fit for a file name. */
const char *diff_what_name(enum diff_what what);

/* One difference: a dword of a register (lane 0 for scalars), or 4 bytes of memory or LDS. */
struct diff {
    u8 what; /* enum diff_what */
    u8 lane;
    u16 wave;
    u16 place; /* PLACE_MEM and PLACE_LDS: `addr` says where */
    u64 addr;  /* bytes, a multiple of 4 from the window's start */
    u32 start; /* the value before the program */
    u32 want, got;
};

enum { DIFFS_MAX = 8 };

enum verdict_kind {
    JUDGED_RIGHT,
    JUDGED_WRONG,
    JUDGED_UNSUPPORTED, /* the DUT does not implement something: `reason` */
    JUDGED_INVALID /* no test: the model does not end the program, or it leaves memory: `reason` */
};

struct judgement {
    u8 verdict; /* enum verdict_kind */
    u8 what;    /* enum diff_what of the first and gravest difference */
    u8 outcome; /* of the DUT: enum outcome */
    bool
        tolerated; /* a difference was accepted: the rules leave a choice (oracle/accept/acceptance.h) */
    u32 narrowed;   /* bit per enum dut_class that should have been set or compared and was not */
    u32 diff_total; /* differing dwords */
    u32 diff_count; /* of them in diff[] */
    struct diff diff[DIFFS_MAX];
    char reason[64]; /* of the outcome, or why there was no verdict */
};

/* One program with its starting state, and how to look at its end. */
struct subject {
    const struct gcncheck_job *start; /* never changed; its `get` is ignored. NULL: there was no
                                         memory to build it, which compare_run reports */
    bool all; /* read back every register instead of the announced writes and some canaries */
    bool
        single; /* one instruction to be judged (a step case): oracle/accept/acceptance.h applies to it */
    u16 marker; /* step case of a branch: the scalar register that says where it went; 0: none */
    u32 canary; /* picks the canaries; usually the number of the program */
    struct judgement j;
};

struct compare;

/* The DUT stays the caller's and must outlive the comparison. ST_INPUT for an unknown processor or
 * engine, ST_WORLD if memory is short. */
enum status compare_open(struct compare **c, const struct compare_cfg *cfg, struct dut *d,
                         struct err *e);
void compare_close(struct compare *c);

/* The model's view of the processor. */
const struct isa *compare_isa(const struct compare *c);

/* Judges every subject: runs it on the model and, in batches, on the DUT. ST_WORLD: the DUT cannot
 * go on, or memory is short; the subjects that it did not get to are JUDGED_INVALID with an empty reason. */
enum status compare_run(struct compare *c, struct subject *s, u32 count, struct err *e);

enum tier { TIER_END, TIER_STEP, TIER_PREFIX };

/* Why a program differs: one instruction, or (TIER_PREFIX) the shortest prefix that differs, or
 * (TIER_END) the whole program, when no part of it does. */
struct cause {
    enum tier tier;
    struct insn insn;                 /* TIER_STEP: the one; else the last of the program shown */
    u32 step;                         /* TIER_STEP: instructions executed before it */
    const struct gcncheck_job *start; /* shows it; valid during the callback */
    u16 marker;                       /* as in struct subject */
    struct judgement j;               /* of `start` */
};
typedef void cause_fn(void *arg, const struct cause *cause);

/* What to look for. */
struct explain_cfg {
    bool steps_only; /* no prefixes: for programs that the DUT does not support as a whole */
    u16 only_op; /* judge only the instructions of this opcode and form, one by one and up to the
                    first that hangs; OP_NONE: all */
    u8 only_form;
    cause_fn *fn;
    /* Called for every step case that the DUT does not implement, with the instruction's address;
     * may be NULL. */
    void (*refused)(void *arg, u64 pc, const struct insn *in);
    void *arg;
};

struct explained {
    u32 steps;       /* step cases judged */
    u32 unsupported; /* of them not implemented by the DUT */
    u32 tolerated;   /* of them accepted although they differ, because the rule leaves a choice */
    u32 causes;
};

/* Cuts the program of `start` and hands every cause to cfg->fn. For programs that compare_run found
 * wrong or unsupported; always judges with the `ref` engine. ST_WORLD as compare_run. */
enum status compare_explain(struct compare *c, const struct gcncheck_job *start,
                            const struct explain_cfg *cfg, struct explained *ex, struct err *e);

#endif
