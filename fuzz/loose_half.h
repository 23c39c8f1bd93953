/* The part of fuzz/loose.h that is about f16: which results of opcodes that read or write halves two
 * right implementations may disagree on. For fuzz/loose.c only. */
#ifndef FUZZ_LOOSE_HALF_H
#define FUZZ_LOOSE_HALF_H

#include "fuzz/loose.h"

/* Whether the opcode is judged here: an operand of it is an f16. */
bool loose_half_knows(enum isa_op op);

/* The lanes of such an instruction whose vector result is not compared. */
u64 loose_half(struct wave *w, const struct xinsn *x);

#endif
