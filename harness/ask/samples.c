#include "harness/ask/samples.h"

/* Codes at which what an operand field means changes. */
static const u16 codes[] = { 0,   1,   2,   3,   4,   63,  64,  96,  97,  98,  99,  100, 101, 102,
                             103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 119, 120, 121, 122,
                             123, 124, 125, 126, 127, 128, 129, 192, 193, 208, 209, 234, 235, 236,
                             237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250,
                             251, 252, 253, 254, 255, 256, 257, 509, 510, 511 };
static const u32 wide_values[] = {
    0,          1,          2,          5,          16,         63,         64,         65,
    127,        128,        255,        0x7ff,      0x800,      0xfff,      0x1000,     0x1fff,
    0x7fff,     0x8000,     0xf8c1,     0xfff0,     0xffef,     0xffff,     0xf70,      0xc07f,
    0x10000,    0x12345,    0xfffff,    0x100000,   0x1ffffc,   0x1fffff,   0x3f800000, 0xbe000000,
    0x3e22f983, 0x7fffffff, 0x80000000, 0xffffffc0, 0xfffffff0, 0xffffffef, 0xffffffff
};

struct walk {
    sample_fn *fn;
    void *ctx;
    u32 all; /* widest field of which every value is tried, bits */
};

static bool try_value(const struct walk *k, const struct insn *base, enum isa_field field,
                      u32 value)
{
    struct insn in = *base;
    insn_set(&in, field, value);
    return k->fn(k->ctx, &in);
}

static bool sweep_field(const struct walk *k, const struct insn *base, enum isa_field field)
{
    u32 width = insn_pos(base, field).width;
    bool going = true;
    if (field == FLD_lit)
        width = 32;
    if (width <= 4 || width <= k->all)
        for (u32 v = 0; v <= mask32(width) && going; v++)
            going = try_value(k, base, field, v);
    else if (width <= 9 && field != FLD_dpp_ctrl)
        for (size_t i = 0; i < COUNT_OF(codes) && codes[i] <= mask32(width) && going; i++)
            going = try_value(k, base, field, codes[i]);
    else if (width <= 9)
        for (u32 v = 0; v <= mask32(width) && going; v += v < 256 ? 17 : 1)
            going = try_value(k, base, field, v);
    else
        for (size_t i = 0; i < COUNT_OF(wide_values) && going; i++)
            if (wide_values[i] <= mask32(width))
                going = try_value(k, base, field, wide_values[i]);
    return going;
}

/* The marker of SDWA and DPP stands where src0 would; op says which row it is. */
static bool is_swept(const struct insn *in, enum isa_field field)
{
    if (field == FLD_none || field == FLD_op)
        return false;
    return insn_has(in, field);
}

static bool sweep(const struct walk *k, const struct insn *base)
{
    bool going = k->fn(k->ctx, base);
    for (u32 f = 0; f < FLD_COUNT && going; f++)
        if (is_swept(base, (enum isa_field)f))
            going = sweep_field(k, base, (enum isa_field)f);
    return going;
}

/* Another first source, where it has a field that holds scalars too. */
static bool set_source(struct insn *in, u32 code)
{
    const struct isa_row *row = insn_row(in);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
        if (o->kind != K_SRC && o->kind != K_SSRC)
            continue;
        if (in->form == FORM_SDWA && !insn_has(in, FLD_s0))
            return false;
        if (in->form == FORM_SDWA)
            insn_set(in, FLD_s0, 1);
        else if (insn_pos(in, (enum isa_field)o->field).width < 9 && o->kind == K_SRC)
            return false;
        insn_set(in, (enum isa_field)o->field, code);
        return true;
    }
    return false;
}

static bool random_samples(const struct walk *k, const struct insn *base,
                           const struct sample_range *range)
{
    enum isa_layout lay = isa_layout_of(insn_row(base), (enum isa_form)base->form);
    struct isa_pos op = isa_layout_pos((enum gen)base->gen, lay, FLD_op);
    u64 fixed = isa_layouts[base->gen][lay].mask | mask64(op.width) << op.lsb;
    bool going = true;
    for (u32 i = 0; i < range->random && going; i++) {
        struct insn in = *base;
        for (u32 f = 0; f < FLD_COUNT; f++)
            if (is_swept(base, (enum isa_field)f) && rng_one_in(range->r, 2))
                insn_set(&in, (enum isa_field)f, (u32)rng_u64(range->r));
        if (rng_one_in(range->r, 4)) /* bits outside fields */
            in.word ^=
                1ull << rng_below(range->r, in.dw - (in.form == FORM_LIT ? 1u : 0u) > 1 ? 64 : 32) &
                ~fixed;
        going = k->fn(k->ctx, &in);
    }
    return going;
}

bool samples_each(const struct isa *isa, isa_op op, enum isa_form form,
                  const struct sample_range *range, sample_fn *fn, void *ctx)
{
    enum { CODE_S2 = 2 };
    struct walk k = { fn, ctx, range->wide ? 16 : range->all ? 9 : 0 };
    struct insn base;
    insn_neutral(isa, op, form, &base);
    bool going = sweep(&k, &base) && random_samples(&k, &base, range);
    if (going && form != FORM_DPP && form != FORM_LIT && set_source(&base, CODE_FLOAT_1_0))
        going = sweep(&k, &base);
    if (going && form != FORM_DPP && form != FORM_LIT && set_source(&base, CODE_S2))
        going = sweep(&k, &base);
    return going;
}
