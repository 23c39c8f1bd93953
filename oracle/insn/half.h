/* Loads of halves: those that write 16 bits of a register, or of the last of several. The other
 * 16 bits stay, or become 0: isa_clears_half. */
#ifndef ORACLE_INSN_HALF_H
#define ORACLE_INSN_HALF_H

#include "oracle/insn/insn.h"

/* Whether a modelled instruction of GFX9 is one. */
bool half_loads(const struct insn *in);

/* The bits that an instruction writes of register number `reg`, from 0, of its result: all of them,
 * but of a load of halves, unless the processor clears the rest for certain. */
u32 half_written(const struct isa *isa, const struct insn *in, u32 reg);

#endif
