/* An instruction whose operands are plain registers and whose modifiers do nothing. */
#include "oracle/insn/insn.h"

/* A legal code for the operand; operands of different index get different codes. */
static u32 plain_code(const struct isa_operand *o, u32 width, u32 index)
{
    u32 dwords = isa_types[o->type].dwords;
    switch (isa_kinds[o->kind].class) {
    case OPERAND_VECTOR: return (width == 9 ? CODE_VGPR : 0u) + 1 + index * 4;
    case OPERAND_ACC: /* D and C do not overlap */
        return o->kind == K_VASRC ? CODE_VGPR + 1 + index * 4
                                  : (width == 9 ? CODE_VGPR : 0u) + index * 64;
    case OPERAND_SOURCE:
    case OPERAND_SCALAR: break;
    case OPERAND_NOTHING:
    case OPERAND_IMMEDIATE:
    case OPERAND_OFFSET:
    case OPERAND_LITERAL: return 0;
    }
    switch ((enum isa_kind)o->kind) {
    case K_SRC: return (width == 9 ? CODE_VGPR : 0u) + 1 + index * 4;
    case K_MASK: return o->dir & DIR_W ? 4 : CODE_VCC;
    case K_LANESEL: return CODE_INT_1 + index;
    case K_RSRC: return 1;
    case K_SBASE: return dwords == 4 ? 2 : 1;
    case K_SADDR:
    case K_SSADDR: return CODE_OFF;
    default: return dwords > 4 ? 16 * index : 4 + 4 * index; /* SGPR, SSRC */
    }
}

static void set_if(struct insn *in, enum isa_field field, u32 value)
{
    if (insn_has(in, field))
        insn_set(in, field, value);
}

void insn_neutral(const struct isa *isa, isa_op op, enum isa_form form, struct insn *in)
{
    const struct isa_row *row = &isa_rows[op];
    bool own_literal = false, half = false;
    u32 index = 0;
    insn_start(isa, op, form, in);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++, index++) {
        u32 width = insn_pos(in, (enum isa_field)o->field).width;
        own_literal |= o->kind == K_LIT;
        half |= isa_type_is_half((enum isa_type)o->type) && o->dir & DIR_R;
        if (o->kind == K_SMOFF)
            insn_set(in, FLD_imm, 1);
        if (width)
            insn_set(in, (enum isa_field)o->field, plain_code(o, width, index));
    }
    if (row->enc == ENC_VOP3P && isa_row_is_packed(row)) {
        insn_set(in, FLD_op_sel_hi, 3);
        insn_set(in, FLD_op_sel_hi2, 1);
    }
    if (row->flags & FLAG_GDS_ONLY)
        insn_set(in, FLD_gds, 1);
    if (form == FORM_LIT) {
        in->lit = half ? 0x1234 : 0x12345678;
        enum isa_field first = insn_has(in, FLD_ssrc0) ? FLD_ssrc0 : FLD_src0;
        if (!own_literal)
            set_if(in, first, CODE_LIT);
    }
    if (row->flags & FLAG_LDS_FORM && row->operand[0].kind == K_RSRC)
        insn_set(in, FLD_lds, 1);
    set_if(in, FLD_en, 15);
    set_if(in, FLD_dmask, mask32(isa_types[row->operand[0].type].dwords));
    if (form == FORM_SDWA) {
        set_if(in, FLD_dst_sel, SEL_DWORD);
        set_if(in, FLD_src0_sel, SEL_DWORD);
        if (row->enc != ENC_VOP1)
            insn_set(in, FLD_src1_sel, SEL_DWORD);
        set_if(in, FLD_sd, row->enc == ENC_VOPC);
    }
    if (form == FORM_DPP) {
        insn_set(in, FLD_dpp_ctrl, 0xe4);
        insn_set(in, FLD_row_mask, 15);
        insn_set(in, FLD_bank_mask, 15);
    }
}
