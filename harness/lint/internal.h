/* Inside lint*.c: a function while it is checked. */
#ifndef HARNESS_LINT_INTERNAL_H
#define HARNESS_LINT_INTERNAL_H

#include "harness/lint/lint.h"

enum { EDGES_MAX = 3, MEETINGS_MAX = 1 << 16 };

/* One dword of a function; only those where an instruction begins matter. */
struct spot {
    struct rule_state *st; /* where paths meet; NULL elsewhere */
    struct insn in;
    u32 edge[EDGES_MAX]; /* where it may go on */
    u8 edges;
    bool decoded;
    bool meeting; /* a branch goes here */
    bool queued;  /* st changed since it was last followed */
};

struct lint {
    struct codeobj *co;
    const struct isa *isa;
    const struct lint_cfg *cfg;
    struct lint_counts *n;
    struct lint_lines lines;
    struct codeobj_function *functions;
    u32 function_count;
    struct rule_state *
        *exits;    /* of each function: what its returns leave behind; NULL: none seen */
    bool learning; /* fills exits, reports nothing */
    /* A call to where it is not known with results under way, the first one; 0: none. */
    u64 caller;
    struct rule_need under_way;
};

struct checked {
    struct lint *l;
    const struct codeobj_function *fn;
    u32 *code;
    u32 dw;
    struct spot *spot;
    struct rule_state now;
    bool matrix; /* it uses the matrix core, or calls what may do so */
    u32 queued;
    u32 meetings;   /* that have a state */
    bool grew;      /* a meeting point was found late */
    bool reporting; /* the states are final */
    u32 *before;    /* predecessors of each dword, from before_at[at] on; NULL until needed */
    u32 *before_at;
};

/* Prints a finding at dword `at`, with the shortest path that shows it. ST_WORLD if memory is
 * short. */
enum status lint_report(struct checked *c, u32 at, const struct lint_finding *f, struct err *e);

#endif
