/* Putting instructions behind one another, with the waits and wait states they need. */
#include "fuzz/gen/internal.h"

#include "oracle/isa/op.h"

enum { ROOM = 48 };

struct insn gen_start(const struct draw *d, isa_op op, enum isa_form form)
{
    struct insn in;
    insn_start(d->g->isa, op, form, &in);
    return in;
}

i16 gen_append(struct draw *d, const struct insn *in)
{
    struct prog *p = d->prog;
    if (p->count == PROG_MAX)
        BUG("a stream is too long");
    p->insn[p->count] = (struct prog_insn){ *in, PROG_NO_TARGET, PROG_NO_TARGET };
    rule_step(&d->st, in, 0);
    d->wrote_scalar |= isa_memory(insn_row(in)) == MEMORY_SCALAR &&
                       insn_row(in)->flags & (FLAG_STORE | FLAG_ATOMIC);
    d->steps += d->weight;
    return (i16)p->count++;
}

static void append_imm(struct draw *d, isa_op op, u32 imm)
{
    struct insn in = gen_start(d, op, FORM_BASE);
    insn_set(&in, FLD_simm16, imm);
    gen_append(d, &in);
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
    if (rule_need(&d->st, &in, &need)) /* a scalar load into it is under way */
        append_imm(d, OP_s_waitcnt, rule_waitcnt(gen_generation(d), need.vmcnt, need.lgkmcnt));
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
    if (d->padding == 0 && rng_one_in(&d->rng, 2) && append_filler(d))
        return true;
    if (!gen_has(d, OP_s_nop, FORM_BASE))
        return false;
    append_imm(d, OP_s_nop, need->nops - 1);
    return true;
}

bool gen_has_room(const struct draw *d)
{
    return d->prog->count < PROG_MAX - ROOM * (1 + d->depth);
}

bool gen_satisfy(struct draw *d, const struct insn *in)
{
    struct rule_need need;
    while (rule_need(&d->st, in, &need))
        if (!append_need(d, &need))
            return false;
    return true;
}

bool gen_emit(struct draw *d, const struct insn *in)
{
    if (!gen_has_room(d) || !gen_satisfy(d, in))
        return false;
    gen_append(d, in);
    return true;
}

i16 gen_must_emit(struct draw *d, const struct insn *in)
{
    if (!gen_satisfy(d, in))
        BUG("a block cannot be completed");
    return gen_append(d, in);
}

void gen_settle(struct draw *d)
{
    if (d->st.vm_now != d->st.vm_done || d->st.lgkm_now != d->st.lgkm_done)
        append_imm(d, OP_s_waitcnt, rule_waitcnt(gen_generation(d), 0, 0));
    if (d->st.vccz_stale)
        append_vcc(d);
    append_imm(d, OP_s_nop, 4);
}
