/* Low register numbers: v_add_u32 v0, v1, v2 is read more easily than v_add_u32 v231, v7, v230.
 * Neighbours stay neighbours, because tuples are made of them. */
#include "fuzz/shrink/internal.h"

#include "oracle/state/effects.h"

enum { SGPR_COUNT = 102 };

/* Where each register goes. Vector and accumulation registers are numbered from 0 here. */
struct numbering {
    bool used_s[SGPR_COUNT], used_v[VGPRS], used_a[VGPRS];
    u16 to_s[SGPR_COUNT], to_v[VGPRS], to_a[VGPRS];
};

static void mark(struct numbering *n, u32 place, u32 dw)
{
    for (u32 p = place; p < place + dw; p++) {
        if (p < SGPR_COUNT)
            n->used_s[p] = true;
        else if (p >= PLACE_V0 && p < PLACE_A0)
            n->used_v[p - PLACE_V0] = true;
        else if (p >= PLACE_A0 && p < PLACE_A0 + VGPRS)
            n->used_a[p - PLACE_A0] = true;
    }
}

/* What the type of an image's address leaves open. */
static void mark_image_address(struct numbering *n, const struct insn *in)
{
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        if (o->kind != K_IADDR)
            continue;
        u32 code = insn_code(in, o), room = (u32)PLACE_A0 - code;
        mark(n, code, room < IMAGE_ADDRESS_DW ? room : IMAGE_ADDRESS_DW);
    }
}

static void mark_all(const struct shrinker *sh, struct numbering *n)
{
    for (u32 i = 0; i < sh->prog.count; i++) {
        struct effects fx;
        effects_of(&sh->prog.insn[i].in, &fx);
        for (u32 k = 0; k < fx.count; k++)
            mark(n, fx.e[k].place, fx.e[k].dw);
        mark_image_address(n, &sh->prog.insn[i].in);
    }
    for (u32 i = 0; i < sh->best->set_count; i++)
        mark(n, sh->best->set[i].place, 1);
}

/* Runs move down; a run of scalar registers keeps its place within four, where tuples must
 * begin. */
static void assign(const bool *used, u16 *to, u32 count, u32 align)
{
    u32 next = 0;
    for (u32 i = 0; i < count; i++) {
        if (!used[i])
            continue;
        if (i == 0 || !used[i - 1])
            while (next % align != i % align)
                next++;
        to[i] = (u16)next++;
    }
}

/* Where a register goes, by its code, which is its place too. */
static u32 moved(const struct numbering *n, u32 code)
{
    if (code < SGPR_COUNT)
        return n->to_s[code];
    if (code >= PLACE_V0 && code < PLACE_V0 + VGPRS)
        return (u32)PLACE_V0 + n->to_v[code - PLACE_V0];
    if (code >= PLACE_A0 && code < PLACE_A0 + VGPRS)
        return (u32)PLACE_A0 + n->to_a[code - PLACE_A0];
    return code;
}

/* Operands of an export may share a field, so codes are those of the instruction as it was. */
static void move_operand(const struct numbering *n, const struct insn *old, struct insn *in,
                         const struct isa_operand *o)
{
    u32 code = insn_code(old, o);
    if (isa_kind_is_register((enum isa_kind)o->kind) && insn_operand_there(old, o) &&
        !insn_operand_off(old, o) && moved(n, code) != code)
        insn_set_code(in, o, moved(n, code));
}

static void move_insn(const struct numbering *n, struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    const struct insn old = *in;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        move_operand(n, &old, in, o);
    if (isa_memory(row) != MEMORY_SCALAR)
        return;
    if (!insn_get(in, FLD_imm) && insn_get(in, FLD_offset) < SGPR_COUNT)
        insn_set(in, FLD_offset, n->to_s[insn_get(in, FLD_offset)]);
    if (insn_get(in, FLD_soe) && insn_get(in, FLD_soffset) < SGPR_COUNT)
        insn_set(in, FLD_soffset, n->to_s[insn_get(in, FLD_soffset)]);
}

void shrink_numbers(struct shrinker *sh)
{
    struct numbering n = { .used_s = { false } };
    for (u32 i = 0; i < sh->prog.count; i++)
        if (sh->prog.insn[i].in.op == OP_NONE) /* its registers are not known */
            return;
    mark_all(sh, &n);
    assign(n.used_s, n.to_s, SGPR_COUNT, 4);
    assign(n.used_v, n.to_v, VGPRS, 1);
    assign(n.used_a, n.to_a, VGPRS, 1);
    shrink_begin(sh);
    for (u32 i = 0; i < sh->next.count; i++)
        move_insn(&n, &sh->next.insn[i].in);
    for (u32 i = 0; i < sh->trial->set_count; i++)
        sh->trial->set[i].place = (u16)moved(&n, sh->trial->set[i].place);
    shrink_try(sh);
}
