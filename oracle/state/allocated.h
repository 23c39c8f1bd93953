/* Registers that a wave has: as many as its kernel allocates. */
#ifndef ORACLE_STATE_ALLOCATED_H
#define ORACLE_STATE_ALLOCATED_H

#include "oracle/insn/insn.h"

struct wave;

/* What is allocated to a wave, of each file; 0: all there are. */
struct allocated {
    u32 vgprs, sgprs;
    bool any_index; /* an index may lead beyond them; out of range is then what no wave has */
};

/* How many vector registers of each file the wave's instructions can reach. */
u32 allocated_reach(const struct allocated *a);

/* Whether an operand of the instruction names a register that is not allocated; *place is its last
 * one. Registers relative to M0 are those of allocated_holds; VCC, FLAT_SCRATCH and what stands behind
 * them are always there. */
bool allocated_lacks(const struct allocated *a, const struct insn *in, u32 *place);

/* "uses v40, the kernel allocates 16" */
void allocated_print(const struct allocated *a, enum gen gen, u32 place, struct text *t);

/* Whether the wave has `dw` registers from the one that an index led to, vector or scalar ones. If not, it
 * stops, and says which one `name` uses. */
bool allocated_holds(struct wave *w, const char *name, bool vector, u64 number, u32 dw);

#endif
