/* Whether two processors know the same opcode and instruction by the same words and do the same
 * with it. For lists of differences, and for programs that are to run on several processors. */
#ifndef ORACLE_INSN_SAME_H
#define ORACLE_INSN_SAME_H

#include "oracle/insn/insn.h"

/* The features (bits by enum isa_feature_bit) that only one of the two processors has and that change
 * what the row does. Settings of a processor ("gfx906:sramecc+") count as the feature they set. */
u32 same_features(const struct isa *a, const struct isa *b, const struct isa_row *row);

/* Whether the opcode is the same on both: it exists, with the same name, number, forms, modifiers and
 * fields, and no feature that only one has changes what it does. */
bool same_op(const struct isa *a, const struct isa *b, isa_op op);

/* Makes of an instruction that is legal on `from` the one that is written alike on `to`: the same
 * row, form, operands and modifiers; of s_waitcnt the same counts, as far as `to` counts. ST_INPUT
 * with the reason in e (which may be NULL) if `to` has none, or it is not legal there. What the two
 * do is not looked at: same_features. */
enum status same_insn(const struct isa *to, const struct insn *in, struct insn *out, struct err *e);

#endif
