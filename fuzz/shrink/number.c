/* Low register numbers: v_add_u32 v0, v1, v2 is read more easily than v_add_u32 v231, v7, v230.
 * Neighbours stay neighbours, because tuples are made of them. */
#include "fuzz/shrink/internal.h"

#include "oracle/state/effects.h"

enum { SGPR_COUNT = 102 };

/* Where each register goes. Vector registers are numbered from 0 here. */
struct numbering {
    bool used_s[SGPR_COUNT], used_v[VGPRS];
    u16 to_s[SGPR_COUNT], to_v[VGPRS];
};

static void mark(struct numbering *n, u32 place, u32 dw)
{
    for (u32 p = place; p < place + dw; p++) {
        if (p < SGPR_COUNT)
            n->used_s[p] = true;
        else if (p >= PLACE_V0 && p < PLACE_A0)
            n->used_v[p - PLACE_V0] = true;
    }
}

static void mark_all(const struct shrinker *sh, struct numbering *n)
{
    for (u32 i = 0; i < sh->prog.count; i++) {
        struct effects fx;
        effects_of(&sh->prog.insn[i].in, &fx);
        for (u32 k = 0; k < fx.count; k++)
            mark(n, fx.e[k].place, fx.e[k].dw);
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

static u32 moved(const struct numbering *n, u32 code)
{
    if (code < SGPR_COUNT)
        return n->to_s[code];
    if (code < CODE_VGPR || code >= (u32)CODE_VGPR + VGPRS)
        return code;
    return (u32)CODE_VGPR + n->to_v[code - CODE_VGPR];
}

static void move_operand(const struct numbering *n, struct insn *in, const struct isa_operand *o)
{
    enum isa_field field = (enum isa_field)o->field;
    u32 code = insn_code(in, o), to = moved(n, code);
    if (!insn_has(in, field) || to == code)
        return;
    switch ((enum isa_kind)o->kind) {
    case K_VGPR:
    case K_LDATA:
    case K_VADDR:
    case K_SRC:
    case K_SGPR:
    case K_SSRC:
    case K_LANESEL:
    case K_SADDR:
    case K_MASK:
        if (o->kind == K_MASK && insn_has(in, FLD_sd) && !insn_get(in, FLD_sd))
            return;
        insn_set(in, field, insn_pos(in, field).width == 9 ? to : to & 255);
        return;
    case K_SBASE: insn_set(in, field, to / 2); return;
    default: return;
    }
}

static void move_insn(const struct numbering *n, struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        move_operand(n, in, o);
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
    shrink_begin(sh);
    for (u32 i = 0; i < sh->next.count; i++)
        move_insn(&n, &sh->next.insn[i].in);
    for (u32 i = 0; i < sh->trial->set_count; i++)
        sh->trial->set[i].place = (u16)moved(&n, sh->trial->set[i].place);
    shrink_try(sh);
}
