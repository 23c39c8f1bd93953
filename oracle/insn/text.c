/* Tables of the text side, and printing. LLVM 19's spelling throughout. */
#include "oracle/insn/text.h"

/* ---- tables ---- */

#define SPARE(gens, layout, field)
#define SPARE_BITS(gens, layout, mask)
#define DPPCTRL(text, first, last, value)
static const struct mod mods[LAY_COUNT][MODS_MAX + 1] = {
#define MODS(layout)                   [LAY_##layout] = {
#define MOD(field, text, style, needs) { text, FLD_##field, STYLE_##style, NEEDS_##needs },
#define MODS_END \
    {            \
        0        \
    }            \
    }            \
    ,
#include "oracle/isa/mod.def"
#undef MODS
#undef MOD
#undef MODS_END
};
#undef SPARE
#undef SPARE_BITS
#undef DPPCTRL

#define MODS(layout)
#define MOD(field, text, style, needs)
#define MODS_END
#define DPPCTRL(text, first, last, value)
static const struct {
    u8 gens, layout, field;
    u64 mask;
} spares[] = {
#define SPARE(gens, layout, field)     { GEN_BITS(gens), LAY_##layout, FLD_##field, 0 },
#define SPARE_BITS(gens, layout, mask) { GEN_BITS(gens), LAY_##layout, FLD_none, mask },
#include "oracle/isa/mod.def"
#undef SPARE
#undef SPARE_BITS
};
#undef DPPCTRL

#define SPARE(gens, layout, field)
#define SPARE_BITS(gens, layout, mask)
const struct dpp_name text_dpp[] = {
#define DPPCTRL(text, first, last, value) { text, first, last, value },
#include "oracle/isa/mod.def"
    { 0 }
#undef DPPCTRL
#undef SPARE
#undef SPARE_BITS
#undef MODS
#undef MOD
#undef MODS_END
};

enum {
    REGS_PRINTED = 0
#define REG(gens, code, dwords, name) +1
#include "oracle/isa/reg.def"
};
const u32 text_regs_printed = REGS_PRINTED;

const struct reg_name text_regs[] = {
#define REG(gens, code, dwords, name)       { #name, code, dwords, GEN_BITS(gens) },
#define REG_ALIAS(gens, code, dwords, name) { #name, code, dwords, GEN_BITS(gens) },
#include "oracle/isa/reg.def"
    { 0 }
};

const struct float_name text_floats[FLOATS_COUNT] = {
#define FLOATCONST(code, text, wide, f16, f32, f64) \
    [(code)-CODE_FLOAT_0_5] = { text, wide, code, f16, f32, f64 },
#include "oracle/isa/reg.def"
};

const struct hwreg_name text_hwregs[HWREGS] = {
#define HWREG(gens, id, name) [id] = { "HW_REG_" #name, GEN_BITS(gens) },
#include "oracle/isa/reg.def"
};

const char *const text_sel_names[SEL_COUNT] = { "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                "WORD_0", "WORD_1", "DWORD" };
const char *const text_unused_names[UNUSED_COUNT] = { "UNUSED_PAD", "UNUSED_SEXT",
                                                      "UNUSED_PRESERVE" };

/* ---- what rows and forms take ---- */

const struct mod *text_mods(const struct isa_row *row, enum isa_form form)
{
    enum isa_layout lay = isa_suffix_of(row, form);
    return mods[lay != LAY_NONE ? lay : isa_layout_of(row, form)];
}

/* LLVM's assembler takes clamp where it knows an effect, and for any float operand. */
static bool writes_float(const struct isa_row *row);

static bool takes_clamp(enum gen gen, const struct isa_row *row)
{
    if (gen < GEN_GFX8 && !writes_float(row))
        return false;
    if (row->flags & (FLAG_CLAMP_INT | FLAG_CLAMP_VOID))
        return true;
    if (row->flags & FLAG_NO_CLAMP)
        return false;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (isa_types[o->type].class == CLASS_FLOAT)
            return true;
    return false;
}

static bool writes_float(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (isa_types[o->type].class == CLASS_FLOAT && o->dir & DIR_W)
            return true;
    return false;
}

static bool writes_register(const struct isa_row *row)
{
    bool any = false;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        any |= o->dir & DIR_W;
    return any;
}

static bool has_field(const struct isa_row *row, enum isa_field field)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->field == field)
            return true;
    return false;
}

u32 text_sel_sources(const struct isa_row *row)
{
    u32 n = 0;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        n += o->kind == K_SRC;
    return n;
}

u32 text_sel_hi(const struct insn *in)
{
    return insn_get(in, FLD_op_sel_hi) | insn_get(in, FLD_op_sel_hi2) << 2;
}

void text_set_sel_hi(struct insn *in, u32 bits)
{
    insn_set(in, FLD_op_sel_hi, bits & 3);
    insn_set(in, FLD_op_sel_hi2, bits >> 2);
}

bool text_is_swizzle(const struct isa_row *row)
{
    return row->enc == ENC_DS && row->flags & FLAG_LANEWISE && !has_field(row, FLD_data0);
}

bool text_mod_applies(enum gen gen, const struct isa_row *row, enum isa_form form,
                      const struct mod *m)
{
    if (isa_field_pos(gen, row, form, (enum isa_field)m->field).width == 0)
        return false;
    switch ((enum mod_needs)m->needs) {
    case NEEDS_ALL: return row->operand[0].kind != K_NONE;
    case NEEDS_SOE:
        return has_field(row, FLD_offset) && isa_field_pos(gen, row, form, FLD_soe).width;
    case NEEDS_OPSEL: return row->flags & FLAG_OPSEL;
    case NEEDS_PACKED: return isa_row_is_packed(row);
    case NEEDS_HIGH: return row->enc == ENC_VOP3A && has_field(row, FLD_attr);
    case NEEDS_ACCESS: return row->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC);
    case NEEDS_VADDR: return has_field(row, FLD_vaddr);
    case NEEDS_TFE: return has_field(row, FLD_vdata) && !(row->flags & FLAG_ATOMIC);
    case NEEDS_FROM_LDS: return row->flags & FLAG_LDS_FORM && row->operand[0].dir != DIR_W;
    case NEEDS_INTO_LDS: return row->flags & FLAG_LDS_FORM && row->operand[0].dir == DIR_W;
    case NEEDS_D16: return row->operand[0].kind == K_IDATA || row->operand[0].kind == K_GATHER;
    case NEEDS_SRC1: return has_field(row, FLD_src1);
    case NEEDS_CLAMP: return takes_clamp(gen, row);
    case NEEDS_OMOD:
        if (row->flags & FLAG_NO_OMOD)
            return false;
        return writes_float(row) || row->flags & FLAG_OMOD_VOID;
    case NEEDS_OMODD: return writes_float(row);
    case NEEDS_SWIZZLE: return text_is_swizzle(row);
    case NEEDS_OFF1:
        return row->flags & (FLAG_LDS | FLAG_GDS_ONLY) && !(row->flags & FLAG_OFFSET2) &&
               !text_is_swizzle(row);
    case NEEDS_RETURN:
        return row->operand[0].kind != K_NONE &&
               (!(row->flags & FLAG_ATOMIC) || writes_register(row));
    case NEEDS_MATRIX: return !isa_row_is_acc_move(row);
    case NEEDS_OFF2: return row->flags & FLAG_OFFSET2;
    case NEEDS_GDS:
        return row->flags & (FLAG_LDS | FLAG_GDS_ONLY) &&
               (!(row->flags & FLAG_LANEWISE) || text_is_swizzle(row));
    }
    return false;
}

u64 text_spare_bits(enum gen gen, enum isa_layout lay)
{
    u64 bits = 0;
    for (u32 i = 0; i < COUNT_OF(spares); i++)
        if (spares[i].layout == lay && spares[i].gens >> gen & 1) {
            struct isa_pos pos = isa_layout_pos(gen, lay, (enum isa_field)spares[i].field);
            bits |= spares[i].mask | mask64(pos.width) << pos.lsb;
        }
    return bits;
}

const char *text_hwreg(enum gen gen, u32 id)
{
    return text_hwregs[id].gens >> gen & 1 ? text_hwregs[id].name : NULL;
}

const char *text_reg_name(enum gen gen, u32 code, u32 dwords)
{
    for (u32 i = 0; i < text_regs_printed; i++)
        if (text_regs[i].code == code && text_regs[i].gens >> gen & 1 &&
            (text_regs[i].dwords == dwords || text_regs[i].dwords == 0))
            return text_regs[i].name;
    return NULL;
}

const struct dpp_name *text_dpp_of(u32 code)
{
    for (const struct dpp_name *d = text_dpp; d->text; d++)
        if (code >= d->first && code <= d->last)
            return d;
    return NULL;
}

/* Fields of the source modifiers in SDWA and DPP: [source 0 or 1][neg, abs, sext]. */
static const u8 source_fields[2][3] = { { FLD_src0_neg, FLD_src0_abs, FLD_src0_sext },
                                        { FLD_src1_neg, FLD_src1_abs, FLD_src1_sext } };

static u32 source_index(const struct isa_operand *o)
{
    return (u32)o->field - FLD_src0;
}

u32 text_source_mods(const struct insn *in, const struct isa_operand *o)
{
    u32 class = isa_types[o->type].class;
    bool is_float = class == CLASS_FLOAT || class == CLASS_SIGNED;
    bool vop3p = insn_row(in)->enc == ENC_VOP3P, in_vop3 = in->form == FORM_E64 || vop3p;
    bool interpolated = in_vop3 && o->kind == K_VGPR && o->dir == DIR_R;
    if ((o->kind != K_SRC && !interpolated) || class == CLASS_LANEMASK ||
        (vop3p && isa_row_is_packed(insn_row(in))))
        return 0;
    if (in_vop3)
        return is_float ? TAKES_NEG | (insn_has(in, FLD_abs) ? TAKES_ABS : 0u) : 0;
    if (in->form == FORM_SDWA)
        return is_float ? TAKES_NEG | TAKES_ABS : TAKES_SEXT;
    return in->form == FORM_DPP && is_float ? TAKES_NEG | TAKES_ABS : 0;
}

u32 text_source_get(const struct insn *in, const struct isa_operand *o)
{
    u32 takes = text_source_mods(in, o), index = source_index(o), set = 0;
    if (takes == 0)
        return 0;
    if (in->form == FORM_E64 || insn_row(in)->enc == ENC_VOP3P)
        return ((insn_get(in, FLD_neg) >> index & 1 ? TAKES_NEG : 0u) |
                (insn_get(in, FLD_abs) >> index & 1 ? TAKES_ABS : 0u)) &
               takes;
    for (u32 i = 0; i < 3; i++)
        if (takes >> i & 1 && insn_get(in, (enum isa_field)source_fields[index][i]))
            set |= 1u << i;
    return set;
}

void text_source_set(struct insn *in, const struct isa_operand *o, u32 set)
{
    u32 index = source_index(o);
    if (in->form == FORM_E64 || insn_row(in)->enc == ENC_VOP3P) {
        if (set & TAKES_NEG)
            insn_set(in, FLD_neg, insn_get(in, FLD_neg) | 1u << index);
        if (set & TAKES_ABS)
            insn_set(in, FLD_abs, insn_get(in, FLD_abs) | 1u << index);
        return;
    }
    for (u32 i = 0; i < 3; i++)
        if (set >> i & 1)
            insn_set(in, (enum isa_field)source_fields[index][i], 1);
}

/* ---- printing ---- */

/* Text grows at p; the longest instruction (names below 40, five operands below 40, eleven
 * modifiers below 28 characters) stays well within PRINT_MAX, so that nothing has to be checked on
 * the way. */
enum { PRINT_MAX = 1024 };

static char *put(char *p, const char *s)
{
    while (*s)
        *p++ = *s++;
    return p;
}

static char *put_dec(char *p, i64 v)
{
    char digits[24];
    u32 n = 0;
    u64 u = v < 0 ? 0 - (u64)v : (u64)v;
    if (v < 0)
        *p++ = '-';
    do
        digits[n++] = (char)('0' + u % 10);
    while (u /= 10);
    while (n)
        *p++ = digits[--n];
    return p;
}

static char *put_hex(char *p, u64 v)
{
    u32 n = v ? (67 - clz64(v)) / 4 : 1;
    *p++ = '0';
    *p++ = 'x';
    while (n--)
        *p++ = "0123456789abcdef"[v >> n * 4 & 15];
    return p;
}

static char *put_range(char *p, const char *letters, u32 first, u32 dwords)
{
    p = put(p, letters);
    if (dwords <= 1)
        return put_dec(p, first);
    *p++ = '[';
    p = put_dec(p, first);
    *p++ = ':';
    p = put_dec(p, first + dwords - 1);
    *p++ = ']';
    return p;
}

/* Any operand code but the literal. */
static char *put_code(char *p, enum gen gen, u32 code, u32 dwords)
{
    if (code >= CODE_ACC)
        return put_range(p, "a", code - CODE_ACC, dwords);
    if (code >= CODE_VGPR)
        return put_range(p, "v", code - CODE_VGPR, dwords);
    if (code < insn_sgprs(gen))
        return put_range(p, "s", code, dwords);
    if (code >= insn_first_ttmp(gen) && code <= CODE_TTMP_LAST)
        return put_range(p, "ttmp", code - insn_first_ttmp(gen), dwords);
    if (code >= CODE_INT_0 && code <= CODE_INT_64)
        return put_dec(p, (i64)code - CODE_INT_0);
    if (code >= CODE_INT_MINUS_1 && code <= CODE_INT_MINUS_16)
        return put_dec(p, CODE_INT_64 - (i64)code);
    if (code >= CODE_FLOAT_0_5 && code < CODE_FLOAT_0_5 + text_floats_count(gen))
        return put(p, dwords == 1 ? text_floats[code - CODE_FLOAT_0_5].text
                                  : text_floats[code - CODE_FLOAT_0_5].wide);
    const char *name = text_reg_name(gen, code, dwords);
    if (name)
        return put(p, name);
    return put_range(p, "reserved", code, dwords);
}

/* A 16-bit integer reads the inline floats as f16 bits, and shows literals as if all 32 bits
 * counted. */
static char *put_half(char *p, u32 code, u32 lit, enum isa_type type)
{
    bool is_float = isa_type_has_f16(type);
    u32 value = code == CODE_LIT ? lit : text_floats[code - CODE_FLOAT_0_5].f16;
    i32 whole = is_float ? (i32)sext32(value, 16) : (i32)value;
    if (code != CODE_LIT)
        return put_hex(p, value);
    if (text_is_inline_int(whole))
        return put_dec(p, whole);
    for (u32 i = 0; i < FLOATS_COUNT; i++)
        if (is_float ? text_floats[i].f16 == (value & 0xffff) : text_floats[i].f32 == value)
            return put(p, text_floats[i].text);
    return put_hex(p, value & 0xffff);
}

static char *put_typed_code(char *p, enum gen gen, u32 code, u32 dwords, enum isa_type type)
{
    bool is_float = code >= CODE_FLOAT_0_5 && code < CODE_FLOAT_0_5 + FLOATS_COUNT;
    if (is_float && isa_type_is_short(type) && !isa_type_has_f16(type))
        return put_half(p, code, 0, type);
    return put_code(p, gen, code, dwords);
}

static char *put_wide_float(char *p, enum gen gen, u32 high)
{
    for (u32 i = 0; i < text_floats_count(gen); i++)
        if (text_floats[i].f64 == (u64)high << 32)
            return put(p, text_floats[i].wide);
    return high ? put_hex(p, high) : put_dec(p, 0);
}

static char *put_literal(char *p, enum gen gen, u32 lit, u32 dwords, enum isa_type type)
{
    if (isa_type_is_short(type))
        return put_half(p, CODE_LIT, lit, type);
    if (type == T_F64)
        return put_wide_float(p, gen, lit);
    if (dwords == 1 && text_is_inline_int((i32)lit))
        return put_dec(p, (i32)lit);
    if (dwords == 2 && lit <= 64)
        return put_dec(p, lit);
    for (u32 i = 0; i < text_floats_count(gen) && dwords == 1; i++)
        if (text_float_bits(&text_floats[i], type) == lit)
            return put(p, text_floats[i].text);
    return put_hex(p, lit);
}

static char *put_source(char *p, const struct insn *in, const struct isa_operand *o, u32 code,
                        u32 dwords)
{
    u32 set = text_source_get(in, o);
    enum gen gen = (enum gen)in->gen;
    enum isa_type type = (enum isa_type)o->type;
    if (o->kind == K_ACCSRC && code < CODE_VGPR) /* of each element, which has 32 bits */
        dwords = 1;
    if (set == 0 && code == CODE_LIT)
        return put_literal(p, gen, in->lit, dwords, type);
    if (set == 0)
        return put_typed_code(p, gen, code, dwords, type);
    bool constant = code >= CODE_INT_0 && code < CODE_VGPR && !text_reg_name(gen, code, dwords);
    bool call = set & TAKES_SEXT || (set == TAKES_NEG && constant);
    if (call)
        p = put(p, set & TAKES_SEXT ? "sext(" : "neg(");
    else if (set & TAKES_NEG)
        *p++ = '-';
    if (set & TAKES_ABS)
        *p++ = '|';
    p = put_typed_code(p, gen, code, dwords, type);
    if (set & TAKES_ABS)
        *p++ = '|';
    if (call)
        *p++ = ')';
    return p;
}

static char *put_hwreg(char *p, enum gen gen, u32 v)
{
    u32 id = v & 63, offset = v >> 6 & 31, size = (v >> 11 & 31) + 1;
    p = put(p, "hwreg(");
    p = text_hwreg(gen, id) ? put(p, text_hwreg(gen, id)) : put_dec(p, id);
    if (offset != 0 || size != 32) {
        p = put_dec(put(p, ", "), offset);
        p = put_dec(put(p, ", "), size);
    }
    return put(p, ")");
}

/* Only the counters that wait for something; all of them if none does. */
static char *put_waitcnt(char *p, enum gen gen, u32 v)
{
    const struct counter *counter = counter_table(gen);
    bool all = true, any = false;
    for (u32 i = 0; i < COUNTERS; i++)
        all &= counter_get(&counter[i], v) == counter_max(&counter[i]);
    for (u32 i = 0; i < COUNTERS; i++) {
        u32 n = counter_get(&counter[i], v);
        if (!all && n == counter_max(&counter[i]))
            continue;
        if (any)
            *p++ = ' ';
        any = true;
        p = put(put(p, counter[i].name), "(");
        p = put(put_dec(p, n), ")");
    }
    return p;
}

static char *put_signed_hex(char *p, u32 v, u32 width)
{
    i32 s = (i32)sext32(v, width);
    if (s < 0)
        *p++ = '-';
    return put_hex(p, s < 0 ? 0 - (u64)(i64)s : (u64)s);
}

static char *put_smem_offset(char *p, const struct insn *in)
{
    enum gen gen = (enum gen)in->gen;
    if (in->form == FORM_LIT)
        return put_hex(p, in->lit);
    if (insn_get(in, FLD_soe))
        return put_code(p, gen, insn_get(in, FLD_soffset), 1);
    if (insn_get(in, FLD_imm))
        return gen < GEN_GFX9 ? put_hex(p, insn_get(in, FLD_offset))
                              : put_signed_hex(p, insn_get(in, FLD_offset), 21);
    return put_code(p, gen, insn_get(in, FLD_offset) & 127, 1);
}

static char *put_small(char *p, u32 v)
{
    return v <= 64 ? put_dec(p, v) : put_hex(p, v);
}

static char *put_attr(char *p, u32 attr, u32 channel)
{
    p = put_dec(put(p, "attr"), attr);
    *p++ = '.';
    *p++ = "xyzw"[channel];
    return p;
}

static char *put_operand(char *p, const struct insn *in, const struct isa_operand *o)
{
    u32 code = insn_code(in, o);
    switch ((enum isa_kind)o->kind) {
    case K_SIMM:
    case K_UIMM: return put_hex(p, code);
    case K_UDEC: return put_small(p, code);
    case K_OPTDEC:
    case K_LABEL: return put_dec(p, code);
    case K_HWREG: return put_hwreg(p, (enum gen)in->gen, code);
    case K_WAITCNT: return put_waitcnt(p, (enum gen)in->gen, code);
    case K_SENDMSG: return text_put_sendmsg(p, (enum gen)in->gen, code);
    case K_GPRIDX: return text_put_gpr_idx(p, code);
    case K_ATTR: return put_attr(p, code, insn_get(in, FLD_attrchan));
    case K_EXPTGT: return text_put_export_target(p, code);
    case K_PARAM: return put(p, code < PARAMS ? text_params[code] : "reserved");
    case K_LIT:
        return isa_types[o->type].class == CLASS_FLOAT
                   ? put_hex(p, in->lit)
                   : put_literal(p, (enum gen)in->gen, in->lit, 1, (enum isa_type)o->type);
    case K_SMOFF: return put_smem_offset(p, in);
    default:
        return insn_operand_off(in, o) ? put(p, "off")
                                       : put_source(p, in, o, code, insn_operand_dw(in, o));
    }
}

size_t insn_print_operand(const struct insn *in, const struct isa_operand *o, char *buf,
                          size_t size)
{
    char text[PRINT_MAX];
    char *text_end = put_operand(text, in, o);
    struct text t;
    *text_end = '\0';
    text_init(&t, buf, size);
    text_add(&t, "%s", text);
    return (size_t)(text_end - text);
}

static char *put_operands(char *p, const struct insn *in)
{
    bool first = true;
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        if ((o->kind == K_OPTDEC && insn_code(in, o) == 0) || !insn_operand_there(in, o))
            continue;
        p = put(p, first || o[-1].kind == K_EXPTGT ? " " : ", ");
        p = put_operand(p, in, o);
        first = false;
    }
    return p;
}

static char *put_dpp(char *p, u32 code)
{
    if (code <= 255) {
        p = put(p, "quad_perm:[");
        for (u32 i = 0; i < 4; i++) {
            *p++ = (char)('0' + (code >> i * 2 & 3));
            *p++ = i < 3 ? ',' : ']';
        }
        return p;
    }
    const struct dpp_name *d = text_dpp_of(code);
    if (!d)
        return put_hex(put(p, "dpp_ctrl:"), code);
    p = put(p, d->text);
    return d->value < 0 ? p : put_dec(put(p, ":"), d->value + (i64)code - d->first);
}

static char *put_named(char *p, const struct mod *m, const char *const *names, u32 count, u32 v)
{
    p = put(put(p, m->text), ":");
    return v < count ? put(p, names[v]) : put_dec(p, v);
}

static char *put_selects(char *p, const struct insn *in, const struct mod *m, u32 bits)
{
    u32 sources = text_sel_sources(insn_row(in));
    p = put(put(p, m->text), ":[");
    for (u32 i = 0; i < sources; i++) {
        *p++ = (char)('0' + (bits >> i & 1));
        *p++ = i + 1 < sources || m->style == STYLE_SELDST ? ',' : ']';
    }
    if (m->style == STYLE_SELDST) {
        *p++ = (char)('0' + (bits >> 3 & 1));
        *p++ = ']';
    }
    return p;
}

/* Whether it has its default, which is not written. */
static bool is_default(const struct insn *in, const struct mod *m, u32 v)
{
    u32 sources = mask32(text_sel_sources(insn_row(in)));
    switch ((enum mod_style)m->style) {
    case STYLE_SEL:
    case STYLE_UNUSED:
    case STYLE_DPP:
    case STYLE_MASK:
    case STYLE_HEX: return false;
    case STYLE_FORMAT: return v == DATA_FORMAT_DEFAULT;
    case STYLE_SELS: return (v & sources) == 0;
    case STYLE_SELDST: return (v & (sources | 8)) == 0;
    case STYLE_SELHI:
        return (text_sel_hi(in) & sources) == (isa_row_is_packed(insn_row(in)) ? sources : 0);
    default: return v == 0;
    }
}

/* One modifier with a space before it, or nothing if it has its default. */
static char *put_mod(char *p, const struct insn *in, const struct mod *m)
{
    enum isa_field field = (enum isa_field)m->field;
    u32 v = insn_get(in, field);
    if (is_default(in, m, v) ||
        (m->needs == NEEDS_SOE && !(insn_get(in, FLD_soe) && insn_get(in, FLD_imm))))
        return p;
    *p++ = ' ';
    switch ((enum mod_style)m->style) {
    case STYLE_NONE:
    case STYLE_FLAG: return put(p, m->text);
    case STYLE_OMOD: return put(p, v == 1 ? "mul:2" : v == 2 ? "mul:4" : "div:2");
    case STYLE_SEL: return put_named(p, m, text_sel_names, SEL_COUNT, v);
    case STYLE_UNUSED: return put_named(p, m, text_unused_names, UNUSED_COUNT, v);
    case STYLE_DPP: return put_dpp(p, v);
    case STYLE_FORMAT: return text_put_format(p, (enum gen)in->gen, v);
    case STYLE_SELS:
    case STYLE_SELDST: return put_selects(p, in, m, v);
    case STYLE_SELHI: return put_selects(p, in, m, text_sel_hi(in));
    case STYLE_SWIZZLE: return text_put_swizzle(put(put(p, m->text), ":"), v);
    case STYLE_NUM:
    case STYLE_SNUM:
    case STYLE_HEX:
    case STYLE_MASK:
    case STYLE_DMASK:
    case STYLE_BOUND: break;
    }
    p = put(put(p, m->text), ":");
    u32 width = insn_pos(in, field).width;
    if (m->style == STYLE_HEX)
        return put_signed_hex(p, v, width);
    if (m->style == STYLE_MASK || m->style == STYLE_DMASK)
        return put_hex(p, v);
    return put_dec(p, m->style == STYLE_SNUM ? (i32)sext32(v, width) : (i64)v);
}

/* The form is named where another form has the same operands; rows without operands have one text.
 * Of VOP2 it is named too where there is no other, but not where the literal or a lane is an
 * operand. */
static const char *form_suffix(enum gen gen, const struct isa_row *row, enum isa_form form)
{
    if (row->operand[0].kind == K_NONE)
        return "";
    switch (form) {
    case FORM_BASE:
    case FORM_LIT:
        return isa_forms(gen, row) & F_E64 || (row->enc == ENC_VOP2 && row->forms & F_BASE &&
                                               !(row->flags & FLAG_LANEWISE))
                   ? "_e32"
                   : "";
    case FORM_E64: return isa_forms(gen, row) & F_BASE ? "_e64" : "";
    case FORM_SDWA: /* LLVM leaves it out where the destination can only be vcc */
        return gen == GEN_GFX8 && row->enc == ENC_VOPC ? "" : "_sdwa";
    case FORM_DPP: return "_dpp";
    case FORM_COUNT: break;
    }
    return "";
}

size_t insn_print(const struct isa *isa, const struct insn *in, char *buf, size_t size)
{
    (void)isa;
    char text[PRINT_MAX], *p = text;
    const struct isa_row *row = insn_row(in);
    if (in->op == OP_NONE) {
        p = put_hex(put(p, ".long "), (u32)in->word);
    } else {
        enum isa_form form = (enum isa_form)in->form;
        p = put(put(p, insn_name(in)), form_suffix((enum gen)in->gen, row, form));
        p = put_operands(p, in);
        for (const struct mod *m = text_mods(row, form); m->style != STYLE_NONE; m++)
            if (text_mod_applies((enum gen)in->gen, row, form, m))
                p = put_mod(p, in, m);
    }
    size_t len = (size_t)(p - text), kept = len < size ? len : size ? size - 1 : 0;
    memcpy(buf, text, kept);
    if (size)
        buf[kept] = '\0';
    return len;
}
