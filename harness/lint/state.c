/* States of code that others wrote. */
#include "harness/lint/internal.h"

void lint_start(struct rule_state *st, const struct codeobj_target *target)
{
    rule_start(st);
    st->lint = true;
    st->replay = target->xnack == SETTING_ANY || target->xnack == SETTING_ON;
}

void lint_repair(struct rule_state *st, const struct rule_need *need)
{
    st->now += need->nops;
    if (need->vcc)
        st->vccz_stale = st->vccz_spoilt = false;
    if (need->nops) {
        st->clause.count = 0;
        st->clause.kind = 0;
        st->icache_left = 0;
    }
    if (need->vmcnt != RULE_NO_WAIT && st->vm_now - need->vmcnt > st->vm_done)
        st->vm_done = st->vm_now - need->vmcnt;
    if (need->lgkmcnt != RULE_NO_WAIT && st->lgkm_now - need->lgkmcnt > st->lgkm_done)
        st->lgkm_done = st->lgkm_now - need->lgkmcnt;
    if (need->expcnt != RULE_NO_WAIT && st->exp_now - need->expcnt > st->exp_done)
        st->exp_done = st->exp_now - need->expcnt;
}

void lint_begin(const struct checked *c, struct rule_state *st)
{
    lint_start(st, &c->l->co->target);
    st->matrix = c->matrix;
}
