/* Operands that are legal by construction. */
#include "fuzz/gen/internal.h"

#include "oracle/insn/text.h"
#include "oracle/isa/op.h"
#include "oracle/state/state.h"

/* An instruction being drawn: what it has used up. */
struct making {
    struct draw *d;
    const struct isa_row *row;
    const struct isa_operand *at[SLOT_COUNT]; /* its operands by slot; NULL: there is none */
    struct insn *in;
    u32 bus_code; /* the one scalar source of a vector instruction; ~0: none yet */
    u32 bus_dw;
    u32 bus_left; /* 0: no other scalar source or literal may be named */
};

static bool is_scalar_row(const struct isa_row *row)
{
    return isa_unit(row) == UNIT_SALU;
}

static bool is_buffer(const struct isa_row *row)
{
    return isa_memory(row) == MEMORY_BUFFER;
}

static struct making begin(struct draw *d, isa_op op, struct insn *in)
{
    struct making mk = { .d = d, .row = &isa_rows[op], .in = in };
    for (const struct isa_operand *o = mk.row->operand; o->kind != K_NONE; o++)
        if (!mk.at[o->slot])
            mk.at[o->slot] = o;
    return mk;
}

/* ---- sources ---- */

static u32 draw_inline(struct draw *d, enum isa_type type)
{
    bool is_float = isa_types[type].class == CLASS_FLOAT;
    bool shown_as_bits = isa_type_is_short(type) && !isa_type_has_f16(type);
    bool packed = isa_type_is_packed(type); /* of integers, too: the bits of a float */
    if (shown_as_bits ? false
        : packed      ? rng_one_in(&d->rng, 3)
        : is_float    ? !rng_one_in(&d->rng, 6)
                      : rng_one_in(&d->rng, 12))
        return CODE_FLOAT_0_5 +
               rng_below(&d->rng, text_floats_count((enum gen)d->g->isa->target->gen));
    if (rng_one_in(&d->rng, 4))
        return CODE_INT_MINUS_1 + rng_below(&d->rng, 16);
    return CODE_INT_0 + rng_below(&d->rng, rng_one_in(&d->rng, 2) ? 65 : 34);
}

static u32 use_m0(struct draw *d)
{
    d->s->features |= GEN_M0;
    return CODE_M0;
}

/* A scalar register or special value as a source of `dw` dwords. */
static u32 draw_scalar_source(struct draw *d, u32 dw)
{
    switch (rng_below(&d->rng, 24)) {
    case 0: return CODE_VCC + (dw == 1 ? rng_below(&d->rng, 2) : 0);
    case 1: return dw == 1 && gen_may(d, GEN_M0) ? use_m0(d) : (u32)CODE_VCC;
    case 2: return CODE_EXEC + (dw == 1 ? rng_below(&d->rng, 2) : 0);
    case 3:
        if (dw == 1)
            return CODE_VCCZ + rng_below(&d->rng, 3);
        return gen_draw_sgpr(d, dw);
    default: return gen_draw_sgpr(d, dw);
    }
}

/* An assembler writes what an inline constant can say as one. */
static bool is_inline_value(u32 v)
{
    static const u32 floats[9] = { 0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                   0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983 };
    for (u32 i = 0; i < COUNT_OF(floats); i++)
        if (v == floats[i])
            return true;
    return v <= 64 || v >= 0xfffffff0;
}

/* The literal of a 16-bit operand, likewise: what is no inline constant as an f16 nor as an
 * integer. */
static u32 short_literal(u32 v)
{
    static const u16 floats[9] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                   0xc000, 0x4400, 0xc400, 0x3118 };
    bool is_inline = (v & 0xffff) <= 64 || (v & 0xffff) >= 0xfff0;
    for (u32 i = 0; i < COUNT_OF(floats); i++)
        is_inline |= (v & 0xffff) == floats[i];
    return (v & 0xffff) ^ (is_inline ? 0x0208 : 0);
}

/* The bits of a NaN as a literal. */
static u32 nan_literal(enum isa_type type)
{
    return isa_type_is_short(type) ? 0x7e2a : isa_types[type].dwords > 1 ? 0x7ff81234 : 0x7fc12345;
}

/* How a literal is widened to 64 bits is disputed, so that none with its top bit set stands
 * there. */
static void set_literal(struct making *mk, enum isa_type type)
{
    u32 v = gen_draw_value(&mk->d->rng, isa_type_is_short(type) ? T_PF16 : type);
    bool compares = mk->row->enc == ENC_VOPC && isa_types[type].class == CLASS_FLOAT;
    if (compares && rng_one_in(&mk->d->rng, 6)) /* whether it is ordered is all that some ask */
        v = nan_literal(type);
    if (isa_type_is_short(type)) {
        mk->in->lit = short_literal(v);
        return;
    }
    if (isa_types[type].dwords > 1)
        v &= 0x7fffffff;
    mk->in->lit = is_inline_value(v) ? v ^ 0x00100800 : v;
}

/* 8-bit scalar sources: registers, constants, a literal in the LIT form. */
static u32 source_ssrc(struct making *mk, enum isa_type type, bool must_lit)
{
    struct draw *d = mk->d;
    if (must_lit) {
        set_literal(mk, type);
        return CODE_LIT;
    }
    return rng_below(&d->rng, 10) < 4 ? draw_inline(d, type)
                                      : draw_scalar_source(d, isa_types[type].dwords);
}

/* One scalar register (or the literal) may be named, however often. Vega ISA, chapter 6.1 (constant
 * bus). */
static bool take_bus(struct making *mk, u32 code, u32 dw)
{
    if (mk->bus_code == code && mk->bus_dw == dw)
        return true;
    if (mk->bus_left == 0)
        return false;
    mk->bus_left = 0;
    mk->bus_code = code;
    mk->bus_dw = dw;
    return true;
}

/* 9-bit sources of vector instructions. */
static u32 source_src(struct making *mk, enum isa_type type, bool must_lit)
{
    struct draw *d = mk->d;
    u32 dw = isa_types[type].dwords, how = rng_below(&d->rng, 16);
    if (must_lit) {
        set_literal(mk, type);
        return CODE_LIT;
    }
    if (how < 3)
        return draw_inline(d, type);
    if (how < 6) {
        u32 code = mk->bus_left ? draw_scalar_source(d, dw) : mk->bus_code;
        if (code != ~0u && take_bus(mk, code, dw))
            return code;
    }
    return CODE_VGPR + gen_draw_vgpr(d, type, dw);
}

/* In SDWA a source field has 8 bits, and a bit beside it that makes it a scalar register. */
static void set_sdwa_source(struct making *mk, enum isa_field field, enum isa_type type)
{
    struct draw *d = mk->d;
    u32 code = CODE_VGPR + gen_draw_vgpr(d, type, 1);
    if (insn_has(mk->in, FLD_s0) && mk->bus_left && rng_one_in(&d->rng, 4)) {
        u32 scalar = draw_scalar_source(d, 1);
        if (scalar < SGPRS && take_bus(mk, scalar, 1))
            code = scalar;
    }
    insn_set(mk->in, field, code & 255);
    if (code < CODE_VGPR)
        insn_set(mk->in, field == FLD_src0 ? FLD_s0 : FLD_s1, 1);
}

/* Whether a vector compare has the register of its first source as the second, too: what is done
 * with equal operands is decided by chance too rarely. */
static bool repeats_first(struct making *mk, const struct isa_operand *o)
{
    const struct isa_operand *first = mk->at[SLOT_S0];
    if (mk->row->enc != ENC_VOPC || o == first || first->type != o->type)
        return false;
    u32 code = insn_code(mk->in, first);
    return code >= CODE_VGPR && rng_one_in(&mk->d->rng, 12) && insn_set_code(mk->in, o, code);
}

static void set_source(struct making *mk, const struct isa_operand *o, bool must_lit)
{
    struct insn *in = mk->in;
    enum isa_field field = (enum isa_field)o->field;
    enum isa_type type = (enum isa_type)o->type;
    u32 width = insn_pos(in, field).width;
    bool twice = o->kind == K_SSRC && field == FLD_ssrc1 && !must_lit &&
                 insn_get(in, FLD_ssrc0) != CODE_LIT && mk->at[SLOT_S0]->type == type &&
                 rng_one_in(&mk->d->rng, 12);
    if (twice) /* for the same reason */
        insn_set(in, field, insn_get(in, FLD_ssrc0));
    else if (repeats_first(mk, o))
        return;
    else if (o->kind == K_SSRC)
        insn_set(in, field, source_ssrc(mk, type, must_lit));
    else if (in->form == FORM_SDWA)
        set_sdwa_source(mk, field, type);
    else if (width == 9)
        insn_set(in, field,
                 in->form == FORM_DPP ? CODE_VGPR + gen_draw_vgpr(mk->d, type, 1)
                                      : source_src(mk, type, must_lit));
    else
        insn_set(in, field, gen_draw_vgpr(mk->d, type, isa_types[type].dwords));
}

/* v_readlane, v_writelane: what selects the lane, and the value that is written. */
static void set_lane_operand(struct making *mk, const struct isa_operand *o)
{
    struct draw *d = mk->d;
    u32 code = gen_draw_sgpr(d, 1);
    if (rng_one_in(&d->rng, 2))
        code = CODE_INT_0 + rng_below(&d->rng, 65);
    else if (gen_may(d, GEN_M0) && rng_one_in(&d->rng, 8))
        code = use_m0(d);
    if (code < SGPRS && !take_bus(mk, code, 1))
        code = CODE_INT_0 + rng_below(&d->rng, 65);
    insn_set(mk->in, (enum isa_field)o->field, code);
}

/* ---- destinations ---- */

static u32 scalar_destination(struct making *mk, u32 dw)
{
    struct draw *d = mk->d;
    u32 how = rng_below(&d->rng, 24);
    bool salu = is_scalar_row(mk->row);
    if (dw <= 2 && how == 0)
        return CODE_VCC + (dw == 1 ? rng_below(&d->rng, 2) : 0);
    if (salu && dw == 1 && how == 1 && gen_may(d, GEN_M0))
        return use_m0(d);
    if (salu && dw <= 2 && how == 2 && gen_may(d, GEN_EXEC))
        return CODE_EXEC + (dw == 1 ? rng_below(&d->rng, 2) : 0);
    return gen_draw_sgpr(d, dw);
}

/* A lane mask in a scalar pair, where the form has a field for it. */
static void set_mask(struct making *mk, const struct isa_operand *o)
{
    struct insn *in = mk->in;
    enum isa_field field = (enum isa_field)o->field;
    struct draw *d = mk->d;
    if (!insn_has(in, field)) /* vcc; read as carry-in it takes the constant bus */
        return;
    u32 code = rng_one_in(&d->rng, 4) ? (u32)CODE_VCC : gen_draw_sgpr(d, 2);
    if (o->dir == DIR_R && !take_bus(mk, code, 2)) {
        code = mk->bus_code;
        if (mk->bus_dw != 2)
            BUG("a carry-in was not drawn first");
    }
    bool implied = insn_has(in, FLD_sd) && code == CODE_VCC;
    insn_set(in, field, implied ? 0 : code);
    if (insn_has(in, FLD_sd))
        insn_set(in, FLD_sd, !implied);
}

/* ---- immediates ---- */

static u32 hwreg(u32 id, u32 first, u32 bits)
{
    return id | first << 6 | (bits - 1) << 11;
}

/* Of MODE what the processor has: rounding, denormals, DX10_CLAMP, IEEE, FP16_OVFL. What is only read may
 * be SCC in STATUS, and how much LDS there is; more of other registers is up to the machine. */
static u32 draw_hwreg(struct draw *d, bool reads)
{
    static const u8 field[8][2] = { { 0, 2 }, { 4, 2 }, { 2, 2 },  { 6, 2 },
                                    { 8, 1 }, { 9, 1 }, { 0, 10 }, { 4, 1 } };
    const u8 *f = field[rng_below(&d->rng, 8)];
    u32 other = rng_below(&d->rng, 6);
    if (other == 2 && gen_target_has(d, FEATUREBIT_FP16_OVFL))
        return hwreg(HWREG_MODE, MODE_FP16_OVFL, 1);
    if (reads && other == 0)
        return hwreg(HWREG_LDS_ALLOC, 12, 9);
    if (reads && other == 1)
        return hwreg(HWREG_STATUS, 0, 1);
    return hwreg(HWREG_MODE, f[0], f[1]);
}

static u32 draw_waitcnt(struct draw *d)
{
    u32 vm = rng_one_in(&d->rng, 2) ? rng_below(&d->rng, 64) : (u32)RULE_NO_WAIT;
    u32 lgkm = rng_below(&d->rng, 16);
    return rule_waitcnt(gen_generation(d), vm, lgkm);
}

/* Of s_setkill and s_sethalt what lets the wave go on; of s_trap what no system's handler has a
 * meaning for. */
static u32 draw_number(struct draw *d, isa_op op)
{
    enum { TRAPS = 256, TRAP_FREE = 8 };
    switch (op) {
    case OP_s_nop: return rng_below(&d->rng, 16);
    case OP_s_sleep: return rng_below(&d->rng, 3);
    case OP_s_setprio: return rng_below(&d->rng, 4);
    case OP_s_setkill:
    case OP_s_sethalt: return gen_draw_value(&d->rng, T_I32) & 0xfffe;
    case OP_s_trap: return TRAP_FREE + rng_below(&d->rng, TRAPS - TRAP_FREE);
    default: return gen_draw_value(&d->rng, T_I32);
    }
}

static void set_immediate(struct making *mk, const struct isa_operand *o)
{
    enum { INTERRUPT = 1 };
    struct draw *d = mk->d;
    u32 v = 0;
    if (o->kind == K_HWREG)
        v = draw_hwreg(d, mk->row->operand[0].dir == DIR_W);
    else if (o->kind == K_WAITCNT)
        v = draw_waitcnt(d);
    else if (o->kind == K_SENDMSG) /* the only one that changes nothing that is waited for */
        v = INTERRUPT;
    else
        v = draw_number(d, mk->in->op);
    insn_set(mk->in, (enum isa_field)o->field, v & 0xffff);
}

static bool set_operand(struct making *mk, const struct isa_operand *o, bool must_lit)
{
    struct insn *in = mk->in;
    enum isa_field field = (enum isa_field)o->field;
    u32 dw = isa_types[o->type].dwords;
    switch ((enum isa_kind)o->kind) {
    case K_LDATA:
    case K_VGPR: {
        u32 v = gen_draw_vgpr(mk->d, (enum isa_type)o->type, dw);
        insn_set(in, field, insn_pos(in, field).width == 9 ? CODE_VGPR + v : v);
        return true;
    }
    case K_BDATA:
        if (o->dir == DIR_RW && mk->row->flags & FLAG_ATOMIC)
            insn_set(in, FLD_glc, rng_one_in(&mk->d->rng, 2));
        insn_set(in, field, gen_draw_vgpr(mk->d, (enum isa_type)o->type, dw));
        return true;
    case K_IDATA:
    case K_IRAW:
    case K_IATOMIC:
    case K_IADDR: return true; /* gen_draw_address */
    case K_RTN:                /* only with glc */
        insn_set(in, FLD_glc, rng_one_in(&mk->d->rng, 2));
        if (insn_get(in, FLD_glc))
            insn_set(in, field, gen_draw_vgpr(mk->d, (enum isa_type)o->type, dw));
        return true;
    case K_SRC:
    case K_SSRC:
        if (!is_buffer(mk->row)) /* gen_draw_address */
            set_source(mk, o, must_lit);
        return true;
    case K_SGPR:
        insn_set(in, field, o->dir & DIR_W ? scalar_destination(mk, dw) : gen_draw_sgpr(mk->d, dw));
        return true;
    case K_LANESEL:
        if (must_lit) {
            insn_set(in, field, CODE_LIT);
            set_literal(mk, (enum isa_type)o->type);
        } else {
            set_lane_operand(mk, o);
        }
        return true;
    case K_MASK: set_mask(mk, o); return true;
    case K_LIT: set_literal(mk, (enum isa_type)o->type); return true;
    case K_SIMM:
    case K_UIMM:
    case K_UDEC:
    case K_OPTDEC:
    case K_HWREG:
    case K_SENDMSG:
    case K_WAITCNT: set_immediate(mk, o); return true;
    case K_PARAM: insn_set(in, field, rng_below(&mk->d->rng, 3)); return true;
    case K_ATTR: return true; /* gen_draw_around */
    case K_ACC:
    case K_ACCSRC:
    case K_VASRC: return gen_draw_matrix_operand(mk->d, in, o);
    case K_GATHER: return true; /* gen_draw_address */
    case K_SBASE:
    case K_SMOFF:
    case K_VADDR:
    case K_SVADDR:
    case K_SSADDR:
    case K_SADDR:
    case K_BADDR:
    case K_RSRC: return true; /* gen_draw_address */
    case K_NONE:
    case K_LABEL:
    case K_GPRIDX:
    case K_EXPTGT:
    case K_EXPSRC:
    case K_COUNT: break;
    }
    return false;
}

/* ---- modifiers ---- */

static bool is_float(const struct isa_operand *o)
{
    return o && isa_types[o->type].class == CLASS_FLOAT;
}

/* Whether a source may be negated and the like: floats, and bits that are moved as if. */
static bool has_sign(const struct isa_operand *o)
{
    return is_float(o) || (o && isa_types[o->type].class == CLASS_SIGNED);
}

/* Whether the form has a clamp that saturates integers. */
static bool saturates(const struct making *mk)
{
    enum isa_form form = (enum isa_form)mk->in->form;
    for (const struct mod *m = text_mods(mk->row, form); m->style != STYLE_NONE; m++)
        if (m->field == FLD_clamp)
            return mk->row->flags & FLAG_CLAMP_INT &&
                   text_mod_applies((enum gen)mk->in->gen, mk->row, form, m);
    return false;
}

/* The destination's modifiers. Whether the carry beside a clamp is the true one is not documented:
 * carries are rarely clamped. */
static void set_output_modifiers(struct making *mk)
{
    struct draw *d = mk->d;
    const struct isa_operand *dst = mk->at[SLOT_D];
    bool clamps = is_float(dst) || saturates(mk);
    u32 share = mk->at[SLOT_CARRY] ? 8 : 4;
    if (clamps && insn_has(mk->in, FLD_clamp) && rng_one_in(&d->rng, share))
        insn_set(mk->in, FLD_clamp, 1);
    bool scales = is_float(dst) && !(mk->row->flags & FLAG_NO_OMOD);
    if (scales && insn_has(mk->in, FLD_omod) && rng_one_in(&d->rng, 3))
        insn_set(mk->in, FLD_omod, 1 + rng_below(&d->rng, 3));
}

static void set_e64_modifiers(struct making *mk)
{
    u32 neg = 0, abs = 0;
    for (u32 i = 0; i < 3; i++) {
        const struct isa_operand *o = mk->at[SLOT_S0 + i];
        if (!has_sign(o))
            continue;
        neg |= (u32)rng_one_in(&mk->d->rng, 4) << (o->field - FLD_src0);
        abs |= (u32)rng_one_in(&mk->d->rng, 4) << (o->field - FLD_src0);
    }
    if (insn_has(mk->in, FLD_neg))
        insn_set(mk->in, FLD_neg, neg);
    if (insn_has(mk->in, FLD_abs))
        insn_set(mk->in, FLD_abs, abs);
}

/* Halves that op_sel picks, of the sources that have halves and of the destination. */
static void set_op_sel(struct making *mk)
{
    const struct isa_operand *dst = mk->at[SLOT_D];
    u32 sel = 0;
    for (u32 i = 0; i < 3; i++) {
        const struct isa_operand *o = mk->at[SLOT_S0 + i];
        if (o && o->kind == K_SRC && isa_type_is_half((enum isa_type)o->type))
            sel |= (u32)rng_one_in(&mk->d->rng, 2) << i;
    }
    if (dst && isa_type_is_half((enum isa_type)dst->type))
        sel |= (u32)rng_one_in(&mk->d->rng, 2) << 3;
    insn_set(mk->in, FLD_op_sel, sel);
}

/* Of packed and mixed rows: halves, and signs of halves. An operand that is no pair of halves keeps
 * what is usual. */
static void set_vop3p(struct making *mk)
{
    struct rng *r = &mk->d->rng;
    u32 sel = 0, sel_hi = isa_row_is_packed(mk->row) ? 7 : 0, neg = 0, neg_hi = 0;
    for (u32 i = 0; i < 3; i++) {
        const struct isa_operand *o = mk->at[SLOT_S0 + i];
        if (!o || !isa_type_is_half((enum isa_type)o->type))
            continue;
        sel |= (u32)rng_one_in(r, 4) << i;
        sel_hi ^= (u32)rng_one_in(r, o->type == T_MIX ? 2 : 4) << i;
        neg |= (u32)(is_float(o) && rng_one_in(r, 4)) << i;
        neg_hi |= (u32)(is_float(o) && rng_one_in(r, 4)) << i;
    }
    insn_set(mk->in, FLD_op_sel, sel);
    insn_set(mk->in, FLD_op_sel_hi, sel_hi & 3);
    insn_set(mk->in, FLD_op_sel_hi2, sel_hi >> 2);
    insn_set(mk->in, FLD_neg, neg);
    insn_set(mk->in, FLD_neg_hi, neg_hi);
}

static void set_source_negabs(struct making *mk)
{
    static const u8 neg[2] = { FLD_src0_neg, FLD_src1_neg },
                    abs[2] = { FLD_src0_abs, FLD_src1_abs };
    for (u32 i = 0; i < 2; i++) {
        if (!has_sign(mk->at[SLOT_S0 + i]))
            continue;
        insn_set(mk->in, (enum isa_field)neg[i], rng_one_in(&mk->d->rng, 4));
        insn_set(mk->in, (enum isa_field)abs[i], rng_one_in(&mk->d->rng, 4));
    }
}

/* Sources of f32 stay whole: what half a float means is not settled. */
static void set_sdwa(struct making *mk)
{
    static const u8 sel[2] = { FLD_src0_sel, FLD_src1_sel },
                    sext[2] = { FLD_src0_sext, FLD_src1_sext };
    struct rng *r = &mk->d->rng;
    for (u32 i = 0; i < 2; i++) {
        const struct isa_operand *o = mk->at[SLOT_S0 + i];
        if (!o)
            continue;
        u32 first = o->type == T_F16 ? SEL_WORD_0 : has_sign(o) ? SEL_DWORD : 0;
        insn_set(mk->in, (enum isa_field)sel[i], first + rng_below(r, 7 - first));
        if (isa_types[o->type].class == CLASS_INT)
            insn_set(mk->in, (enum isa_field)sext[i], rng_one_in(r, 2));
    }
    if (insn_has(mk->in, FLD_dst_sel)) {
        insn_set(mk->in, FLD_dst_sel, rng_one_in(r, 3) ? SEL_DWORD : rng_below(r, 7));
        insn_set(mk->in, FLD_dst_unused, rng_below(r, 3));
    }
    set_source_negabs(mk);
}

static u32 draw_dpp_ctrl(struct rng *r)
{
    static const u16 single[10] = { 0x130, 0x134, 0x138, 0x13c, 0x140,
                                    0x141, 0x142, 0x143, 0xe4,  0x1b };
    u32 how = rng_below(r, 4);
    if (how == 0)
        return rng_below(r, 256);
    if (how == 1)
        return single[rng_below(r, 10)];
    u32 kind = rng_below(r, 3), lanes = 1 + rng_below(r, 15);
    return 0x100 + kind * 0x10 + lanes;
}

/* Where a lane is not written its carry bit is 0 or kept, which is not documented: carries mostly
 * see every lane. */
static void set_dpp(struct making *mk)
{
    struct rng *r = &mk->d->rng;
    bool all = mk->at[SLOT_CARRY] ? !rng_one_in(r, 8) : rng_one_in(r, 2);
    insn_set(mk->in, FLD_dpp_ctrl, draw_dpp_ctrl(r));
    insn_set(mk->in, FLD_bound_ctrl, all || rng_one_in(r, 2));
    insn_set(mk->in, FLD_row_mask, all ? 15 : rng_below(r, 16));
    insn_set(mk->in, FLD_bank_mask, all ? 15 : rng_below(r, 16));
    set_source_negabs(mk);
}

/* ---- whole instructions ---- */

/* In which operand the literal of the LIT form stands: 0 or 1 of those that can take it. */
static const struct isa_operand *literal_operand(struct making *mk)
{
    const struct isa_operand *found = NULL;
    for (const struct isa_operand *o = mk->row->operand; o->kind != K_NONE; o++) {
        bool vop = (o->kind == K_SRC || o->kind == K_LANESEL) && o->field == FLD_src0;
        if (o->kind == K_LIT)
            return NULL;
        if ((o->kind == K_SSRC || vop) && o->dir & DIR_R && (!found || rng_one_in(&mk->d->rng, 2)))
            found = o;
    }
    return found;
}

/* A carry-in takes the constant bus, whether it is named or not, and so does a literal: they are
 * drawn first. */
static void take_first(struct making *mk, const struct isa_operand *lit)
{
    mk->bus_code = ~0u;
    mk->bus_left = 1;
    for (const struct isa_operand *o = mk->row->operand; o->kind != K_NONE; o++) {
        if (o->kind == K_MASK && o->dir == DIR_R) {
            if (insn_has(mk->in, (enum isa_field)o->field))
                set_mask(mk, o);
            else
                take_bus(mk, CODE_VCC, 2);
        }
    }
    if (mk->row->flags & FLAG_RD_VCC)
        take_bus(mk, CODE_VCC, 2);
    if (lit || mk->row->forms == F_LIT || isa_unit(mk->row) == UNIT_MATRIX)
        mk->bus_left = 0;
}

static bool ranges_meet(u32 a, u32 adw, u32 b, u32 bdw)
{
    return a < b + bdw && b < a + adw;
}

/* Destinations of 64 bits are written in two steps: they stay away from sources, unless they are
 * the same pair. */
static bool overlaps(const struct making *mk)
{
    const struct isa_operand *dst = mk->at[SLOT_D];
    if (mk->in->op == OP_v_swap_b32)
        return insn_code(mk->in, dst) == insn_code(mk->in, mk->at[SLOT_S0]);
    if (!dst || dst->kind != K_VGPR || isa_types[dst->type].dwords < 2 ||
        mk->row->flags & (FLAG_LOAD | FLAG_ATOMIC))
        return false;
    u32 d = insn_code(mk->in, dst), size = isa_types[dst->type].dwords;
    for (const struct isa_operand *o = mk->row->operand; o->kind != K_NONE; o++) {
        u32 c = insn_code(mk->in, o), dw = isa_types[o->type].dwords;
        if (o->dir == DIR_R && c >= CODE_VGPR && ranges_meet(d, size, c, dw) &&
            (mk->row->flags & FLAG_EARLY || dw != size || c != d))
            return true;
    }
    return false;
}

bool gen_overlaps(const struct insn *in)
{
    struct insn copy = *in;
    struct making mk = begin(NULL, in->op, &copy);
    return overlaps(&mk);
}

/* What is written is at times one of the sources, where chance rarely makes it so: the pair of a mask
 * in which a scalar source stands, and one of the two registers of a source. */
static void meet_source(struct making *mk)
{
    struct draw *d = mk->d;
    const struct isa_operand *dst = mk->at[SLOT_D];
    struct insn *in = mk->in;
    bool mask = dst && dst->kind == K_MASK && insn_has(in, (enum isa_field)dst->field);
    bool single = dst && dst->kind == K_VGPR && isa_types[dst->type].dwords == 1;
    bool masks = mask && rng_one_in(&d->rng, 3), meets = single && rng_one_in(&d->rng, 8);
    if (!isa_is_vector_alu(mk->row) || mk->row->flags & FLAG_EARLY || !(masks || meets))
        return;
    for (const struct isa_operand *o = mk->row->operand; o->kind != K_NONE; o++) {
        u32 code = insn_code(in, o), at = code - d->r.sdata, dw = isa_types[o->type].dwords;
        if (o->dir != DIR_R || !(o->kind == K_SRC))
            continue;
        if (masks && code < SGPRS && at < SDATA_REGS) {
            insn_set(in, (enum isa_field)dst->field, code & ~1u);
            if (insn_has(in, FLD_sd))
                insn_set(in, FLD_sd, 1);
        } else if (meets && dw == 2 && code >= CODE_VGPR) {
            insn_set_code(in, dst, code + rng_below(&d->rng, 2));
        }
    }
}

/* False where registers that an operand needs are not planned. */
static bool set_operands(struct making *mk, const struct isa_operand *lit)
{
    for (const struct isa_operand *o = mk->row->operand; o->kind != K_NONE; o++) {
        bool drawn = o->kind == K_MASK && o->dir == DIR_R;
        if (drawn || set_operand(mk, o, o == lit))
            continue;
        if (isa_unit(mk->row) == UNIT_MATRIX)
            return false;
        BUG(mk->row->name);
    }
    return true;
}

bool gen_repeats_source(isa_op op)
{
    return op == OP_v_div_scale_f32 || op == OP_v_div_scale_f64;
}

/* What v_div_scale scales is one of its two other operands; of other values nothing is known. */
static void repeat_scaled(struct making *mk)
{
    bool first = rng_one_in(&mk->d->rng, 2);
    u32 neg = insn_get(mk->in, FLD_neg);
    insn_set(mk->in, FLD_src0, insn_get(mk->in, first ? FLD_src1 : FLD_src2));
    insn_set(mk->in, FLD_neg, (neg & 6) | (neg >> (first ? 1 : 2) & 1));
}

bool gen_draw_insn(struct draw *d, isa_op op, enum isa_form form, struct insn *in)
{
    struct making mk = begin(d, op, in);
    insn_start(d->g->isa, op, form, in);
    const struct isa_operand *lit = form == FORM_LIT ? literal_operand(&mk) : NULL;
    take_first(&mk, lit);
    if (!set_operands(&mk, lit))
        return false;
    meet_source(&mk);
    for (u32 i = 0; overlaps(&mk); i++) {
        if (i == 16)
            return false;
        enum isa_type type = (enum isa_type)mk.row->operand[0].type;
        u32 code = gen_draw_vgpr(d, type, isa_types[type].dwords);
        insn_set(in, FLD_vdst, code);
    }
    if (form == FORM_SDWA)
        set_sdwa(&mk);
    else if (form == FORM_DPP)
        set_dpp(&mk);
    else if (form == FORM_E64)
        set_e64_modifiers(&mk);
    else if (mk.row->enc == ENC_VOP3P)
        set_vop3p(&mk);
    if (form == FORM_E64 && mk.row->flags & FLAG_OPSEL)
        set_op_sel(&mk);
    if (gen_repeats_source(op))
        repeat_scaled(&mk);
    set_output_modifiers(&mk);
    if (isa_memory(mk.row) != MEMORY_NONE && !gen_draw_address(d, in))
        return false;
    return gen_is_everywhere(d, in);
}
