/* Static check of compiled code, over all paths: wait states that are missing between dependent
 * instructions, and results of memory used before the s_waitcnt that covers them. The rules are
 * those of oracle/rule/rule.h, with `lint`. Called by `gcncheck lint`; the text of a finding is
 * also that of `gcncheck launch --check-hazards`.
 *
 * Each function is checked by itself, from its entry. The function called waits for the results
 * that are outstanding when it begins, and has none outstanding when it returns; both are checked
 * where they are known (the target of the call; s_setpc of s[30:31]). If results are outstanding at
 * a call whose target is not known, every function that is no kernel must begin with a wait. Wait
 * states are counted into a function whose address is known, up to its first branch, and from its
 * returns into the caller; across a call to an unknown target they are not counted. */
#ifndef HARNESS_LINT_LINT_H
#define HARNESS_LINT_LINT_H

#include "harness/codeobj/codeobj.h"
#include "harness/codeobj/debug_line.h"
#include "oracle/rule/rule.h"

#include <stdio.h>

struct lint_cfg {
    FILE *out;          /* where findings go */
    const char *title;  /* stands for the file in them */
    const char *symbol; /* only this function; NULL: all */
};

struct lint_counts {
    u64 functions;
    u64 instructions; /* reached */
    u64 findings;
    u64 unknown; /* jumps and calls through registers that could not be followed */
};

/* Checks the functions of *co, whose instructions *isa describes, prints a line for each finding
 * and adds to *n. ST_WORLD if memory is short; ST_INPUT if it has no functions that can be
 * listed. */
enum status lint_object(struct codeobj *co, const struct isa *isa, const struct lint_cfg *cfg,
                        struct lint_counts *n, struct err *e);

/* What is wrong with an instruction, as enum lint_kind says. */
enum lint_kind {
    LINT_HAZARD,
    LINT_VMCNT,
    LINT_LGKMCNT,
    LINT_EXPCNT,
    LINT_WRITE_BACK,
    LINT_ORDER, /* order.c */
    LINT_CALL,
    LINT_RETURN,
    LINT_ENTRY,
    LINT_CODE
};

struct lint_finding {
    enum lint_kind kind;
    struct rule_need need;
    const char *why; /* LINT_CODE: the reason */
    u32 from;        /* LINT_ORDER: dword of the store that is under way */
    u64 caller;      /* the file's address of the call that leads there; 0: none */
};

enum { LINT_PER_INSN = 5 };

/* What is wrong with an instruction that needs *need in state *st, as findings; answers how many. */
u32 lint_findings(const struct rule_state *st, const struct insn *in, const struct rule_need *need,
                  struct lint_finding f[LINT_PER_INSN]);

/* "hazard VALU-writes-SGPR/VMEM-reads needs 5 wait states, has 2" */
void lint_print_what(struct text *t, const struct lint_finding *f);

/* ": register in instruction", "at" where the instruction does not name it */
void lint_print_insn(struct text *t, const struct isa *isa, const struct insn *in,
                     const struct lint_finding *f);

/* The state where a wave begins with code of *target. */
void lint_start(struct rule_state *st, const struct codeobj_target *target);

/* Moves the state on as if what is needed had been there, so that each mistake is found once. */
void lint_repair(struct rule_state *st, const struct rule_need *need);

#endif
