/* Instructions that need others around them: what is skipped is gone on with, what nobody can
 * compare is written over, what is exported has arrived before the program goes on. */
#include "fuzz/gen/internal.h"

#include "oracle/insn/text.h"
#include "oracle/isa/op.h"

enum { ICACHE_NOPS = 16, ANY_BIT = 0x100 /* whose low bits are the number of a bit */ };

static bool emit_drawn(struct draw *d, isa_op op)
{
    struct insn in;
    return gen_draw_insn(d, op, gen_draw_form(d, op), &in) && gen_emit(d, &in);
}

/* ---- vector instructions that are skipped, or not ---- */

/* A few instructions behind s_setvskip, whatever it has set, and then none is skipped any more. */
static bool draw_skipping(struct draw *d, isa_op op)
{
    bool literal = !gen_has(d, op, FORM_BASE);
    struct insn on, off = gen_start(d, op, literal ? FORM_LIT : FORM_BASE);
    u32 count = 1 + rng_below(&d->rng, 3);
    insn_set(&off, FLD_ssrc0, CODE_INT_0);
    insn_set(&off, FLD_ssrc1, literal ? (u32)CODE_LIT : CODE_INT_0);
    off.lit = literal ? ANY_BIT : 0;
    bool can = gen_has(d, OP_s_nop, FORM_BASE) && gen_has_room(d) &&
               gen_draw_insn(d, op, gen_draw_form(d, op), &on);
    if (!can || !gen_emit(d, &on))
        return false;
    for (u32 tries = 0; count && tries < 16; tries++) {
        isa_op skipped = gen_draw_op(d);
        bool plain =
            isa_unit(&isa_rows[skipped]) == UNIT_VALU && isa_m0(&isa_rows[skipped]) == M0_NOTHING;
        if (plain && emit_drawn(d, skipped))
            count--;
    }
    gen_must_emit(d, &off);
    return true;
}

/* ---- results that are not compared ---- */

/* What a clock says is written over before anybody can ask, and is not kept either. */
static bool draw_probed(struct draw *d, isa_op op)
{
    struct insn in;
    if (!gen_has(d, OP_s_mov_b64, FORM_BASE) || !gen_draw_insn(d, op, FORM_BASE, &in))
        return false;
    u32 dst = insn_get(&in, FLD_sdata), src = gen_draw_sgpr(d, 2);
    if (src == dst || dst >= CODE_TTMP || !gen_has_room(d))
        src = CODE_INT_0 + rng_below(&d->rng, 64);
    if (!gen_emit(d, &in))
        return false;
    d->forgets = true;
    bool ok = gen_emit_mov(d, OP_s_mov_b64, dst, src);
    d->forgets = false;
    return ok;
}

/* A compare with what its register has been given just before: chance makes them equal too
 * rarely. */
static bool draw_equal(struct draw *d, isa_op op)
{
    struct insn in, set = gen_start(d, OP_s_movk_i32, FORM_BASE);
    if (!gen_has(d, OP_s_movk_i32, FORM_BASE) || !gen_draw_insn(d, op, FORM_BASE, &in))
        return false;
    u32 beside = rng_below(&d->rng, 4); /* or one less, or one more */
    insn_set(&in, FLD_sdst, gen_draw_sgpr(d, 1));
    insn_set(&set, FLD_sdst, insn_get(&in, FLD_sdst));
    insn_set(&set, FLD_simm16, insn_get(&in, FLD_simm16) + (beside == 1) - (beside == 2));
    return gen_emit(d, &set) && gen_emit(d, &in);
}

static bool compares_immediate(const struct isa_row *row)
{
    return row->enc == ENC_SOPK && row->flags & FLAG_WR_SCC && row->operand[0].dir == DIR_R;
}

static bool draw_icache(struct draw *d, isa_op op)
{
    struct insn in = gen_start(d, op, FORM_BASE), nop = gen_start(d, OP_s_nop, FORM_BASE);
    if (!gen_has(d, OP_s_nop, FORM_BASE) || !gen_emit(d, &in))
        return false;
    for (u32 i = 0; i < ICACHE_NOPS; i++)
        gen_append(d, &nop);
    return true;
}

/* ---- exports ---- */

static u32 draw_target(struct draw *d)
{
    u32 target;
    do
        target = rng_below(&d->rng, 64);
    while (!text_export_of(target));
    return target;
}

/* As many as there is memory for. Compressed components are there in pairs. */
static bool draw_export(struct draw *d, isa_op op)
{
    static const u8 field[4] = { FLD_vsrc0, FLD_vsrc1, FLD_vsrc2, FLD_vsrc3 };
    struct insn in = gen_start(d, op, FORM_BASE);
    bool compressed = rng_one_in(&d->rng, 3);
    u32 en = rng_below(&d->rng, 16);
    if (!d->r.has_exports || d->exports_left < d->weight)
        return false;
    if (compressed)
        en = (en & 1) * 3 | (en >> 1 & 1) * 12;
    insn_set(&in, FLD_tgt, draw_target(d));
    insn_set(&in, FLD_en, en);
    insn_set(&in, FLD_compr, compressed);
    insn_set(&in, FLD_done, rng_one_in(&d->rng, 4));
    insn_set(&in, FLD_vm, rng_one_in(&d->rng, 4));
    for (u32 i = 0; i < 4; i++) {
        u32 bit = compressed ? i * 2 : i;
        if (bit < 4 && en >> bit & 1)
            insn_set(&in, (enum isa_field)field[i],
                     gen_draw_vgpr(d, rng_one_in(&d->rng, 2) ? T_F32 : T_U32, 1));
    }
    if (!gen_emit(d, &in))
        return false;
    d->exports_left -= d->weight;
    return gen_emit_wait(d);
}

/* ---- parameters of primitives ---- */

/* M0 = where they begin in the wave's part of LDS, and where primitives begin. */
static bool draw_interpolation(struct draw *d, isa_op op)
{
    enum { PRIMITIVE = 48, ATTRIBUTES = 4 };
    u32 mask = 0, quads = rng_below(&d->rng, 5), most = d->lds_region - ATTRIBUTES * 6 * PRIMITIVE;
    struct insn in, set = gen_start(d, OP_s_add_u32, FORM_LIT);
    bool own = d->epoch % d->s->waves == 0;
    while (quads--)
        mask |= 1u << rng_below(&d->rng, 15);
    if (!own || !gen_may(d, GEN_M0) || !gen_has(d, OP_s_add_u32, FORM_LIT) ||
        !gen_draw_insn(d, op, gen_draw_form(d, op), &in))
        return false;
    insn_set(&set, FLD_sdst, CODE_M0);
    insn_set(&set, FLD_ssrc0, d->r.slds);
    insn_set(&set, FLD_ssrc1, CODE_LIT);
    set.lit = mask << 16 | (72 + rng_below(&d->rng, (most - 72) / 4) * 4);
    u32 half = rng_below(&d->rng, 2 * ATTRIBUTES);
    insn_set(&in, FLD_attr, half / 2);
    if (isa_rows[op].enc == ENC_VOP3A) /* those of 16 bits */
        insn_set(&in, FLD_high, half % 2);
    insn_set(&in, FLD_attrchan, rng_below(&d->rng, 4));
    d->s->features |= GEN_M0;
    d->padding++;
    bool ok = gen_emit_wait(d) && gen_emit(d, &set) && gen_emit(d, &in);
    d->padding--;
    return ok;
}

/* Levels come from the neighbours of a lane: all four must be on. */
static bool draw_level(struct draw *d, isa_op op)
{
    struct insn in;
    bool can = gen_may(d, GEN_EXEC) && gen_has(d, OP_s_wqm_b64, FORM_BASE);
    if (!can || !gen_draw_insn(d, op, FORM_BASE, &in))
        return false;
    d->padding++; /* what fills a hazard could write EXEC */
    bool ok = gen_emit_mov(d, OP_s_wqm_b64, CODE_EXEC, CODE_EXEC) && gen_emit_memory(d, &in);
    d->padding--;
    return ok;
}

static bool is_around(const struct isa_row *row)
{
    return row->flags & (FLAG_WR_VSKIP | FLAG_GDS_ONLY | FLAG_QUAD_LEVEL) ||
           (isa_accept_kind(row) == ACCEPT_PROBE && isa_memory(row) == MEMORY_SCALAR) ||
           row == &isa_rows[OP_s_icache_inv] || isa_unit(row) == UNIT_EXPORT ||
           gen_is_interpolation(row) || compares_immediate(row);
}

void gen_note_around(struct generator *g)
{
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
        g->is_around[op] = is_around(&isa_rows[op]);
}

bool gen_draw_around(struct draw *d, isa_op op, bool *drawn)
{
    const struct isa_row *row = &isa_rows[op];
    if (!d->g->is_around[op])
        return false;
    if (row->flags & FLAG_WR_VSKIP)
        *drawn = draw_skipping(d, op);
    else if (isa_accept_kind(row) == ACCEPT_PROBE && isa_memory(row) == MEMORY_SCALAR)
        *drawn = draw_probed(d, op);
    else if (op == OP_s_icache_inv)
        *drawn = draw_icache(d, op);
    else if (isa_unit(row) == UNIT_EXPORT)
        *drawn = draw_export(d, op);
    else if (row->flags & FLAG_GDS_ONLY)
        *drawn = gen_draw_sync(d, op);
    else if (gen_is_interpolation(row))
        *drawn = draw_interpolation(d, op);
    else if (d->r.has_samplers && gen_sample_needs_quads(d, row))
        *drawn = draw_level(d, op);
    else if (compares_immediate(row) && rng_one_in(&d->rng, 3))
        *drawn = draw_equal(d, op);
    else
        return false;
    return true;
}
