/* Whether an approximate float is near enough, by what a row states: ULP(n), REL(n), ABS(n) of
 * oracle/isa/accept.def. Integers only. */
#ifndef ORACLE_ACCEPT_TOLERANCE_H
#define ORACLE_ACCEPT_TOLERANCE_H

#include "oracle/isa/isa.h"

struct tolerance {
    enum isa_accept kind;
    u32 n;
    bool less, more; /* the exact value is known to be less, more than `want` */
    bool relative;   /* an absolute error is relative to the value here */
};

/* Finite floats of `bits` (16, 32, 64) bits; anything else, and any other kind, is not near. ULP
 * asks for the same sign. */
bool tolerance_accepts(const struct tolerance *t, u32 bits, u64 want, u64 got);

/* Whether both are NaNs, and `got` is quiet if `quiet` is asked for. */
bool tolerance_both_nan(u32 bits, u64 want, u64 got, bool quiet);

#endif
