/* Instructions of every shape, for checking the text side: a neutral instruction (insn_neutral) for each row and
 * form, and from it variants in which one field at a time takes its edge values. `gcncheck list
 * --format samples` prints them for scripts/xcheck/xcheck-llvm.sh; harness/t/oracle/t_text.c walks
 * them. Many variants are not legal: that is part of the subject. */
#ifndef HARNESS_ASK_SAMPLES_H
#define HARNESS_ASK_SAMPLES_H

#include "oracle/insn/insn.h"

/* Called with each sample; false stops. */
typedef bool sample_fn(void *ctx, const struct insn *in);

/* All samples of a row and form: the neutral one; the same with a constant and with a scalar as
 * first source; and of each of these every field swept (all values up to 9 bits if `all`, up to 16
 * if `wide`, else and for wider fields the edge values). Then `random` instructions with random
 * fields; *r is used for those only. False if fn stopped it. */
struct sample_range {
    bool all, wide;
    u32 random;
    struct rng *r;
};
bool samples_each(const struct isa *isa, isa_op op, enum isa_form form,
                  const struct sample_range *range, sample_fn *fn, void *ctx);

#endif
