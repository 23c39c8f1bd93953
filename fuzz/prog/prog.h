/* A program as a list of instructions with labels instead of distances, so that instructions can be
 * put in and taken out. Used by the generator and the shrinker. */
#ifndef FUZZ_PROG_PROG_H
#define FUZZ_PROG_PROG_H

#include "oracle/insn/insn.h"

enum { PROG_MAX = 640, PROG_NO_TARGET = -1 };

struct prog_insn {
    struct insn in;
    i16 target; /* index of the instruction that it refers to: a branch goes there, an addend points
                   there */
    i16 origin; /* for the addend of a computed jump, s_add_u32 with a constant: the s_getpc it
                   counts from */
};

struct prog {
    u32 count;
    struct prog_insn insn[PROG_MAX];
};

/* Writes the program and returns its dwords, at most `max`; 0 if it does not fit or a branch is too
 * far. `start`, if not NULL, receives the dword offset of every instruction, and behind them the
 * length. */
u32 prog_encode(const struct prog *p, u32 *code, u32 max, u16 *start);

/* Takes a program apart. ST_INPUT if it does not decode, is too long, or branches to where no
 * instruction begins. A computed jump is recognised as s_getpc_b64 directly followed by s_add_u32
 * of a constant on its low half. */
enum status prog_decode(struct prog *p, const struct isa *isa, const u32 *code, u32 dw,
                        struct err *e);

/* Takes instructions [at, at + count) out; who referred to them refers to what follows. */
void prog_remove(struct prog *p, u32 at, u32 count);

#endif
