/* Rules about sequences of instructions, on what the waves of a launch execute. */
#include "harness/launch/internal.h"
#include "harness/lint/lint.h"
#include "oracle/base/array.h"
#include "oracle/isa/op.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SHOWN_MAX = 20 };

struct hazard_watch {
    u64 *places; /* addresses of instructions that violated a rule */
    u32 count, room;
};

struct hazard_watch *hazard_watch_open(void)
{
    return calloc(1, sizeof(struct hazard_watch));
}

void hazard_watch_close(struct hazard_watch *h)
{
    if (h)
        free(h->places);
    free(h);
}

void hazard_watch_start(struct group_runner *g)
{
    for (u32 i = 0; i < g->m->waves; i++)
        lint_start(&g->rules[i], &g->d->co->target);
}

u64 hazard_watch_violations(const struct hazard_watch *h)
{
    return h->count;
}

/* Whether this place is new; forgets it if memory is short, so that it is shown again. */
static bool remember(struct hazard_watch *h, u64 pc)
{
    for (u32 i = 0; i < h->count; i++)
        if (h->places[i] == pc)
            return false;
    u64 *more = array_grow(h->places, &h->room, h->count + 1ull, sizeof *more);
    if (!more)
        return true;
    h->places = more;
    h->places[h->count++] = pc;
    return true;
}

static void show(const struct dispatch *d, const struct wave *w, const struct insn *in,
                 const struct lint_finding *f, u32 count, const u32 group[3])
{
    for (u32 i = 0; i < count; i++) {
        char buf[1024];
        struct text t;
        text_init(&t, buf, sizeof buf);
        where_describe_pc(d, w->pc, &t);
        text_add(&t, ": ");
        lint_print_what(&t, &f[i]);
        lint_print_insn(&t, &d->isa, in, &f[i]);
        fprintf(d->cfg->out, "%s; work-group %u %u %u, wave %u\n", buf, group[0], group[1],
                group[2], w->id);
    }
}

/* A move relative to M0 as one that names its registers. */
static bool moves_relative(const struct dispatch *d, const struct wave *w, const struct insn *in,
                           struct insn *out)
{
    const struct isa_row *row = insn_row(in);
    bool wide = isa_types[row->operand[0].type].dwords == 2;
    bool from = isa_m0(row) == M0_SOURCE, to = isa_m0(row) == M0_DEST;
    u32 index = w->sgpr[CODE_M0], src = insn_get(in, FLD_ssrc0), dst = insn_get(in, FLD_sdst);
    u32 last = wide ? CODE_SGPR_LAST - 1 : CODE_SGPR_LAST;
    src += from ? index : 0;
    dst += to ? index : 0;
    if ((!from && !to) || src > last || dst > last)
        return false;
    insn_start(&d->isa, wide ? OP_s_mov_b64 : OP_s_mov_b32, FORM_BASE, out);
    insn_set(out, FLD_ssrc0, src);
    insn_set(out, FLD_sdst, dst);
    return true;
}

/* Adds what an instruction waits for whose registers depend on M0. */
static void add_waits(const struct rule_state *st, const struct insn *resolved,
                      struct rule_need *need)
{
    struct rule_need more;
    rule_need(st, resolved, &more);
    if (more.vmcnt < need->vmcnt) {
        need->vmcnt = more.vmcnt;
        need->vm_place = more.vm_place;
    }
    if (more.lgkmcnt < need->lgkmcnt) {
        need->lgkmcnt = more.lgkmcnt;
        need->lgkm_place = more.lgkm_place;
    }
}

void hazard_watch_step(struct group_run *run, const struct wave *w, const struct insn *in)
{
    const struct dispatch *d = run->g.d;
    struct hazard_watch *h = d->watch;
    struct rule_state *st = &run->g.rules[w->id];
    struct insn resolved;
    struct rule_need need;
    struct lint_finding f[LINT_PER_INSN];
    if (exec_indexed(w, in, &resolved))
        in = &resolved;
    rule_need(st, in, &need);
    if (moves_relative(d, w, in, &resolved))
        add_waits(st, &resolved, &need);
    if (rule_asks(&need) || rule_loses_stores(st, in)) {
        if (remember(h, w->pc) && h->count <= SHOWN_MAX)
            show(d, w, in, f, lint_findings(st, in, &need, f), run->group);
        lint_repair(st, &need);
    }
    rule_step(st, in, w->pc);
}
