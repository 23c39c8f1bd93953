/* Instructions that find registers by M0: relative scalar moves and VGPR indexing, each with what
 * keeps them to registers of data. */
#include "fuzz/gen/internal.h"
#include "oracle/isa/op.h"

enum { INDEX_MAX = 4, INDEX_SOURCES = 7 };

static struct insn make_index(const struct draw *d, isa_op op, enum isa_field field, u32 value)
{
    struct insn in = gen_start(d, op, FORM_BASE);
    insn_set(&in, field, value);
    return in;
}

/* The same with the value in ssrc0, as an inline constant or as a literal. */
static struct insn make_count(struct draw *d, isa_op op, u32 value)
{
    bool literal = rng_one_in(&d->rng, 4) && gen_has(d, op, FORM_LIT);
    literal |= !gen_has(d, op, FORM_BASE);
    struct insn in = gen_start(d, op, literal ? FORM_LIT : FORM_BASE);
    insn_set(&in, FLD_ssrc0, literal ? (u32)CODE_LIT : CODE_INT_0 + value);
    if (literal)
        in.lit = 0x5a00 + value; /* eight bits count */
    return in;
}

/* M0 = k, then a move from k below a register of data. */
static bool draw_relative(struct draw *d, isa_op op)
{
    struct insn in, set = make_index(d, OP_s_mov_b32, FLD_sdst, CODE_M0);
    if (!gen_has(d, OP_s_mov_b32, FORM_BASE) || !gen_draw_insn(d, op, FORM_BASE, &in))
        return false;
    u32 dw = isa_types[insn_row(&in)->operand[0].type].dwords, from = insn_get(&in, FLD_ssrc0);
    u32 k = rng_below(&d->rng, from / dw + 1) * dw;
    k = k > 64 ? 64 : k;
    insn_set(&set, FLD_ssrc0, CODE_INT_0 + k);
    insn_set(&in, FLD_ssrc0, from - k);
    d->padding++; /* what fills the hazard could write M0 */
    bool ok = gen_emit(d, &set) && gen_emit(d, &in);
    d->padding--;
    return ok;
}

/* Which scalar register a move writes is only known when it runs: no loop counter and no return
 * address may be open. */
static bool may_lose_scalars(const struct draw *d)
{
    for (u32 i = 0; i < d->depth; i++)
        if (d->block[i].kind == BLOCK_LOOP || d->block[i].kind == BLOCK_CALL ||
            d->block[i].kind == BLOCK_BODY)
            return false;
    return true;
}

/* M0 = k, then a move to k above a register, which is one of data. */
static bool draw_relative_to(struct draw *d, isa_op op)
{
    struct insn in, set = make_index(d, OP_s_mov_b32, FLD_sdst, CODE_M0);
    if (!may_lose_scalars(d) || !gen_has(d, OP_s_mov_b32, FORM_BASE) ||
        !gen_draw_insn(d, op, gen_draw_form(d, op), &in))
        return false;
    u32 dw = isa_types[insn_row(&in)->operand[0].type].dwords, to = gen_draw_sgpr(d, dw);
    u32 k = rng_below(&d->rng, to / dw + 1) * dw;
    k = k > 64 ? 64 : k;
    insn_set(&set, FLD_ssrc0, CODE_INT_0 + k);
    insn_set(&in, FLD_sdst, to - k);
    d->s->features |= GEN_M0;
    d->padding++;
    bool ok = gen_emit(d, &set) && gen_emit(d, &in);
    d->padding--;
    return ok;
}

/* What VGPR indexing is known to do: VALU instructions on whole single registers. Floats are left
 * out because what is open about their results is looked up by the registers that they name. */
static bool is_indexable(const struct isa_row *row)
{
    if (isa_unit(row) != UNIT_VALU || row->enc == ENC_VOP3P ||
        row->flags & (FLAG_LANEWISE | FLAG_WR_EXEC) || isa_accept_kind(row))
        return false;
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (isa_types[o->type].class == CLASS_FLOAT || o->dir == DIR_RW ||
            (o->kind != K_MASK && isa_types[o->type].dwords > 1))
            return false;
    return row->operand[0].kind != K_NONE;
}

static void draw_indexable(struct draw *d)
{
    for (u32 tries = 0; tries < 16; tries++) {
        struct insn in;
        isa_op op = gen_draw_op(d);
        enum isa_form form = gen_draw_form(d, op);
        if (!is_indexable(&isa_rows[op]) || form == FORM_SDWA || form == FORM_DPP)
            continue;
        if (gen_draw_insn(d, op, form, &in) && gen_emit(d, &in))
            return;
    }
}

/* Indexing on, a few instructions, indexing off. Destinations stay where they are, so that no
 * address is lost. */
static bool draw_indexed(struct draw *d, isa_op focus)
{
    bool can = d->g->forms[OP_s_set_gpr_idx_on] && gen_has(d, OP_s_set_gpr_idx_off, FORM_BASE) &&
               gen_has(d, OP_s_nop, FORM_BASE) && gen_may(d, GEN_M0);
    if (!can)
        return false;
    gen_settle(d);
    u32 index = 1 + rng_below(&d->rng, INDEX_MAX), what = 1 + rng_below(&d->rng, INDEX_SOURCES);
    struct insn in = make_count(d, OP_s_set_gpr_idx_on, index);
    insn_set(&in, FLD_ssrc1, what);
    if (!gen_emit(d, &in))
        return false;
    d->s->features |= GEN_M0;
    if (focus == OP_s_set_gpr_idx_idx) {
        in = make_count(d, focus, rng_below(&d->rng, INDEX_MAX));
        gen_must_emit(d, &in);
    } else if (focus == OP_s_set_gpr_idx_mode) {
        in = make_index(d, focus, FLD_simm16, 1 + rng_below(&d->rng, INDEX_SOURCES));
        gen_must_emit(d, &in);
    }
    in = make_index(d, OP_s_nop, FLD_simm16, 0);
    gen_must_emit(d, &in);
    d->padding++; /* what fills a hazard would be indexed too */
    u32 count = 1 + rng_below(&d->rng, 3);
    while (count--)
        draw_indexable(d);
    d->padding--;
    in = gen_start(d, OP_s_set_gpr_idx_off, FORM_BASE);
    gen_must_emit(d, &in);
    return true;
}

/* M0 = where the wave's part of LDS begins, then an access to it whose offset every lane adds its
 * own dword to, or to a counter. */
static bool draw_lds_by_m0(struct draw *d, isa_op op)
{
    struct insn in, set = make_index(d, OP_s_mov_b32, FLD_sdst, CODE_M0);
    bool counter = isa_rows[op].flags & FLAG_ATOMIC, own = d->epoch % d->s->waves == 0;
    u32 last = (d->lds_region - (counter ? 4u : LANES * 4u)) / 4;
    if (!own || !gen_has(d, OP_s_mov_b32, FORM_BASE) || !gen_draw_insn(d, op, FORM_BASE, &in))
        return false;
    insn_set(&set, FLD_ssrc0, d->r.slds);
    insn_set(&in, FLD_offset, rng_below(&d->rng, last + 1) * 4);
    d->padding++;
    bool ok = gen_emit(d, &set) && gen_emit(d, &in);
    d->padding--;
    return ok;
}

/* A load of which every lane's dword goes to LDS, or a store that takes it from there: behind M0 and
 * the offset, which counts for both addresses. Of M0 the lower half counts. */
static bool draw_by_lds(struct draw *d, isa_op op)
{
    enum { INLINE_MAX = 64, LOW_MAX = 0xffff };
    struct insn in, set = gen_start(d, OP_s_add_u32, FORM_LIT);
    bool own = d->epoch % d->s->waves == 0;
    insn_set(&set, FLD_sdst, CODE_M0);
    if (!own || !gen_has(d, OP_s_add_u32, FORM_LIT) || !gen_draw_insn(d, op, FORM_BASE, &in))
        return false;
    u32 coded = insn_get(&in, FLD_offset);
    i32 offset = isa_memory(&isa_rows[op]) == MEMORY_BUFFER
                     ? (i32)coded
                     : (i32)sext32(coded, insn_pos(&in, FLD_offset).width);
    i32 least = offset + INLINE_MAX + 4, most = (i32)(d->lds_region - LANES * 4),
        reach = LOW_MAX - (i32)((d->s->waves - 1u) * d->lds_region) + offset;
    least = least < 0 ? 0 : least;
    most = most < reach ? most : reach;
    if (offset % 4 || least > most)
        return false;
    i32 at = (i32)rng_below(&d->rng, (u32)(most - least) / 4 + 1) * 4 + least;
    u32 any = rng_below(&d->rng, 1 << 16);
    insn_set(&set, FLD_ssrc0, d->r.slds);
    insn_set(&set, FLD_ssrc1, CODE_LIT);
    set.lit = (u32)(at - offset) | any << 16;
    insn_set(&in, FLD_lds, 1);
    insn_set(&in, insn_has(&in, FLD_vdata) ? FLD_vdata : FLD_vdst, 0);
    d->padding++;
    bool ok = gen_emit(d, &set) && gen_emit(d, &in);
    if (ok && isa_rows[op].flags & FLAG_STORE) /* nobody counts when it has read LDS */
        ok = gen_emit_wait(d);
    d->padding--;
    d->s->features |= ok ? GEN_M0 | GEN_LDS : 0;
    return ok;
}

/* A source that is in LDS, at an address that M0 has below a type. */
static bool may_read_lds(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->kind == K_MASK && o->dir == DIR_R) /* one scalar source is VCC */
            return false;
    return is_indexable(row) && !(row->flags & FLAG_RD_VCC) && row->operand[1].kind == K_SRC &&
           row->operand[1].field == FLD_src0;
}

/* Asked each time: a campaign that looks for what a DUT has changes the forms. */
static bool can_read_lds(const struct draw *d, isa_op op)
{
    return d->s->waves == 1 && /* the LDS of another wave may change */
           gen_has(d, OP_s_mov_b32, FORM_LIT) && gen_has(d, OP_s_nop, FORM_BASE) &&
           gen_has(d, op, FORM_BASE);
}

static bool draw_lds_direct(struct draw *d, isa_op op)
{
    static const u8 types[5] = { 0, 1, 2, 4, 5 }; /* bytes and halves, with sign or not; a dword */
    struct insn in, set = gen_start(d, OP_s_mov_b32, FORM_LIT);
    if (!gen_draw_insn(d, op, FORM_BASE, &in))
        return false;
    u32 type = types[rng_below(&d->rng, 5)];
    u32 at = 128 + rng_below(&d->rng, d->s->lds_size / 4 - 32) * 4; /* no inline constant */
    insn_set(&set, FLD_sdst, CODE_M0);
    insn_set(&set, FLD_ssrc0, CODE_LIT);
    set.lit = type << 16 | at;
    insn_set(&in, FLD_src0, CODE_LDS_DIRECT);
    gen_settle(d); /* what is under way to LDS */
    d->padding++;
    bool ok = gen_emit(d, &set) && gen_emit(d, &in);
    d->padding--;
    d->s->features |= ok ? GEN_M0 | GEN_LDS : 0;
    return ok;
}

enum { TO_LDS = 1, LDS_BY_M0 = 2, LDS_SOURCE = 4, REGISTER_BY_M0 = 8 };

void gen_note_m0(struct generator *g)
{
    u32 features = GEN_LDS | GEN_M0;
    bool both = (g->cfg.features & features) == features;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        const struct isa_row *row = &isa_rows[op];
        g->by_m0[op] = (u8)((both && row->flags & FLAG_LDS_FORM ? TO_LDS : 0) |
                            (gen_is_lds_by_m0(row) ? LDS_BY_M0 : 0) |
                            (both && may_read_lds(row) ? LDS_SOURCE : 0) |
                            (isa_m0(row) != M0_NOTHING ? REGISTER_BY_M0 : 0));
    }
}

bool gen_draw_by_m0(struct draw *d, isa_op op, bool *drawn)
{
    u32 how = d->g->by_m0[op];
    if (!how)
        return false;
    bool always = isa_rows[op].flags & FLAG_STORE;
    if (how & TO_LDS && (always || rng_one_in(&d->rng, 4))) {
        *drawn = draw_by_lds(d, op);
        return true;
    }
    if (how & LDS_BY_M0) {
        *drawn = draw_lds_by_m0(d, op);
        return true;
    }
    if (how & LDS_SOURCE && can_read_lds(d, op) && rng_one_in(&d->rng, 32)) {
        *drawn = draw_lds_direct(d, op);
        return true;
    }
    switch (isa_m0(&isa_rows[op])) {
    case M0_SOURCE: *drawn = draw_relative(d, op); return true;
    case M0_DEST: *drawn = draw_relative_to(d, op); return true;
    case M0_INDEX_ON:
    case M0_INDEX:
    case M0_INDEX_OFF: *drawn = draw_indexed(d, op); return true;
    default: return false;
    }
}
