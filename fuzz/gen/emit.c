/* Putting instructions behind one another, with the waits and wait states they need. */
#include "fuzz/gen/internal.h"

#include "oracle/insn/counter.h"
#include "oracle/isa/op.h"

enum { ROOM = 48, NOP_MAX = 16 /* wait states that one s_nop makes */ };

struct insn gen_start(const struct draw *d, isa_op op, enum isa_form form)
{
    struct insn in;
    insn_start(d->g->isa, op, form, &in);
    return in;
}

static void note_written(struct stream *s, const struct effects *fx)
{
    for (u32 i = 0; i < fx->count; i++)
        for (u32 n = 0; fx->e[i].dir & DIR_W && n < fx->e[i].dw; n++) {
            u32 place = fx->e[i].place + n;
            s->written[place / 64] |= 1ull << place % 64;
        }
}

static i16 append(struct draw *d, const struct insn *in, const struct effects *fx)
{
    struct prog *p = d->prog;
    if (p->count == PROG_MAX)
        BUG("a stream is too long");
    p->insn[p->count] = (struct prog_insn){ *in, PROG_NO_TARGET, PROG_NO_TARGET };
    rule_step_with(&d->st, in, fx, 0);
    note_written(d->s, fx);
    d->wrote_scalar |= isa_memory(insn_row(in)) == MEMORY_SCALAR &&
                       insn_row(in)->flags & (FLAG_STORE | FLAG_ATOMIC);
    d->steps += d->weight;
    return (i16)p->count++;
}

i16 gen_append(struct draw *d, const struct insn *in)
{
    struct effects fx;
    effects_of(in, &fx);
    return append(d, in, &fx);
}

static void append_imm(struct draw *d, isa_op op, u32 imm)
{
    struct insn in = gen_start(d, op, FORM_BASE);
    insn_set(&in, FLD_simm16, imm);
    gen_append(d, &in);
}

/* The data of exports and GDS included. */
static u32 wait_for_all(const struct draw *d)
{
    enum gen gen = gen_generation(d);
    return counter_set(&counter_table(gen)[COUNTER_expcnt], rule_waitcnt(gen, 0, 0), 0);
}

/* Writes the pair anew, so that VCCZ is known. */
static bool append_vcc(struct draw *d)
{
    struct rule_need need;
    if (!gen_has(d, OP_s_mov_b64, FORM_BASE))
        return false;
    struct insn in = gen_start(d, OP_s_mov_b64, FORM_BASE);
    insn_set(&in, FLD_sdst, CODE_VCC);
    insn_set(&in, FLD_ssrc0, CODE_VCC);
    /* A scalar load into it is under way, or one that would spoil what is written. */
    bool spoils = d->st.vccz_spoilt && rule_scalar_under_way(&d->st);
    if (rule_need(&d->st, &in, &need) || spoils)
        append_imm(d, OP_s_waitcnt,
                   rule_waitcnt(gen_generation(d), need.vmcnt, spoils ? 0 : need.lgkmcnt));
    gen_append(d, &in);
    return true;
}

/* A wait state may also be had from an instruction that has nothing to do with it. */
static bool append_filler(struct draw *d)
{
    struct rule_need need;
    struct insn in;
    d->padding++;
    isa_op op = gen_draw_op(d);
    enum isa_form form = gen_draw_form(d, op);
    const struct isa_row *row = &isa_rows[op];
    bool plain = row->enc == ENC_SOP2 || row->enc == ENC_VOP2 || row->enc == ENC_VOP1;
    bool ok = plain && !(row->flags & (FLAG_WR_EXEC | FLAG_WR_MODE)) &&
              gen_draw_insn(d, op, form, &in) && !rule_need(&d->st, &in, &need);
    d->padding--;
    if (ok)
        gen_append(d, &in);
    return ok;
}

static bool append_need(struct draw *d, const struct rule_need *need)
{
    if (need->vcc)
        return append_vcc(d);
    if (need->vmcnt != RULE_NO_WAIT || need->lgkmcnt != RULE_NO_WAIT) {
        bool both = rng_one_in(&d->rng, 4);
        u32 vm = both ? 0 : need->vmcnt, lgkm = both ? 0 : need->lgkmcnt;
        append_imm(d, OP_s_waitcnt, rule_waitcnt(gen_generation(d), vm, lgkm));
        return true;
    }
    if (need->expcnt != RULE_NO_WAIT) {
        append_imm(d, OP_s_waitcnt, wait_for_all(d));
        return true;
    }
    if (d->padding == 0 && rng_one_in(&d->rng, 2) && append_filler(d))
        return true;
    if (!gen_has(d, OP_s_nop, FORM_BASE))
        return false;
    append_imm(d, OP_s_nop, need->nops < NOP_MAX ? need->nops - 1 : NOP_MAX - 1);
    return true;
}

bool gen_has_room(const struct draw *d)
{
    return d->prog->count < PROG_MAX - ROOM * (1 + d->depth);
}

static bool satisfy(struct draw *d, const struct insn *in, const struct effects *fx)
{
    struct rule_need need;
    while (rule_need_with(&d->st, in, fx, &need))
        if (!append_need(d, &need))
            return false;
    return true;
}

bool gen_satisfy(struct draw *d, const struct insn *in)
{
    struct effects fx;
    effects_of(in, &fx);
    return satisfy(d, in, &fx);
}

/* Behind what it needs; its place in the program, or -1. */
static i16 append_satisfied(struct draw *d, const struct insn *in)
{
    struct effects fx;
    effects_of(in, &fx);
    return satisfy(d, in, &fx) ? append(d, in, &fx) : -1;
}

/* ---- keeping results alive: what an instruction writes over is first added to a register that
 * nothing else writes, so that a wrong bit is still seen at the end. Without that a third of all
 * results are written over before anybody has looked. ---- */

enum { FOLDS_MAX = 8, FOLD_ROOM = 64 };

static bool is_dirty(const struct draw *d, u32 place)
{
    return d->dirty[place / 64] >> place % 64 & 1;
}

static void set_dirty(struct draw *d, u32 place, bool dirty)
{
    u64 bit = 1ull << place % 64;
    d->dirty[place / 64] = dirty ? d->dirty[place / 64] | bit : d->dirty[place / 64] & ~bit;
}

/* Registers of results: not those that say what is executed. */
static bool holds_results(const struct draw *d, u32 place)
{
    if (place >= PLACE_V0)
        return place < PLACE_A0 && place != (u32)PLACE_V0 + d->r.vfold &&
               place != (u32)PLACE_V0 + d->r.vkept;
    return place < CODE_TTMP || place == CODE_M0;
}

/* `source` is one that the instruction does not write. */
static void set_pattern(struct pattern *p, u32 source)
{
    insn_set(&p->in, FLD_src0, source);
    effects_of(&p->in, &p->fx);
    for (p->source = 0; p->fx.e[p->source].place != source; p->source++)
        if (p->source + 1 == p->fx.count)
            BUG("a fold without a source");
}

void gen_plan_folds(struct draw *d)
{
    static const u16 ops[FOLD_OPS] = { OP_v_add_u32, OP_v_sub_u32, OP_v_xor_b32 };
    for (u32 i = 0; i < FOLD_OPS; i++) {
        struct pattern *p = &d->fold[i];
        if (!gen_has(d, ops[i], FORM_BASE))
            continue;
        p->in = gen_start(d, ops[i], FORM_BASE);
        insn_set(&p->in, FLD_src1, d->r.vfold);
        insn_set(&p->in, FLD_vdst, d->r.vfold);
        set_pattern(p, d->r.sdata);
    }
    if (!gen_has(d, OP_v_writelane_b32, FORM_E64))
        return;
    d->keep.in = gen_start(d, OP_v_writelane_b32, FORM_E64);
    insn_set(&d->keep.in, FLD_vdst, d->r.vkept);
    insn_set(&d->keep.in, FLD_src1, CODE_INT_0);
    set_pattern(&d->keep, d->r.sdata);
}

static bool append_pattern(struct draw *d, struct pattern p, u32 source)
{
    insn_set(&p.in, FLD_src0, source);
    p.fx.e[p.source].place = (u16)source;
    if (!satisfy(d, &p.in, &p.fx))
        return false;
    append(d, &p.in, &p.fx);
    return true;
}

/* Scalars are put into lanes of their own, whatever EXEC is; not in a loop, which would come by
 * again. */
static bool append_kept(struct draw *d, u32 place)
{
    if (d->kept == LANES || d->weight > 1 || d->keep.in.op == OP_NONE)
        return false;
    struct pattern p = d->keep;
    insn_set(&p.in, FLD_src1, CODE_INT_0 + d->kept);
    if (!append_pattern(d, p, place))
        return false;
    d->kept++;
    return true;
}

/* Exclusive or alone would forget what is folded twice. */
static bool append_fold(struct draw *d, u32 place)
{
    u32 first = rng_below(&d->rng, FOLD_OPS);
    for (u32 i = 0; i < FOLD_OPS; i++) {
        const struct pattern *p = &d->fold[(first + i) % FOLD_OPS];
        if (p->in.op != OP_NONE)
            return append_pattern(d, *p, place);
    }
    return false;
}

static void fold_results(struct draw *d, const struct insn *in, const struct effects *fx)
{
    u32 left = FOLDS_MAX;
    bool room = d->prog->count < PROG_MAX - FOLD_ROOM * (2 + d->depth);
    if (!room || d->forgets || d->st.gpr_idx || isa_m0(insn_row(in)) == M0_DEST)
        return;
    for (u32 i = 0; i < fx->count; i++) {
        const struct effect *e = &fx->e[i];
        if (!(e->dir & DIR_W))
            continue;
        for (u32 n = 0; n < e->dw && left; n++) {
            u32 place = (u32)e->place + n;
            if (!holds_results(d, place) || (!is_dirty(d, place) && d->weight == 1))
                continue;
            bool scalar = place < PLACE_V0;
            if ((scalar && append_kept(d, place)) || append_fold(d, place))
                set_dirty(d, place, false);
            left--;
        }
    }
}

static void note_results(struct draw *d, const struct effects *fx)
{
    for (u32 i = 0; i < fx->count; i++) {
        const struct effect *e = &fx->e[i];
        if (!(e->dir & DIR_W))
            continue;
        for (u32 n = 0; n < e->dw; n++)
            if (holds_results(d, e->place + n))
                set_dirty(d, e->place + n, true);
    }
}

/* ---- emitting ---- */

bool gen_emit(struct draw *d, const struct insn *in)
{
    struct effects fx;
    if (!gen_has_room(d))
        return false;
    effects_of(in, &fx);
    fold_results(d, in, &fx);
    if (!satisfy(d, in, &fx))
        return false;
    append(d, in, &fx);
    note_results(d, &fx);
    return true;
}

i16 gen_must_emit(struct draw *d, const struct insn *in)
{
    i16 at = append_satisfied(d, in);
    if (at < 0)
        BUG("a block cannot be completed");
    return at;
}

void gen_settle(struct draw *d)
{
    if (d->st.vm_now != d->st.vm_done || d->st.lgkm_now != d->st.lgkm_done)
        append_imm(d, OP_s_waitcnt, rule_waitcnt(gen_generation(d), 0, 0));
    if (d->st.vccz_stale || d->st.vccz_spoilt)
        append_vcc(d);
    append_imm(d, OP_s_nop, 4);
    if (d->st.acc) /* the matrix core takes longer than anything else */
        append_imm(d, OP_s_nop, NOP_MAX - 1);
}

bool gen_emit_wait(struct draw *d)
{
    struct insn in = gen_start(d, OP_s_waitcnt, FORM_BASE);
    insn_set(&in, FLD_simm16, wait_for_all(d));
    return gen_has(d, OP_s_waitcnt, FORM_BASE) && gen_emit(d, &in);
}
