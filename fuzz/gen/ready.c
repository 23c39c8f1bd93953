/* Memory instructions behind moves that make their operands ready: an address copied to where the
 * destination is, a base, a resource or an offset copied to s0, and an offset in VCC or M0. */
#include "fuzz/gen/internal.h"

#include "oracle/isa/op.h"
#include "oracle/state/effects.h"

/* Registers one behind another; `n` is 0 if there are none. */
struct span {
    enum isa_field field;
    u32 first, n;
};

static bool may_overlap(const struct isa_row *row)
{
    return row->operand[0].dir == DIR_W && row->flags & (FLAG_LOAD | FLAG_IMAGE_INFO) &&
           !(row->flags & FLAG_ATOMIC);
}

/* What the field names, of what the instruction reads or writes. */
static struct span span_of(const struct insn *in, enum isa_field field, u32 unit, u32 file, u32 dir)
{
    struct effects fx;
    struct span s = { field, 0, 0 };
    if (!insn_has(in, field))
        return s;
    s.first = insn_get(in, field) * unit;
    effects_of(in, &fx);
    for (u32 i = 0; i < fx.count; i++)
        if (fx.e[i].place == file + s.first && fx.e[i].dir == dir && fx.e[i].dw > s.n)
            s.n = fx.e[i].dw;
    return s;
}

static bool copy_vector(struct draw *d, u32 to, u32 from)
{
    struct insn in = gen_start(d, OP_v_mov_b32, FORM_BASE);
    insn_set(&in, FLD_vdst, to);
    insn_set(&in, FLD_src0, CODE_VGPR + from);
    return gen_emit(d, &in);
}

static bool copy_scalar(struct draw *d, isa_op op, u32 to, u32 from)
{
    struct insn in = gen_start(d, op, FORM_BASE);
    insn_set(&in, FLD_sdst, to);
    insn_set(&in, FLD_ssrc0, from);
    return gen_emit(d, &in);
}

/* Of as many registers of data as the longer of both has, either has all or a part. */
static bool overlap_vector(struct draw *d, struct insn *in)
{
    enum isa_field to = insn_has(in, FLD_vdata) ? FLD_vdata : FLD_vdst,
                   from = insn_has(in, FLD_vaddr) ? FLD_vaddr : FLD_addr;
    struct span dst = span_of(in, to, 1, PLACE_V0, DIR_W),
                src = span_of(in, from, 1, PLACE_V0, DIR_R);
    if (isa_memory(insn_row(in)) == MEMORY_IMAGE) /* the resource says how many; the level is one */
        src.n = gen_is_sampled(insn_row(in))            ? gen_sample_registers(d, in)
                : insn_row(in)->flags & FLAG_IMAGE_INFO ? 1
                                                        : COORDS;
    if (src.n > VINT_REGS)
        return true;
    if (!dst.n || !src.n || !gen_has(d, OP_v_mov_b32, FORM_BASE))
        return true;
    u32 n = dst.n > src.n ? dst.n : src.n;
    u32 at = n > VFLT_REGS ? d->r.vint + rng_below(&d->rng, VINT_REGS - n + 1)
                           : gen_draw_vgpr(d, T_U32, n);
    u32 up = rng_below(&d->rng, n - src.n + 1), dst_up = rng_below(&d->rng, n - dst.n + 1);
    for (u32 i = 0; i < src.n; i++)
        if (!copy_vector(d, at + up + i, src.first + i))
            return false;
    insn_set(in, from, at + up);
    insn_set(in, to, at + dst_up);
    return true;
}

/* A base is two or four registers, and stands at a multiple of that. */
static bool overlap_scalar(struct draw *d, struct insn *in)
{
    struct span dst = span_of(in, FLD_sdata, 1, 0, DIR_W),
                src = span_of(in, FLD_sbase, 2, 0, DIR_R);
    if (!dst.n || !src.n || !gen_has(d, OP_s_mov_b64, FORM_BASE))
        return true;
    u32 n = dst.n > src.n ? dst.n : src.n, at = gen_draw_sgpr(d, n);
    u32 step = dst.n > 4 ? 4 : dst.n, up = rng_below(&d->rng, (n - src.n) / src.n + 1) * src.n,
        dst_up = rng_below(&d->rng, (n - dst.n) / step + 1) * step;
    for (u32 i = 0; i < src.n; i += 2)
        if (!copy_scalar(d, OP_s_mov_b64, at + up + i, src.first + i))
            return false;
    insn_set(in, FLD_sbase, (at + up) / 2);
    insn_set(in, FLD_sdata, at + dst_up);
    return true;
}

static bool move_soffset(struct draw *d, struct insn *in)
{
    u32 how = rng_below(&d->rng, gen_may(d, GEN_M0) ? 3 : 2);
    u32 code = how == 2 ? (u32)CODE_M0 : CODE_VCC + how;
    if (!gen_has(d, OP_s_mov_b32, FORM_BASE))
        return true;
    if (!copy_scalar(d, OP_s_mov_b32, code, d->r.bsoffset))
        return false;
    d->s->features |= how == 2 ? GEN_M0 : 0u;
    insn_set(in, FLD_soffset, code);
    return true;
}

/* ---- what is named by the number 0, or is M0 ---- */

bool gen_emit_m0(struct draw *d, u32 value)
{
    u32 code = value == ~0u ? CODE_INT_MINUS_1 : value > 64 ? CODE_LIT : CODE_INT_0 + value;
    struct insn in = gen_start(d, OP_s_mov_b32, code == CODE_LIT ? FORM_LIT : FORM_BASE);
    insn_set(&in, FLD_sdst, CODE_M0);
    insn_set(&in, FLD_ssrc0, code);
    in.lit = code == CODE_LIT ? value : 0;
    if (!gen_may(d, GEN_M0) || !gen_has(d, OP_s_mov_b32, (enum isa_form)in.form))
        return false;
    d->s->features |= GEN_M0;
    return gen_emit(d, &in);
}

/* The scalar register that a scalar memory instruction adds; for stores and atomics it stays M0, what
 * others there are is contested. */
static struct span smem_offset(const struct insn *in)
{
    i32 reg = insn_smem_offset_register(in);
    struct span s = { insn_get(in, FLD_soe) ? FLD_soffset : FLD_offset, 0, 0 };
    if (reg >= 0 && !(insn_row(in)->flags & (FLAG_STORE | FLAG_ATOMIC))) {
        s.first = (u32)reg;
        s.n = 1;
    }
    return s;
}

/* The scalar offset of a buffer: a register, or a constant that is not 0. */
static struct span buffer_offset(const struct insn *in)
{
    u32 code = insn_get(in, FLD_soffset);
    bool counts = code < CODE_TTMP || (code > CODE_INT_0 && code < CODE_INT_MINUS_1);
    bool there = insn_row(in)->operand[0].kind != K_NONE; /* not of caches */
    return (struct span){ FLD_soffset, code, there && counts };
}

/* Scalar registers that say where in memory, at the most SCALARS; how many there are. */
enum { SCALARS = 4 };
static u32 list_scalars(const struct insn *in, struct span s[SCALARS], u32 unit[SCALARS])
{
    static const struct {
        u8 field, unit;
    } at[] = {
        { FLD_srsrc, 4 }, { FLD_ssamp, 4 }, { FLD_sbase, 2 }, { FLD_saddr, 1 }, { FLD_soffset, 1 }
    };
    enum isa_memory memory = isa_memory(insn_row(in));
    u32 n = 0;
    for (u32 i = 0; i < COUNT_OF(at); i++) {
        bool offset = at[i].field == FLD_soffset;
        s[n] = offset && memory == MEMORY_SCALAR ? smem_offset(in)
               : offset && memory == MEMORY_BUFFER
                   ? buffer_offset(in)
                   : span_of(in, (enum isa_field)at[i].field, at[i].unit, 0, DIR_R);
        unit[n] = at[i].unit;
        n += s[n].n && n + 1 < SCALARS ? 1 : 0;
    }
    return n;
}

/* Whether data that a scalar store or atomic reads lies in `n` registers from `to` on. */
static bool is_data(const struct insn *in, u32 to, u32 n)
{
    struct span data;
    if (insn_row(in)->flags & FLAG_LOAD || !insn_has(in, FLD_sdata))
        return false;
    data = (struct span){ FLD_sdata, insn_get(in, FLD_sdata),
                          isa_types[insn_row(in)->operand[0].type].dwords };
    return data.first < to + n && to < data.first + data.n;
}

/* Words with a format are no inline constants; of a sampler small ones are, and the border that is
 * opaque black: as a float it is 2. */
static bool set_word(struct draw *d, u32 reg, u32 value)
{
    enum { TWO = 0x40000000, CODE_TWO = CODE_FLOAT_0_5 + 4, SMALL = 64 };
    u32 code = value <= SMALL ? CODE_INT_0 + value : value == TWO ? (u32)CODE_TWO : (u32)CODE_LIT;
    struct insn in = gen_start(d, OP_s_mov_b32, code == CODE_LIT ? FORM_LIT : FORM_BASE);
    insn_set(&in, FLD_sdst, reg);
    insn_set(&in, FLD_ssrc0, code);
    in.lit = code == CODE_LIT ? value : 0;
    return gen_emit(d, &in);
}

/* The sampler, which has been copied to `to`, gets other edges and limits. */
static bool change_sampler(struct draw *d, const struct insn *in, u32 to)
{
    u32 word[4];
    if (!gen_has(d, OP_s_mov_b32, FORM_LIT))
        return true;
    gen_redraw_sampler(d, in, word);
    return set_word(d, to, word[0]) && set_word(d, to + 1, word[1]) && set_word(d, to + 3, word[3]);
}

/* The resource, which has been copied to `to`, gets another format: one stream has few of them. */
static bool change_format(struct draw *d, const struct insn *in, u32 from, u32 to)
{
    const struct reg_plan *r = &d->r;
    u32 word[8];
    if (!gen_has(d, OP_s_mov_b32, FORM_LIT))
        return true;
    if (isa_memory(insn_row(in)) == MEMORY_BUFFER)
        return !gen_redraw_buffer(d, in, from == r->buffer[RES_RW] ? RES_RW : RES_RO, &word[3]) ||
               set_word(d, to + 3, word[3]);
    return !gen_redraw_image(d, in, from == r->image[RES_RW] ? RES_RW : RES_RO, word) ||
           (set_word(d, to + 1, word[1]) && set_word(d, to + 3, word[3]));
}

/* Whether much of what it does is said by its resource. */
static bool by_resource(const struct isa_row *row)
{
    return isa_memory(row) == MEMORY_IMAGE || row->flags & FLAG_FORMATTED;
}

/* One of them is moved: to M0 if it is an offset, or to registers of data, which begin at s0 in many
 * streams. Who takes a field of value 0 for one that is not there does without it. */
static bool move_scalar(struct draw *d, struct insn *in)
{
    struct span s[SCALARS];
    u32 unit[SCALARS], n = list_scalars(in, s, unit), k = n ? rng_below(&d->rng, n) : 0;
    if (n && s[n - 1].n == 1 && rng_one_in(&d->rng, 2)) /* an offset, which few have */
        k = n - 1;
    if (n && by_resource(insn_row(in)) && rng_one_in(&d->rng, 2)) /* which then changes */
        k = s[1].field == FLD_ssamp ? rng_below(&d->rng, 2) : 0;
    if (!n || !gen_has(d, OP_s_mov_b64, FORM_BASE) || !gen_has(d, OP_s_mov_b32, FORM_BASE))
        return true;
    bool buffer = isa_memory(insn_row(in)) == MEMORY_BUFFER && s[k].field == FLD_soffset;
    bool m0 = (buffer || s[k].field == FLD_offset) && gen_may(d, GEN_M0) && rng_one_in(&d->rng, 2);
    u32 to = m0 ? (u32)CODE_M0 : d->r.sdata == 0 ? 0 : gen_draw_sgpr(d, s[k].n);
    if (!m0 && is_data(in, to, s[k].n))
        return true;
    d->s->features |= m0 ? GEN_M0 : 0u;
    for (u32 i = 0; i < s[k].n; i += 2)
        if (!copy_scalar(d, s[k].n == 1 ? OP_s_mov_b32 : OP_s_mov_b64, to + i, s[k].first + i))
            return false;
    insn_set(in, s[k].field, to / unit[k]);
    if (s[k].field == FLD_ssamp)
        return change_sampler(d, in, to);
    return s[k].field != FLD_srsrc || change_format(d, in, s[k].first, to);
}

/* Scalar stores and atomics: an offset in M0, and data in the first of its registers. */
static bool move_store(struct draw *d, struct insn *in)
{
    i32 offset = (i32)sext32(insn_get(in, FLD_offset), insn_pos(in, FLD_offset).width);
    bool fixed = insn_get(in, FLD_imm) && !insn_get(in, FLD_soe) && offset >= 0;
    if (rng_one_in(&d->rng, 3) && insn_has(in, FLD_sdata))
        insn_set(in, FLD_sdata, d->r.sdata);
    if (insn_row(in)->flags & FLAG_PRIVATE || !fixed || !gen_may(d, GEN_M0) ||
        !gen_has(d, OP_s_mov_b32, FORM_LIT) || !rng_one_in(&d->rng, 4))
        return true;
    if (!gen_emit_m0(d, (u32)offset))
        return false;
    insn_set(in, FLD_imm, 0);
    insn_set(in, FLD_offset, CODE_M0);
    return true;
}

/* ---- what is compared is at times what is there: chance rarely makes it so ---- */

/* A load of `bytes` from where the atomic is; OP_NONE: there is none. */
static isa_op load_beside(const struct isa_row *row, u32 bytes)
{
    bool two = bytes == 8;
    if (bytes != 4 && bytes != 8)
        return OP_NONE;
    switch (isa_memory(row)) {
    case MEMORY_LDS: return two ? OP_ds_read_b64 : OP_ds_read_b32;
    case MEMORY_FLAT: return two ? OP_flat_load_dwordx2 : OP_flat_load_dword;
    case MEMORY_GLOBAL: return two ? OP_global_load_dwordx2 : OP_global_load_dword;
    case MEMORY_BUFFER: /* a load holds its halves to the bounds each by itself, an atomic both */
        return two ? OP_NONE : OP_buffer_load_dword;
    default: return OP_NONE;
    }
}

/* The register whose value is compared, or a mask beside it: the first of two data operands, or behind
 * what is stored. ~0: there is none. */
static u32 compared_register(const struct insn *in, u32 bytes)
{
    const struct isa_row *row = insn_row(in);
    if (!(row->flags & FLAG_ATOMIC) || row->flags & FLAG_OFFSET2)
        return ~0u;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
        if (isa_memory(row) == MEMORY_LDS && o->field == FLD_data1)
            return insn_get(in, FLD_data0);
        if (isa_memory(row) != MEMORY_LDS && o->dir & DIR_R && o->slot != SLOT_ADDR &&
            (o->kind == K_VGPR || o->kind == K_BDATA) &&
            isa_types[o->type].dwords * 4u == 2 * bytes)
            return insn_code(in, o) - CODE_VGPR + bytes / 4;
    }
    return ~0u;
}

static bool load_compared(struct draw *d, const struct insn *in)
{
    static const u8 same[] = { FLD_addr,   FLD_saddr, FLD_vaddr, FLD_srsrc, FLD_soffset,
                               FLD_offset, FLD_idxen, FLD_offen, FLD_addr64 };
    u32 bytes = isa_access_bytes(insn_row(in)), reg = compared_register(in, bytes);
    isa_op op = load_beside(insn_row(in), bytes);
    if (reg == ~0u || op == OP_NONE || !gen_has(d, op, FORM_BASE))
        return true;
    struct insn load = gen_start(d, op, FORM_BASE);
    for (u32 i = 0; i < COUNT_OF(same); i++)
        if (insn_has(&load, (enum isa_field)same[i]))
            insn_set(&load, (enum isa_field)same[i], insn_get(in, (enum isa_field)same[i]));
    insn_set(&load, insn_has(&load, FLD_vdata) ? FLD_vdata : FLD_vdst, reg);
    return gen_emit(d, &load);
}

/* Where M0 limits LDS on some of several processors, it is the highest number before every access. */
static bool lift_limit(struct draw *d, const struct isa_row *row)
{
    bool may_limit = isa_memory(row) == MEMORY_LDS && !gen_is_lds_by_m0(row) &&
                     !(row->flags & FLAG_LANEWISE) && gen_may(d, GEN_M0);
    if (!may_limit || !gen_targets_differ(d, FEATUREBIT_LDS_LIMIT))
        return true;
    return gen_emit_m0(d, ~0u);
}

bool gen_emit_memory(struct draw *d, struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    bool ok = true, buffer = isa_memory(row) == MEMORY_BUFFER && insn_has(in, FLD_soffset);
    bool scalar = isa_memory(row) == MEMORY_SCALAR, image = isa_memory(row) == MEMORY_IMAGE;
    bool overlaps = may_overlap(row) && rng_one_in(&d->rng, image ? 6 : 12);
    bool moves = rng_one_in(&d->rng, d->r.sdata == 0 ? 2 : by_resource(row) ? 3 : 6);
    bool special = buffer && rng_one_in(&d->rng, 3);
    d->padding++; /* what fills a hazard could write what was moved */
    if (special && row->operand[0].kind != K_NONE && insn_get(in, FLD_soffset) == d->r.bsoffset)
        ok = move_soffset(d, in);
    if (ok && gen_is_scalar_store(row) && row->flags & (FLAG_STORE | FLAG_ATOMIC))
        ok = move_store(d, in);
    if (ok && moves)
        ok = move_scalar(d, in);
    if (ok && overlaps && !(scalar && moves)) /* which would write over what was moved */
        ok = scalar ? overlap_scalar(d, in) : overlap_vector(d, in);
    ok = ok && lift_limit(d, row);
    if (ok && row->flags & FLAG_ATOMIC && rng_one_in(&d->rng, 3))
        ok = load_compared(d, in);
    ok = ok && gen_emit(d, in);
    d->padding--;
    return ok;
}
