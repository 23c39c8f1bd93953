/* Inside lint*.c: a function while it is checked. */
#ifndef HARNESS_LINT_INTERNAL_H
#define HARNESS_LINT_INTERNAL_H

#include "harness/lint/lint.h"
#include "oracle/rule/dataflow.h"
#include "oracle/state/allocated.h"

struct lint {
    struct codeobj *co;
    const struct isa *isa;
    const struct lint_cfg *cfg;
    struct lint_counts *n;
    struct debug_lines lines;
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
    struct dataflow df;         /* its ctx is this; is_final: findings are reported */
    struct allocated allocated; /* of a kernel */
    bool has_kernarg;           /* a kernel whose arguments lie where s[kernarg:kernarg+1] says */
    u32 kernarg;
    bool matrix; /* it uses the matrix core, or calls what may do so */
    u32 *before; /* predecessors of each dword, from before_at[at] on; NULL until needed */
    u32 *before_at;
};

/* The state where the function begins. */
void lint_begin(const struct checked *c, struct rule_state *st);

/* Flags that are stored before their data, in a kernel that has been followed and has_kernarg.
 * ST_WORLD if memory is short. */
enum status order_check(struct checked *c, struct err *e);

/* Prints a finding at dword `at`, with the shortest path that shows it. ST_WORLD if memory is
 * short. */
enum status lint_report(struct checked *c, u32 at, const struct lint_finding *f, struct err *e);

#endif
