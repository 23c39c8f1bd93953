/* A data flow over rule states on every path of a program: states are moved along the edges of the
 * control-flow graph and joined by rule_merge where paths meet, until nothing changes. What an
 * instruction does to the state, and where control goes after it, is the visitor's: rule_check
 * follows a program of its own, `gcncheck lint` the functions of code objects. */
#ifndef ORACLE_RULE_DATAFLOW_H
#define ORACLE_RULE_DATAFLOW_H

#include "oracle/rule/rule.h"

enum { DATAFLOW_EDGES_MAX = 3, DATAFLOW_JOINS_MAX = 1 << 16 };
#define DATAFLOW_NOWHERE (~0u)

/* One dword of the program; only those where an instruction begins matter. */
struct dataflow_node {
    struct rule_state *st;        /* at join points that were reached; NULL elsewhere */
    struct insn in;               /* OP_NONE: none can be decoded here */
    u32 edge[DATAFLOW_EDGES_MAX]; /* where control was seen to go on */
    u8 edges;
    bool full;   /* there were more edges than have room */
    bool begins; /* an instruction begins here, the ones before it being read one after the other */
    bool decoded;
    bool join;   /* paths meet here */
    bool queued; /* st changed since it was last followed */
};

struct dataflow;

/* Where control goes after an instruction. */
struct dataflow_exit {
    u32 to;    /* a dword of the program, or DATAFLOW_NOWHERE */
    bool next; /* it may also go on with the next instruction, which is inside the program */
};

/* Moves df->now over the instruction at dword `at` and sets *x, which is
 * { DATAFLOW_NOWHERE, false } before. df->is_final: the states are final. */
typedef enum status dataflow_step(struct dataflow *df, u32 at, struct dataflow_exit *x,
                                  struct err *e);
/* The same where control reaches a dword that is no instruction; nothing follows. */
typedef enum status dataflow_lost(struct dataflow *df, u32 at, struct err *e);

/* The caller sets the first part, zeroes the rest, and leaves it to dataflow_*. */
struct dataflow {
    const struct isa *isa;
    const u32 *code;
    u32 dw;
    u64 pc;            /* address of code[0] */
    const char *title; /* what the program is called in messages */
    bool calls_return; /* calls are not entered but come back */
    dataflow_step *step;
    dataflow_lost *lost;
    void *ctx; /* the visitor's */

    struct dataflow_node *node; /* dw of them */
    struct rule_state now;
    u32 joins; /* that have a state */
    u32 queued;
    bool grew; /* a join point was found late: all have to be followed again */
    bool is_final;
};

/* Decodes the program and marks the targets of direct branches as join points. ST_WORLD if memory
 * is short. To be closed in any case. */
enum status dataflow_open(struct dataflow *df, struct err *e);
void dataflow_close(struct dataflow *df);

/* Follows all paths from dword 0, where *start is, until no state changes. Answers the first
 * failure of a visitor; ST_INPUT if paths meet in too many places; ST_WORLD if memory is short. */
enum status dataflow_run(struct dataflow *df, const struct rule_state *start, struct err *e);

/* Visits every instruction that was reached once more, block by block, with its final state. */
enum status dataflow_revisit(struct dataflow *df, struct err *e);

/* Address of a dword of the program, and the other way round: false if it is outside. */
static inline u64 dataflow_address(const struct dataflow *df, u32 at)
{
    return df->pc + at * 4ull;
}
bool dataflow_inside(const struct dataflow *df, u64 address, u32 *at);

/* Whether control may go elsewhere than to the next instruction. */
bool dataflow_jumps(const struct insn *in);

/* Whether the instruction's target stands in it and is followed: no call that returns. */
bool dataflow_is_direct(const struct dataflow *df, const struct insn *in);

/* The address that an instruction names whose target stands in it. */
u64 dataflow_direct_target(const struct dataflow *df, u32 at);

/* Where the instruction at `at` goes beside the next one, as an address, in the state df->now.
 * False if that is not known. */
bool dataflow_target(const struct dataflow *df, u32 at, u64 *target);

#endif
