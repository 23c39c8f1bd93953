/* Plainer instructions: forms, modifiers, sources, immediates. */
#include "fuzz/shrink/internal.h"
#include "oracle/isa/op.h"

enum { DPP_SAME = 0xe4 };

/* Tries instruction `at` as `in`. */
static bool try_insn(struct shrinker *sh, u32 at, const struct insn *in)
{
    const struct insn *old = &sh->prog.insn[at].in;
    bool same =
        old->op == in->op && old->form == in->form && old->word == in->word && old->lit == in->lit;
    if (same || !shrink_goes_on(sh) || insn_legal(sh->isa, in, NULL) != ST_OK)
        return false;
    shrink_begin(sh);
    sh->next.insn[at].in = *in;
    return shrink_try(sh);
}

static bool try_field(struct shrinker *sh, u32 at, enum isa_field field, u32 value)
{
    struct insn in = sh->prog.insn[at].in;
    if (!insn_has(&in, field))
        return false;
    insn_set(&in, field, value);
    return try_insn(sh, at, &in);
}

/* The same operands in the shortest form, if they fit: its source 1 is a vector register. */
static bool to_base(const struct shrinker *sh, const struct insn *from, struct insn *to)
{
    const struct isa_row *row = insn_row(from);
    bool fits = true;
    if (from->form == FORM_BASE || !(row->forms & F_BASE))
        return false;
    insn_start(sh->isa, from->op, FORM_BASE, to);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
        u32 code = insn_code(from, o);
        if (!insn_has(to, (enum isa_field)o->field))
            continue;
        if (code == CODE_LIT)
            code = isa_types[o->type].class == CLASS_FLOAT ? CODE_FLOAT_1_0 : CODE_INT_1;
        fits &= insn_set_code(to, o, code);
    }
    return fits;
}

static void simplify_form(struct shrinker *sh, u32 at)
{
    struct insn in;
    if (to_base(sh, &sh->prog.insn[at].in, &in))
        try_insn(sh, at, &in);
}

static void simplify_modifiers(struct shrinker *sh, u32 at)
{
    static const u8 zero[] = { FLD_clamp,     FLD_omod,      FLD_neg,        FLD_abs,
                               FLD_src0_neg,  FLD_src0_abs,  FLD_src1_neg,   FLD_src1_abs,
                               FLD_src0_sext, FLD_src1_sext, FLD_dst_unused, FLD_bound_ctrl,
                               FLD_glc,       FLD_slc };
    static const u8 sel[] = { FLD_dst_sel, FLD_src0_sel, FLD_src1_sel };
    for (u32 i = 0; i < COUNT_OF(zero); i++)
        try_field(sh, at, (enum isa_field)zero[i], 0);
    for (u32 i = 0; i < COUNT_OF(sel); i++)
        if (insn_get(&sh->prog.insn[at].in, (enum isa_field)sel[i]) != SEL_DWORD)
            try_field(sh, at, (enum isa_field)sel[i], SEL_DWORD);
    try_field(sh, at, FLD_row_mask, 15);
    try_field(sh, at, FLD_bank_mask, 15);
    try_field(sh, at, FLD_dpp_ctrl, DPP_SAME);
    for (u32 bit = 0; bit < 3; bit++) { /* one of several */
        try_field(sh, at, FLD_neg, insn_get(&sh->prog.insn[at].in, FLD_neg) & ~(1u << bit));
        try_field(sh, at, FLD_abs, insn_get(&sh->prog.insn[at].in, FLD_abs) & ~(1u << bit));
    }
}

/* A constant instead of a register; a literal is not shortened to another literal but by
 * to_base. */
static void simplify_source(struct shrinker *sh, u32 at, const struct isa_operand *o)
{
    const struct insn *in = &sh->prog.insn[at].in;
    u32 width = insn_pos(in, (enum isa_field)o->field).width;
    bool takes = (o->kind == K_SSRC || (o->kind == K_SRC && width == 9) || o->kind == K_LANESEL) &&
                 in->form != FORM_SDWA && in->form != FORM_DPP;
    u32 code = insn_code(in, o);
    bool simple = code == CODE_INT_0 || code == CODE_INT_1 || code == CODE_FLOAT_1_0;
    if (!takes || simple || sh->prog.insn[at].origin != PROG_NO_TARGET || code == CODE_LIT)
        return;
    bool is_float = isa_types[o->type].class == CLASS_FLOAT;
    bool moves = insn_row(in)->flags & (FLAG_STORE | FLAG_ATOMIC);
    if (moves && isa_memory(insn_row(in)) == MEMORY_BUFFER)
        return; /* a scalar offset: lanes must not collide */
    if (!try_field(sh, at, (enum isa_field)o->field, CODE_INT_0))
        try_field(sh, at, (enum isa_field)o->field, is_float ? CODE_FLOAT_1_0 : CODE_INT_1);
}

/* Distances and waits mean something else. Offsets of stores stay: lanes must not collide. */
static void simplify_immediate(struct shrinker *sh, u32 at, const struct isa_operand *o)
{
    bool plain = o->kind == K_SIMM || o->kind == K_UIMM || o->kind == K_UDEC || o->kind == K_OPTDEC;
    if (plain && sh->prog.insn[at].in.op != OP_s_nop &&
        !try_field(sh, at, (enum isa_field)o->field, 0))
        try_field(sh, at, (enum isa_field)o->field, 1);
}

static void simplify_offset(struct shrinker *sh, u32 at)
{
    const struct isa_row *row = insn_row(&sh->prog.insn[at].in);
    if (!(row->flags & (FLAG_LOAD | FLAG_LANEWISE)) || sh->best->waves > 1)
        return;
    if (row->flags & FLAG_OFFSET2) {
        try_field(sh, at, FLD_offset0, 0);
        try_field(sh, at, FLD_offset1, 1);
    } else {
        try_field(sh, at, FLD_offset, 0);
    }
}

void shrink_operands(struct shrinker *sh)
{
    for (u32 at = 0; at + 1 < sh->prog.count && shrink_goes_on(sh); at++) {
        simplify_form(sh, at);
        simplify_modifiers(sh, at);
        const struct isa_row *row = insn_row(&sh->prog.insn[at].in);
        for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++) {
            if (o->dir == DIR_R)
                simplify_source(sh, at, o);
            simplify_immediate(sh, at, o);
        }
        simplify_offset(sh, at);
    }
}
