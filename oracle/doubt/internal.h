/* What the readings share; nobody outside of oracle/doubt includes it. */
#ifndef ORACLE_DOUBT_INTERNAL_H
#define ORACLE_DOUBT_INTERNAL_H

#include "oracle/doubt/doubt.h"

/* An instruction that is executed by other readings. */
struct doubt_run {
    struct xinsn x; /* a copy, first: operands that are given find their values from it */
    struct wave *w;
    u32 given[SLOT_COUNT][LANES];
};

/* What one reading remembers from before the instruction. */
struct doubt_memo {
    u64 lanes;
    u64 value[LANES];
    u32 scalar[4];
};

/* A reading: what it changes before the instruction (the copy of it, the wave), and what of the
 * result. Either may be NULL. */
typedef void doubt_hook(struct doubt_run *r, struct doubt_memo *m);
struct doubt_hooks {
    doubt_hook *before, *after;
};

#define OTHER(id, opcodes, name, reading) extern const struct doubt_hooks doubt_##name;
#include "oracle/errata/other.def"
#undef OTHER

#endif
