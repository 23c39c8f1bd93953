/* Kinds, their factors, and which pairs of levels a legal instruction can have. */
#include "fuzz/cover/internal.h"

#include "oracle/base/array.h"
#include "oracle/insn/text.h"

#include <stdlib.h>

/* A kind under construction. */
struct making {
    struct cover_model *m;
    struct cover_kind *k;
    const struct isa_row *row;
    struct insn base; /* with every factor at what is usual */
    bool is_short;    /* of memory */
};

static struct cover_factor *factors_of(const struct making *mk)
{
    return &mk->m->factor[mk->k->factor];
}

/* ---- factors ---- */

static void add_factor(struct making *mk, struct cover_factor f)
{
    struct cover_model *m = mk->m;
    if (m->factor_count == m->factor_cap) {
        struct cover_factor *grown =
            array_grow(m->factor, &m->factor_cap, m->factor_count + 1ull, sizeof *grown);
        mk->is_short |= !grown;
        if (!grown)
            return;
        m->factor = grown;
    }
    m->factor[m->factor_count++] = f;
    mk->k->factors++;
}

/* One of some bits of a field: the first is bit 0. */
static void add_bit(struct making *mk, enum isa_field field, u32 bit)
{
    struct isa_pos pos = insn_pos(&mk->base, field);
    add_factor(mk, (struct cover_factor){ .way = COVER_EACH,
                                          .field = (u8)field,
                                          .lsb = (u8)(pos.lsb + bit),
                                          .width = 1,
                                          .bit = (u8)(pos.width > 1 ? bit + 1 : 0),
                                          .has = 3 });
}

static void add_field(struct making *mk, enum isa_field field, enum cover_way way)
{
    struct isa_pos pos = insn_pos(&mk->base, field);
    u32 levels = way == COVER_EACH ? 1u << pos.width : way == COVER_DPP ? COVER_DPP_KINDS : 3u;
    add_factor(mk, (struct cover_factor){ .way = (u8)way,
                                          .field = (u8)field,
                                          .lsb = pos.lsb,
                                          .width = pos.width,
                                          .has = mask32(levels) });
}

/* A signed offset, or one without a sign. */
static enum cover_way offset_way(const struct making *mk, bool is_signed)
{
    bool has_negative = isa_target_has(mk->m->isa->target, FEATUREBIT_NEGATIVE_SMEM);
    return is_signed && (mk->row->enc != ENC_SMEM || has_negative) ? COVER_SIGN : COVER_SPAN;
}

static void add_modifier(struct making *mk, const struct mod *mod)
{
    enum isa_field field = (enum isa_field)mod->field;
    u32 width = insn_pos(&mk->base, field).width;
    switch ((enum mod_style)mod->style) {
    case STYLE_SELS:
    case STYLE_SELDST:
    case STYLE_SELHI:
        for (u32 bit = 0; bit < width; bit++)
            add_bit(mk, field, bit);
        if (mod->style == STYLE_SELHI)
            add_bit(mk, FLD_op_sel_hi2, 0);
        return;
    case STYLE_FORMAT:
        add_field(mk, FLD_dfmt, COVER_EACH);
        add_field(mk, FLD_nfmt, COVER_EACH);
        return;
    case STYLE_DPP: add_field(mk, field, COVER_DPP); return;
    case STYLE_MASK: add_field(mk, field, COVER_SPAN); return;
    case STYLE_HEX: return; /* of scalar memory: with its operand */
    default: break;
    }
    bool is_each = width <= 4;
    add_field(mk, field, is_each ? COVER_EACH : offset_way(mk, mod->style == STYLE_SNUM));
}

/* Signs of a source: the bits that they are. */
static void add_source_modifiers(struct making *mk, const struct isa_operand *o)
{
    for (u32 takes = text_source_mods(&mk->base, o); takes; takes &= takes - 1) {
        struct insn in = mk->base;
        in.word = 0;
        text_source_set(&in, o, takes & (0 - takes));
        for (u32 f = FLD_none + 1; f < FLD_COUNT; f++) {
            struct isa_pos pos = insn_pos(&in, (enum isa_field)f);
            if (!pos.width || f == FLD_lit || !(in.word >> pos.lsb & mask64(pos.width)))
                continue;
            add_bit(mk, (enum isa_field)f, ctz64(in.word) - pos.lsb);
            break;
        }
    }
}

/* Whether what stands in the operand's field may be of several classes. Whether it is there at all
 * is said by modifiers. */
static bool has_classes(const struct isa_operand *o)
{
    switch ((enum isa_kind)o->kind) {
    case K_RTN:
    case K_LDATA:
    case K_BDATA:
    case K_BADDR:
    case K_SVADDR:
    case K_EXPSRC:
    case K_LIT: return false;
    case K_SMOFF: return true;
    default: return isa_kind_is_register((enum isa_kind)o->kind);
    }
}

/* Where the operand's code is the number in its field, or 256 more: 1 or 2; else 0. */
static u8 code_base(const struct making *mk, const struct isa_operand *o)
{
    u32 width = insn_pos(&mk->base, (enum isa_field)o->field).width;
    if (mk->k->form == FORM_SDWA)
        return 0;
    switch ((enum isa_kind)o->kind) {
    case K_SRC: return width == 9 ? 1 : 2;
    case K_SSRC:
    case K_SGPR:
    case K_LANESEL: return 1;
    case K_MASK: return !insn_has(&mk->base, FLD_sd);
    default: return 0;
    }
}

static void add_operand(struct making *mk, u32 index)
{
    const struct isa_operand *o = &mk->row->operand[index];
    if (has_classes(o) && insn_has(&mk->base, (enum isa_field)o->field)) {
        struct isa_pos pos = insn_pos(&mk->base, (enum isa_field)o->field);
        add_factor(mk, (struct cover_factor){ .way = COVER_OPERAND,
                                              .operand = (u8)index,
                                              .lsb = pos.lsb,
                                              .width = pos.width,
                                              .base = code_base(mk, o),
                                              .has = mask32(COVER_CLASSES) });
    }
    switch ((enum isa_kind)o->kind) {
    case K_SMOFF: add_field(mk, FLD_offset, offset_way(mk, true)); break;
    case K_SIMM:
    case K_LABEL: add_field(mk, (enum isa_field)o->field, COVER_SIGN); break;
    case K_UIMM:
    case K_UDEC:
    case K_OPTDEC: add_field(mk, (enum isa_field)o->field, COVER_SPAN); break;
    case K_PARAM: add_field(mk, (enum isa_field)o->field, COVER_EACH); break;
    default: break;
    }
    add_source_modifiers(mk, o);
}

static void add_fixed(struct making *mk)
{
    add_factor(mk, (struct cover_factor){ .way = COVER_DRAWN, .has = 1 });
    for (u32 i = 0; mk->row->operand[i].kind != K_NONE; i++)
        add_operand(mk, i);
    enum isa_form form = (enum isa_form)mk->k->form;
    for (const struct mod *mod = text_mods(mk->row, form); mod->style != STYLE_NONE; mod++)
        if (text_mod_applies((enum gen)mk->base.gen, mk->row, form, mod))
            add_modifier(mk, mod);
}

/* ---- instructions that have a level ---- */

enum { CODES = 2 };

/* A code of the class, for the operand of a list: the same for all operands where that saves room on
 * the constant bus. */
static u32 class_code(enum gen gen, enum cover_class class, u32 index, u32 which)
{
    static const u8 codes[COVER_CLASSES][CODES] = {
        [COVER_VCC] = { CODE_VCC, CODE_VCC },
        [COVER_M0] = { CODE_M0, CODE_M0 },
        [COVER_EXECUTE] = { CODE_EXEC, CODE_EXEC },
        [COVER_OTHER] = { 0, CODE_TTMP_OLD },
        [COVER_SPECIAL] = { CODE_VCCZ, CODE_SCC },
        [COVER_APERTURE] = { CODE_FLOAT_0_5 - 5, CODE_FLOAT_0_5 - 1 },
        [COVER_LDS_DIRECT] = { CODE_LDS_DIRECT, CODE_LDS_DIRECT },
        [COVER_INLINE_INT] = { CODE_INT_1, CODE_INT_MINUS_1 },
        [COVER_INLINE_FLOAT] = { CODE_FLOAT_1_0, CODE_FLOAT_0_5 },
        [COVER_LITERAL] = { CODE_LIT, CODE_LIT },
        [COVER_OFF] = { CODE_OFF, CODE_OFF },
    };
    switch (class) {
    case COVER_OTHER: return which ? codes[class][1] : insn_flat_scratch(gen);
    case COVER_VGPR: return CODE_VGPR + 2 + index * 8;
    case COVER_ACC: return CODE_ACC + index * 64;
    case COVER_SGPR: return which ? 16 + index * 16 : 8;
    default: return codes[class][which];
    }
}

static bool set_offset_class(struct insn *in, enum cover_class class, u32 which)
{
    u32 code = class == COVER_SGPR ? 8 : class == COVER_M0 ? CODE_M0 : CODE_VCC;
    bool has_imm = insn_has(in, FLD_imm);
    if (class == COVER_IMMEDIATE)
        return has_imm && insn_get(in, FLD_imm);
    if (class == COVER_LITERAL)
        return in->form == FORM_LIT;
    if (!has_imm || in->form == FORM_LIT)
        return false;
    if (which && insn_has(in, FLD_soe)) { /* beside the immediate */
        insn_set(in, FLD_soe, 1);
        insn_set(in, FLD_soffset, code);
        return true;
    }
    insn_set(in, FLD_imm, 0);
    insn_set(in, FLD_offset, code);
    return true;
}

static bool set_class(const struct making *mk, struct insn *in, u32 index, enum cover_class class,
                      u32 which)
{
    const struct isa_operand *o = &mk->row->operand[index];
    if (o->kind == K_SMOFF)
        return set_offset_class(in, class, which);
    u32 code = class_code((enum gen)in->gen, class, index, which);
    if (!insn_set_code(in, o, code))
        return false;
    if (o->kind == K_MASK && code == CODE_VCC && insn_has(in, FLD_sd)) { /* what is implied */
        insn_set(in, FLD_sd, 0);
        insn_set(in, FLD_sdst, 0);
    }
    return true;
}

/* Makes an instruction have a level of a factor. There are CODES ways of doing so. */
static bool set_level(const struct making *mk, struct insn *in, const struct cover_factor *f,
                      u32 level, u32 which)
{
    static const u32 others[CODES] = { 16, 5 };
    u64 mask = mask64(f->width);
    u32 v = level;
    switch ((enum cover_way)f->way) {
    case COVER_DRAWN: return true;
    case COVER_OPERAND: return set_class(mk, in, f->operand, (enum cover_class)level, which);
    case COVER_EACH: break;
    case COVER_SPAN: v = level == 0 ? 0 : level == 1 ? (u32)mask : others[which] & (u32)mask; break;
    case COVER_SIGN: v = level == 0 ? 0 : (level == 1 ? 16u : 0u - 16u) & (u32)mask; break;
    case COVER_DPP: v = level ? text_dpp[level - 1].first : 0xe4; break;
    case COVER_MODE:
    case COVER_EXEC:
    case COVER_FLOAT:
    case COVER_INT:
    case COVER_LANE: return false;
    }
    in->word = (in->word & ~(mask << f->lsb)) | (u64)v << f->lsb;
    return true;
}

/* Legal, and still of its opcode and form when it is read again. */
static bool is_legal(const struct making *mk, const struct insn *in)
{
    u32 dw[INSN_DW_MAX];
    struct insn again;
    struct err e;
    if (insn_legal(mk->m->isa, in, &e) != ST_OK)
        return false;
    u32 n = insn_encode(in, dw);
    return insn_decode(mk->m->isa, dw, n, &again, NULL) && again.op == in->op &&
           again.form == in->form;
}

/* The literal stands in one operand or another. */
static bool is_legal_somewhere(const struct making *mk, struct insn *in,
                               const struct cover_factor *a, const struct cover_factor *b)
{
    if (is_legal(mk, in))
        return true;
    for (u32 i = 0; mk->k->form == FORM_LIT && mk->row->operand[i].kind != K_NONE; i++) {
        struct insn other = *in;
        bool is_taken = (a->way == COVER_OPERAND && a->operand == i) ||
                        (b->way == COVER_OPERAND && b->operand == i);
        if (!is_taken && mk->row->operand[i].dir == DIR_R &&
            insn_set_code(&other, &mk->row->operand[i], CODE_LIT) && is_legal(mk, &other))
            return true;
    }
    return false;
}

static bool can_have(const struct making *mk, const struct cover_factor *a, u32 la,
                     const struct cover_factor *b, u32 lb)
{
    for (u32 which = 0; which < CODES * CODES; which++) {
        struct insn in = mk->base;
        if (set_level(mk, &in, a, la, which % CODES) && set_level(mk, &in, b, lb, which / CODES) &&
            cover_fixed_level(a, &in) == la && cover_fixed_level(b, &in) == lb &&
            is_legal_somewhere(mk, &in, a, b))
            return true;
        /* Only classes have several codes, and spans several numbers. */
        if (a->way != COVER_OPERAND && b->way != COVER_OPERAND && a->way != COVER_SPAN &&
            b->way != COVER_SPAN)
            break;
    }
    return false;
}

/* Leaves out levels that are not legal, and factors that leave no choice. */
static void reduce_fixed(struct making *mk)
{
    struct cover_factor *f = factors_of(mk);
    const struct cover_factor drawn = f[0];
    u32 kept = 1;
    for (u32 i = 1; i < mk->k->factors; i++) {
        u32 has = 0;
        for (u32 level = 0; level < 32; level++)
            if (f[i].has >> level & 1 && can_have(mk, &f[i], level, &drawn, 0))
                has |= 1u << level;
        f[i].has = has;
        if (popcount32(has) > 1)
            f[kept++] = f[i];
    }
    mk->m->factor_count -= mk->k->factors - kept;
    mk->k->factors = mk->k->fixed = (u8)kept;
}

/* ---- what shows only when it is executed ---- */

/* Whether an operand is data whose value counts. */
static bool has_value(const struct isa_row *row, const struct isa_operand *o)
{
    if (!(o->dir & DIR_R) || isa_types[o->type].dwords < 1 || isa_types[o->type].dwords > 2)
        return false;
    if (isa_memory(row) != MEMORY_NONE && o->slot == SLOT_ADDR)
        return false;
    switch ((enum isa_kind)o->kind) {
    case K_VGPR:
    case K_SRC:
    case K_SSRC:
    case K_SGPR:
    case K_LANESEL:
    case K_MASK:
    case K_LIT: return true;
    default: return false;
    }
}

/* Values that an operand of a class can have, as bits by level. */
static u32 class_values(const struct making *mk, const struct cover_factor *f,
                        enum cover_class class)
{
    const struct isa_operand *o = &mk->row->operand[f->operand];
    enum isa_type type = (enum isa_type)o->type;
    u32 width = cover_value_width(type), first = 0, last = 0, levels = 0;
    bool is_wide = isa_types[type].dwords == 2;
    switch (class) {
    case COVER_LITERAL: /* not what an inline constant says */
        if (o->kind == K_LIT)
            return ~0u;
        return f->way == COVER_FLOAT ? ~(1u << COVER_FLOAT_ZERO)
               : is_wide             ? 1u << COVER_INT_ABOVE
                         : ~(1u << COVER_INT_0 | 1u << COVER_INT_1 | 1u << COVER_INT_ALL);
    case COVER_INLINE_INT:
        first = CODE_INT_0;
        last = CODE_INT_MINUS_16;
        break;
    case COVER_INLINE_FLOAT:
        first = CODE_FLOAT_0_5;
        last = CODE_FLOAT_LAST;
        break;
    case COVER_SPECIAL:
        return f->way == COVER_FLOAT ? 1u << COVER_FLOAT_ZERO | 1u << COVER_FLOAT_SUBNORMAL
                                     : 1u << COVER_INT_0 | 1u << COVER_INT_1;
    case COVER_APERTURE:
    case COVER_LDS_DIRECT:
    case COVER_OFF: return 0;
    default: return ~0u;
    }
    for (u32 code = first; code <= last; code++) {
        u64 v;
        if (insn_constant(&mk->base, code, type, &v))
            levels |= 1u << (f->way == COVER_FLOAT ? cover_float_level(v, width)
                                                   : cover_int_level(v, width));
    }
    return levels;
}

static const struct cover_factor *class_factor(const struct making *mk, u32 operand)
{
    const struct cover_factor *f = factors_of(mk);
    for (u32 i = 0; i < mk->k->fixed; i++)
        if (f[i].way == COVER_OPERAND && f[i].operand == operand)
            return &f[i];
    return NULL;
}

/* The classes that an operand may have: where there is no choice, its one. */
static u32 classes_of(const struct making *mk, u32 operand)
{
    const struct cover_factor *c = class_factor(mk, operand);
    const struct isa_operand *o = &mk->row->operand[operand];
    if (c)
        return c->has;
    if (o->kind == K_LIT)
        return 1u << COVER_LITERAL;
    return 1u << cover_class_of((enum gen)mk->base.gen, insn_code(&mk->base, o));
}

static void add_value(struct making *mk, u32 index)
{
    const struct isa_operand *o = &mk->row->operand[index];
    u32 class = isa_types[o->type].class, levels = 0;
    struct cover_factor f = { .operand = (u8)index };
    f.way = class == CLASS_LANEMASK ? COVER_LANE : class == CLASS_FLOAT ? COVER_FLOAT : COVER_INT;
    u32 count = f.way == COVER_LANE ? 2 : f.way == COVER_FLOAT ? COVER_FLOATS : COVER_INTS;
    for (u32 c = 0; c < COVER_CLASSES; c++)
        if (classes_of(mk, index) >> c & 1)
            levels |= f.way == COVER_LANE ? 3 : class_values(mk, &f, (enum cover_class)c);
    f.has = levels & mask32(count);
    if (popcount32(f.has) > 1)
        add_factor(mk, f);
}

static void add_mode(struct making *mk, u32 bit, u32 width)
{
    add_factor(mk, (struct cover_factor){ .way = COVER_MODE,
                                          .field = (u8)bit,
                                          .lsb = (u8)bit,
                                          .width = (u8)width,
                                          .has = mask32(1u << width) });
}

static void add_modes(struct making *mk)
{
    bool is_single = false, is_other = false;
    for (const struct isa_operand *o = mk->row->operand; o->kind != K_NONE; o++) {
        bool is_float = isa_types[o->type].class == CLASS_FLOAT;
        bool is_32 = o->type == T_F32 || o->type == T_MIX;
        is_single |= is_float && is_32;
        is_other |= is_float && !is_32;
    }
    if (is_single) {
        add_mode(mk, MODE_ROUND_32, 2);
        add_mode(mk, MODE_DENORM_32, 2);
    }
    if (is_other) {
        add_mode(mk, MODE_ROUND_64, 2);
        add_mode(mk, MODE_DENORM_64, 2);
    }
    add_mode(mk, MODE_IEEE, 1);
    if (insn_has(&mk->base, FLD_clamp))
        add_mode(mk, MODE_DX10_CLAMP, 1);
}

static void add_watched(struct making *mk)
{
    if (isa_is_vector_alu(mk->row) && isa_is_float(mk->row))
        add_modes(mk);
    if (!isa_is_scalar(mk->row))
        add_factor(mk, (struct cover_factor){ .way = COVER_EXEC, .has = mask32(COVER_EXECS) });
    for (u32 i = 0; mk->row->operand[i].kind != K_NONE; i++)
        if (has_value(mk->row, &mk->row->operand[i]))
            add_value(mk, i);
}

/* ---- pairs ---- */

static void set_pair(struct cover_bits *row, u32 a, u32 b)
{
    cover_set(&row[a], b);
    cover_set(&row[b], a);
}

/* Whether the fixed levels that classes c of an operand are, and a level, can stand together. */
static bool may_stand(const struct cover_bits *row, const struct cover_factor *class, u32 c,
                      u32 level)
{
    return !class || cover_get(&row[cover_level_at(class, c)], level);
}

/* Whether the operand of a value may be of class c, and then have that level. */
static bool is_with(const struct making *mk, const struct cover_factor *f, u32 c, u32 level)
{
    return classes_of(mk, f->operand) >> c & 1 &&
           (f->way == COVER_LANE || class_values(mk, f, (enum cover_class)c) >> level & 1);
}

/* A value and a level of another factor: some class of its operand has that value and may stand
 * beside it. */
static bool value_fits(const struct making *mk, const struct cover_bits *row,
                       const struct cover_factor *f, u32 level, const struct cover_factor *other,
                       u32 other_level)
{
    const struct cover_factor *class = class_factor(mk, f->operand);
    for (u32 c = 0; c < COVER_CLASSES; c++)
        if (is_with(mk, f, c, level) &&
            (other == class ? other_level == c
                            : may_stand(row, class, c, cover_level_at(other, other_level))))
            return true;
    return false;
}

static bool is_value(const struct cover_factor *f)
{
    return f->way >= COVER_FLOAT;
}

/* Two values: there are classes with them that may stand together. */
static bool values_fit(const struct making *mk, const struct cover_bits *row,
                       const struct cover_factor *a, u32 la, const struct cover_factor *b, u32 lb)
{
    const struct cover_factor *class = class_factor(mk, b->operand);
    for (u32 c = 0; c < COVER_CLASSES; c++)
        if (is_with(mk, b, c, lb) && (!class || value_fits(mk, row, a, la, class, c)))
            return true;
    return false;
}

static bool is_pair(const struct making *mk, const struct cover_bits *row,
                    const struct cover_factor *a, u32 la, const struct cover_factor *b, u32 lb)
{
    if (a->way == COVER_DRAWN)
        return true;
    if (cover_is_fixed(b))
        return can_have(mk, a, la, b, lb);
    if (!is_value(b))
        return true;
    if (is_value(a))
        return values_fit(mk, row, a, la, b, lb);
    return !cover_is_fixed(a) || value_fits(mk, row, b, lb, a, la);
}

/* Factors stand in the order in which pairs can be found: the later rest on those before. */
static void find_pairs(struct making *mk, struct cover_bits *row)
{
    const struct cover_factor *f = factors_of(mk);
    cover_set(&row[0], 0);
    mk->k->pairs = 1;
    for (u32 j = 1; j < mk->k->factors; j++)
        for (u32 i = 0; i < j; i++)
            for (u32 la = 0; la < 32; la++)
                for (u32 lb = 0; lb < 32 && f[i].has >> la & 1; lb++)
                    if (f[j].has >> lb & 1 && is_pair(mk, row, &f[i], la, &f[j], lb)) {
                        set_pair(row, cover_level_at(&f[i], la), cover_level_at(&f[j], lb));
                        mk->k->pairs++;
                    }
}

static u32 number_levels(struct making *mk)
{
    struct cover_factor *f = factors_of(mk);
    u32 at = 0;
    for (u32 i = 0; i < mk->k->factors; i++) {
        f[i].first = (u8)at;
        at += popcount32(f[i].has);
        if (at > COVER_LEVELS_MAX)
            BUG(mk->row->name);
    }
    return at;
}

static bool add_rows(struct cover_model *m, u32 count)
{
    if (m->row_count + count > m->row_cap) {
        struct cover_bits *grown =
            array_grow(m->legal, &m->row_cap, (u64)m->row_count + count, sizeof *grown);
        if (!grown)
            return false;
        m->legal = grown;
    }
    memset(m->legal + m->row_count, 0, count * sizeof *m->legal);
    m->row_count += count;
    return true;
}

/* ---- kinds ---- */

static bool add_kind(struct cover_model *m, isa_op op, enum isa_form form)
{
    if (m->kind_count == m->kind_cap) {
        struct cover_kind *grown =
            array_grow(m->kind, &m->kind_cap, m->kind_count + 1ull, sizeof *grown);
        if (!grown)
            return false;
        m->kind = grown;
    }
    struct cover_kind *k = &m->kind[m->kind_count];
    struct making mk = { .m = m, .k = k, .row = &isa_rows[op] };
    *k = (struct cover_kind){
        .op = (u16)op, .form = (u8)form, .factor = m->factor_count, .row = m->row_count
    };
    insn_neutral(m->isa, op, form, &mk.base);
    add_fixed(&mk);
    if (mk.is_short)
        return false;
    reduce_fixed(&mk);
    add_watched(&mk);
    k->levels = (u8)number_levels(&mk);
    if (mk.is_short || !add_rows(m, k->levels))
        return false;
    find_pairs(&mk, m->legal + k->row);
    m->pairs += k->pairs;
    m->index[op][form] = (u16)++m->kind_count;
    return true;
}

enum status cover_open(struct cover_model *m, const struct isa *isa, const u8 forms[OPS_MAX],
                       struct err *e)
{
    *m = (struct cover_model){ .isa = isa };
    for (u32 code = 0; code < COUNT_OF(m->class); code++)
        m->class[code] = (u8)cover_class_of((enum gen)isa->target->gen, code);
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            if (forms[op] >> form & 1 && !add_kind(m, op, (enum isa_form)form))
                return err_memory(e);
    return ST_OK;
}

void cover_close(struct cover_model *m)
{
    free(m->kind);
    free(m->factor);
    free(m->legal);
    *m = (struct cover_model){ .isa = NULL };
}

const struct cover_kind *cover_kind_of(const struct cover_model *m, isa_op op, enum isa_form form)
{
    u32 index = m->index[op][form];
    return index ? &m->kind[index - 1] : NULL;
}

u64 cover_kind_hash(const struct cover_model *m, const struct cover_kind *k)
{
    const struct cover_factor *f = &m->factor[k->factor];
    u64 h = hash_mix(k->levels, k->pairs);
    for (u32 i = 0; i < k->factors; i++)
        h = hash_mix(h, f[i].way | (u64)f[i].operand << 8 | (u64)f[i].bit << 16 |
                            (u64)f[i].width << 24 | (u64)f[i].has << 32);
    for (u32 i = 0; i < k->levels; i++)
        for (u32 w = 0; w < COVER_WORDS; w++)
            h = hash_mix(h, m->legal[k->row + i].w[w]);
    return h;
}
