#include "harness/check/trait.h"

#include "oracle/state/effects.h"

static void set(struct traits *t, u32 trait, bool has)
{
    t->bits[trait / 64] |= (u64)has << trait % 64;
}

/* ---- ranges ---- */

/* The controls of DPP: Vega ISA, chapter 6.4. */
static const struct {
    u16 first, last;
    const char *text;
} dpp_kinds[TRAIT_CONSTANT - TRAIT_DPP] = {
    { 0x000, 0x0ff, "quad_perm" },    { 0x101, 0x10f, "row_shl" },
    { 0x111, 0x11f, "row_shr" },      { 0x121, 0x12f, "row_ror" },
    { 0x130, 0x130, "wave_shl" },     { 0x134, 0x134, "wave_rol" },
    { 0x138, 0x138, "wave_shr" },     { 0x13c, 0x13c, "wave_ror" },
    { 0x140, 0x140, "row_mirror" },   { 0x141, 0x141, "row_half_mirror" },
    { 0x142, 0x142, "row_bcast:15" }, { 0x143, 0x143, "row_bcast:31" },
};

/* Inline constants: those at the ends of a range stand alone. */
static const struct {
    u16 first, last;
    const char *text;
} constants[TRAIT_BYTES - TRAIT_CONSTANT] = {
    { CODE_INT_0, CODE_INT_0, "0" },
    { CODE_INT_1, CODE_INT_64 - 1, "an inline integer from 1 to 63" },
    { CODE_INT_64, CODE_INT_64, "64" },
    { CODE_INT_MINUS_1, CODE_INT_MINUS_1, "-1" },
    { CODE_INT_MINUS_1 + 1, CODE_INT_MINUS_16 - 1, "an inline integer from -15 to -2" },
    { CODE_INT_MINUS_16, CODE_INT_MINUS_16, "-16" },
    { CODE_FLOAT_0_5, CODE_FLOAT_0_5, "0.5" },
    { CODE_FLOAT_0_5 + 1, CODE_FLOAT_0_5 + 1, "-0.5" },
    { CODE_FLOAT_1_0, CODE_FLOAT_1_0, "1.0" },
    { CODE_FLOAT_1_0 + 1, CODE_FLOAT_1_0 + 1, "-1.0" },
    { CODE_FLOAT_1_0 + 2, CODE_FLOAT_1_0 + 2, "2.0" },
    { CODE_FLOAT_1_0 + 3, CODE_FLOAT_1_0 + 3, "-2.0" },
    { CODE_FLOAT_1_0 + 4, CODE_FLOAT_1_0 + 4, "4.0" },
    { CODE_FLOAT_1_0 + 5, CODE_FLOAT_1_0 + 5, "-4.0" },
    { CODE_FLOAT_LAST, CODE_FLOAT_LAST, "1/(2*pi)" },
};

static const u8 widths[TRAIT_NAMED - TRAIT_BYTES] = { 1, 2, 4, 8, 12, 16 };

/* ---- operands ---- */

static void find_type(struct traits *t, const struct isa_operand *o)
{
    bool is_float = isa_types[o->type].class == CLASS_FLOAT;
    bool is_half = isa_type_is_half((enum isa_type)o->type);
    bool is_wide = isa_types[o->type].dwords == 2;
    set(t, TRAIT_float16, is_float && is_half);
    set(t, TRAIT_float32, is_float && !is_half && !is_wide);
    set(t, TRAIT_float64, is_float && is_wide);
    set(t, TRAIT_wide, is_wide && isa_types[o->type].class != CLASS_LANEMASK);
    set(t, TRAIT_packed, isa_type_is_packed((enum isa_type)o->type));
}

static void find_source(struct traits *t, u32 code)
{
    bool is_vcc = code == CODE_VCC || code == CODE_VCC + 1;
    bool is_exec = code == CODE_EXEC || code == CODE_EXEC + 1;
    set(t, TRAIT_reads_vcc, is_vcc);
    set(t, TRAIT_reads_exec, is_exec);
    set(t, TRAIT_reads_m0, code == CODE_M0);
    set(t, TRAIT_reads_sgpr, code < CODE_VCC);
    set(t, TRAIT_reads_special, code >= CODE_VCCZ && code <= CODE_SCC);
    set(t, TRAIT_reads_lds_direct, code == CODE_LDS_DIRECT);
    set(t, TRAIT_literal, code == CODE_LIT);
    for (u32 i = 0; i < COUNT_OF(constants); i++)
        set(t, TRAIT_CONSTANT + i, code >= constants[i].first && code <= constants[i].last);
}

static void find_result(struct traits *t, u32 code)
{
    set(t, TRAIT_writes_vcc, code == CODE_VCC || code == CODE_VCC + 1);
    set(t, TRAIT_writes_exec, code == CODE_EXEC || code == CODE_EXEC + 1);
    set(t, TRAIT_writes_m0, code == CODE_M0);
}

static void find_immediate(struct traits *t, const struct insn *in, const struct isa_operand *o)
{
    bool is_top = insn_get(in, (enum isa_field)o->field) >> 15 & 1;
    set(t, TRAIT_immediate_negative, o->kind == K_SIMM && is_top);
    set(t, TRAIT_immediate_top, o->kind == K_UIMM && is_top);
}

static bool names_register(const struct isa_operand *o)
{
    return isa_kind_is_register((enum isa_kind)o->kind) &&
           isa_kinds[o->kind].class != OPERAND_NOTHING;
}

/* A mask holds 0 for lanes that are off, whatever stood there. */
static void find_mask(struct traits *t, const struct wave *w, u32 code)
{
    u64 old = wave_get(w, code, 0) | (u64)wave_get(w, code + 1, 0) << 32;
    set(t, TRAIT_writes_mask, true);
    set(t, TRAIT_mask_off, old & ~wave_exec(w));
}

static void find_operands(struct traits *t, const struct wave *w, const struct insn *in)
{
    u32 written[OPERANDS_MAX], count = 0;
    const struct isa_row *row = insn_row(in);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
        if (!insn_operand_there(in, o))
            continue;
        find_type(t, o);
        if (isa_kinds[o->kind].class == OPERAND_LITERAL)
            set(t, TRAIT_literal, true);
        find_immediate(t, in, o);
        if (!names_register(o))
            continue;
        u32 code = insn_code(in, o);
        set(t, TRAIT_high_vgpr, code >= CODE_VGPR + 128 && code < CODE_ACC);
        if (o->dir & DIR_W) {
            find_result(t, code);
            if (isa_types[o->type].class == CLASS_LANEMASK)
                find_mask(t, w, code);
            written[count++] = code;
        }
        if (o->dir & DIR_R)
            find_source(t, code);
        for (u32 i = 0; o->dir == DIR_R && i < count; i++)
            set(t, TRAIT_overlap, written[i] == code);
    }
    set(t, TRAIT_literal, in->form == FORM_LIT);
}

/* ---- modifiers ---- */

/* Sources in the fields src0 and src1: VOP1 has no other than the first. */
static u32 selected_sources(const struct isa_row *row)
{
    u32 count = 0;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        count += o->slot == SLOT_S0 || o->slot == SLOT_S1;
    return count;
}

/* Traits stand in this order. */
static const struct {
    u8 first, last;
} parts[] = { { SEL_BYTE_0, SEL_BYTE_0 },
              { SEL_BYTE_0 + 1, SEL_BYTE_3 },
              { SEL_WORD_0, SEL_WORD_0 },
              { SEL_WORD_1, SEL_WORD_1 } };

static void find_selects(struct traits *t, const struct insn *in)
{
    static const enum isa_field sel[2] = { FLD_src0_sel, FLD_src1_sel };
    static const enum isa_field sext[2] = { FLD_src0_sext, FLD_src1_sext };
    u32 sources = selected_sources(insn_row(in));
    for (u32 i = 0; i < sources; i++) {
        u32 s = insn_get(in, sel[i]), is_signed = insn_get(in, sext[i]);
        if (!insn_has(in, sel[i]))
            continue;
        for (u32 k = 0; k < 4; k++) {
            bool has = s >= parts[k].first && s <= parts[k].last;
            set(t, TRAIT_sel_byte0 + k, has);
            set(t, (i ? TRAIT_src1_byte0 : TRAIT_src0_byte0) + k, has);
            set(t, TRAIT_sext_byte0 + k, has && is_signed);
        }
        set(t, TRAIT_sext, is_signed);
        set(t, i ? TRAIT_src1_sext : TRAIT_src0_sext, is_signed);
    }
    u32 dst = insn_get(in, FLD_dst_sel), unused = insn_get(in, FLD_dst_unused);
    if (!insn_has(in, FLD_dst_sel) || dst == SEL_DWORD)
        return;
    set(t, TRAIT_dst_byte, dst <= SEL_BYTE_3);
    set(t, TRAIT_dst_word0, dst == SEL_WORD_0);
    set(t, TRAIT_dst_word1, dst == SEL_WORD_1);
    set(t, TRAIT_dst_pad, unused == 0);
    set(t, TRAIT_dst_sext, unused == 1);
    set(t, TRAIT_dst_preserve, unused == 2);
}

static void find_modifiers(struct traits *t, const struct xinsn *x)
{
    const struct insn *in = &x->insn;
    u32 sources = insn_has(in, FLD_src2) ? 7 : 3;
    u32 neg = insn_get(in, FLD_neg) | insn_get(in, FLD_src0_neg) | insn_get(in, FLD_src1_neg) << 1;
    u32 abs = insn_get(in, FLD_abs) | insn_get(in, FLD_src0_abs) | insn_get(in, FLD_src1_abs) << 1;
    u32 op_sel = insn_get(in, FLD_op_sel), high = insn_get(in, FLD_op_sel_hi);
    set(t, TRAIT_neg, neg);
    set(t, TRAIT_abs, abs);
    set(t, TRAIT_neg_abs, neg & abs);
    set(t, TRAIT_neg0, neg & 1);
    set(t, TRAIT_neg1, neg >> 1 & 1);
    set(t, TRAIT_neg2, neg >> 2 & 1);
    set(t, TRAIT_neg_hi, insn_get(in, FLD_neg_hi));
    set(t, TRAIT_clamp, x->clamp);
    set(t, TRAIT_omod, x->omod);
    set(t, TRAIT_op_sel, op_sel & sources);
    set(t, TRAIT_op_sel_dst, op_sel & 8);
    set(t, TRAIT_op_sel_hi, insn_has(in, FLD_op_sel_hi) && (high & 3) != 3);
    find_selects(t, in);
}

/* ---- lanes and MODE ---- */

static void find_dpp(struct traits *t, const struct wave *w, const struct xinsn *x)
{
    u32 ctrl = insn_get(&x->insn, FLD_dpp_ctrl);
    u64 on = wave_exec(w);
    for (u32 i = 0; i < COUNT_OF(dpp_kinds); i++)
        set(t, TRAIT_DPP + i, ctrl >= dpp_kinds[i].first && ctrl <= dpp_kinds[i].last);
    set(t, TRAIT_bound_ctrl, x->bound_ctrl);
    set(t, TRAIT_no_bound_ctrl, !x->bound_ctrl);
    set(t, TRAIT_row_mask, insn_get(&x->insn, FLD_row_mask) != 15);
    set(t, TRAIT_bank_mask, insn_get(&x->insn, FLD_bank_mask) != 15);
    for (u32 lane = 0; lane < LANES; lane++) {
        bool acts = (on & x->dpp_rows) >> lane & 1, exists = x->dpp_valid >> lane & 1;
        set(t, TRAIT_lane_outside, acts && !exists);
        set(t, TRAIT_lane_off, acts && exists && !(on >> x->lane_of[lane] & 1));
    }
}

static void find_lanes(struct traits *t, const struct wave *w)
{
    u64 on = wave_exec(w);
    set(t, TRAIT_exec_all, on == ~0ull);
    set(t, TRAIT_exec_some, on != ~0ull && on);
    set(t, TRAIT_exec_none, !on);
    set(t, TRAIT_exec_high, on >> 32);
    set(t, TRAIT_exec_high_off, ~on >> 32);
}

static void find_mode(struct traits *t, u32 mode)
{
    set(t, TRAIT_round32, mode >> MODE_ROUND_32 & 3);
    set(t, TRAIT_round64, mode >> MODE_ROUND_64 & 3);
    set(t, TRAIT_denorm32, (mode >> MODE_DENORM_32 & 3) != 3);
    set(t, TRAIT_denorm64, (mode >> MODE_DENORM_64 & 3) != 3);
    set(t, TRAIT_no_dx10_clamp, !(mode >> MODE_DX10_CLAMP & 1));
    set(t, TRAIT_no_ieee, !(mode >> MODE_IEEE & 1));
    set(t, TRAIT_fp16_ovfl, mode >> MODE_FP16_OVFL & 1);
}

/* ---- memory ---- */

/* The constant offset; the field may name a register instead. */
static i32 constant_offset(const struct xinsn *x)
{
    bool is_scalar = isa_memory(insn_row(&x->insn)) == MEMORY_SCALAR;
    return is_scalar && !insn_get(&x->insn, FLD_imm) ? 0 : x->offset;
}

/* The parts that a scalar access drops the low two bits of, each by itself. */
static bool is_unaligned(const struct wave *w, const struct xinsn *x)
{
    i32 reg = insn_smem_offset_register(&x->insn);
    u32 all = (u32)constant_offset(x) | (reg >= 0 ? wave_get(w, (u32)reg, 0) : 0);
    const struct xop *base = &x->opnd[SLOT_BASE];
    return (all | (base->kind != K_NONE ? wave_get(w, base->code, 0) : 0)) & 3;
}

static void find_memory(struct traits *t, const struct wave *w, const struct xinsn *x,
                        const struct effects *fx)
{
    const struct insn *in = &x->insn;
    const struct isa_row *row = insn_row(in);
    enum isa_field field = insn_has(in, FLD_offset0) ? FLD_offset0 : FLD_offset;
    struct isa_pos pos = insn_pos(in, field);
    u32 bytes = isa_access_bytes(row), bits = insn_get(in, field);
    i32 offset = constant_offset(x);
    for (u32 i = 0; i < COUNT_OF(widths); i++)
        set(t, TRAIT_BYTES + i, bytes == widths[i]);
    set(t, TRAIT_load, fx->mem_read);
    set(t, TRAIT_store, fx->mem_write);
    set(t, TRAIT_atomic, x->is_atomic);
    set(t, TRAIT_offset, offset);
    set(t, TRAIT_offset_negative, offset < 0);
    set(t, TRAIT_offset_large, offset > 255);
    set(t, TRAIT_offset_top, pos.width && bits >> (pos.width - 1));
    if (isa_memory(row) == MEMORY_SCALAR) {
        set(t, TRAIT_offset_register, insn_smem_offset_register(in) >= 0);
        set(t, TRAIT_unaligned, is_unaligned(w, x));
    }
    set(t, TRAIT_offset1, x->offset1);
    set(t, TRAIT_saddr, insn_has(in, FLD_saddr) && insn_get(in, FLD_saddr) != CODE_OFF);
    set(t, TRAIT_resource, x->opnd[SLOT_BASE].dw == 4);
    set(t, TRAIT_offen, insn_get(in, FLD_offen));
    set(t, TRAIT_idxen, insn_get(in, FLD_idxen));
    set(t, TRAIT_glc, insn_get(in, FLD_glc));
    set(t, TRAIT_upper_half, row->flags & FLAG_UPPER_HALF);
    set(t, TRAIT_tfe, insn_get(in, FLD_tfe));
    set(t, TRAIT_into_lds, x->into_lds);
    set(t, TRAIT_gds, insn_get(in, FLD_gds));
}

/* ---- all ---- */

/* Written, and no more than data: what is implied lies behind all of these. */
static bool is_register(const struct effect *e)
{
    return e->dir & DIR_W &&
           (e->place < CODE_EXEC || (e->place >= PLACE_V0 && e->place < PLACE_SCC));
}

static void find_effects(struct traits *t, const struct effects *fx)
{
    for (u32 i = 0; i < fx->count; i++) {
        bool is_scc = fx->e[i].place == PLACE_SCC;
        bool is_exec = fx->e[i].place == CODE_EXEC || fx->e[i].place == CODE_EXEC + 1;
        set(t, TRAIT_changes_exec, is_exec && fx->e[i].dir & DIR_W);
        set(t, TRAIT_returns, fx->mem_read && fx->mem_write && is_register(&fx->e[i]));
        set(t, TRAIT_reads_scc, is_scc && fx->e[i].dir & DIR_R);
        set(t, TRAIT_writes_scc, is_scc && fx->e[i].dir & DIR_W);
    }
}

void trait_find(const struct wave *w, const struct xinsn *x, struct traits *t)
{
    const struct isa_row *row = insn_row(&x->insn);
    struct effects fx;
    *t = (struct traits){ { 0 } };
    effects_of(&x->insn, &fx);
    set(t, TRAIT_FORM + x->insn.form, true);
    set(t, TRAIT_ENC + row->enc, true);
    find_operands(t, w, &x->insn);
    find_effects(t, &fx);
    find_modifiers(t, x);
    if (x->insn.form == FORM_DPP)
        find_dpp(t, w, x);
    if (effects_is_by_lane(&x->insn))
        find_lanes(t, w);
    if (isa_is_float(row))
        find_mode(t, w->mode);
    set(t, TRAIT_indexed, isa_unit(row) == UNIT_VALU && w->mode >> MODE_GPR_IDX_EN & 1);
    if (fx.mem_read || fx.mem_write)
        find_memory(t, w, x, &fx);
    set(t, TRAIT_backward,
        isa_flow_target(row) == TARGET_DISTANCE && (i64)x->opnd[SLOT_TARGET].konst < 0);
}

void trait_add_text(u32 trait, struct text *t)
{
    static const char *const named[] = {
#define TRAIT(name, text) text,
#include "harness/check/trait.def"
#undef TRAIT
    };
    if (trait < TRAIT_ENC)
        text_add(t, "%s",
                 trait == TRAIT_FORM + FORM_BASE ? "no other form"
                                                 : isa_form_names[trait - TRAIT_FORM]);
    else if (trait < TRAIT_DPP)
        text_add(t, "%s", isa_encs[trait - TRAIT_ENC].name);
    else if (trait < TRAIT_CONSTANT)
        text_add(t, "%s", dpp_kinds[trait - TRAIT_DPP].text);
    else if (trait < TRAIT_BYTES)
        text_add(t, "%s as source", constants[trait - TRAIT_CONSTANT].text);
    else if (trait < TRAIT_NAMED)
        text_add(t, "%u byte%s of memory", widths[trait - TRAIT_BYTES],
                 widths[trait - TRAIT_BYTES] == 1 ? "" : "s");
    else
        text_add(t, "%s", named[trait - TRAIT_NAMED]);
}
