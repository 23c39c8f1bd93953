/* Global wave sync: resources are made ready, and then waves wait for each other at a barrier or by
 * semaphores. What one has stored in LDS before the other reads then; which of several waves that
 * wait is released, and whether a wave waits already, is left to the machine. A wave alone finds
 * what it takes. */
#include "fuzz/gen/internal.h"

#include "oracle/isa/op.h"

enum { WAVE_BITS = 16 /* of M0, from where on it counts */ };

bool gen_emit_mov(struct draw *d, isa_op op, u32 dst, u32 src)
{
    struct insn in = gen_start(d, op, FORM_BASE);
    insn_set(&in, FLD_sdst, dst);
    insn_set(&in, FLD_ssrc0, src);
    return gen_has(d, op, FORM_BASE) && gen_emit(d, &in);
}

/* M0 = the number of the wave, for resources of its own: its part of LDS tells it. */
static bool emit_m0_wave(struct draw *d)
{
    struct insn in = gen_start(d, OP_s_lshl_b32, FORM_BASE),
                any = gen_start(d, OP_s_or_b32, FORM_LIT);
    bool limits =
        gen_target_has(d, FEATUREBIT_LDS_LIMIT) || gen_targets_differ(d, FEATUREBIT_LDS_LIMIT);
    if (!gen_may(d, GEN_M0) || !gen_has(d, OP_s_lshl_b32, FORM_BASE) ||
        (limits && !gen_has(d, OP_s_or_b32, FORM_LIT)))
        return false;
    insn_set(&in, FLD_sdst, CODE_M0);
    insn_set(&in, FLD_ssrc0, d->r.slds);
    insn_set(&in, FLD_ssrc1, CODE_INT_0 + WAVE_BITS - (31 - clz32(d->lds_region)));
    d->s->features |= GEN_M0;
    if (!gen_emit(d, &in) || !limits)
        return !limits;
    insn_set(&any, FLD_sdst, CODE_M0);
    insn_set(&any, FLD_ssrc0, CODE_M0);
    insn_set(&any, FLD_ssrc1, CODE_LIT);
    any.lit = mask32(WAVE_BITS); /* all of LDS */
    return gen_emit(d, &any);
}

static bool emit_gws(struct draw *d, isa_op op, u32 resource, enum sync_reg data)
{
    struct insn in = gen_start(d, op, FORM_BASE);
    insn_set(&in, FLD_gds, 1);
    insn_set(&in, FLD_offset, resource);
    if (isa_rows[op].operand[0].kind != K_NONE)
        insn_set(&in, FLD_addr, d->r.vcount + (u32)data);
    return gen_has(d, op, FORM_BASE) && gen_emit(d, &in) && gen_emit_wait(d);
}

/* ---- a wave by itself ---- */

/* A resource is made ready, and then has what the wave takes from it. At a barrier nobody else is
 * waited for. */
static bool draw_alone(struct draw *d, isa_op op)
{
    u32 resource = rng_below(&d->rng, 64), base = rng_below(&d->rng, 4);
    bool takes = op == OP_ds_gws_sema_p;
    bool alone = op == OP_ds_gws_barrier || op == OP_ds_gws_sema_release_all;
    bool ok = gen_emit_m0(d, base << WAVE_BITS) &&
              emit_gws(d, OP_ds_gws_init, resource, alone ? SYNC_NONE : SYNC_UNITS);
    if (ok && takes)
        ok = emit_gws(d, OP_ds_gws_sema_v, resource, SYNC_NONE);
    if (ok && op != OP_ds_gws_init)
        ok = emit_gws(d, op, resource, alone ? SYNC_NONE : SYNC_UNITS);
    return ok;
}

/* ---- several waves ---- */

static bool emit_barrier(struct draw *d)
{
    struct insn in = gen_start(d, OP_s_barrier, FORM_BASE);
    return gen_emit(d, &in);
}

/* The register of LDS addresses in the part of the wave that is so many behind this one. */
static u32 part_of(const struct draw *d, u32 behind)
{
    u32 epoch = (d->epoch + behind) % d->s->waves;
    return d->r.addr[ADDR_LDS + epoch].reg;
}

static bool emit_store(struct draw *d, u32 offset)
{
    struct insn in = gen_start(d, OP_ds_write_b32, FORM_BASE);
    insn_set(&in, FLD_addr, part_of(d, 0));
    insn_set(&in, FLD_data0, gen_draw_vgpr(d, T_U32, 1));
    insn_set(&in, FLD_offset, offset);
    return gen_emit(d, &in) && gen_emit_wait(d);
}

static bool emit_load(struct draw *d, u32 behind, u32 offset)
{
    struct insn in = gen_start(d, OP_ds_read_b32, FORM_BASE);
    insn_set(&in, FLD_addr, part_of(d, behind));
    insn_set(&in, FLD_vdst, gen_draw_vgpr(d, T_U32, 1));
    insn_set(&in, FLD_offset, offset);
    return gen_emit(d, &in) && gen_emit_wait(d);
}

/* What the lower half of M0 is beside a base: all of LDS, where it limits that on some of several
 * processors. */
static u32 no_limit(const struct draw *d)
{
    return gen_targets_differ(d, FEATUREBIT_LDS_LIMIT) ? mask32(WAVE_BITS) : 0;
}

/* Each wave stores, waits, and reads what the next one has stored; twice, since a barrier brings the
 * count of the next one with it. */
static bool draw_barriers(struct draw *d)
{
    u32 resource = rng_below(&d->rng, 64), base = rng_below(&d->rng, 64);
    u32 offset = rng_below(&d->rng, SLOT_BYTES / 4) * 4;
    bool ok = gen_emit_m0(d, base << WAVE_BITS | no_limit(d)) &&
              emit_gws(d, OP_ds_gws_init, resource, SYNC_OTHERS) && emit_barrier(d);
    for (u32 i = 0; i < 2 && ok; i++)
        ok = emit_store(d, offset) && emit_gws(d, OP_ds_gws_barrier, resource, SYNC_OTHERS) &&
             emit_load(d, 1, offset) && emit_gws(d, OP_ds_gws_barrier, resource, SYNC_OTHERS);
    return ok;
}

/* Waves go one after the other: each takes all units of a semaphore of its own, which the one before
 * has put there; the first finds them. At the end there is nothing left. */
static bool draw_chain(struct draw *d, isa_op op)
{
    u32 base = 1 + rng_below(&d->rng, 62), offset = rng_below(&d->rng, SLOT_BYTES / 4) * 4;
    bool up = d->sync_up, rest = op == OP_ds_gws_sema_release_all || rng_one_in(&d->rng, 2);
    isa_op gives = op == OP_ds_gws_sema_br || (op != OP_ds_gws_sema_v && rng_one_in(&d->rng, 2))
                       ? OP_ds_gws_sema_br
                       : OP_ds_gws_sema_v;
    u32 next = up ? base + 1 : base - 1, before = up ? d->s->waves - 1u : 1;
    bool ok = emit_m0_wave(d) && emit_gws(d, OP_ds_gws_init, next, SYNC_NONE) && emit_barrier(d) &&
              emit_gws(d, OP_ds_gws_init, base, SYNC_UNITS) && emit_barrier(d);
    for (u32 i = 0; i < d->sync_units && ok; i++)
        ok = emit_gws(d, OP_ds_gws_sema_p, base, SYNC_NONE);
    ok = ok && emit_load(d, before, offset) && emit_store(d, offset);
    for (u32 i = 0; i < d->sync_units && ok; i++)
        ok = emit_gws(d, gives, next, SYNC_ONE);
    ok = ok && emit_barrier(d);
    if (ok && rest) /* nobody makes the resource another before */
        ok = emit_gws(d, OP_ds_gws_sema_release_all, base, SYNC_NONE) && emit_barrier(d);
    return ok;
}

/* Whether there is all of what the waves do: one that is left waiting would not end. */
static bool can_meet(const struct draw *d)
{
    static const u16 needed[] = { OP_s_barrier,      OP_s_lshl_b32,
                                  OP_ds_read_b32,    OP_ds_write_b32,
                                  OP_ds_gws_init,    OP_ds_gws_sema_p,
                                  OP_ds_gws_sema_v,  OP_ds_gws_sema_br,
                                  OP_ds_gws_barrier, OP_ds_gws_sema_release_all };
    for (u32 i = 0; i < COUNT_OF(needed); i++)
        if (!gen_has(d, needed[i], FORM_BASE))
            return false;
    return d->depth == 0 && gen_may(d, GEN_LDS);
}

bool gen_draw_sync(struct draw *d, isa_op op)
{
    enum { LONGEST = 64 /* instructions, with what is between them */ };
    if (!d->r.has_sync || !gen_has(d, OP_s_waitcnt, FORM_BASE) ||
        d->prog->count + 3 * LONGEST > PROG_MAX)
        return false;
    bool several = d->s->waves > 1;
    if (several && !can_meet(d))
        return false;
    d->padding++; /* what fills a hazard could write EXEC, or M0 */
    bool ok = gen_emit_mov(d, OP_s_mov_b64, CODE_EXEC, d->r.some_exec);
    bool barriers = op == OP_ds_gws_barrier || (op == OP_ds_gws_init && rng_one_in(&d->rng, 2));
    ok = ok && (!several ? draw_alone(d, op) : barriers ? draw_barriers(d) : draw_chain(d, op));
    d->padding--;
    return ok;
}

void gen_plan_sync(struct draw *d)
{
    d->sync_up = rng_one_in(&d->rng, 2);
    d->sync_units = (u8)(d->s->waves > 1 ? 1 + rng_below(&d->rng, 3) : rng_below(&d->rng, 4));
}

void gen_put_sync(struct draw *d, u32 wave, u32 *reg[SYNC_REGS])
{
    u32 last = d->s->waves - 1u;
    bool starts = d->s->waves == 1 || wave == (d->sync_up ? 0 : last);
    const u32 count[SYNC_REGS] = { [SYNC_UNITS] = starts ? d->sync_units : 0,
                                   [SYNC_NONE] = 0,
                                   [SYNC_OTHERS] = last,
                                   [SYNC_ONE] = 1 };
    const u32 *exec = stream_value(d->s, wave, d->r.some_exec),
              *high = stream_value(d->s, wave, d->r.some_exec + 1u);
    u32 first = ctz64(*exec | (u64)*high << 32);
    for (u32 i = 0; i < SYNC_REGS; i++)
        for (u32 lane = 0; lane < LANES; lane++) {
            u32 other = rng_below(&d->rng, 8);
            reg[i][lane] = lane == first ? count[i] : other;
        }
}
