/* Comparing a DUT with the model. Three tiers: the end of whole programs (compare_run); on a
 * difference the program is cut into step cases, one instruction each from what it can reach of the
 * model's state before it, so that every instruction is judged on its own inputs (compare_explain);
 * and if no step case differs, prefixes of the program in order, because then the difference needs
 * the sequence.
 *
 * What the DUT cannot set or show is left out and counted, never failed. A register that an
 * instruction writes without its row announcing it is a difference. */
#ifndef HARNESS_CHECK_COMPARE_H
#define HARNESS_CHECK_COMPARE_H

#include "harness/check/judge.h"
#include "harness/check/trait.h"
#include "harness/dut/dut.h"
#include "harness/dut/job.h"
#include "harness/dut/model.h"
#include "harness/dut/panel.h"
#include "oracle/doubt/doubt.h"
#include "oracle/insn/insn.h"

struct compare_cfg {
    const char *mcpu;   /* must outlive the comparison */
    const char *engine; /* of the model: "ref" or "host" */
    u32 batch;          /* programs that the DUT gets at a time, at most and, for 0, 64; each takes
                           300 KB */
    bool exact;         /* the DUT is one of our own engines: TRAPSTS and every NaN's payload are
                           compared as well */
    bool trapsts;       /* TRAPSTS is compared in any case */
};

/* One program with its starting state, and how its end is judged. */
struct subject {
    const struct gcncheck_job *start; /* never changed; its `get` is ignored. NULL: there was no
                                         memory to build it, which compare_run reports */
    /* JUDGE_WORDS: places that its instructions may write; NULL: found in its code. */
    const u64 *announced;
    bool all; /* read back every register instead of the announced writes and some canaries */
    /* One instruction to be judged (a step case): oracle/accept/acceptance.h applies to it. */
    bool single;
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

/* Whether the instruction is one of those that mark where a branch should go, in step cases of
 * branches: it writes `marker` and nothing else. */
bool compare_is_mark(const struct insn *in, u16 marker);

/* Judges every subject: runs it on the model and, in batches, on the DUT. ST_WORLD: the DUT cannot
 * go on, or memory is short; the subjects that it did not get to are JUDGED_INVALID with an empty
 * reason. */
enum status compare_run(struct compare *c, struct subject *s, u32 count, struct err *e);

/* A place in which not all members of a panel (harness/dut/panel.h) have what the model has. */
struct compare_say {
    u32 members;
    /* How the program ended, which is not the same for all: what a member made of it stands in its
     * answer. Else a place. */
    bool is_end;
    u8 lane;
    u16 wave, place; /* as in struct diff */
    u64 addr;
    u32 told;    /* bit per member: it ended the program, so that it says something of places */
    u32 refused; /* it does not implement something */
    u32 want, got[PANEL_MAX]; /* what the rules accept counts as what the model has */
    const struct gcncheck_job *answer[PANEL_MAX];
};
typedef void compare_say_fn(void *arg, const struct compare_say *say);

/* Judges a subject once more by the `ref` engine, and hands over every place in which some member of the
 * panel that is the DUT differs; of a DUT that is none, nothing. *say lasts as long as the call.
 * ST_WORLD as compare_run. */
enum status compare_ask(struct compare *c, struct subject *s, compare_say_fn *fn, void *arg,
                        struct err *e);

enum tier { TIER_END, TIER_STEP, TIER_PREFIX };

/* Why a program differs: one instruction, or (TIER_PREFIX) the shortest prefix that differs, or
 * (TIER_END) the whole program, when no part of it does. */
struct cause {
    enum tier tier;
    struct insn insn;                 /* TIER_STEP: the one; else the last of the program shown */
    u32 wave;                         /* TIER_STEP: the wave that executes it */
    u32 step;                         /* TIER_STEP: instructions executed before it, by all waves;
                                         TIER_PREFIX: the last one's number, as executed where the
                                         program goes back, else as it stands there; from 1 */
    const struct gcncheck_job *start; /* shows it; valid during the callback */
    u16 marker;                       /* as in struct subject */
    struct judgement j;               /* of `start` */
    struct doubts doubts; /* TIER_STEP: entries of the ledger that the instruction touches */
};
typedef void cause_fn(void *arg, const struct cause *cause);

/* What is searched for. */
struct explain_cfg {
    bool steps_only; /* no prefixes: for programs that the DUT does not support as a whole */
    u16 only_op; /* judge only the instructions of this opcode and form, one by one and up to the
                    first that hangs; OP_NONE: all */
    u8 only_form;
    /* Judge those first of which it says so, and no others with steps_only or if one of them differs;
     * NULL: all. */
    bool (*wanted)(void *arg, const struct insn *in);
    bool first;  /* end with the batch of step cases that holds the first cause */
    bool singly; /* no batches: where each step case may cost the time limit of a job */
    cause_fn *fn;
    /* Called for every step case that the DUT does not implement, with the instruction's address;
     * may be NULL. */
    void (*refused)(void *arg, u64 pc, const struct insn *in);
    /* Called for every step case that was judged, right or wrong, with what the instruction had
     * and met; may be NULL. */
    void (*judged)(void *arg, const struct insn *in, const struct traits *t,
                   const struct judgement *j);
    /* Called for every step case that was judged right or wrong, which is valid during the call; may
     * be NULL. */
    void (*seen)(void *arg, const struct insn *in, const struct subject *s);
    void *arg;
};

struct explained {
    u32 steps;       /* step cases judged */
    u32 unsupported; /* of them not implemented by the DUT */
    u32 tolerated;   /* of them accepted although they differ, because the rule leaves a choice */
    u32 causes;
    bool cut_short; /* the program goes on behind the last step that was looked at */
};

/* Cuts the program of `start` and hands every cause to cfg->fn. For programs that compare_run found
 * wrong or unsupported; always judges with the `ref` engine. ST_WORLD as compare_run. */
enum status compare_explain(struct compare *c, const struct gcncheck_job *start,
                            const struct explain_cfg *cfg, struct explained *ex, struct err *e);

#endif
