/* Rules on every path of a program: a data flow over rule states, and the proof that every path
 * ends. */
#include "oracle/isa/op.h"
#include "oracle/rule/rule.h"

#include "oracle/base/array.h"
#include "oracle/state/effects.h"

#include <stdlib.h>

enum { EDGES_MAX = 3 };

/* One dword of the program; only those where an instruction begins matter. */
struct spot {
    struct rule_state *st; /* where paths meet; NULL elsewhere */
    struct insn in;
    bool begins; /* an instruction begins here */
    bool queued; /* st changed since it was last followed */
    bool loop;   /* its backward branch is that of a counted loop */
    u8 edges;    /* successors known so far */
    u32 edge[EDGES_MAX];
};

struct flow {
    const struct isa *isa;
    const struct rule_program *p;
    struct spot *spot;
    u32 queued;
    bool grew; /* a meeting point was found late: all have to be followed again */
    struct rule_state now;
    struct err *e;
};

static u64 address(const struct flow *f, u32 at)
{
    return f->p->pc + at * 4ull;
}

static enum status complain(const struct flow *f, u32 at, const char *what)
{
    const struct insn *in = &f->spot[at].in;
    return err_set(f->e, ST_INPUT, "offset 0x%x, %s: %s", at * 4, in->op ? insn_row(in)->name : "?",
                   what);
}

static enum status decode_all(struct flow *f)
{
    struct err why = { .text = "" };
    for (u32 at = 0; at < f->p->dw;) {
        struct spot *s = &f->spot[at];
        if (!insn_decode(f->isa, f->p->code + at, f->p->dw - at, &s->in, &why))
            return err_set(f->e, ST_INPUT, "offset 0x%x: %s", at * 4, why.text);
        s->begins = true;
        at += s->in.dw;
    }
    return ST_OK;
}

/* ---- meeting points ---- */

static enum status meet(struct flow *f, u32 at, const struct rule_state *st)
{
    struct spot *s = &f->spot[at];
    if (!s->st) {
        s->st = malloc(sizeof *s->st);
        if (!s->st)
            return err_memory(f->e);
        *s->st = *st;
        f->grew = true;
    } else if (!rule_merge(s->st, st)) {
        return ST_OK;
    }
    f->queued += !s->queued;
    s->queued = true;
    return ST_OK;
}

static enum status add_edge(struct flow *f, u32 from, u64 target, u32 *to)
{
    u64 off = target - f->p->pc;
    if (off % 4 || off / 4 >= f->p->dw || !f->spot[off / 4].begins)
        return complain(f, from, "jumps to where no instruction begins");
    *to = (u32)(off / 4);
    struct spot *s = &f->spot[from];
    for (u32 i = 0; i < s->edges; i++)
        if (s->edge[i] == *to)
            return ST_OK;
    if (s->edges == EDGES_MAX)
        return complain(f, from, "jumps to too many places");
    s->edge[s->edges++] = *to;
    return ST_OK;
}

/* Branches whose target stands in the instruction. */
static bool is_direct(const struct insn *in)
{
    return insn_row(in)->flags & FLAG_BRANCH && in->op != OP_s_setpc_b64 &&
           in->op != OP_s_swappc_b64;
}

static bool falls_through(const struct insn *in)
{
    switch (in->op) {
    case OP_s_branch:
    case OP_s_call_b64:
    case OP_s_setpc_b64:
    case OP_s_swappc_b64:
    case OP_s_rfe_b64:
    case OP_s_rfe_restore_b64: return false;
    default: return !(insn_row(in)->flags & FLAG_END);
    }
}

static u64 direct_target(const struct flow *f, u32 at)
{
    const struct insn *in = &f->spot[at].in;
    return address(f, at + in->dw) + sext64(insn_get(in, FLD_simm16), 16) * 4;
}

/* The target of s_setpc and s_swappc, from what is known before them. */
static bool register_target(const struct rule_state *st, const struct insn *in, u64 *target)
{
    u32 code = insn_get(in, FLD_ssrc0);
    if (code + 1 >= RULE_SGPRS)
        return false;
    for (u32 i = code; i < code + 2; i++)
        if (!(st->known[i / 64] >> i % 64 & 1))
            return false;
    *target = st->value[code] | (u64)st->value[code + 1] << 32;
    return true;
}

/* ---- following ---- */

static enum status check_one(struct flow *f, u32 at)
{
    struct rule_need need;
    const struct insn *in = &f->spot[at].in;
    if (!rule_need(&f->now, in, &need))
        return ST_OK;
    char what[200];
    struct text t;
    text_init(&t, what, sizeof what);
    if (need.vcc)
        text_add(&t, "%s", rule_hazards[need.hazard].text);
    else if (need.nops)
        text_add(&t, "%u more wait states: %s", need.nops, rule_hazards[need.hazard].text);
    else if (need.vmcnt != RULE_NO_WAIT)
        text_add(&t, "vmcnt(%u) is not waited for", need.vmcnt);
    else
        text_add(&t, "lgkmcnt(%u) is not waited for", need.lgkmcnt);
    return complain(f, at, what);
}

/* The address a jump goes to; 0 if the instruction is none. Asked before the instruction is stepped
 * over, because s_swappc may overwrite its own target. */
static enum status jump_target(struct flow *f, u32 at, u64 *target)
{
    const struct insn *in = &f->spot[at].in;
    *target = 0;
    if (is_direct(in))
        *target = direct_target(f, at);
    else if ((in->op == OP_s_setpc_b64 || in->op == OP_s_swappc_b64) &&
             !register_target(&f->now, in, target))
        return complain(f, at, "jumps to an address that is not known");
    return ST_OK;
}

/* From a meeting point to the next one or to the end. */
static enum status follow(struct flow *f, u32 at)
{
    f->now = *f->spot[at].st;
    for (bool first = true;; first = false) {
        struct spot *s = &f->spot[at];
        u64 target;
        u32 to, next = at + s->in.dw;
        if (!first && s->st)
            return meet(f, at, &f->now);
        enum status st = check_one(f, at);
        if (!st)
            st = jump_target(f, at, &target);
        if (st)
            return st;
        rule_step(&f->now, &s->in, address(f, at));
        if (target && ((st = add_edge(f, at, target, &to)) || (st = meet(f, to, &f->now))))
            return st;
        if (!falls_through(&s->in))
            return ST_OK;
        if (next >= f->p->dw)
            return complain(f, at, "the program runs past its end");
        st = add_edge(f, at, address(f, next), &next);
        if (st)
            return st;
        at = next;
    }
}

static void queue_all(struct flow *f)
{
    for (u32 at = 0; at < f->p->dw; at++) {
        struct spot *s = &f->spot[at];
        f->queued += s->st && !s->queued;
        s->queued = s->st != NULL;
    }
}

/* A meeting point that was found late may have been run over before, so that all are followed
 * again. States only lose certainty, so that this ends. */
static enum status follow_all(struct flow *f)
{
    struct rule_state start;
    rule_start(&start);
    enum status st = meet(f, 0, &start);
    while (f->queued && !st) {
        f->grew = false;
        for (u32 at = 0; at < f->p->dw && !st; at++) {
            if (!f->spot[at].queued)
                continue;
            f->spot[at].queued = false;
            f->queued--;
            st = follow(f, at);
        }
        if (f->grew)
            queue_all(f);
    }
    return st;
}

/* ---- every path ends ---- */

static u32 before(const struct flow *f, u32 at)
{
    do {
        if (at == 0 || at == ~0u)
            return ~0u;
        at--;
    } while (!f->spot[at].begins);
    return at;
}

static bool is_op(const struct flow *f, u32 at, isa_op op)
{
    return at != ~0u && f->spot[at].in.op == op;
}

static u32 field(const struct flow *f, u32 at, enum isa_field fld)
{
    return insn_get(&f->spot[at].in, fld);
}

static bool writes(const struct insn *in, u32 place)
{
    struct effects fx;
    insn_effects(in, &fx);
    for (u32 i = 0; i < fx.count; i++)
        if (fx.e[i].dir & DIR_W && fx.e[i].place <= place &&
            place < (u32)fx.e[i].place + fx.e[i].dw)
            return true;
    return false;
}

enum { CONST_0 = 128, CONST_1 = 129, LOOP_COUNT_MAX = 64 };

/* The compare behind which a branch at `back` goes back: s_cbranch_scc1 head, or s_cbranch_scc0
 * over / s_branch head / over. */
static u32 loop_compare(const struct flow *f, u32 back)
{
    u32 cond = before(f, back);
    if (is_op(f, back, OP_s_cbranch_scc1))
        return cond;
    bool over = is_op(f, back, OP_s_branch) && is_op(f, cond, OP_s_cbranch_scc0) &&
                direct_target(f, cond) == address(f, back + f->spot[back].in.dw);
    return over ? before(f, cond) : ~0u;
}

/* s_movk_i32 C, n / head: ... / s_sub_u32 C, C, 1 / s_cmp_lg_u32 C, 0 / s_cbranch_scc1 head: the
 * last three stand together, nobody else writes C inside, and the loop is entered at its head
 * only. */
static bool is_counted_loop(const struct flow *f, u32 head, u32 back)
{
    u32 cmp = loop_compare(f, back), sub = before(f, cmp), init = before(f, head);
    if (!is_op(f, cmp, OP_s_cmp_lg_u32) || !is_op(f, sub, OP_s_sub_u32) ||
        !is_op(f, init, OP_s_movk_i32) || sub < head)
        return false;
    u32 c = field(f, cmp, FLD_ssrc0), n = field(f, init, FLD_simm16);
    if (field(f, cmp, FLD_ssrc1) != CONST_0 || field(f, sub, FLD_ssrc0) != c ||
        field(f, sub, FLD_ssrc1) != CONST_1 || field(f, sub, FLD_sdst) != c ||
        field(f, init, FLD_sdst) != c || n < 1 || n > LOOP_COUNT_MAX)
        return false;
    for (u32 at = head; at <= back; at++)
        if (f->spot[at].begins && at != sub && writes(&f->spot[at].in, c))
            return false;
    for (u32 at = 0; at < f->p->dw; at++) {
        for (u32 i = 0; i < f->spot[at].edges; i++) {
            u32 to = f->spot[at].edge[i];
            bool inside = at >= head && at <= back;
            if (!inside && to >= head && to <= back && !(at == init && to == head))
                return false;
            if ((to == cmp && at != sub) || (to > cmp && to <= back && at != before(f, to)))
                return false;
        }
    }
    return true;
}

static enum status mark_loops(struct flow *f)
{
    for (u32 at = 0; at < f->p->dw; at++) {
        struct spot *s = &f->spot[at];
        if (!s->begins || !s->edges || !is_direct(&s->in))
            continue;
        u64 off = direct_target(f, at) - f->p->pc;
        if (off / 4 > at)
            continue;
        if (!is_counted_loop(f, (u32)(off / 4), at))
            return complain(f, at, "branches backward, and is not the end of a counted loop");
        s->loop = true;
    }
    return ST_OK;
}

enum { WHITE, GREY, BLACK };

/* Depth first, with a stack of its own: without the counted loops no path may come back to
 * itself. */
static enum status check_acyclic(struct flow *f)
{
    u32 *stack = calloc(f->p->dw, sizeof *stack), depth = 0;
    u8 *color = calloc(f->p->dw, 2), *next = color + f->p->dw;
    enum status st = stack && color ? ST_OK : err_memory(f->e);
    if (!st) {
        stack[depth++] = 0;
        color[0] = GREY;
    }
    while (depth && !st) {
        u32 at = stack[depth - 1];
        const struct spot *s = &f->spot[at];
        if (next[at] == s->edges) {
            color[at] = BLACK;
            depth--;
            continue;
        }
        u32 to = s->edge[next[at]++];
        if (s->loop && to <= at)
            continue;
        if (color[to] == GREY)
            st = complain(f, at, "comes back to itself for ever");
        if (color[to] != WHITE)
            continue;
        color[to] = GREY;
        stack[depth++] = to;
    }
    free(stack);
    free(color);
    return st;
}

enum status rule_check(const struct isa *isa, const struct rule_program *p, struct err *e)
{
    if (p->dw == 0)
        return err_set(e, ST_INPUT, "the program is empty");
    struct flow *f = calloc(1, sizeof *f);
    struct spot *spot = calloc(p->dw, sizeof *spot);
    enum status st = f && spot ? ST_OK : err_memory(e);
    if (!st) {
        *f = (struct flow){ .isa = isa, .p = p, .spot = spot, .e = e };
        st = decode_all(f);
    }
    if (!st)
        st = follow_all(f);
    if (!st && !p->may_loop)
        st = mark_loops(f);
    if (!st && !p->may_loop)
        st = check_acyclic(f);
    for (u32 at = 0; spot && at < p->dw; at++)
        free(spot[at].st);
    free(spot);
    free(f);
    return st;
}
