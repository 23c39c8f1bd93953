/* How often each opcode stood in streams, in each form: what every campaign counts. What else there
 * is to cover, and is counted where it is asked for, is in cover.h. */
#ifndef FUZZ_COVER_TALLY_H
#define FUZZ_COVER_TALLY_H

#include "oracle/insn/insn.h"

/* Plain data, so that shards can be added up. */
struct tally {
    u64 streams;
    u64 insns;
    u64 form[OPS_MAX][FORM_COUNT];
};

/* Counts every instruction of a program as it stands; one stream. */
void tally_code(struct tally *t, const struct isa *isa, const u32 *code, u32 dw);

/* Adds `from` to `to`. */
void tally_merge(struct tally *to, const struct tally *from);

#endif
