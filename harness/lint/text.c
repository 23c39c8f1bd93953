/* The text of findings. */
#include "harness/lint/lint.h"

#include "oracle/insn/text.h"
#include "oracle/state/place.h"

u32 lint_findings(const struct rule_state *st, const struct insn *in, const struct rule_need *need,
                  struct lint_finding f[LINT_PER_INSN])
{
    u32 n = 0;
    if (need->nops || need->vcc)
        f[n++] = (struct lint_finding){ .kind = LINT_HAZARD, .need = *need };
    if (need->vmcnt != RULE_NO_WAIT)
        f[n++] = (struct lint_finding){ .kind = LINT_VMCNT, .need = *need };
    if (need->lgkmcnt != RULE_NO_WAIT)
        f[n++] = (struct lint_finding){ .kind = LINT_LGKMCNT, .need = *need };
    if (need->expcnt != RULE_NO_WAIT)
        f[n++] = (struct lint_finding){ .kind = LINT_EXPCNT, .need = *need };
    if (rule_loses_stores(st, in))
        f[n++] = (struct lint_finding){ .kind = LINT_WRITE_BACK, .need = *need };
    return n;
}

static void print_counts(struct text *t, const struct rule_need *need)
{
    if (need->vmcnt != RULE_NO_WAIT)
        text_add(t, " vmcnt(%u)", need->vmcnt);
    if (need->lgkmcnt != RULE_NO_WAIT)
        text_add(t, " lgkmcnt(%u)", need->lgkmcnt);
}

void lint_print_what(struct text *t, const struct lint_finding *f)
{
    const struct rule_hazard_info *hz = &rule_hazards[f->need.hazard];
    switch (f->kind) {
    case LINT_HAZARD:
        if (f->need.vcc)
            text_add(t, "hazard %s needs VCC to be written as a whole", hz->label);
        else
            text_add(t, "hazard %s needs %u wait state%s, has %u", hz->label, hz->waits,
                     hz->waits == 1 ? "" : "s", hz->waits - f->need.nops);
        break;
    case LINT_VMCNT:
        text_add(t, "%s is not waited for, needs s_waitcnt vmcnt(%u)",
                 f->need.vm_place == PLACE_LDS ? "load into LDS" : "memory result", f->need.vmcnt);
        break;
    case LINT_LGKMCNT:
        text_add(t, "%s is not waited for, needs s_waitcnt lgkmcnt(%u)",
                 f->need.lgkm_place == PLACE_LDS   ? "LDS access before a barrier"
                 : f->need.lgkm_place < RULE_SGPRS ? "scalar memory result"
                                                   : "LDS or flat memory result",
                 f->need.lgkmcnt);
        break;
    case LINT_EXPCNT:
        text_add(t, "%s is overwritten, needs s_waitcnt expcnt(%u)",
                 f->need.exp_place == CODE_EXEC ? "EXEC of an export"
                                                : "data of an export, GDS or a store",
                 f->need.expcnt);
        break;
    case LINT_WRITE_BACK: text_add(t, "scalar store is not written back, needs s_dcache_wb"); break;
    case LINT_ORDER:
        text_add(t, "flag is stored before its data is acknowledged, needs s_waitcnt vmcnt(0)");
        break;
    case LINT_CALL:
        text_add(t, "calls a function that does not begin with a wait, needs s_waitcnt");
        print_counts(t, &f->need);
        break;
    case LINT_ENTRY:
        text_add(t, "function may be entered before memory results have arrived, needs s_waitcnt");
        print_counts(t, &f->need);
        break;
    case LINT_RETURN:
        text_add(t, "returns before memory results have arrived, needs s_waitcnt");
        print_counts(t, &f->need);
        break;
    case LINT_CODE: text_add(t, "%s", f->why); break;
    }
}

static void print_place(struct text *t, const struct isa *isa, u32 place)
{
    char name[PLACE_NAME_MAX];
    text_add(t, "%s",
             place == PLACE_LDS ? "LDS" : place_name((enum gen)isa->target->gen, place, name));
}

static void print_hwreg(struct text *t, const struct isa *isa, u32 id)
{
    const char *name = text_hwreg((enum gen)isa->target->gen, id);
    if (name)
        text_add(t, "%s", name);
    else
        text_add(t, "hwreg(%u)", id);
}

/* Hazards whose register is one of the hardware's; false: those that have none. */
static bool print_hazard_place(struct text *t, const struct isa *isa, const struct rule_need *need)
{
    switch (need->hazard) {
    case HZ_setreg_getreg:
    case HZ_setreg_old:
    case HZ_setreg_setreg: print_hwreg(t, isa, need->place); return true;
    case HZ_icache_inv: return false;
    case HZ_setreg_vskip: text_add(t, "MODE"); return true;
    case HZ_setreg_rfe: text_add(t, "TRAPSTS"); return true;
    default: print_place(t, isa, need->place); return true;
    }
}

/* The register of a finding; false: it has none. */
static bool print_register(struct text *t, const struct isa *isa, const struct lint_finding *f)
{
    const struct rule_need *need = &f->need;
    switch (f->kind) {
    case LINT_HAZARD: return print_hazard_place(t, isa, need);
    case LINT_VMCNT: print_place(t, isa, need->vm_place); return true;
    case LINT_LGKMCNT: print_place(t, isa, need->lgkm_place); return true;
    case LINT_EXPCNT: print_place(t, isa, need->exp_place); return true;
    case LINT_CALL:
    case LINT_ENTRY:
    case LINT_RETURN:
        print_place(t, isa, need->vmcnt != RULE_NO_WAIT ? need->vm_place : need->lgkm_place);
        return true;
    case LINT_WRITE_BACK:
    case LINT_ORDER:
    case LINT_CODE: break;
    }
    return false;
}

/* Calls, returns, barriers and what loads into LDS do not name what is under way at them. */
static bool is_at(const struct lint_finding *f)
{
    return f->kind == LINT_CALL || f->kind == LINT_ENTRY || f->kind == LINT_RETURN ||
           (f->kind == LINT_LGKMCNT && f->need.lgkm_place == PLACE_LDS) ||
           (f->kind == LINT_VMCNT && f->need.vm_place == PLACE_LDS);
}

void lint_print_insn(struct text *t, const struct isa *isa, const struct insn *in,
                     const struct lint_finding *f)
{
    char buf[512];
    insn_print(isa, in, buf, sizeof buf);
    text_add(t, ": ");
    if (print_register(t, isa, f))
        text_add(t, "%s", is_at(f) ? " at " : " in ");
    text_add(t, "%s", buf);
}
