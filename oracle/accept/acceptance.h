/* Which results two right implementations may disagree on: NaN payloads with two NaN operands,
 * approximate results, results for which the sources contradict each other. Judged from the state
 * before the instruction, so that a comparer can follow a stream step by step. The rules are data
 * of the rows and notes of the arithmetic: see the head of acceptance.c. Most results are exact. */
#ifndef ORACLE_ACCEPT_ACCEPTANCE_H
#define ORACLE_ACCEPT_ACCEPTANCE_H

#include "oracle/sem/operand.h"

enum { ACCEPTANCE_ALTS = 7 };

/* What one instruction leaves open. Lanes are bits. */
struct acceptance {
    u64 nan_lanes;  /* vector result: any quiet NaN is right (any NaN with IEEE=0) where the model
                       has a NaN */
    u64 any_lanes;  /* vector result: not compared */
    u64 near_lanes; /* vector result: within the row's tolerance */
    u64 less_lanes, more_lanes; /* of those: the exact value is less, more than the model's */
    u64 rel_lanes;              /* of those: an absolute tolerance is relative */
    u64 set_lanes;              /* vector result: one of alt[] is right too */
    u64 kept_lanes;             /* vector result: kept_bits are not compared */
    u32 kept_bits[2];           /* of its first registers: halves that a load may lose */
    u64 mask_lanes;             /* bits of a lane-mask result that are not compared */
    bool scalar;                /* the scalar result is not compared */
    bool ieee;                  /* MODE.IEEE: a NaN result must be quiet */
    u8 type;                    /* enum isa_type of the vector result */
    u8 dw;                      /* its dwords; 0: there is none; 1 or 2 are judged together */
    u8 shift;                   /* a 16-bit result stands at this bit */
    u8 accept, accept_n;        /* the row's */
    u8 alt_count[LANES];
    u64 alt[ACCEPTANCE_ALTS][LANES];
};

/* Fills *l for instruction x, prepared by a machine of the `ref` engine, that is about to run on w.
 * Changes nothing in w that a program can see. */
void acceptance_of(struct wave *w, const struct xinsn *x, struct acceptance *l);

/* The operand that the vector result goes to; NULL if x has none. */
const struct xop *acceptance_vector(const struct xinsn *x);

/* The bits of register number `reg`, from 0, of the vector result that are not compared in a lane. */
u32 acceptance_open_bits(const struct acceptance *l, u32 lane, u32 reg);

/* Whether `got` is right in a lane where the model has `want`: the whole vector result, 32 or 64
 * bits. */
bool acceptance_takes(const struct acceptance *l, u32 lane, u64 want, u64 got);

#endif
