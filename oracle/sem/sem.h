/* The row vocabulary: what the bodies in oracle/isa/rows are written in, and the macros that make
 * one whole-wave function of each row. Included by files of oracle/sem only.
 *
 * In every body: the shape's variables (S0, S1, S2, D, CARRY, CIN, K, IMM, ...), w the wave, in the
 * prepared instruction. Scalar rows add SCC, EXEC, VCC and PC. Vector rows are run once per lane:
 * LANE is its number, CLAMP the form's clamp bit, E the floating-point environment of OPF rows.
 * Packed rows (OPP) are run for each half of a lane: HALF is 0 or 1, operands are 16 bits.
 * Memory rows (OPM) are run for active lanes only, in lane order: ADDR, ADDR1 byte addresses, LDn
 * and STn accesses. */
#ifndef ORACLE_SEM_SEM_H
#define ORACLE_SEM_SEM_H

#include "oracle/sem/operand.h"
#include "oracle/state/mem.h"

/* Row flags without their prefix, as the rows write them. */
__extension__ enum row_flag {
#define FLAG(name, meaning) name = FLAG_##name,
#include "oracle/isa/flag.def"
#undef FLAG
};

#include "oracle/isa/accept.def"

/* A row whose body gets the wave: the body is the function. */
#define SEM_OF_WAVE(op, ...)                                     \
    static void sem_##op(struct wave *w, const struct xinsn *in) \
    {                                                            \
        __VA_ARGS__                                              \
    }

/* Rows without a body have nothing to run. */
#define OPD(op, shape, numbers, flags)

/* The C type of a variable; of packed operands, of one half. */
struct b96 {
    u32 d[3];
};
struct b128 {
    u32 d[4];
};
#define TYPE(name, dwords, class, bytes, traits, c) typedef c CT_##name;
#include "oracle/isa/type.def"
#undef TYPE

/* ---- helpers of the bodies: total functions on bits ---- */

static inline u32 brev32(u32 v)
{
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
}

/* A field of `width` bits at `offset`, sign-extended from its top bit; a field that runs past the
 * top is an arithmetic shift; width 0 gives 0. */
static inline i32 bfe_i32(i32 v, u32 offset, u32 width)
{
    i32 rest = v >> offset;
    u32 unused = width >= 32 - offset ? 0 : 32 - width;
    return width == 0 ? 0 : (i32)((u32)rest << unused) >> unused;
}

static inline i32 sx24(i32 v)
{
    return (i32)((u32)v << 8) >> 8;
}
static inline i32 sat_i32(i64 v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (i32)v;
}

static inline i32 sat_i16(i32 v)
{
    return v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : v;
}

/* One byte of V_PERM_B32. Vega ISA, VOP3 opcodes. */
static inline u32 perm_byte(u64 bytes, u32 sel)
{
    if (sel >= 13)
        return 0xff;
    if (sel == 12)
        return 0;
    if (sel >= 8) /* sign of byte 1, 3, 5, 7 */
        return bytes >> ((sel - 8) * 16 + 15) & 1 ? 0xff : 0;
    return (u32)(bytes >> sel * 8 & 0xff);
}

/* Selects 0-3 take bytes of s1, 4-7 of s0. */
static inline u32 perm_b32(u32 s0, u32 s1, u32 sel)
{
    u64 bytes = (u64)s0 << 32 | s1;
    return perm_byte(bytes, sel & 255) | perm_byte(bytes, sel >> 8 & 255) << 8 |
           perm_byte(bytes, sel >> 16 & 255) << 16 | perm_byte(bytes, sel >> 24) << 24;
}

/* ---- LDS in place of a data register ---- */

/* Lanes stand one dword after the other behind M0's low half and the instruction's offset. */
static inline u64 lds_spot(const struct wave *w, const struct xinsn *in, u32 lane)
{
    return (w->sgpr[CODE_M0] & 0xffff) + (u32)in->offset + lane * 4;
}

/* A dword of each lane that is on to its place. */
static inline void put_lds(struct wave *w, const struct xinsn *in, const u32 *out)
{
    for (u64 m = wave_exec(w); m; m &= m - 1)
        mem_write(w, SPACE_LDS_M0, ctz64(m), lds_spot(w, in, ctz64(m)), 4, out[ctz64(m)]);
}

#define EXEC_NOW wave_exec(w)
#define VCC_LANE (wave_vcc(w) >> LANE & 1)

#endif
