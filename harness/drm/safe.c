/* The safe tier: what a program must be like before it is given to a device whose owner goes on
 * working at it. What cannot be seen in its text is tried on the model first. */
#include "harness/drm/internal.h"

#include "oracle/isa/op.h"
#include "oracle/rule/rule.h"

enum { STEPS_MAX = 1 << 20 };

static enum status refuse(struct err *why, const char *what, const char *reason)
{
    return err_set(why, ST_INPUT, "unsafe: %.16s: %.34s", what, reason);
}

/* Why no instruction of this opcode may be given: it halts, sends messages, traps, syncs with other
 * work or needs a wave of a kind that is not on a compute ring. NULL: it may. */
static const char *danger_of(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    enum isa_unit unit = isa_unit(row);
    if (unit == UNIT_INTERP || unit == UNIT_EXPORT || row->flags & FLAG_GDS_ONLY)
        return "may stop the ring";
    switch (in->op) {
#define UNSAFE(op, why) \
    case OP_##op:       \
        return why;
#include "harness/drm/unsafe.def"
#undef UNSAFE
    default: return NULL;
    }
}

static bool is_foreign_hwreg(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u32 reg = bits32(insn_get(in, FLD_simm16), 0, 6);
    return row->flags & FLAG_WR_MODE && row->enc == ENC_SOPK && reg != HWREG_MODE &&
           reg != HWREG_TRAPSTS;
}

enum status drm_safe_insn(const struct isa *isa, const struct insn *in, struct err *why)
{
    struct err e = { .text = "" };
    const struct isa_row *row = insn_row(in);
    if (insn_legal(isa, in, &e) != ST_OK)
        return refuse(why, row->name, "an encoding that is not legal");
    const char *danger = danger_of(in);
    if (danger)
        return refuse(why, row->name, danger);
    if (is_foreign_hwreg(in))
        return refuse(why, row->name, "writes more than MODE and TRAPSTS");
    return ST_OK;
}

/* Whether the job ends on the model, within its steps, and stays in its memory, which is as before
 * afterwards. */
static enum status try_on_model(struct model *mo, const struct gcncheck_job *job, struct err *why)
{
    struct machine *m = mo->m;
    u32 who = 0, steps = job->max_steps < STEPS_MAX ? job->max_steps : STEPS_MAX;
    enum status st = model_start(mo, job, why);
    if (st != ST_OK)
        return st;
    enum stop stop = machine_run(m, steps, &who);
    bool is_outside = false;
    for (u32 i = 0; i < job->waves; i++)
        is_outside |= m->wave[i]->faulted;
    if (m->log.full)
        return refuse(why, "the program", "writes too much to be tried first");
    wlog_undo(&m->log, m->wave);
    if (stop != STOP_END)
        return refuse(why, "the program", "does not end on the model");
    return is_outside ? refuse(why, "the program", "reaches outside its memory") : ST_OK;
}

enum status drm_safe_program(struct drm_session *s, const struct gcncheck_job *job,
                             const struct drm_needs *n, struct err *why)
{
    struct rule_program p = { .code = job->code,
                              .dw = job->code_dw,
                              .pc = job->pc,
                              .may_loop = true, /* the model tells whether it ends */
                              .lint = true };
    struct rule_program strict = p;
    struct err e = { .text = "" }, ignored;
    /* Either set of rules is stricter than the other somewhere: what satisfies one is safe. */
    strict.lint = false;
    if (n->is_long && rule_check(&s->isa, &p, &e) != ST_OK &&
        rule_check(&s->isa, &strict, &ignored) != ST_OK)
        return refuse(why, "hazard", e.text);
    return n->is_open ? try_on_model(s->model, job, why) : ST_OK;
}
