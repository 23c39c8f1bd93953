/* Addresses and offsets of memory instructions: inside windows, every lane in a slot of its own
 * where something is written. */
#include "fuzz/gen/internal.h"

#include "oracle/insn/text.h"

enum { LINE_BYTES = 64 };

static u32 access_bytes(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u32 bytes = isa_access_bytes(row);
    if (!(row->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC | FLAG_LANEWISE)))
        return LINE_BYTES; /* of a cache */
    if (!bytes)
        BUG("a memory opcode of unknown size");
    return bytes;
}

/* Vector memory is aligned to its size, to four bytes at most. */
static u32 vector_align(u32 bytes)
{
    return bytes < 4 ? gen_draw_align(bytes) : 4;
}

static bool stores(const struct insn *in)
{
    return insn_row(in)->flags & (FLAG_STORE | FLAG_ATOMIC);
}

/* Where in the slack of an address register an access goes: at its edges, or anywhere aligned. */
static u32 draw_sub(struct draw *d, u32 range, u32 bytes, u32 align)
{
    u32 last = (range + SLOT_BYTES - bytes) / align;
    switch (rng_below(&d->rng, 4)) {
    case 0: return 0;
    case 1: return last * align;
    default: return rng_below(&d->rng, last + 1) * align;
    }
}

/* ---- LDS ---- */

static const struct addr_reg *pick_lds(struct draw *d, bool own)
{
    const struct addr_reg *a[ADDR_REGS];
    u32 n = 0;
    for (u32 i = ADDR_LDS; i < ADDR_LDS + d->r.lds_addrs; i++)
        if (d->r.addr[i].epoch == d->epoch % d->s->waves && (d->r.addr[i].own || !own))
            a[n++] = &d->r.addr[i];
    if (n == 0)
        BUG("no LDS address");
    return a[rng_below(&d->rng, n)];
}

/* Two offsets. What is written must not be written twice: with slots of 16 bytes the two elements
 * stand in different parts of a slot, or a whole round of slots apart. */
static void set_two_offsets(struct draw *d, struct insn *in, const struct addr_reg *a)
{
    const struct isa_row *row = insn_row(in);
    bool st64 = row->flags & FLAG_ST64;
    u32 bytes = access_bytes(in), unit = bytes;
    unit *= st64 ? 64 : 1;
    u32 last = (a->range + SLOT_BYTES - bytes) / unit;
    last = last > 255 ? 255 : last;
    u32 off0 = rng_below(&d->rng, last + 1), off1 = rng_below(&d->rng, last + 1);
    if (stores(in) && st64) {
        u32 apart = LANE_BYTES / unit;
        off0 = rng_below(&d->rng, last - apart + 1);
        off1 = off0 + apart + rng_below(&d->rng, last - apart - off0 + 1);
    } else if (stores(in) && off0 % (SLOT_BYTES / unit) == off1 % (SLOT_BYTES / unit)) {
        off1 ^= 1;
        if (off1 > last)
            off1 -= 2;
    }
    bool swap = rng_one_in(&d->rng, 2);
    insn_set(in, FLD_offset0, swap ? off1 : off0);
    insn_set(in, FLD_offset1, swap ? off0 : off1);
}

/* Whether lanes may access one place: what is seen afterwards does not depend on their order. */
static bool may_collide(const struct insn *in)
{
    u64 f = insn_row(in)->flags;
    return !(f & FLAG_STORE) && (!(f & FLAG_ATOMIC) || f & FLAG_ANY_ORDER);
}

/* What ds_swizzle_b32's text can say in one way only: a permutation of four lanes, or for each bit
 * of the lane 0, 1, as it is, or inverted; or lanes turned around, or in the order of an FFT. */
static u32 draw_swizzle(struct draw *d)
{
    u32 and = rng_below(&d->rng, 32), or = rng_below(&d->rng, 32), xor = rng_below(&d->rng, 32);
    u32 quad = rng_below(&d->rng, 256), how = rng_below(&d->rng, 8);
    bool few = gen_target_has(d, FEATUREBIT_FEW_SWIZZLES) ||
               gen_targets_differ(d, FEATUREBIT_FEW_SWIZZLES);
    if (how < 2 && !few)
        return how ? 0xe000 | and : 0xc000 | and | or << 5 | (xor&1) << 10;
    return how < 4 ? 0x8000 | quad : and | (or &~and) << 5 | (xor&and) << 10;
}

/* Destination and data in the lane's own slot: the data above, or both at one place, by the offset
 * or by the address's upper half, which is 0. */
static u32 draw_src2_offset(struct draw *d, const struct addr_reg *a)
{
    u32 by_lane = rng_one_in(&d->rng, 8), up = rng_below(&d->rng, 2);
    return by_lane && !a->outside ? 0x8000 : up * 2;
}

static bool set_lds(struct draw *d, struct insn *in)
{
    if (insn_row(in)->operand[0].kind == K_NONE || gen_is_lds_by_m0(insn_row(in))) /* ds_nop */
        return true;
    if (insn_row(in)->flags & FLAG_LANEWISE) { /* the address is a lane number, and any will do */
        insn_set(in, FLD_addr, gen_draw_vgpr(d, T_U32, 1));
        bool none = rng_one_in(&d->rng, 2);
        u32 offset = text_is_swizzle(insn_row(in)) ? draw_swizzle(d) : rng_below(&d->rng, 65536);
        insn_set(in, FLD_offset, none ? 0 : offset);
        return true;
    }
    const struct addr_reg *a = pick_lds(d, !may_collide(in));
    d->s->features |= a->outside ? GEN_LDS_OUTSIDE : 0u;
    insn_set(in, FLD_addr, a->reg);
    u32 bytes = access_bytes(in), align = bytes == 12 ? 16 : bytes;
    if (insn_row(in)->flags & FLAG_OFFSET2)
        set_two_offsets(d, in, a);
    else if (insn_row(in)->flags & FLAG_SRC2)
        insn_set(in, FLD_offset, draw_src2_offset(d, a));
    else
        insn_set(in, FLD_offset, draw_sub(d, a->range, align, align));
    return true;
}

/* ---- FLAT and GLOBAL ---- */

static const struct addr_reg *pick_global(struct draw *d, const struct insn *in)
{
    static const u8 flat[4] = { ADDR_RW, ADDR_RW, ADDR_RO, ADDR_RO };
    static const u8 load[5] = { ADDR_RW, ADDR_RW_BIASED, ADDR_RO, ADDR_RW_OFFSET, ADDR_RO_OFFSET };
    static const u8 store[3] = { ADDR_RW, ADDR_RW_BIASED, ADDR_RW_OFFSET };
    if (isa_memory(insn_row(in)) == MEMORY_FLAT)
        return &d->r.addr[stores(in) ? flat[0] : flat[rng_below(&d->rng, 4)]];
    return &d->r.addr[stores(in) ? store[rng_below(&d->rng, 3)] : load[rng_below(&d->rng, 5)]];
}

static bool set_global(struct draw *d, struct insn *in)
{
    const struct addr_reg *a = pick_global(d, in);
    u32 bytes = access_bytes(in), align = vector_align(bytes);
    i32 imm = a->bias + (i32)draw_sub(d, a->range, bytes, align);
    insn_set(in, FLD_addr, a->reg);
    if (isa_memory(insn_row(in)) == MEMORY_GLOBAL || gen_has_flat_offset(d))
        insn_set(in, FLD_offset, (u32)imm);
    if (isa_memory(insn_row(in)) == MEMORY_GLOBAL)
        insn_set(in, FLD_saddr, a->wide ? (u32)CODE_OFF : a->base);
    if (!(insn_row(in)->flags & FLAG_ATOMIC))
        insn_set(in, FLD_glc, rng_one_in(&d->rng, 8));
    insn_set(in, FLD_slc, rng_one_in(&d->rng, 16));
    return true;
}

/* ---- private memory: nobody else's, so that lanes never collide ---- */

/* A scalar address with a negative offset is avoided: hardware miscomputes it. */
static bool set_scratch(struct draw *d, struct insn *in)
{
    if (!d->r.has_scratch)
        return false;
    u32 bytes = access_bytes(in), align = vector_align(bytes);
    u32 last = (SCRATCH_LANE - (SCRATCH_BASES - 1) * 4 - bytes) / align;
    bool scalar = rng_one_in(&d->rng, 3);
    i32 imm = (i32)(rng_below(&d->rng, last + 1) * align);
    insn_set(in, FLD_addr, scalar ? 0 : d->r.vscratch);
    insn_set(in, FLD_saddr, scalar ? d->r.sscratch : (u32)CODE_OFF);
    insn_set(in, FLD_offset, (u32)(scalar ? imm : imm - d->r.scratch_bias));
    insn_set(in, FLD_glc, rng_one_in(&d->rng, 8));
    insn_set(in, FLD_slc, rng_one_in(&d->rng, 16));
    return true;
}

/* ---- scalar memory ---- */

/* An immediate offset, or the literal in its place; false if the field has no room for it. */
static bool set_immediate(struct draw *d, struct insn *in, u32 bytes)
{
    bool by_dword = gen_target_has(d, FEATUREBIT_DWORD_OFFSETS);
    u32 value = by_dword ? bytes / 4 : bytes;
    if (by_dword && (value > 255) != (in->form == FORM_LIT))
        return false;
    insn_set(in, FLD_imm, in->form != FORM_LIT);
    insn_set(in, in->form == FORM_LIT ? FLD_lit : FLD_offset, value);
    return true;
}

/* A buffer: anywhere up to its end and beyond, where zeros are. Offsets are not negative. */
static bool set_smem_buffer(struct draw *d, struct insn *in)
{
    bool by_register = rng_one_in(&d->rng, 4) && in->form != FORM_LIT;
    insn_set(in, FLD_sbase, d->r.sbuf / 2);
    u32 at = rng_below(&d->rng, RO_BYTES);
    if (!by_register)
        return set_immediate(d, in, at);
    insn_set(in, FLD_imm, 0);
    insn_set(in, FLD_offset, at & 1 ? (u32)CODE_M0 : d->r.smoff);
    return true;
}

/* A scalar register beside the immediate. */
static void set_soffset(struct insn *in, u32 reg)
{
    insn_set(in, FLD_soe, 1);
    insn_set(in, FLD_soffset, reg);
}

static bool is_scalar_buffer(const struct isa_row *row)
{
    return isa_types[row->operand[1].type].dwords == 4;
}

/* In the wave's own part of the memory for scalar stores. Offsets are immediates: what others there
 * are for stores and atomics is contested, but scratch may be loaded by a register. What is beyond
 * the end of a buffer is not stored, which is no matter of its last bytes alone. */
static bool set_scalar(struct draw *d, struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    const struct reg_plan *r = &d->r;
    bool atomic = row->flags & FLAG_ATOMIC, buffer = is_scalar_buffer(row);
    bool scratch = row->flags & FLAG_PRIVATE, near = rng_one_in(&d->rng, 2);
    bool unit = scratch && row->flags & FLAG_LOAD && rng_one_in(&d->rng, 2);
    bool alone = unit && rng_one_in(&d->rng, 3); /* no immediate */
    bool signed_offset = !buffer && !scratch && insn_has(in, FLD_soe);
    u32 bytes = isa_access_bytes(row), align = atomic ? bytes : 4;
    u32 room = SCALAR_BYTES - bytes - (unit ? 7 * SCALAR_UNIT : 0), last = room / align;
    u32 at = rng_below(&d->rng, last + 1);
    if (!r->has_scalar)
        return false;
    if (buffer && near && r->scalar_end / align <= last)
        at = r->scalar_end / align - (r->scalar_end / align && rng_one_in(&d->rng, 2));
    at *= align;
    if (!atomic && !r->scalar_low && rng_one_in(&d->rng, 8))
        at |= rng_below(&d->rng, 4);
    insn_set(in, FLD_sbase,
             (buffer          ? r->scalar_buf
              : signed_offset ? r->scalar_up
                              : r->scalar) /
                 2u);
    if (insn_has(in, FLD_glc))
        insn_set(in, FLD_glc, rng_one_in(&d->rng, atomic ? 2 : 8));
    if (!alone && unit)
        set_soffset(in, r->scalar_unit);
    if (!alone)
        return set_immediate(d, in, signed_offset ? at - r->scalar_bias : at);
    insn_set(in, FLD_imm, 0);
    insn_set(in, FLD_offset, r->scalar_unit);
    return true;
}

/* An immediate, a scalar register, or both. The low two bits of the sum are dropped. */
static bool set_smem(struct draw *d, struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    if (!isa_operand_of_kind(row, K_SBASE)) /* of caches and clocks */
        return true;
    bool small = row->flags & FLAG_LOAD && isa_access_bytes(row) <= SLOT_BYTES;
    if (gen_is_scalar_store(row) || (d->r.has_scalar && small && rng_one_in(&d->rng, 3)))
        return set_scalar(d, in);
    if (is_scalar_buffer(row))
        return set_smem_buffer(d, in);
    u32 how = rng_below(&d->rng, 4), bytes = access_bytes(in);
    if (in->form == FORM_LIT)
        how = 0;
    if (how == 2 && !insn_has(in, FLD_soe))
        how = 3;
    u32 sub = draw_sub(d, RO_BYTES - SLOT_BYTES, bytes > SLOT_BYTES ? SLOT_BYTES : bytes, 4);
    if (sub > RO_BYTES - bytes)
        sub = RO_BYTES - bytes;
    sub |= rng_one_in(&d->rng, 8) ? rng_below(&d->rng, 4) : 0;
    insn_set(in, FLD_sbase, d->r.smem[how < 2 ? 0 : 1] / 2);
    insn_set(in, FLD_imm, how != 3 && in->form != FORM_LIT);
    if (how < 2)
        return set_immediate(d, in, (u32)(d->r.smem_bias + (i32)sub));
    if (how == 2) {
        insn_set(in, FLD_offset, sub);
        set_soffset(in, d->r.smoff);
    } else {
        insn_set(in, FLD_offset, d->r.smoff);
    }
    return true;
}

bool gen_draw_address(struct draw *d, struct insn *in)
{
    switch (isa_memory(insn_row(in))) {
    case MEMORY_SCALAR: return set_smem(d, in);
    case MEMORY_LDS: return set_lds(d, in);
    case MEMORY_SCRATCH: return set_scratch(d, in);
    case MEMORY_BUFFER: return gen_draw_buffer(d, in);
    case MEMORY_IMAGE: return gen_draw_image(d, in);
    default: return set_global(d, in);
    }
}
