/* Dwords to struct insn and back; fields, operand codes and constants. */
#include "oracle/insn/insn.h"

enum { CODE_SDWA = 249, CODE_DPP = 250 };

/* Layouts in matching order: the order of layout.def, more specific first. */
static enum isa_layout find_layout(const struct isa *isa, u32 dw0)
{
    const struct isa_layout_info *info = isa_layouts[isa->target->gen];
    for (u32 lay = isa->by_prefix[dw0 >> PREFIX_LSB]; lay < LAY_COUNT; lay++)
        if (info[lay].mask && (dw0 & info[lay].mask) == info[lay].match)
            return (enum isa_layout)lay;
    return LAY_NONE;
}

/* Of fields in the first dword; 0 where there is no such field. */
static u32 layout_bits(enum gen gen, enum isa_layout lay, enum isa_field field, u32 dw0)
{
    struct isa_pos pos = isa_layout_pos(gen, lay, field);
    return dw0 >> (pos.lsb & 31) & (u32)((1ull << pos.width) - 1);
}

static bool is_vop(enum isa_layout lay)
{
    return lay == LAY_VOP1 || lay == LAY_VOP2 || lay == LAY_VOPC;
}

static bool has_immediate(const struct isa_row *row, enum isa_field field)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->kind == K_GPRIDX && o->field == field)
            return true;
    return false;
}

/* Whether a source field of the first dword holds the literal marker. VOP3 and vector memory
 * formats take none, scalar memory does on gfx7. */
static bool names_literal(enum gen gen, const struct isa_row *row, enum isa_layout lay, u32 dw0)
{
    if (is_vop(lay))
        return layout_bits(gen, lay, FLD_src0, dw0) == CODE_LIT;
    if (lay == LAY_SMEM)
        return gen == GEN_GFX7 && isa_forms(gen, row) & F_LIT &&
               layout_bits(gen, lay, FLD_offset, dw0) == CODE_LIT &&
               !layout_bits(gen, lay, FLD_imm, dw0);
    return (isa_layout_pos(gen, lay, FLD_ssrc0).width &&
            layout_bits(gen, lay, FLD_ssrc0, dw0) == CODE_LIT) ||
           (isa_layout_pos(gen, lay, FLD_ssrc1).width &&
            layout_bits(gen, lay, FLD_ssrc1, dw0) == CODE_LIT && !has_immediate(row, FLD_ssrc1));
}

static enum isa_form find_form(enum gen gen, const struct isa_row *row, enum isa_layout lay,
                               u32 dw0)
{
    u32 src0 = is_vop(lay) ? layout_bits(gen, lay, FLD_src0, dw0) : 0;
    if (src0 == CODE_SDWA)
        return FORM_SDWA;
    if (src0 == CODE_DPP)
        return FORM_DPP;
    if (row->forms == F_LIT || names_literal(gen, row, lay, dw0))
        return FORM_LIT;
    return lay == LAY_VOP3A ? FORM_E64 : FORM_BASE;
}

/* What fields and operands depend on besides the row. */
static void set_target(const struct isa *isa, struct insn *in)
{
    in->gen = isa->target->gen & 3u;
    in->packed_d16 = isa_target_has(isa->target, FEATUREBIT_PACKED_D16);
}

/* What is no instruction: one dword, of which `why` says why. */
static bool bad(const struct isa *isa, u32 dw0, struct insn *in)
{
    *in = (struct insn){ .dw = 1, .word = dw0 };
    set_target(isa, in);
    return false;
}

bool insn_decode(const struct isa *isa, const u32 *dw, u32 avail, struct insn *in, struct err *why)
{
    enum gen gen = (enum gen)isa->target->gen;
    if (avail == 0) {
        err_set(why, ST_INPUT, "no dword");
        return bad(isa, 0, in);
    }
    u32 dw0 = dw[0];
    enum isa_layout lay = find_layout(isa, dw0);
    if (lay == LAY_NONE) {
        err_set(why, ST_INPUT, "no encoding has this prefix");
        return bad(isa, dw0, in);
    }
    u32 number = layout_bits(gen, lay, FLD_op, dw0);
    isa_op op = isa->by_number[lay][number];
    if (op == OP_NONE) {
        err_set(why, ST_INPUT, "%s has no opcode %u", isa_layouts[gen][lay].name, number);
        return bad(isa, dw0, in);
    }
    const struct isa_row *row = &isa_rows[op];
    enum isa_form form = find_form(gen, row, lay, dw0);
    u32 word_dw = isa_layouts[gen][lay].dwords + (form == FORM_SDWA || form == FORM_DPP ? 1u : 0u);
    u32 all_dw = word_dw + (form == FORM_LIT);
    if (!(isa_forms(gen, row) & 1 << form)) {
        err_set(why, ST_INPUT, "%s has no %s form", isa_name(gen, op), isa_form_names[form]);
        return bad(isa, dw0, in);
    }
    if (all_dw > avail) {
        err_set(why, ST_INPUT, "the instruction is cut off");
        return bad(isa, dw0, in);
    }
    *in = (struct insn){ .op = (u16)op,
                         .form = form & 7u,
                         .dw = all_dw & 3u,
                         .gen = gen & 3u,
                         .packed_d16 = isa_target_has(isa->target, FEATUREBIT_PACKED_D16),
                         .places = (u8)isa_form_places(gen, row, form),
                         .lit = form == FORM_LIT ? dw[word_dw] : 0,
                         .word = word_dw == 2 ? (u64)dw[1] << 32 | dw0 : dw0 };
    return true;
}

u32 insn_encode(const struct insn *in, u32 dw[INSN_DW_MAX])
{
    u32 n = 0, word_dw = in->dw - (in->form == FORM_LIT ? 1u : 0u);
    dw[n++] = (u32)in->word;
    if (word_dw == 2)
        dw[n++] = (u32)(in->word >> 32);
    if (in->form == FORM_LIT)
        dw[n++] = in->lit;
    return n;
}

void insn_start(const struct isa *isa, isa_op op, enum isa_form form, struct insn *in)
{
    const struct isa_row *row = &isa_rows[op];
    enum gen gen = (enum gen)isa->target->gen;
    enum isa_layout lay = isa_layout_of(row, form);
    *in = (struct insn){ .op = (u16)op,
                         .form = form & 7u,
                         .places = (u8)isa_form_places(gen, row, form) };
    set_target(isa, in);
    in->word = isa_layouts[gen][lay].match;
    bool second = form == FORM_SDWA || form == FORM_DPP || form == FORM_LIT;
    in->dw = (isa_layouts[gen][lay].dwords + (second ? 1u : 0u)) & 3u;
    u32 number = (u32)row->number[gen];
    if (form == FORM_E64)
        number += isa_encs[row->enc].e64_offset[gen];
    if (insn_has(in, FLD_op))
        insn_set(in, FLD_op, number);
    in->word |= insn_fixed_bits(in);
}

u64 insn_fixed_bits(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    enum gen gen = (enum gen)in->gen;
    u64 bits = 0;
    if (isa_row_is_acc_move(row)) {
        struct isa_pos two = insn_pos(in, FLD_op_sel_hi), third = insn_pos(in, FLD_op_sel_hi2);
        bits = 3ull << two.lsb | 1ull << third.lsb;
    }
    enum isa_layout suffix = isa_suffix_of(row, (enum isa_form)in->form);
    if (suffix != LAY_NONE) /* the marker in the first dword; src0 itself is in the second */
        bits |= isa_layouts[gen][suffix].match;
    if (row->enc == ENC_SMEM && in->form == FORM_LIT)
        bits |= (u64)CODE_LIT << insn_pos(in, FLD_offset).lsb;
    return bits;
}

void insn_set(struct insn *in, enum isa_field field, u32 value)
{
    if (field == FLD_lit) {
        in->lit = value;
        return;
    }
    struct isa_pos pos = insn_pos(in, field);
    if (pos.width == 0)
        BUG(isa_field_names[field]);
    u64 mask = mask64(pos.width) << pos.lsb;
    in->word = (in->word & ~mask) | ((u64)value << pos.lsb & mask);
}

/* In SDWA, s0 and s1 say that a source field names a scalar register. */
static bool sdwa_scalar(const struct insn *in, enum isa_field field)
{
    return in->form == FORM_SDWA && ((field == FLD_src0 && insn_get(in, FLD_s0)) ||
                                     (field == FLD_src1 && insn_get(in, FLD_s1)));
}

/* The code of a 9-bit field in which acc or the row says that registers are accumulation
 * registers. */
static u32 acc_code(const struct insn *in, const struct isa_operand *o, u32 v)
{
    bool acc = o->kind != K_VASRC || insn_get(in, FLD_acc) >> (o->field - FLD_src0) & 1;
    return acc && v >= CODE_VGPR ? v + (CODE_ACC - CODE_VGPR) : v;
}

/* Scalar registers that a field counts in. */
static u32 code_unit(const struct isa_operand *o)
{
    return o->kind == K_RSRC ? 4 : o->kind == K_SBASE ? 2 : 1;
}

/* The code of an operand whose field holds v and where other fields say what that means. These are
 * few; kept apart they cost the others nothing, which are looked up several times for every
 * instruction. */
static __attribute__((noinline)) u32 code_by_fields(const struct insn *in,
                                                    const struct isa_operand *o,
                                                    enum isa_field field, u32 width, u32 v)
{
    if (isa_kinds[o->kind].class == OPERAND_ACC)
        return width == 9 ? acc_code(in, o, v) : CODE_ACC + v;
    if (o->kind == K_SRC)
        return sdwa_scalar(in, field) ? v : CODE_VGPR + v;
    bool is_vcc = width == 0 || (insn_has(in, FLD_sd) && !insn_get(in, FLD_sd)); /* of a MASK */
    return is_vcc ? CODE_VCC : v;
}

/* The code of an operand whose field and the place of it are known. */
static inline u32 code_at(const struct insn *in, const struct isa_operand *o, enum isa_field field,
                          struct isa_pos pos)
{
    u32 v = field == FLD_lit ? in->lit : insn_bits(in, pos);
    if (isa_kinds[o->kind].class == OPERAND_VECTOR)
        return pos.width == 9 ? v : CODE_VGPR + v;
    switch (o->kind) {
    case K_SRC: return pos.width == 9 ? v : code_by_fields(in, o, field, pos.width, v);
    case K_RSRC:
    case K_SBASE: return v * code_unit(o);
    case K_ACC:
    case K_ACCSRC:
    case K_VASRC:
    case K_MASK: return code_by_fields(in, o, field, pos.width, v);
    case K_LIT: return CODE_LIT;
    default: return v;
    }
}

u32 insn_code_of_any(const struct insn *in, const struct isa_operand *o)
{
    enum isa_field field = insn_operand_field(in, o);
    return code_at(in, o, field, insn_pos(in, field));
}

/* The bits outside the operand's field that say what the field's number means. */
static void set_code_bits(struct insn *in, const struct isa_operand *o, u32 code)
{
    u32 source = (u32)o->field - FLD_src0;
    if (o->kind == K_VASRC) {
        u32 acc = insn_get(in, FLD_acc) & ~(1u << source);
        insn_set(in, FLD_acc, acc | (u32)(code >= CODE_ACC) << source);
    }
    if (o->kind == K_MASK && insn_has(in, FLD_sd))
        insn_set(in, FLD_sd, 1);
    if (o->kind == K_SRC && in->form == FORM_SDWA && insn_has(in, FLD_s0))
        insn_set(in, source ? FLD_s1 : FLD_s0, code < CODE_VGPR);
}

bool insn_set_code(struct insn *in, const struct isa_operand *o, u32 code)
{
    enum isa_field field = insn_operand_field(in, o);
    const struct isa_pos pos = insn_pos(in, field);
    const struct insn old = *in;
    bool needs_field = pos.width != 0 && o->kind != K_MASK; /* a MASK may be vcc without */
    if (!needs_field && code_at(in, o, field, pos) == code)
        return true;
    if (!insn_has(in, field))
        return false;
    set_code_bits(in, o, code);
    insn_set(in, field, (code >= CODE_ACC ? code - (CODE_ACC - CODE_VGPR) : code) / code_unit(o));
    if (code_at(in, o, field, pos) == code)
        return true;
    *in = old;
    return false;
}

/* s_memtime, s_dcache_wb and the like have no address. */
static bool has_base(const struct insn *in)
{
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++)
        if (o->slot == SLOT_BASE)
            return true;
    return false;
}

i32 insn_smem_offset_register(const struct insn *in)
{
    if (!has_base(in))
        return -1;
    if (in->form == FORM_LIT)
        return -1;
    if (insn_get(in, FLD_soe))
        return (i32)insn_get(in, FLD_soffset);
    return insn_get(in, FLD_imm) ? -1 : (i32)(insn_get(in, FLD_offset) % 128);
}

/* Registers of an image's data without the status dword. Vega ISA, section 8.2. */
static u32 image_data_dw(const struct insn *in, enum isa_kind kind)
{
    u32 dmask = insn_get(in, FLD_dmask), count = 0;
    for (u32 bit = 0; bit < 4; bit++)
        count += dmask >> bit & 1;
    if (kind == K_GATHER)
        count = 4;
    if (count == 0)
        count = 1;
    return insn_get(in, FLD_d16) && in->packed_d16 ? (count + 1) / 2 : count;
}

u32 insn_operand_dw_by_mods(const struct insn *in, const struct isa_operand *o)
{
    u32 dwords = isa_types[o->type].dwords;
    switch (o->kind) {
    case K_VADDR:
        return insn_row(in)->enc != ENC_FLAT && insn_get(in, FLD_saddr) != CODE_OFF ? 1 : dwords;
    case K_BADDR:
        return insn_get(in, FLD_addr64) || (insn_get(in, FLD_idxen) && insn_get(in, FLD_offen)) ? 2
                                                                                                : 1;
    case K_BDATA: return dwords + insn_get(in, FLD_tfe);
    case K_IDATA:
    case K_IRAW:
    case K_GATHER:
    case K_IATOMIC: return image_data_dw(in, (enum isa_kind)o->kind) + insn_get(in, FLD_tfe);
    default: return dwords;
    }
}

/* Three coordinates, two derivatives of each, and what the opcode adds. */
u32 insn_operand_most(const struct isa_row *row, const struct isa_operand *o, u32 dw)
{
    return o->kind != K_IADDR
               ? dw
               : dw + (row->flags & FLAG_GRADIENT ? 7u : 2u) + (row->flags & FLAG_LOD ? 1u : 0u);
}

/* Inline floats: as f32, as the f16 that 16-bit operands see and the f64 that 64-bit ones see. */
static const struct {
    u16 f16;
    u32 f32;
    u64 f64;
} inline_floats[] = {
#define FLOATCONST(code, text, wide, f16, f32, f64) [(code)-CODE_FLOAT_0_5] = { f16, f32, f64 },
#include "oracle/isa/reg.def"
};

bool insn_constant(const struct insn *in, u32 code, enum isa_type type, u64 *value)
{
    bool wide = isa_types[type].dwords >= 2, half = isa_type_has_f16(type);
    if (code >= CODE_INT_0 && code <= CODE_INT_64) {
        *value = code - CODE_INT_0;
    } else if (code >= CODE_INT_MINUS_1 && code <= CODE_INT_MINUS_16) {
        *value = wide ? 0 - (u64)(code - CODE_INT_64) : (u32)(0 - (code - CODE_INT_64));
    } else if (code >= CODE_FLOAT_0_5 && code <= CODE_FLOAT_LAST) {
        *value = wide   ? inline_floats[code - CODE_FLOAT_0_5].f64
                 : half ? inline_floats[code - CODE_FLOAT_0_5].f16
                        : inline_floats[code - CODE_FLOAT_0_5].f32;
    } else if (code == CODE_LIT && in->form == FORM_LIT) {
        /* A signed 64-bit operand sees the literal sign-extended, a float as its upper half, others
         * see it zero-extended. ERRATA(STATE-U12): LLVM zero-extends it for signed ones, too. */
        *value = type == T_I64 ? sext64(in->lit, 32) : type == T_F64 ? (u64)in->lit << 32 : in->lit;
    } else {
        return false;
    }
    return true;
}
