/* Prepared instructions, and how operands are fetched and results stored. Preparing happens once
 * per program position; it picks, for every operand, the function that fetches or stores it, so
 * that running an instruction branches on nothing that the encoding already decided. Whole waves
 * move, not lanes: a fetch returns 64 values, a store takes 64 and writes those of the lanes that
 * are on. */
#ifndef ORACLE_SEM_OPERAND_H
#define ORACLE_SEM_OPERAND_H

#include "oracle/insn/insn.h"
#include "oracle/state/state.h"

/* One operand of a prepared instruction. */
struct xop {
    /* 64 values; a plain register file row, or buf filled. The type's size decides which of the two
     * is set. */
    union {
        const u32 *(*fetch32)(struct wave *w, const struct xinsn *in, const struct xop *o,
                              u32 *buf);
        const u64 *(*fetch64)(struct wave *w, const struct xinsn *in, const struct xop *o,
                              u64 *buf);
    };
    /* Writes the values of active lanes; a MASK gathers its 64 dwords of 0 and 1 into bits. */
    union {
        void (*store32)(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *out);
        void (*store64)(struct wave *w, const struct xinsn *in, const struct xop *o, u64 *out);
    };
    u64 konst;     /* the value, if is_const */
    u16 code;      /* operand code: 0-255 scalar, 256-511 v0-v255 */
    u8 dw;         /* dwords covered */
    bool is_const; /* inline constant, literal or immediate */
    bool direct;   /* a plain vector register: fetch is the register file itself */
    u8 kind, type;
    /* Input modifiers as one expression: ((v >> shift & mask) ^ sign) - sign, then (& keep) ^
     * flip. */
    u8 shift;
    u32 mask, sign, keep, flip;
    u8 shift_hi; /* of packed operands: 16 if the high operand is a high half */
    u8 part;     /* enum part: what a result replaces */
};

enum part { PART_ALL, PART_LOW, PART_HIGH }; /* of the register's two halves */

struct operand_ops;
struct plain_form;
struct plain_table;

struct xinsn {
    sem_fn *sem;
    const struct operand_ops *ops; /* what prepared it */
    struct insn insn;
    struct xop opnd[SLOT_COUNT];
    u8 clamp, omod;
    u8 dst_sel, dst_unused; /* SDWA */
    /* Of DPP, else not filled: */
    bool bound_ctrl;   /* lanes without a source read 0 instead of not being written */
    u8 lane_of[LANES]; /* source lane */
    u64 dpp_valid;     /* lanes that have a source lane */
    u64 dpp_rows;      /* lanes that row_mask and bank_mask let through */
    i32 offset;        /* memory offset, bytes; two-offset DS: first offset, bytes */
    i32 offset1;       /* two-offset DS: second offset, bytes */
    u8 space;          /* enum space of its memory */
    bool into_lds;     /* LDS takes the place of its data register */
    bool is_atomic;    /* reads and writes memory as one */
};

/* How instructions get their operands; a mutant replaces this table. */
struct operand_ops {
    /* Fills everything of *x but x->sem, and what only DPP has, from a decoded instruction whose row
     * has operands. */
    void (*prepare)(struct xinsn *x, const struct insn *in);
    /* The same, in fewer steps, of an instruction of this row and form that is plain, and as legal as
     * insn_printable asks. False if that is not seen at once; *x is then to be filled by prepare. */
    bool (*prepare_plain)(struct xinsn *x, const struct insn *in, const struct plain_table *t,
                          const struct plain_form *f);
    /* The byte address of each lane, offset included; addr1 is filled for rows with two offsets. */
    void (*addresses)(struct wave *w, const struct xinsn *in, u64 *addr, u64 *addr1);
};
extern const struct operand_ops operand_ops_base,
    operand_ops_v3; /* compiled for any CPU, for AVX2 */

/* Files that are compiled more than once tell their tables apart by SEM_NAME (Makefile). */
#define SEM_GLUE2(a, b)   a##_##b
#define SEM_GLUE(a, b)    SEM_GLUE2(a, b)
#define SEM_TABLE(family) SEM_GLUE(family, SEM_NAME)

/* What a row became, under a name that the linker finds: sem_v_add_u32_base points to its function.
 * oracle/exec/engine.c puts them into a table; so only that file has to know every row. */
#define SEM_EXPORT(op)                        \
    extern sem_fn *const SEM_TABLE(sem_##op); \
    sem_fn *const SEM_TABLE(sem_##op) = sem_##op;

/* Scalar operands. */
static inline u32 scalar32(const struct wave *w, const struct xop *o)
{
    if (o->is_const)
        return (u32)o->konst;
    return o->code < SGPRS ? w->sgpr[o->code] : wave_scalar_special(w, o->code);
}
static inline u64 scalar64(const struct wave *w, const struct xop *o)
{
    if (o->is_const)
        return o->konst;
    return o->code < SGPRS ? pair_get(&w->sgpr[o->code]) : wave_scalar_special64(w, o->code);
}

/* Writes n dwords of scalar registers, logged. EXEC, VCC and M0 live in the file. Only the trap
 * handler can write the TTMP registers, and TBA and TMA where they stand below those. */
static inline void scalar_write(struct wave *w, u32 code, const u32 *value, u32 n)
{
    if (code - CODE_TRAP <= CODE_TTMP_LAST - CODE_TRAP && !(w->status >> STATUS_PRIV & 1))
        return;
    wlog_reg(w, code, &w->sgpr[code], n);
    memcpy(&w->sgpr[code], value, n * 4);
}

/* Copies out[lane] to dst[lane] where bit `lane` of m is set. */
static inline void put32(u32 *restrict dst, const u32 *restrict out, u64 m)
{
    if (m == ~0ull) {
        memcpy(dst, out, LANES * 4);
        return;
    }
    for (u32 half = 0; half < LANES; half += 32) {
        u32 bits = (u32)(m >> half);
        for (u32 i = 0; i < 32; i++) {
            u32 keep = 0u - (bits >> i & 1);
            dst[half + i] = (out[half + i] & keep) | (dst[half + i] & ~keep);
        }
    }
}

/* The fast ways, inline: a plain vector register without modifiers. */
static inline const u32 *fetch32(struct wave *w, const struct xinsn *in, const struct xop *o,
                                 u32 *buf)
{
    return o->direct ? w->vgpr[o->code - CODE_VGPR] : o->fetch32(w, in, o, buf);
}

static inline void store32(struct wave *w, const struct xinsn *in, const struct xop *o, u32 *out)
{
    if (o->direct && wlog_has_row(w, o->code - CODE_VGPR))
        put32(w->vgpr[o->code - CODE_VGPR], out, wave_exec(w));
    else
        o->store32(w, in, o, out);
}

#endif
