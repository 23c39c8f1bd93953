/* The check of one function after the other: a data flow over rule states. */
#include "harness/lint/internal.h"

#include "harness/codeobj/internal.h"
#include "oracle/insn/counter.h"
#include "oracle/isa/op.h"
#include "oracle/state/effects.h"

#include <stdlib.h>

enum { RETURN_SGPR = 30 }; /* s[30:31] holds the return address by LLVM's calling convention */

static u64 address(const struct checked *c, u32 at)
{
    return c->l->co->base + c->fn->vaddr + at * 4ull;
}

/* Decodes what stands at a dword; false if it is no instruction. */
static bool look(struct checked *c, u32 at)
{
    struct spot *s = &c->spot[at];
    if (!s->decoded) {
        insn_decode(c->l->isa, c->code + at, c->dw - at, &s->in, NULL);
        s->decoded = true;
    }
    return s->in.op != OP_NONE;
}

/* ---- where an instruction goes on ---- */

static bool is_direct(const struct insn *in)
{
    return insn_row(in)->flags & FLAG_BRANCH && insn_row(in)->operand[0].kind == K_LABEL;
}

static bool is_call(const struct insn *in)
{
    return in->op == OP_s_swappc_b64 || in->op == OP_s_call_b64;
}

static bool falls_through(const struct insn *in)
{
    switch (in->op) {
    case OP_s_branch:
    case OP_s_setpc_b64:
    case OP_s_cbranch_g_fork:
    case OP_s_cbranch_join:
    case OP_s_rfe_b64:
    case OP_s_rfe_restore_b64: return false;
    default: return !(insn_row(in)->flags & FLAG_END);
    }
}

/* The dword of an address; false if it is outside the function. */
static bool inside(const struct checked *c, u64 target, u32 *at)
{
    u64 off = target - address(c, 0);
    *at = (u32)(off / 4);
    return off % 4 == 0 && off / 4 < c->dw;
}

/* The target of s_setpc, s_swappc and s_call, if it is known. */
static bool known_target(const struct checked *c, u32 at, u64 *target)
{
    const struct insn *in = &c->spot[at].in;
    const struct rule_state *st = &c->now;
    if (in->op == OP_s_call_b64) {
        *target = address(c, at + in->dw) + sext64(insn_get(in, FLD_simm16), 16) * 4;
        return true;
    }
    u32 code = insn_get(in, FLD_ssrc0);
    for (u32 i = code; i < code + 2; i++)
        if (i >= RULE_SGPRS || !(st->known[i / 64] >> i % 64 & 1))
            return false;
    *target = st->value[code] | (u64)st->value[code + 1] << 32;
    return true;
}

static void add_edge(struct checked *c, u32 from, u32 to)
{
    struct spot *s = &c->spot[from];
    for (u32 i = 0; i < s->edges; i++)
        if (s->edge[i] == to)
            return;
    if (s->edges < EDGES_MAX)
        s->edge[s->edges++] = to;
}

/* ---- meeting points ---- */

static enum status meet(struct checked *c, u32 at, struct err *e)
{
    struct spot *s = &c->spot[at];
    if (c->reporting)
        return ST_OK;
    if (!s->st) {
        if (c->meetings++ == MEETINGS_MAX)
            return err_set(e, ST_INPUT, "function %.100s has more than %d places where paths meet",
                           c->fn->name, MEETINGS_MAX);
        s->st = malloc(sizeof *s->st);
        if (!s->st)
            return err_set(e, ST_WORLD, "out of memory");
        *s->st = c->now;
        c->grew |= !s->meeting;
        s->meeting = true;
    } else if (!rule_merge(s->st, &c->now)) {
        return ST_OK;
    }
    c->queued += !s->queued;
    s->queued = true;
    return ST_OK;
}

/* Marks the targets of direct branches, so that paths meet there from the start. */
static void mark_meetings(struct checked *c)
{
    bool has_matrix = isa_has(c->l->isa, OP_v_accvgpr_read_b32);
    for (u32 at = 0; at < c->dw;) {
        const struct insn *in = &c->spot[at].in;
        u32 to;
        if (!look(c, at)) {
            at++;
            continue;
        }
        c->matrix |= insn_row(in)->enc == ENC_MAI || (is_call(in) && has_matrix);
        if (is_direct(in) &&
            inside(c, address(c, at + in->dw) + sext64(insn_get(in, FLD_simm16), 16) * 4, &to))
            c->spot[to].meeting = true;
        at += in->dw;
    }
}

/* ---- one instruction ---- */

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
        st->vccz_stale = false;
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

static enum status check_one(struct checked *c, u32 at, struct err *e)
{
    struct rule_need need;
    struct lint_finding f[LINT_PER_INSN];
    enum status st = ST_OK;
    if (!rule_need(&c->now, &c->spot[at].in, &need))
        return ST_OK;
    u32 count = c->reporting ? lint_findings(&need, f) : 0;
    for (u32 i = 0; i < count && st == ST_OK; i++)
        st = lint_report(c, at, &f[i], e);
    lint_repair(&c->now, &need);
    return st;
}

/* What must have arrived when control goes elsewhere. */
static enum status check_leaving(struct checked *c, u32 at, enum lint_kind kind, struct err *e)
{
    struct lint_finding f = { .kind = kind };
    if (!c->reporting || !rule_need_all(&c->now, &f.need))
        return ST_OK;
    return lint_report(c, at, &f, e);
}

/* Copies code at an address of the file; false if it is not all there. */
static bool read_code(const struct checked *c, u64 vaddr, u32 *dw, u64 size)
{
    const struct codeobj_segment *seg;
    const u8 *bytes = codeobj_image_at(c->l->co, vaddr, size, &seg);
    if (!bytes || !seg->is_executable)
        return false;
    memcpy(dw, bytes, size);
    return true;
}

/* Whether the code at an address begins with a wait for everything. */
static bool begins_with_wait(const struct checked *c, u64 target)
{
    u32 dw[INSN_DW_MAX] = { 0 };
    struct insn in;
    if (!read_code(c, target - c->l->co->base, dw, 4))
        return true; /* nothing is known of it */
    insn_decode(c->l->isa, dw, 1, &in, NULL);
    const struct counter *counter = counter_table((enum gen)in.gen);
    u32 imm = insn_get(&in, FLD_simm16);
    return in.op == OP_s_waitcnt && counter_get(&counter[COUNTER_vmcnt], imm) == 0 &&
           counter_get(&counter[COUNTER_lgkmcnt], imm) == 0;
}

/* What a return leaves behind. */
static enum status record_exit(struct checked *c, u32 at, struct err *e)
{
    struct rule_state **exit = &c->l->exits[c->fn - c->l->functions], after = c->now;
    rule_step(&after, &c->spot[at].in, 0);
    if (*exit) {
        rule_merge(*exit, &after);
        return ST_OK;
    }
    *exit = malloc(sizeof **exit);
    if (!*exit)
        return err_set(e, ST_WORLD, "out of memory");
    **exit = after;
    return ST_OK;
}

/* s_setpc: a jump, a call in tail position, or the return. *next: the dword it goes to in this
 * function, or ~0. */
static enum status leave(struct checked *c, u32 at, u32 *next, struct err *e)
{
    const struct insn *in = &c->spot[at].in;
    u64 target;
    *next = ~0u;
    if (known_target(c, at, &target)) {
        if (inside(c, target, next))
            return ST_OK;
        *next = ~0u;
        return begins_with_wait(c, target) ? ST_OK : check_leaving(c, at, LINT_CALL, e);
    }
    if (!c->fn->is_kernel && insn_get(in, FLD_ssrc0) == RETURN_SGPR) {
        enum status st = record_exit(c, at, e);
        return st == ST_OK ? check_leaving(c, at, LINT_RETURN, e) : st;
    }
    c->l->n->unknown += c->reporting;
    return ST_OK;
}

static void call_unknown(struct checked *c, u32 at)
{
    struct lint *l = c->l;
    l->n->unknown += c->reporting;
    if (c->reporting && !l->caller && rule_need_all(&c->now, &l->under_way))
        l->caller = c->fn->vaddr + at * 4ull;
}

/* Everything has arrived, and no register is known. */
static void settle(struct rule_state *st)
{
    st->vm_done = st->vm_now;
    st->lgkm_done = st->lgkm_now;
    st->exp_done = st->exp_now;
    memset(st->known, 0, sizeof st->known);
    st->scc_known = false;
}

/* Wait states from before a call at `at` into the function, up to its first branch. */
static enum status check_into(const struct checked *c, u32 at, u64 target, struct err *e)
{
    enum { MOST = 20 }; /* no hazard is longer */
    struct rule_state now = c->now;
    u64 vaddr = target - c->l->co->base;
    enum status st = ST_OK;
    settle(&now);
    rule_step(&now, &c->spot[at].in, 0);
    for (u32 n = 0; n < MOST && st == ST_OK; n++) {
        u32 dw[INSN_DW_MAX] = { 0 };
        struct codeobj_function fn = { .vaddr = vaddr };
        struct spot spot = { .decoded = true };
        struct checked to = { .l = c->l, .fn = &fn, .dw = 1, .code = dw, .spot = &spot };
        struct lint_finding f = { .kind = LINT_HAZARD, .caller = c->fn->vaddr + at * 4ull };
        u32 left = INSN_DW_MAX;
        while (left && !read_code(c, vaddr, dw, left * 4ull))
            left--;
        if (!left || !insn_decode(c->l->isa, dw, left, &spot.in, NULL))
            return ST_OK;
        rule_need(&now, &spot.in, &f.need);
        if (f.need.nops || f.need.vcc)
            st = lint_report(&to, 0, &f, e);
        lint_repair(&now, &f.need);
        if (insn_row(&spot.in)->flags & (FLAG_BRANCH | FLAG_END))
            break;
        rule_step(&now, &spot.in, 0);
        vaddr += spot.in.dw * 4u;
    }
    return st;
}

/* What the function at an address leaves behind when it returns; NULL if that is not known. */
static const struct rule_state *exit_of(const struct lint *l, u64 target)
{
    for (u32 i = 0; i < l->function_count; i++)
        if (l->functions[i].vaddr == target - l->co->base)
            return l->exits[i];
    return NULL;
}

/* A call: afterwards everything has arrived, and no register is known. */
static enum status call(struct checked *c, u32 at, struct err *e)
{
    u64 target;
    enum status st = ST_OK;
    const struct rule_state *exit = NULL;
    if (!known_target(c, at, &target)) {
        call_unknown(c, at);
    } else {
        if (!begins_with_wait(c, target))
            st = check_leaving(c, at, LINT_CALL, e);
        if (st == ST_OK && c->reporting)
            st = check_into(c, at, target, e);
        exit = exit_of(c->l, target);
    }
    if (exit)
        c->now = *exit;
    else
        lint_start(&c->now, &c->l->co->target);
    settle(&c->now);
    c->now.matrix = c->matrix;
    return st;
}

/* ---- following ---- */

static enum status jump(struct checked *c, u32 from, u32 to, struct err *e)
{
    add_edge(c, from, to);
    return meet(c, to, e);
}

/* Steps over the instruction at `at`; *next is where control goes on, ~0: nowhere else. */
static enum status step(struct checked *c, u32 at, u32 *next, struct err *e)
{
    const struct insn *in = &c->spot[at].in;
    u32 to = ~0u;
    enum status st = check_one(c, at, e);
    if (st == ST_OK && in->op == OP_s_setpc_b64)
        st = leave(c, at, &to, e);
    if (st == ST_OK && is_call(in))
        st = call(c, at, e);
    else if (st == ST_OK)
        rule_step(&c->now, in, address(c, at));
    if (st == ST_OK && in->op == OP_s_setpc_b64 && to != ~0u)
        st = jump(c, at, to, e);
    else if (st == ST_OK && is_direct(in) &&
             inside(c, address(c, at + in->dw) + sext64(insn_get(in, FLD_simm16), 16) * 4, &to))
        st = jump(c, at, to, e);
    *next = at + in->dw;
    if (!falls_through(in) || *next >= c->dw)
        *next = ~0u;
    else
        add_edge(c, at, *next);
    return st;
}

/* From a meeting point to the next one or to the end. */
static enum status follow(struct checked *c, u32 at, struct err *e)
{
    enum status st = ST_OK;
    c->now = *c->spot[at].st;
    for (bool first = true; st == ST_OK && at != ~0u; first = false) {
        struct spot *s = &c->spot[at];
        if (!first && (s->st || s->meeting))
            return meet(c, at, e);
        if (!look(c, at)) {
            struct lint_finding f = { .kind = LINT_CODE, .why = "control reaches no instruction" };
            return c->reporting ? lint_report(c, at, &f, e) : ST_OK;
        }
        c->l->n->instructions += c->reporting;
        st = step(c, at, &at, e);
    }
    return st;
}

static void queue_all(struct checked *c)
{
    for (u32 at = 0; at < c->dw; at++) {
        struct spot *s = &c->spot[at];
        c->queued += s->st && !s->queued;
        s->queued = s->st != NULL;
    }
}

/* A meeting point that was found late may have been run over before, so that all are followed
 * again. States only lose certainty, so that this ends. */
static enum status follow_all(struct checked *c, struct err *e)
{
    mark_meetings(c);
    lint_start(&c->now, &c->l->co->target);
    c->now.matrix = c->matrix;
    enum status st = meet(c, 0, e);
    while (c->queued && st == ST_OK) {
        c->grew = false;
        for (u32 at = 0; at < c->dw && st == ST_OK; at++) {
            if (!c->spot[at].queued)
                continue;
            c->spot[at].queued = false;
            c->queued--;
            st = follow(c, at, e);
        }
        if (c->grew)
            queue_all(c);
    }
    c->reporting = !c->l->learning;
    for (u32 at = 0; at < c->dw && st == ST_OK && c->reporting; at++)
        if (c->spot[at].st)
            st = follow(c, at, e);
    return st;
}

/* A function that trusts its callers, where one leaves results under way. */
static enum status check_entry(struct lint *l, const struct codeobj_function *fn, struct err *e)
{
    u32 dw[INSN_DW_MAX] = { 0 };
    struct spot first = { .decoded = true };
    struct checked c = { .l = l, .fn = fn, .dw = 1, .code = dw, .spot = &first };
    struct lint_finding f = { .kind = LINT_ENTRY, .need = l->under_way, .caller = l->caller };
    u64 size = fn->size < sizeof dw ? fn->size : sizeof dw;
    const u8 *bytes = codeobj_image_at(l->co, fn->vaddr, size, NULL);
    if (fn->is_kernel || !bytes || begins_with_wait(&c, l->co->base + fn->vaddr))
        return ST_OK;
    memcpy(dw, bytes, size);
    insn_decode(l->isa, dw, (u32)(size / 4), &first.in, NULL);
    return first.in.op == OP_NONE ? ST_OK : lint_report(&c, 0, &f, e);
}

static enum status check_function(struct lint *l, const struct codeobj_function *fn, struct err *e)
{
    struct checked c = { .l = l, .fn = fn, .dw = (u32)(fn->size / 4) };
    const u8 *bytes = codeobj_image_at(l->co, fn->vaddr, c.dw * 4ull, NULL);
    if (!bytes || c.dw == 0)
        return ST_OK;
    c.code = malloc(c.dw * 4ull);
    c.spot = calloc(c.dw, sizeof *c.spot);
    enum status st = c.code && c.spot ? ST_OK : err_set(e, ST_WORLD, "out of memory");
    if (st == ST_OK) {
        memcpy(c.code, bytes, c.dw * 4ull);
        l->n->functions += !l->learning;
        st = follow_all(&c, e);
    }
    for (u32 at = 0; c.spot && at < c.dw; at++)
        free(c.spot[at].st);
    free(c.spot);
    free(c.code);
    free(c.before);
    free(c.before_at);
    return st;
}

enum status lint_object(struct codeobj *co, const struct isa *isa, const struct lint_cfg *cfg,
                        struct lint_counts *n, struct err *e)
{
    struct lint l = { .co = co, .isa = isa, .cfg = cfg, .n = n };
    enum status st = codeobj_functions(co, &l.functions, &l.function_count, e);
    l.exits = calloc(l.function_count + 1ull, sizeof *l.exits);
    if (st == ST_OK && !l.exits)
        st = err_set(e, ST_WORLD, "out of memory");
    if (st == ST_OK)
        lint_lines_open(&l.lines, co);
    l.learning = true;
    for (u32 i = 0; i < l.function_count && st == ST_OK; i++)
        if (!l.functions[i].is_kernel)
            st = check_function(&l, &l.functions[i], e);
    l.learning = false;
    for (u32 i = 0; i < l.function_count && st == ST_OK; i++)
        if (!cfg->symbol || strcmp(cfg->symbol, l.functions[i].name) == 0)
            st = check_function(&l, &l.functions[i], e);
    for (u32 i = 0; i < l.function_count && st == ST_OK && l.caller; i++)
        if (!cfg->symbol || strcmp(cfg->symbol, l.functions[i].name) == 0)
            st = check_entry(&l, &l.functions[i], e);
    lint_lines_close(&l.lines);
    for (u32 i = 0; l.exits && i < l.function_count; i++)
        free(l.exits[i]);
    free(l.exits);
    free(l.functions);
    return st;
}
