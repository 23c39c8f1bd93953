/* Memory instructions that are under way, as s_waitcnt counts them: which counter, which kind, and
 * what a count that was waited for says of those before. For step loops under which results come
 * later than their instruction: delay.c, weak.c. Vega ISA, chapter 4 (data dependency
 * resolution). */
#ifndef ORACLE_EXEC_PENDING_H
#define ORACLE_EXEC_PENDING_H

#include "oracle/insn/counter.h"
#include "oracle/insn/insn.h"
#include "oracle/state/state.h"

/* Results of a kind come in order, those of different kinds in any. */
enum pending_kind {
    KIND_SCALAR,
    KIND_FLAT,
    KIND_VMEM,
    KIND_LDS,
    KIND_GDS,
    KIND_MESSAGE,
    KINDS /* no memory instruction */
};

/* Of an instruction among those that each counter has counted; 0: it is not counted there. */
struct pending_numbers {
    u32 vm, lgkm, exp;
};

/* Instructions of a counter are numbered from 1; those up to `done` have finished. */
struct pending_queue {
    u32 now, done;
    u32 last[KINDS]; /* number of the last one of a kind */
};

/* What s_waitcnt goes by, of a wave. */
struct pending_counters {
    struct pending_queue vm, lgkm, exp;
};

enum {
    PENDING_ROWS = 5,    /* dwords of a vector result */
    PENDING_SOURCES = 9, /* address and data of a DS instruction */
    /* more instructions of a counter are not under way at a time */
    PENDING_MAX = COUNTER_MAX_vmcnt + COUNTER_MAX_lgkmcnt
};

/* The unit that the instruction goes to, KINDS if it is none of memory. */
static inline enum pending_kind pending_kind(const struct insn *in)
{
    switch (isa_unit(insn_row(in))) {
    case UNIT_SMEM: return KIND_SCALAR;
    case UNIT_FLAT: return KIND_FLAT;
    case UNIT_LDS: return insn_get(in, FLD_gds) ? KIND_GDS : KIND_LDS;
    case UNIT_VMEM: return KIND_VMEM;
    default: return KINDS;
    }
}

/* Whether the instruction moves data at all. */
static inline bool pending_moves_data(const struct isa_row *row)
{
    return row->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC | FLAG_LANEWISE);
}

/* Whether a counter counts it: of vector memory only what moves data, of the others everything. */
static inline bool pending_is_counted(const struct isa_row *row, enum pending_kind kind)
{
    return kind != KINDS && (kind != KIND_VMEM || pending_moves_data(row));
}

/* Counts a memory instruction that the wave issues now; it waits until all counters can count it.
 * Returns the kind that they take it for. */
enum pending_kind pending_count(struct pending_counters *c, const struct wave *w,
                                const struct insn *in, struct pending_numbers *n);

/* Counts messages and exports; other instructions are not counted. */
void pending_count_other(struct pending_counters *c, const struct isa_row *row);

/* After a wait for the counts of simm16 of s_waitcnt. */
void pending_wait(struct pending_counters *c, enum gen gen, u32 simm16);

/* All is done. */
void pending_finish(struct pending_counters *c);

/* Whether the instruction writes the operand. The old value of an atomic comes back with glc;
 * destinations of their own are not there else. */
bool pending_is_result(const struct insn *in, const struct isa_operand *o);

/* Whether a vector memory instruction may take its data later than it is issued: until expcnt, which counts it,
 * says that it has them. */
bool pending_takes_late(const struct wave *w, const struct insn *in, enum pending_kind kind);

/* Adds a result that is there and not visible to a hash. */
u64 pending_hash(u64 h, u32 place, u32 dw, const u32 (*value)[LANES], u64 exec);

/* The result of an instruction becomes visible: `dw` dwords of scalar registers, or rows of vector
 * registers, of the lanes in exec; a load of a half keeps the other one. */
void pending_deliver(struct wave *w, const struct insn *in, u32 place, u32 dw,
                     const u32 (*value)[LANES], u64 exec);

#endif
