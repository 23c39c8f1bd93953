/* Scalar memory rows. Vega ISA, chapter 7. */
#include "oracle/sem/mem/atomic.h"

#include "oracle/isa/shape.def"

/* What the register part of an offset counts. */
enum { UNIT_BYTE = 1, UNIT_SCRATCH = 64 };

/* Where an access goes: dword n of it stands at base + offset + 4 * n, and is there if that lies in
 * the first `size` bytes from base. */
struct smem {
    u64 base, offset, size;
};

/* Signed 21-bit immediate, or scalar register, or both; the low two bits of each are dropped.
 * ERRATA(SMEM-C01): one chapter calls the immediate 20 bits and unsigned. ERRATA(GCN2-U01): of
 * gfx6 and gfx7 the immediate, or on gfx7 a literal, counts dwords. */
static u64 smem_offset(const struct wave *w, const struct xinsn *in, u32 unit)
{
    const struct insn *i = &in->insn;
    bool by_dword = isa_target_has(w->isa->target, FEATUREBIT_DWORD_OFFSETS);
    u64 offset = 0;
    if (insn_get(i, FLD_imm))
        offset = (u64)(i64)in->offset;
    else if (i->form == FORM_LIT)
        offset = i->lit;
    if (by_dword)
        offset *= 4;
    i32 reg = insn_smem_offset_register(i);
    if (reg >= 0)
        offset += (u64)w->sgpr[reg] * unit & ~3ull;
    return offset & ~3ull;
}

/* A buffer resource gives base, stride and number of records; with a stride the records are that
 * long. ERRATA(SMEM-C05 SMEM-C06): the manual's formula for the size has the two cases the wrong
 * way round, and its stride has two bits too many. */
static struct smem smem_place(const struct wave *w, const struct xinsn *in, u32 unit)
{
    const u32 *r = &w->sgpr[in->opnd[SLOT_BASE].code];
    struct smem p = { .base = pair_get(r) & ~3ull,
                      .offset = smem_offset(w, in, unit),
                      .size = ~0ull };
    if (in->opnd[SLOT_BASE].dw == 4) {
        u32 stride = bits32(r[1], 16, 14);
        p.base = sext64(p.base, 48);
        p.size = (u64)r[2] * (stride ? stride : 1);
    }
    return p;
}

static bool inside(const struct smem *p, u64 at, u32 bytes)
{
    u64 end = p->offset + at + bytes;
    return p->size == ~0ull || (end > p->offset && end <= p->size);
}

static u64 place_read(struct wave *w, const struct smem *p, u64 at, u32 bytes)
{
    u64 addr = p->base + p->offset + at;
    return inside(p, at, bytes) ? mem_read(w, SPACE_SCALAR, 0, addr, bytes) : 0;
}

static void place_write(struct wave *w, const struct smem *p, u64 at, u32 bytes, u64 value)
{
    if (inside(p, at, bytes))
        mem_write(w, SPACE_SCALAR, 0, p->base + p->offset + at, bytes, value);
}

static void smem_load(struct wave *w, const struct xinsn *in, u32 unit)
{
    struct smem p = smem_place(w, in, unit);
    u32 dwords = in->opnd[SLOT_D].dw, value[16];
    for (u32 n = 0; n < dwords; n++)
        value[n] = (u32)place_read(w, &p, n * 4, 4);
    scalar_write(w, in->opnd[SLOT_D].code, value, dwords);
}

static void smem_store(struct wave *w, const struct xinsn *in, u32 unit)
{
    struct smem p = smem_place(w, in, unit);
    const u32 *value = &w->sgpr[in->opnd[SLOT_SDATA].code];
    for (u32 n = 0; n < in->opnd[SLOT_SDATA].dw; n++)
        place_write(w, &p, n * 4, 4, value[n]);
}

/* The counter that programs read is the number of instructions that the wave has executed, so that
 * every run gives the same. */
static void smem_time(struct wave *w, const struct xinsn *in)
{
    u32 value[2];
    pair_set(value, w->steps);
    scalar_write(w, in->opnd[SLOT_D].code, value, 2);
}

/* With glc the old value comes back in place of the data: of compare and swap, of its first
 * half. */
static void give_back(struct wave *w, const struct xinsn *in, u64 old, u32 dwords)
{
    u32 value[2];
    pair_set(value, old);
    if (insn_get(&in->insn, FLD_glc))
        scalar_write(w, in->opnd[SLOT_D].code, value, dwords);
}

static void smem_atomic32(struct wave *w, const struct xinsn *in, u32 (*op)(u32 old, u32 data))
{
    struct smem p = smem_place(w, in, UNIT_BYTE);
    u32 old = (u32)place_read(w, &p, 0, 4);
    place_write(w, &p, 0, 4, op(old, w->sgpr[in->opnd[SLOT_D].code]));
    give_back(w, in, old, 1);
}

static void smem_atomic64(struct wave *w, const struct xinsn *in, u64 (*op)(u64 old, u64 data))
{
    struct smem p = smem_place(w, in, UNIT_BYTE);
    u64 old = place_read(w, &p, 0, 8);
    place_write(w, &p, 0, 8, op(old, pair_get(&w->sgpr[in->opnd[SLOT_D].code])));
    give_back(w, in, old, 2);
}

static void smem_cmpswap32(struct wave *w, const struct xinsn *in)
{
    struct smem p = smem_place(w, in, UNIT_BYTE);
    u32 old = (u32)place_read(w, &p, 0, 4);
    place_write(w, &p, 0, 4, cmpswap32(old, pair_get(&w->sgpr[in->opnd[SLOT_D].code])));
    give_back(w, in, old, 1);
}

static void smem_cmpswap64(struct wave *w, const struct xinsn *in)
{
    struct smem p = smem_place(w, in, UNIT_BYTE);
    struct b128 data;
    u64 old = place_read(w, &p, 0, 8);
    memcpy(&data, &w->sgpr[in->opnd[SLOT_D].code], sizeof data);
    place_write(w, &p, 0, 8, cmpswap64(old, data));
    give_back(w, in, old, 2);
}

#define OPW(op, shape, numbers, rowflags, ...) SEM_OF_WAVE(op, __VA_ARGS__)
#include "oracle/isa/rows/smem.def"
#undef OPW

#define OPW(op, shape, numbers, rowflags, ...) SEM_EXPORT(op)
#include "oracle/isa/rows/smem.def"
