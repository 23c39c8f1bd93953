/* Approximate results that are not the best ones: instructions of which only an error is promised
 * (rcp, rsq, sqrt, exp, log, sin, cos: ULP(n), REL(n), ABS(n) of oracle/isa/accept.def) give any
 * value within it. Code that works with the model alone, because that rounds best, no longer does. */
#ifndef ORACLE_ACCEPT_APPROXIMATE_H
#define ORACLE_ACCEPT_APPROXIMATE_H

#include "oracle/exec/exec.h"

/* What stands in for the rows of an engine. About 32 KiB; the caller's, for as long as the engine
 * is used. */
struct approximate {
    u64 seed;
    sem_fn *usual[OPS_MAX];  /* of the engine as it was */
    sem_fn *noting[OPS_MAX]; /* of the engine that notes what is open about a result */
};

/* From now on such rows of *eng are drawn from `seed`: the same result of the same opcode becomes
 * the same value, whoever computes it and when. Every wave has to be attached before it runs. */
void approximate_open(struct approximate *a, struct engine *eng, u64 seed);

static inline void approximate_attach(const struct approximate *a, struct wave *w)
{
    w->approximate = a;
}

/* A value that is accepted where the exact one is `want`; `draw` is a random number. */
struct acceptance;
u64 approximate_value(const struct acceptance *l, u32 lane, u64 want, u64 draw);

#endif
