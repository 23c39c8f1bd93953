/* Other readings of scalar rows and of memory. */
#include "oracle/doubt/internal.h"
#include "oracle/insn/half.h"

/* ---- scalar ALU ---- */

static void note_field(struct doubt_run *r, struct doubt_memo *m)
{
    bool wide = r->x.opnd[SLOT_S0].dw > 1;
    u64 v = wide ? scalar64(r->w, &r->x.opnd[SLOT_S0]) : scalar32(r->w, &r->x.opnd[SLOT_S0]);
    u32 size = wide ? 64 : 32, s1 = scalar32(r->w, &r->x.opnd[SLOT_S1]);
    u32 offset = s1 & (size - 1), width = s1 >> 16 & 127;
    m->lanes = offset + width > size;
    m->value[0] = v >> offset;
}

static void bfe_zeros(struct doubt_run *r, struct doubt_memo *m)
{
    u32 pair[2];
    pair_set(pair, m->value[0]);
    if (m->lanes)
        scalar_write(r->w, r->x.opnd[SLOT_D].code, pair, r->x.opnd[SLOT_D].dw);
}

const struct doubt_hooks doubt_bfe_zeros = { note_field, bfe_zeros };

static void note_exec(struct doubt_run *r, struct doubt_memo *m)
{
    m->value[0] = wave_exec(r->w);
}

static void exec_saved(struct doubt_run *r, struct doubt_memo *m)
{
    u32 pair[2];
    pair_set(pair, m->value[0]);
    if (r->x.opnd[SLOT_D].code == CODE_EXEC)
        scalar_write(r->w, CODE_EXEC, pair, 2);
}

const struct doubt_hooks doubt_exec_saved = { note_exec, exec_saved };

/* ---- constants ---- */

enum { CODE_APERTURE = 235, CODE_APERTURE_LAST = 238 };

static bool is_32_bit_source(const struct xop *o)
{
    return o->kind != K_NONE && o->dw == 1 && isa_kinds[o->kind].class == OPERAND_SOURCE;
}

static void aperture_low(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    for (u32 slot = SLOT_S0; slot <= SLOT_S2; slot++) {
        struct xop *o = &r->x.opnd[slot];
        if (!is_32_bit_source(o) || o->code < CODE_APERTURE || o->code > CODE_APERTURE_LAST)
            continue;
        o->is_const = true;
        o->konst = 0;
    }
}

const struct doubt_hooks doubt_aperture_low = { aperture_low, NULL };

static void literal_zero(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    for (u32 slot = SLOT_S0; slot <= SLOT_S2; slot++) {
        struct xop *o = &r->x.opnd[slot];
        if (o->is_const && o->code == CODE_LIT && o->dw > 1)
            o->konst = (u32)o->konst;
    }
}

const struct doubt_hooks doubt_literal_zero = { literal_zero, NULL };

/* ---- buffers ---- */

/* Raw checks are by bytes: with an index and a stride the index is what is checked, with add_tid
 * and no index nothing is. Vega ISA 8.1. */
static void soffset_counts(struct doubt_run *r, struct doubt_memo *m)
{
    u32 *word = &r->w->sgpr[r->x.opnd[SLOT_BASE].code];
    u32 offset = scalar32(r->w, &r->x.opnd[SLOT_SOFF]);
    bool by_index = insn_get(&r->x.insn, FLD_idxen) && bits32(word[1], 16, 14);
    m->scalar[0] = word[2];
    m->lanes = !by_index;
    if (!by_index)
        word[2] = word[2] > offset ? word[2] - offset : 0;
}

static void restore_records(struct doubt_run *r, struct doubt_memo *m)
{
    r->w->sgpr[r->x.opnd[SLOT_BASE].code + 2] = m->scalar[0];
}

const struct doubt_hooks doubt_soffset_counts = { soffset_counts, restore_records };

/* ---- buffers and images: an odd number of halves ---- */

static void half_lost(struct doubt_run *r, struct doubt_memo *m)
{
    const struct xop *d = &r->x.opnd[SLOT_D];
    (void)m;
    for (u32 i = 0; i < d->dw && r->w->stop == STOP_NONE; i++) {
        u32 *row = r->w->vgpr[(d->code - (u32)CODE_VGPR + i) % VGPRS], cleared[LANES];
        u32 bits = half_written(r->w->isa, &r->x.insn, i);
        for (u32 lane = 0; lane < LANES; lane++)
            cleared[lane] = row[lane] & bits;
        wlog_reg(r->w, CODE_VGPR + (d->code - CODE_VGPR + i) % VGPRS, row, LANES);
        put32(row, cleared, wave_exec(r->w));
    }
}

const struct doubt_hooks doubt_half_lost = { NULL, half_lost };

/* ---- LDS, FLAT ---- */

static bool has_address(const struct doubt_run *r)
{
    const struct xop *o = &r->x.opnd[SLOT_ADDR];
    return isa_kinds[o->kind].class == OPERAND_VECTOR && o->dw && o->code >= CODE_VGPR;
}

static u32 *address_row(const struct doubt_run *r)
{
    return r->w->vgpr[r->x.opnd[SLOT_ADDR].code - (u32)CODE_VGPR];
}

/* Lanes that are on and whose address and offset exceed 32 bits are switched off, and what they
 * load is 0. */
static void ds_no_wrap(struct doubt_run *r, struct doubt_memo *m)
{
    u64 lanes = 0;
    if (!has_address(r) || r->x.offset1 || insn_row(&r->x.insn)->flags & FLAG_LANEWISE)
        return;
    for (u32 lane = 0; lane < LANES; lane++)
        lanes |= (u64)(address_row(r)[lane] + (u64)(u32)r->x.offset > UINT32_MAX) << lane;
    m->lanes = lanes & wave_exec(r->w);
    pair_set(&r->w->sgpr[CODE_EXEC], wave_exec(r->w) & ~m->lanes);
}

static void load_zero(struct doubt_run *r, struct doubt_memo *m)
{
    const struct xop *d = &r->x.opnd[SLOT_D];
    if (!m->lanes)
        return;
    pair_set(&r->w->sgpr[CODE_EXEC], wave_exec(r->w) | m->lanes);
    for (u32 i = 0; i < d->dw && d->kind != K_NONE; i++) {
        u32 *row = r->w->vgpr[(d->code - (u32)CODE_VGPR + i) % VGPRS], zero[LANES] = { 0 };
        wlog_reg(r->w, d->code + i, row, LANES);
        put32(row, zero, m->lanes);
    }
}

const struct doubt_hooks doubt_ds_no_wrap = { ds_no_wrap, load_zero };

/* Addresses without their low bits, for the instruction under way. One whose address register is
 * its destination, too, is left as it is. */
static void align_to(struct doubt_run *r, struct doubt_memo *m, u32 bytes)
{
    const struct xop *d = &r->x.opnd[SLOT_D], *a = &r->x.opnd[SLOT_ADDR];
    bool overlaps = d->kind != K_NONE && d->code <= a->code && a->code < d->code + d->dw;
    u32 offset = (u32)r->x.offset;
    if (!has_address(r) || overlaps || bytes < 2)
        return;
    m->lanes = 1;
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 v = address_row(r)[lane];
        m->value[lane] = v;
        address_row(r)[lane] = ((v + offset) & ~(bytes - 1)) - offset;
    }
}

static void restore_addresses(struct doubt_run *r, struct doubt_memo *m)
{
    for (u32 lane = 0; lane < LANES && m->lanes; lane++)
        address_row(r)[lane] = (u32)m->value[lane];
}

static bool touches_memory(const struct doubt_run *r)
{
    return insn_row(&r->x.insn)->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC);
}

static void ds_aligned(struct doubt_run *r, struct doubt_memo *m)
{
    const struct isa_row *row = insn_row(&r->x.insn);
    u32 bytes = isa_access_bytes(row);
    if (touches_memory(r) && !(row->flags & (FLAG_LANEWISE | FLAG_SRC2)))
        align_to(r, m, bytes == 12 ? 16 : bytes);
}

const struct doubt_hooks doubt_ds_aligned = { ds_aligned, restore_addresses };

static void flat_aligned(struct doubt_run *r, struct doubt_memo *m)
{
    u32 bytes = isa_access_bytes(insn_row(&r->x.insn));
    if (touches_memory(r) && !r->x.is_atomic)
        align_to(r, m, bytes < 4 ? bytes : 4);
}

const struct doubt_hooks doubt_flat_aligned = { flat_aligned, restore_addresses };

/* ---- scalar memory ---- */

static void scratch_scaled(struct doubt_run *r, struct doubt_memo *m)
{
    (void)m;
    r->x.offset *= 64;
}

const struct doubt_hooks doubt_scratch_scaled = { scratch_scaled, NULL };

static u32 *scalar_base(const struct doubt_run *r)
{
    return &r->w->sgpr[r->x.opnd[SLOT_BASE].code];
}

static void scratch_based(struct doubt_run *r, struct doubt_memo *m)
{
    u64 base = pair_get(scalar_base(r));
    m->value[0] = base;
    pair_set(scalar_base(r), base + pair_get(&r->w->sgpr[CODE_FLAT_SCRATCH]));
}

static void restore_base(struct doubt_run *r, struct doubt_memo *m)
{
    /* A load may have gone there. */
    if (pair_get(scalar_base(r)) == m->value[0] + pair_get(&r->w->sgpr[CODE_FLAT_SCRATCH]))
        pair_set(scalar_base(r), m->value[0]);
}

const struct doubt_hooks doubt_scratch_based = { scratch_based, restore_base };
