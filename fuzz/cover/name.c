/* What factors and levels are called. */
#include "fuzz/cover/internal.h"

#include "oracle/insn/text.h"

static const char *const classes[COVER_CLASSES] = {
    [COVER_VGPR] = "vgpr",
    [COVER_ACC] = "agpr",
    [COVER_SGPR] = "sgpr",
    [COVER_VCC] = "vcc",
    [COVER_M0] = "m0",
    [COVER_EXECUTE] = "exec",
    [COVER_OTHER] = "other-sgpr",
    [COVER_SPECIAL] = "vccz-execz-scc",
    [COVER_APERTURE] = "aperture",
    [COVER_LDS_DIRECT] = "lds_direct",
    [COVER_INLINE_INT] = "inline-int",
    [COVER_INLINE_FLOAT] = "inline-float",
    [COVER_LITERAL] = "literal",
    [COVER_IMMEDIATE] = "immediate",
    [COVER_OFF] = "off",
};
static const char *const spans[] = { "0", "all-ones", "other" };
static const char *const signs[] = { "0", "above", "below" };
static const char *const execs[COVER_EXECS] = { "all", "some", "one", "none" };
static const char *const floats[COVER_FLOATS] = { "+0",      "-0",      "+subnormal", "-subnormal",
                                                  "+normal", "-normal", "+inf",       "-inf",
                                                  "qnan",    "snan" };
static const char *const ints[COVER_INTS] = { "0", "1", "ones", "max", "min", "above", "below" };

static const char *mode_name(u32 bit)
{
    switch (bit) {
    case MODE_ROUND_32: return "round32";
    case MODE_ROUND_64: return "round64";
    case MODE_DENORM_32: return "denorm32";
    case MODE_DENORM_64: return "denorm64";
    case MODE_DX10_CLAMP: return "dx10_clamp";
    case MODE_IEEE: return "ieee";
    default: BUG("a field of MODE without a name");
    }
}

void cover_add_factor(const struct cover_kind *k, const struct cover_factor *f, struct text *t)
{
    const struct isa_operand *o = &isa_rows[k->op].operand[f->operand];
    switch ((enum cover_way)f->way) {
    case COVER_DRAWN: text_add(t, "drawn"); return;
    case COVER_MODE: text_add(t, "%s", mode_name(f->field)); return;
    case COVER_EXEC: text_add(t, "lanes"); return;
    case COVER_OPERAND:
        text_add(t, o->kind == K_SMOFF ? "%s-kind" : "%s", isa_field_names[o->field]);
        return;
    case COVER_FLOAT:
    case COVER_INT:
    case COVER_LANE: text_add(t, "%s-value", isa_field_names[o->field]); return;
    case COVER_EACH:
    case COVER_SPAN:
    case COVER_SIGN:
    case COVER_DPP: text_add(t, "%s", isa_field_names[f->field]); break;
    }
    if (f->bit)
        text_add(t, "[%u]", f->bit - 1u);
}

static void add_number(const struct cover_factor *f, u32 level, struct text *t)
{
    bool is_select =
        f->field == FLD_dst_sel || f->field == FLD_src0_sel || f->field == FLD_src1_sel;
    if (is_select && level < SEL_COUNT)
        text_add(t, "%s", text_sel_names[level]);
    else if (f->field == FLD_dst_unused && level < UNUSED_COUNT)
        text_add(t, "%s", text_unused_names[level]);
    else
        text_add(t, "%u", level);
}

static void add_way_level(const struct cover_factor *f, u32 level, struct text *t)
{
    switch ((enum cover_way)f->way) {
    case COVER_DRAWN: text_add(t, "yes"); return;
    case COVER_OPERAND: text_add(t, "%s", classes[level]); return;
    case COVER_EACH: add_number(f, level, t); return;
    case COVER_SPAN: text_add(t, "%s", spans[level]); return;
    case COVER_SIGN: text_add(t, "%s", signs[level]); return;
    case COVER_DPP: text_add(t, "%s", level ? text_dpp[level - 1].text : "quad_perm"); return;
    case COVER_EXEC: text_add(t, "%s", execs[level]); return;
    case COVER_FLOAT: text_add(t, "%s", floats[level]); return;
    case COVER_INT: text_add(t, "%s", ints[level]); return;
    case COVER_MODE:
    case COVER_LANE: text_add(t, "%u", level); return;
    }
}

const struct cover_factor *cover_factor_of(const struct cover_model *m, const struct cover_kind *k,
                                           u32 level)
{
    const struct cover_factor *f = &m->factor[k->factor];
    u32 i = k->factors - 1u;
    while (i > 0 && f[i].first > level)
        i--;
    return &f[i];
}

void cover_add_level(const struct cover_model *m, const struct cover_kind *k, u32 level,
                     struct text *t)
{
    const struct cover_factor *f = cover_factor_of(m, k, level);
    u32 has = f->has;
    for (u32 i = f->first; i < level; i++)
        has &= has - 1;
    add_way_level(f, ctz32(has), t);
}

void cover_add_text(const struct cover_model *m, const struct cover_kind *k, u32 level,
                    struct text *t)
{
    cover_add_factor(k, cover_factor_of(m, k, level), t);
    text_add(t, "=");
    cover_add_level(m, k, level, t);
}
