/* The levels of one factor. */
#include "fuzz/cover/internal.h"

#include "oracle/insn/text.h"

enum cover_class cover_class_of(enum gen gen, u32 code)
{
    if (code >= CODE_VGPR)
        return code >= CODE_ACC ? COVER_ACC : COVER_VGPR;
    if (code < insn_sgprs(gen))
        return COVER_SGPR;
    if (code >= CODE_INT_0)
        return code <= CODE_INT_MINUS_16                           ? COVER_INLINE_INT
               : code >= CODE_FLOAT_0_5 && code <= CODE_FLOAT_LAST ? COVER_INLINE_FLOAT
               : code >= CODE_VCCZ && code <= CODE_SCC             ? COVER_SPECIAL
               : code == CODE_LDS_DIRECT                           ? COVER_LDS_DIRECT
               : code == CODE_LIT                                  ? COVER_LITERAL
                                                                   : COVER_APERTURE;
    return code / 2 == CODE_VCC / 2    ? COVER_VCC
           : code / 2 == CODE_EXEC / 2 ? COVER_EXECUTE
           : code == CODE_M0           ? COVER_M0
                                       : COVER_OTHER;
}

/* An offset that is an immediate, a scalar register, or a literal. */
static u32 offset_class(const struct insn *in)
{
    i32 code = insn_smem_offset_register(in);
    if (in->form == FORM_LIT)
        return COVER_LITERAL;
    return code < 0 ? (u32)COVER_IMMEDIATE : cover_class_of((enum gen)in->gen, (u32)code);
}

static u32 operand_level(const struct insn *in, const struct isa_operand *o)
{
    if (o->kind == K_SMOFF)
        return offset_class(in);
    if (!insn_operand_there(in, o) || insn_operand_off(in, o))
        return COVER_OFF;
    return cover_class_of((enum gen)in->gen, insn_code(in, o));
}

static u32 dpp_level(u32 code)
{
    if (code < 256)
        return 0;
    for (u32 i = 0; text_dpp[i].text && i + 1 < COVER_DPP_KINDS; i++)
        if (code >= text_dpp[i].first && code <= text_dpp[i].last)
            return 1 + i;
    return COVER_NO_LEVEL;
}

u32 cover_fixed_level(const struct cover_factor *f, const struct insn *in)
{
    u32 v = (u32)(in->word >> f->lsb & mask32(f->width));
    switch ((enum cover_way)f->way) {
    case COVER_OPERAND: return operand_level(in, &insn_row(in)->operand[f->operand]);
    case COVER_EACH: return v;
    case COVER_SPAN:
    case COVER_SIGN:
        /* What stands there may be the number of a register. */
        if (f->field == FLD_offset && insn_has(in, FLD_imm) && !insn_get(in, FLD_imm))
            return COVER_NO_LEVEL;
        if (v == 0)
            return 0;
        return f->way == COVER_SIGN ? 1 + (v >> (f->width - 1u)) : v == mask32(f->width) ? 1 : 2;
    case COVER_DPP: return dpp_level(v);
    case COVER_DRAWN: return 0;
    case COVER_MODE:
    case COVER_EXEC:
    case COVER_FLOAT:
    case COVER_INT:
    case COVER_LANE: break;
    }
    return COVER_NO_LEVEL;
}

/* ---- values ---- */

u32 cover_value_width(enum isa_type type)
{
    if (isa_types[type].class == CLASS_LANEMASK)
        return 1;
    if (isa_type_is_packed(type) && isa_types[type].class == CLASS_FLOAT)
        return 16;
    return isa_types[type].dwords == 2 ? 64 : isa_type_is_short(type) && type != T_MIX ? 16 : 32;
}

u32 cover_float_level(u64 bits, u32 width)
{
    u32 fraction = width == 16 ? 10 : width == 32 ? 23 : 52;
    u64 f = bits & mask64(fraction), e = bits >> fraction & mask64(width - 1 - fraction);
    u32 sign = bits >> (width - 1) & 1;
    if (e == 0)
        return (f ? COVER_FLOAT_SUBNORMAL : COVER_FLOAT_ZERO) + sign;
    if (e != mask64(width - 1 - fraction))
        return COVER_FLOAT_NORMAL + sign;
    if (f == 0)
        return COVER_FLOAT_INFINITE + sign;
    return f >> (fraction - 1) ? COVER_FLOAT_QUIET : COVER_FLOAT_SIGNALLING;
}

u32 cover_int_level(u64 bits, u32 width)
{
    u64 all = mask64(width), v = bits & all;
    if (v <= 1)
        return v ? COVER_INT_1 : COVER_INT_0;
    if (v == all)
        return COVER_INT_ALL;
    if (v == all >> 1)
        return COVER_INT_MAX;
    if (v == (all >> 1) + 1)
        return COVER_INT_MIN;
    return v >> (width - 1) ? COVER_INT_BELOW : COVER_INT_ABOVE;
}

u64 cover_selected(const struct insn *in, const struct isa_operand *o, u64 value, u32 *width)
{
    enum isa_field field = o->field == FLD_src0   ? FLD_src0_sel
                           : o->field == FLD_src1 ? FLD_src1_sel
                                                  : FLD_none;
    if (in->form != FORM_SDWA || field == FLD_none)
        return value;
    u32 sel = insn_get(in, field);
    if (sel == SEL_DWORD)
        return value;
    bool is_float = isa_types[o->type].class == CLASS_FLOAT;
    if (!is_float) /* a byte and a half are integers of their own */
        *width = sel < SEL_WORD_0 ? 8 : 16;
    return sel < SEL_WORD_0 ? value >> sel * 8 & 0xff : value >> (sel - SEL_WORD_0) * 16 & 0xffff;
}
