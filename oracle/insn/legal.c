/* Which instructions can be written down, which an assembler takes, and which may be executed with
 * known effect. */
#include "oracle/insn/text.h"

/* ---- operand codes ---- */

static const char *range_reason(u32 code, u32 dwords, u32 first, u32 end)
{
    if (dwords > 1 && (code - first) % (dwords >= 4 ? 4 : 2))
        return dwords >= 4 ? "must begin at a multiple of 4" : "must begin at an even register";
    return code + dwords > end ? "runs past the last register" : NULL;
}

/* Registers 0 to 127. */
static const char *register_reason(enum gen gen, u32 code, u32 dwords)
{
    if (code < insn_sgprs(gen))
        return range_reason(code, dwords, 0, insn_sgprs(gen));
    if (code >= insn_first_ttmp(gen) && code <= CODE_TTMP_LAST)
        return range_reason(code, dwords, insn_first_ttmp(gen), CODE_TTMP_LAST + 1);
    if (text_reg_name(gen, code, dwords))
        return NULL;
    return text_reg_name(gen, code, 1) ? "is no register of this width" : "is a reserved code";
}

static bool is_inline(enum gen gen, u32 code)
{
    return (code >= CODE_INT_0 && code <= CODE_INT_MINUS_16) ||
           (code >= CODE_FLOAT_0_5 && code < CODE_FLOAT_0_5 + text_floats_count(gen));
}

enum { CODE_SRC_FIRST = 235 };

/* A source that may be a register, a constant, the literal, or one of the special values. */
static const char *source_reason(const struct insn *in, const struct isa_operand *o, u32 code,
                                 u32 dwords)
{
    enum gen gen = (enum gen)in->gen;
    if (code >= CODE_VGPR)
        return code % 256 + dwords > 256 ? "runs past the last register" : NULL;
    if (code < 128)
        return register_reason(gen, code, dwords);
    if (is_inline(gen, code))
        return NULL;
    if (code == CODE_LIT)
        return in->form == FORM_LIT ? NULL : "is a literal, which this form does not have";
    if (code == CODE_LDS_DIRECT && (o->kind == K_SSRC || dwords > 1))
        return "cannot be read here";
    return code >= CODE_SRC_FIRST && text_reg_name(gen, code, dwords) ? NULL : "is a reserved code";
}

static const char *smem_offset_reason(const struct insn *in)
{
    enum gen gen = (enum gen)in->gen;
    if (in->form == FORM_LIT)
        return NULL;
    if (insn_get(in, FLD_soe))
        return register_reason(gen, insn_get(in, FLD_soffset), 1);
    return insn_get(in, FLD_imm) ? NULL : register_reason(gen, insn_get(in, FLD_offset) & 127, 1);
}

/* Why the operand's code cannot be written, or NULL. */
static const char *operand_reason(const struct insn *in, const struct isa_operand *o)
{
    u32 code = insn_code(in, o), dwords = insn_operand_dw(in, o);
    enum gen gen = (enum gen)in->gen;
    switch ((enum isa_kind)o->kind) {
    case K_VGPR:
    case K_LDATA:
        if (code == CODE_LDS_DIRECT && o->field == FLD_src0 && o->dir == DIR_R &&
            !(insn_row(in)->flags & FLAG_RD_M0))
            return NULL;
        return code < CODE_VGPR ? "must be a vector register" : source_reason(in, o, code, dwords);
    case K_ACC:
        return code < CODE_ACC ? "must be an accumulation register"
                               : source_reason(in, o, code, dwords);
    case K_ACCSRC:
        return code < CODE_ACC && !is_inline((enum gen)in->gen, code)
                   ? "must be accumulation registers"
                   : source_reason(in, o, code, dwords);
    case K_VASRC:
        return code < CODE_VGPR ? "must be a vector or an accumulation register"
                                : source_reason(in, o, code, dwords);
    case K_LANESEL:
        if (code >= CODE_VGPR || code == CODE_LDS_DIRECT)
            return "must be a scalar register or a small constant";
        if (code == CODE_LIT && o->field == FLD_src1)
            return "is a literal, which cannot stand here";
        return source_reason(in, o, code, dwords);
    case K_SGPR:
        if (o->field == FLD_sdata && (code == CODE_M0 || code >= CODE_EXEC))
            return "cannot be m0 or exec";
        return code >= 128 ? "must be a scalar register" : register_reason(gen, code, dwords);
    case K_MASK:
    case K_SBASE:
        return code >= 128 ? "must be a scalar register" : register_reason(gen, code, dwords);
    case K_RSRC:
    case K_SADDR:
    case K_SSADDR: return register_reason(gen, code, dwords);
    case K_SMOFF: return smem_offset_reason(in);
    case K_EXPTGT: return text_export_of(code) ? NULL : "is a reserved code";
    case K_PARAM: return code < PARAMS ? NULL : "is a reserved code";
    default: break;
    }
    enum operand_class class = isa_kinds[o->kind].class;
    return class == OPERAND_VECTOR || class == OPERAND_SOURCE ? source_reason(in, o, code, dwords)
                                                              : NULL;
}

/* ---- bits ---- */

static u64 field_bits(const struct insn *in, enum isa_field field)
{
    struct isa_pos pos = insn_pos(in, field);
    return mask64(pos.width) << pos.lsb;
}

/* The bits of the source modifiers that an operand has. */
static u64 source_mod_bits(const struct insn *in, const struct isa_operand *o)
{
    u32 takes = text_source_mods(in, o);
    u64 bits = 0;
    if (takes) {
        struct insn all = *in;
        all.word = 0;
        text_source_set(&all, o, takes);
        bits = all.word;
    }
    if (in->form == FORM_SDWA && o->kind == K_SRC)
        bits |= field_bits(in, o->field == FLD_src0 ? FLD_s0 : FLD_s1);
    return bits;
}

static bool is_unused(const struct insn *in, const struct isa_operand *o)
{
    return !insn_operand_there(in, o) || (insn_operand_off(in, o) && o->field != FLD_saddr);
}

/* The bits of modifiers that the text of the instruction accounts for. */
static u64 modifier_bits(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u64 bits = 0;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->field != FLD_lit && !is_unused(in, o))
            bits |= source_mod_bits(in, o);
    for (const struct mod *m = text_mods(row, (enum isa_form)in->form); m->style != STYLE_NONE; m++)
        if (text_mod_applies((enum gen)in->gen, row, (enum isa_form)in->form, m))
            bits |= field_bits(in, (enum isa_field)m->field) |
                    (m->style == STYLE_SELHI ? field_bits(in, FLD_op_sel_hi2) : 0);
    return bits;
}

/* The bits that say what an operand is, beside those of its modifiers. */
static u64 operand_bits(const struct insn *in, const struct isa_operand *o)
{
    u64 bits = o->field != FLD_lit ? field_bits(in, insn_operand_field(in, o)) : 0;
    if (o->kind == K_MASK && o->dir & DIR_W)
        bits |= field_bits(in, FLD_sd);
    if (o->kind == K_ATTR)
        bits |= field_bits(in, FLD_attrchan);
    if (o->kind == K_VASRC)
        bits |= field_bits(in, FLD_acc);
    if (o->kind == K_SMOFF)
        bits |= field_bits(in, FLD_imm) | field_bits(in, FLD_soe) |
                (insn_get(in, FLD_soe) ? field_bits(in, FLD_soffset) : 0);
    return bits;
}

/* What one pass over the operands finds. */
struct operands {
    u64 bits;           /* that they account for */
    const char *reason; /* why the first that cannot be written cannot, or NULL */
    u32 index;          /* which that is, from 1 */
};

static struct operands operands_of(const struct insn *in)
{
    struct operands all = { 0 };
    u32 index = 1;
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++, index++) {
        bool off = insn_operand_off(in, o);
        if (o->kind == K_EXPSRC)
            all.bits |= field_bits(in, FLD_en);
        if (!insn_operand_there(in, o) || (off && o->field != FLD_saddr))
            continue;
        all.bits |= operand_bits(in, o);
        if (!off && !all.reason) {
            all.reason = operand_reason(in, o);
            all.index = index;
        }
    }
    return all;
}

/* The bits that are set and that nothing accounts for. Most instructions have no modifier, so that
 * which there could be need not be asked. */
static u64 extra_bits(const struct isa *isa, const struct insn *in, u64 of_operands)
{
    const struct isa_layout_info *lay =
        &isa_layouts[isa->target->gen][isa_layout_of(insn_row(in), (enum isa_form)in->form)];
    u64 extra =
        in->word & ~(lay->mask | field_bits(in, FLD_op) | insn_fixed_bits(in) | of_operands);
    return extra ? extra & ~modifier_bits(in) : 0;
}

/* Bits of fields that must be zero where the row has no use for them. */
static enum status check_unused(const struct insn *in, u64 extra, struct err *e)
{
    const struct isa_row *row = insn_row(in);
    enum isa_layout lay = isa_layout_of(row, (enum isa_form)in->form);
    enum isa_layout suffix = isa_suffix_of(row, (enum isa_form)in->form);
    if (row->flags & FLAG_OPSEL) { /* integers have no sign to change, but may have the bits */
        u64 sources = mask32(text_sel_sources(row));
        extra &= ~(sources << isa_layout_pos((enum gen)in->gen, lay, FLD_abs).lsb |
                   sources << isa_layout_pos((enum gen)in->gen, lay, FLD_neg).lsb);
    }
    extra &=
        ~(text_spare_bits((enum gen)in->gen, lay) | text_spare_bits((enum gen)in->gen, suffix));
    if (!extra)
        return ST_OK;
    for (u32 f = FLD_none + 1; f < FLD_COUNT; f++)
        if (f != FLD_lit && extra & field_bits(in, (enum isa_field)f))
            return err_set(e, ST_INPUT, "%s does not take %s in this form", insn_name(in),
                           isa_field_names[f]);
    return err_set(e, ST_INPUT, "%s: unused bits 0x%llx are set", insn_name(in),
                   (unsigned long long)extra);
}

/* Selects and signs of sources that do not exist. */
static bool has_unused_selects(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u32 used = row->flags & FLAG_OPSEL ? insn_get(in, FLD_op_sel) & 7 : 0;
    if (row->enc == ENC_VOP3P)
        used = insn_get(in, FLD_op_sel) | insn_get(in, FLD_neg) | insn_get(in, FLD_neg_hi);
    return used && used & ~mask32(text_sel_sources(row));
}

static enum status check_selects(const struct insn *in, struct err *e)
{
    static const u8 sels[] = { FLD_dst_sel, FLD_src0_sel, FLD_src1_sel };
    for (size_t i = 0; i < COUNT_OF(sels) && in->form == FORM_SDWA; i++)
        if (insn_get(in, (enum isa_field)sels[i]) >= SEL_COUNT)
            return err_set(e, ST_INPUT, "%s: %s is reserved", insn_name(in),
                           isa_field_names[sels[i]]);
    if (insn_row(in)->flags & FLAG_GDS_ONLY && !insn_get(in, FLD_gds))
        return err_set(e, ST_INPUT, "%s needs gds", insn_name(in));
    if (has_unused_selects(in))
        return err_set(e, ST_INPUT, "%s: a source is selected that does not exist", insn_name(in));
    if (insn_get(in, FLD_dst_unused) >= UNUSED_COUNT)
        return err_set(e, ST_INPUT, "%s: dst_unused is reserved", insn_name(in));
    if (in->form == FORM_DPP && insn_get(in, FLD_dpp_ctrl) > 255 &&
        !text_dpp_of(insn_get(in, FLD_dpp_ctrl)))
        return err_set(e, ST_INPUT, "%s: dpp_ctrl 0x%x is reserved", insn_name(in),
                       insn_get(in, FLD_dpp_ctrl));
    return ST_OK;
}

static bool has_mod(const struct insn *in, enum mod_needs needs)
{
    const struct isa_row *row = insn_row(in);
    for (const struct mod *m = text_mods(row, (enum isa_form)in->form); m->style; m++)
        if (m->needs == needs)
            return text_mod_applies((enum gen)in->gen, row, (enum isa_form)in->form, m);
    return false;
}

/* Data of a buffer comes from a register or from LDS. */
static enum status check_lds_form(const struct insn *in, struct err *e)
{
    if (!(insn_row(in)->flags & FLAG_LDS_FORM))
        return ST_OK;
    const char *name = insn_name(in);
    if (!insn_get(in, FLD_lds) && has_mod(in, NEEDS_FROM_LDS))
        return err_set(e, ST_INPUT, "%s needs lds", name);
    if (insn_get(in, FLD_lds) && insn_get(in, FLD_tfe))
        return err_set(e, ST_INPUT, "%s takes lds or tfe, not both", name);
    return ST_OK;
}

/* A 64-bit address takes the place of index and offset. */
static enum status check_addr64(const struct insn *in, struct err *e)
{
    if (isa_memory(insn_row(in)) == MEMORY_BUFFER && insn_get(in, FLD_addr64) &&
        (insn_get(in, FLD_idxen) || insn_get(in, FLD_offen)))
        return err_set(e, ST_INPUT, "%s takes addr64, or idxen and offen", insn_name(in));
    return ST_OK;
}

/* Atomics take their data as one or two 32-bit values, cmpswap twice as many; dmask has to say the
 * same. */
static enum status check_dmask(const struct insn *in, struct err *e)
{
    const struct isa_operand *o = insn_row(in)->operand;
    if (o->kind != K_IATOMIC)
        return ST_OK;
    u32 dmask = insn_get(in, FLD_dmask), least = mask32(isa_types[o->type].dwords);
    if (dmask == least || dmask == (least << isa_types[o->type].dwords | least))
        return ST_OK;
    return err_set(e, ST_INPUT, "%s: dmask 0x%x is reserved", insn_name(in), dmask);
}

static enum status check_text(const struct insn *in, const struct operands *all, u64 extra,
                              struct err *e)
{
    enum status st = check_selects(in, e);
    if (st == ST_OK)
        st = check_lds_form(in, e);
    if (st == ST_OK)
        st = check_addr64(in, e);
    if (st == ST_OK)
        st = check_dmask(in, e);
    if (st == ST_OK && all->reason)
        st = err_set(e, ST_INPUT, "%s: operand %u %s", insn_name(in), all->index, all->reason);
    return st == ST_OK && extra ? check_unused(in, extra, e) : st;
}

/* ---- what assemblers refuse ---- */

/* Distinct scalar values read: registers by code and width, special values, the literal. */
struct bus {
    u32 key[OPERANDS_MAX + 1];
    u32 count;
};

static void bus_read(struct bus *bus, u32 code, u32 dwords)
{
    u32 key = code == CODE_LIT ? code : code << 8 | dwords;
    for (u32 i = 0; i < bus->count; i++)
        if (bus->key[i] == key)
            return;
    bus->key[bus->count++] = key;
}

/* A vector instruction reads at most one scalar value, the literal and an implied vcc included. m0
 * as the lane of v_writelane is free. Vega ISA, chapter 6.1; which accesses count as distinct is as
 * in LLVM. */
static enum status check_bus(const struct insn *in, struct err *e)
{
    struct bus bus = { .count = 0 };
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        u32 code = insn_code(in, o);
        if (!(o->dir & DIR_R) || code >= CODE_VGPR || is_inline((enum gen)in->gen, code) ||
            code == CODE_LDS_DIRECT)
            continue;
        if (o->kind == K_LANESEL && o->slot == SLOT_S1 && code == CODE_M0)
            continue;
        bus_read(&bus, code, isa_types[o->type].dwords);
    }
    if (insn_row(in)->flags & FLAG_RD_VCC)
        bus_read(&bus, CODE_VCC, 2);
    if (insn_row(in)->flags & FLAG_RD_M0)
        bus_read(&bus, CODE_M0, 1);
    if (bus.count > 1)
        return err_set(e, ST_INPUT, "%s reads %u scalar values; the constant bus has room for one",
                       insn_name(in), bus.count);
    return ST_OK;
}

/* Data from LDS comes in as the first source only, and not through SDWA. */
static enum status check_lds_direct(const struct insn *in, struct err *e)
{
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++)
        if (o->kind == K_SRC && insn_code(in, o) == CODE_LDS_DIRECT &&
            (o->field != FLD_src0 || in->form == FORM_SDWA))
            return err_set(e, ST_INPUT, "%s: src_lds_direct cannot be read here", insn_name(in));
    return ST_OK;
}

/* Immediates that disassemblers print, but that have no meaning. */
static enum status check_immediates(const struct insn *in, struct err *e)
{
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        if (o->kind == K_ATTR && insn_code(in, o) > ATTR_LAST)
            return err_set(e, ST_INPUT, "%s: there is no attribute above 32", insn_name(in));
        if (o->kind == K_GPRIDX && insn_code(in, o) >> GPR_IDX_BITS)
            return err_set(e, ST_INPUT, "%s: only 4 bits say what is indexed", insn_name(in));
        if (o->kind == K_SBASE && isa_types[o->type].dwords == 4 && insn_get(in, FLD_imm) &&
            insn_get(in, FLD_offset) >> 20)
            return err_set(e, ST_INPUT, "%s: offsets into a buffer are not negative",
                           insn_name(in));
    }
    return ST_OK;
}

static enum status check_tfe(const struct insn *in, struct err *e)
{
    const struct isa_row *row = insn_row(in);
    if (isa_encs[row->enc].layout == LAY_MUBUF && row->flags & FLAG_STORE && insn_get(in, FLD_tfe))
        return err_set(e, ST_INPUT, "%s stores; tfe has no meaning here", insn_name(in));
    return ST_OK;
}

/* A gather reads one component of four texels. */
static enum status check_gather(const struct insn *in, struct err *e)
{
    u32 dmask = insn_get(in, FLD_dmask);
    if (insn_row(in)->operand[0].kind == K_GATHER && (dmask == 0 || dmask & (dmask - 1)))
        return err_set(e, ST_INPUT, "%s: dmask has one bit", insn_name(in));
    return ST_OK;
}

/* Reading constants as C is a known fault of gfx908. C that overlaps D in part would be overwritten
 * while it is read; products of four registers are done before. */
static enum status check_matrix(const struct insn *in, struct err *e)
{
    const struct isa_row *row = insn_row(in);
    u32 d = insn_code(in, &row->operand[0]), dwords = isa_types[row->operand[0].type].dwords;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
        u32 code = insn_code(in, o);
        if (o->kind == K_SRC && code < CODE_VGPR && !is_inline((enum gen)in->gen, code))
            return err_set(e, ST_INPUT, "%s: a vector register or a small constant is needed",
                           row->name);
        if (o->kind == K_ACCSRC && code < CODE_VGPR)
            return err_set(e, ST_INPUT, "%s: C cannot be a constant", row->name);
        if (o->kind == K_ACCSRC && dwords > 4 && code != d && code < d + dwords &&
            d < code + dwords)
            return err_set(e, ST_INPUT, "%s: C overlaps D in part", row->name);
    }
    return ST_OK;
}

static enum status check_asm(const struct insn *in, struct err *e)
{
    enum status st = isa_unit(insn_row(in)) == UNIT_VALU ? check_bus(in, e) : ST_OK;
    if (st == ST_OK && insn_row(in)->enc == ENC_MAI)
        st = check_matrix(in, e);
    if (st == ST_OK)
        st = check_lds_direct(in, e);
    if (st == ST_OK)
        st = check_tfe(in, e);
    if (st == ST_OK)
        st = check_gather(in, e);
    return st == ST_OK ? check_immediates(in, e) : st;
}

/* ---- what has a known effect and comes back from its text ---- */

static bool writes_float(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->dir & DIR_W && isa_types[o->type].class == CLASS_FLOAT)
            return true;
    return false;
}

/* Selects and signs of packed rows: only of pairs of halves, signs only of floats. */
static enum status check_packed(const struct insn *in, struct err *e)
{
    const struct isa_row *row = insn_row(in);
    u32 index = 0, neg = insn_get(in, FLD_neg) | insn_get(in, FLD_neg_hi);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
        if (o->kind != K_SRC)
            continue;
        bool packed = isa_type_is_packed((enum isa_type)o->type);
        bool halves = packed && isa_type_is_half((enum isa_type)o->type);
        bool selected = insn_get(in, FLD_op_sel) >> index & 1 || !(text_sel_hi(in) >> index & 1);
        if (neg >> index & 1 && !(packed && isa_types[o->type].class == CLASS_FLOAT))
            return err_set(e, ST_INPUT, "%s: the effect of neg is not known", insn_name(in));
        if (selected && !halves)
            return err_set(e, ST_INPUT, "%s: the effect of op_sel is not known", insn_name(in));
        index++;
    }
    return ST_OK;
}

/* 32 bits, the same for all lanes. ERRATA(DS-U18): of what M0 says. */
static bool takes_lds_direct(const struct isa_row *row, const struct isa_operand *o)
{
    return o->kind == K_SRC && isa_types[o->type].dwords == 1 && isa_is_vector_alu(row) &&
           row->enc != ENC_VOP3P && !(row->flags & FLAG_LANEWISE);
}

static enum status check_effect(const struct insn *in, struct err *e)
{
    const struct isa_row *row = insn_row(in);
    if (insn_get(in, FLD_clamp) && !writes_float(row) && !(row->flags & FLAG_CLAMP_INT))
        return err_set(e, ST_INPUT, "%s: the effect of clamp is not known", insn_name(in));
    if (insn_get(in, FLD_omod) && !writes_float(row))
        return err_set(e, ST_INPUT, "%s: the effect of an output multiplier is not known",
                       insn_name(in));
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (insn_code(in, o) == CODE_LDS_DIRECT && (o->kind == K_SRC || o->kind == K_VGPR) &&
            !takes_lds_direct(row, o))
            return err_set(e, ST_INPUT, "%s: reading LDS as an operand is not described",
                           insn_name(in));
    return row->enc == ENC_VOP3P && isa_row_is_packed(row) ? check_packed(in, e) : ST_OK;
}

/* Whether the text of a 16-bit constant determines all its bits, and no other constant has this
 * text. */
static bool half_is_plain(u32 code, u32 lit, enum isa_type type)
{
    if (code != CODE_LIT) /* shown as the bits that an integer reads: those of a literal */
        return isa_type_has_f16(type) || code < CODE_FLOAT_0_5 ||
               code >= CODE_FLOAT_0_5 + FLOATS_COUNT;
    if (lit >> 16 || text_is_inline_int(isa_type_has_f16(type) ? (i32)sext32(lit, 16) : (i32)lit))
        return false;
    for (u32 i = 0; i < FLOATS_COUNT && isa_type_has_f16(type); i++)
        if (text_floats[i].f16 == lit)
            return false;
    return true;
}

static bool is_float_constant(enum gen gen, u64 bits, enum isa_type type)
{
    for (u32 i = 0; i < text_floats_count(gen); i++)
        if (bits == (type == T_F64 ? text_floats[i].f64 : text_float_bits(&text_floats[i], type)))
            return true;
    return false;
}

/* A literal that an inline constant could replace has the inline constant's text. */
static bool constants_are_plain(const struct insn *in)
{
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        enum isa_type type = (enum isa_type)o->type;
        u32 code = insn_code(in, o);
        if (o->kind == K_LIT && isa_type_is_short(type) && in->lit >> 16)
            return false;
        if (o->kind != K_SRC && o->kind != K_SSRC && o->kind != K_LANESEL)
            continue;
        if (isa_type_is_short(type) && !half_is_plain(code, in->lit, type))
            return false;
        if (code != CODE_LIT || isa_type_is_short(type))
            continue;
        if (type == T_F64 && is_float_constant((enum gen)in->gen, (u64)in->lit << 32, type))
            return false;
        bool wide = isa_types[o->type].dwords > 1;
        if (wide ? in->lit <= 64 : text_is_inline_int((i32)in->lit))
            return false;
        if (!wide && is_float_constant((enum gen)in->gen, in->lit, type))
            return false;
    }
    return true;
}

static bool offset_is_plain(const struct insn *in)
{
    enum { IMMEDIATE_LAST = 255 }; /* what is more takes a literal */
    if (insn_row(in)->enc != ENC_SMEM || insn_get(in, FLD_imm))
        return true;
    if (in->form == FORM_LIT)
        return in->lit > IMMEDIATE_LAST;
    return !insn_get(in, FLD_soe) && insn_get(in, FLD_offset) < 128;
}

static bool immediate_is_plain(const struct insn *in)
{
    u32 used = 0, simm16 = insn_get(in, FLD_simm16);
    if (insn_row(in)->operand[0].kind ==
        K_SENDMSG) /* other bits are only kept by the bare number */
        return !(simm16 & 0xfc80) ||
               !text_msg_valid((enum gen)in->gen, simm16 & 15, simm16 >> 4 & 7, simm16 >> 8 & 3);
    if (insn_row(in)->operand[0].kind != K_WAITCNT)
        return true;
    const struct counter *counter = counter_table((enum gen)in->gen);
    for (u32 i = 0; i < COUNTERS; i++)
        used = counter_set(&counter[i], used, counter_max(&counter[i]));
    return !(simm16 & ~used);
}

/* One text, one encoding: a scalar destination of vcc in SDWA is the one without sd. */
static bool mask_is_plain(const struct insn *in)
{
    if (!insn_has(in, FLD_sd))
        return true;
    return insn_get(in, FLD_sd) ? insn_get(in, FLD_sdst) != CODE_VCC : insn_get(in, FLD_sdst) == 0;
}

/* With compr, an export names its registers in pairs: both or none of a pair is there. */
static bool export_is_plain(const struct insn *in)
{
    u32 en = insn_get(in, FLD_en);
    return !insn_get(in, FLD_compr) || ((en & 1) == (en >> 1 & 1) && (en >> 2 & 1) == en >> 3);
}

/* One text, one encoding. */
static bool selects_are_plain(const struct insn *in)
{
    u32 others = ~mask32(text_sel_sources(insn_row(in))) & 7;
    if (isa_row_is_acc_move(insn_row(in)))
        return text_sel_hi(in) == 7;
    if (insn_row(in)->enc != ENC_VOP3P)
        return true;
    return (text_sel_hi(in) & others) == (isa_row_is_packed(insn_row(in)) ? others : 0);
}

static enum status check_round_trip(const struct insn *in, u64 extra, struct err *e)
{
    const struct isa_row *row = insn_row(in);
    if (extra)
        return err_set(e, ST_INPUT, "%s: unused bits 0x%llx are set", insn_name(in),
                       (unsigned long long)extra);
    if (!constants_are_plain(in))
        return err_set(e, ST_INPUT, "%s: the text of its constant means another encoding",
                       insn_name(in));
    if (text_is_swizzle(row) && !text_swizzle_is_plain(insn_get(in, FLD_offset)))
        return err_set(e, ST_INPUT, "%s: not the usual encoding of its text", insn_name(in));
    if (!selects_are_plain(in) || !offset_is_plain(in) || !immediate_is_plain(in) ||
        !mask_is_plain(in) || !export_is_plain(in))
        return err_set(e, ST_INPUT, "%s: not the usual encoding of its text", insn_name(in));
    if (row->operand[0].kind == K_NONE && in->form != FORM_BASE)
        return err_set(e, ST_INPUT, "%s: not the usual encoding of its text", insn_name(in));
    return ST_OK;
}

enum status insn_check(const struct isa *isa, const struct insn *in, enum check_level level,
                       struct err *e)
{
    if (in->op == OP_NONE)
        return err_set(e, ST_INPUT, "not an instruction");
    struct operands all = operands_of(in);
    u64 extra = extra_bits(isa, in, all.bits);
    enum status st = check_text(in, &all, extra, e);
    if (st == ST_OK && level >= CHECK_ASM)
        st = check_asm(in, e);
    if (st == ST_OK && level >= CHECK_ALL)
        st = check_effect(in, e);
    if (st == ST_OK && level >= CHECK_ALL)
        st = check_round_trip(in, extra, e);
    return st;
}

enum status insn_legal(const struct isa *isa, const struct insn *in, struct err *e)
{
    return insn_check(isa, in, CHECK_ALL, e);
}

enum status insn_printable(const struct isa *isa, const struct insn *in, struct err *e)
{
    return insn_check(isa, in, CHECK_TEXT, e);
}
