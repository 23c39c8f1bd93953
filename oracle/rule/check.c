/* Rules on every path of a program, and the proof that every path ends. */
#include "oracle/rule/dataflow.h"

#include "oracle/isa/op.h"
#include "oracle/state/effects.h"

#include <stdlib.h>

/* A program while it is checked: the visitor of its data flow. */
struct check {
    struct dataflow df;
    bool *loop; /* of each dword: its backward branch is that of a counted loop */
};

static enum status complain(const struct dataflow *df, u32 at, const char *what, struct err *e)
{
    const struct insn *in = &df->node[at].in;
    return err_set(e, ST_INPUT, "offset 0x%x, %s: %s", at * 4, in->op ? insn_row(in)->name : "?",
                   what);
}

static enum status check_decodes(const struct dataflow *df, struct err *e)
{
    struct err why = { .text = "" };
    struct insn in;
    for (u32 at = 0; at < df->dw; at += in.dw)
        if (!insn_decode(df->isa, df->code + at, df->dw - at, &in, &why))
            return err_set(e, ST_INPUT, "offset 0x%x: %s", at * 4, why.text);
    return ST_OK;
}

/* ---- one instruction ---- */

static enum status check_need(struct dataflow *df, u32 at, struct err *e)
{
    struct rule_need need;
    if (!rule_need(&df->now, &df->node[at].in, &need))
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
    else if (need.lgkmcnt != RULE_NO_WAIT)
        text_add(&t, "lgkmcnt(%u) is not waited for", need.lgkmcnt);
    else
        text_add(&t, "expcnt(%u) is not waited for", need.expcnt);
    return complain(df, at, what, e);
}

/* Where a jump goes. Asked before the instruction is stepped over, because s_swappc may overwrite
 * its own target. */
static enum status find_target(struct dataflow *df, u32 at, u32 *to, struct err *e)
{
    u64 target;
    if (!dataflow_jumps(&df->node[at].in))
        return ST_OK;
    if (!dataflow_target(df, at, &target))
        return complain(df, at, "jumps to an address that is not known", e);
    if (!dataflow_inside(df, target, to) || !df->node[*to].begins)
        return complain(df, at, "jumps to where no instruction begins", e);
    return ST_OK;
}

static enum status step(struct dataflow *df, u32 at, struct dataflow_exit *x, struct err *e)
{
    const struct insn *in = &df->node[at].in;
    enum status st = check_need(df, at, e);
    if (st == ST_OK)
        st = find_target(df, at, &x->to, e);
    if (st != ST_OK)
        return st;
    rule_step(&df->now, in, dataflow_address(df, at));
    x->next = isa_flow_passes(insn_row(in));
    if (x->next && at + in->dw >= df->dw)
        return complain(df, at, "the program runs past its end", e);
    return ST_OK;
}

/* check_decodes and find_target keep control to where instructions begin. */
static enum status lost(struct dataflow *df, u32 at, struct err *e)
{
    return complain(df, at, "is no instruction", e);
}

/* ---- every path ends ---- */

static u32 before(const struct dataflow *df, u32 at)
{
    do {
        if (at == 0 || at == ~0u)
            return ~0u;
        at--;
    } while (!df->node[at].begins);
    return at;
}

static bool is_op(const struct dataflow *df, u32 at, isa_op op)
{
    return at != ~0u && df->node[at].in.op == op;
}

static u32 field(const struct dataflow *df, u32 at, enum isa_field fld)
{
    return insn_get(&df->node[at].in, fld);
}

enum { LOOP_COUNT_MAX = 64 };

/* The dword that a direct branch of a checked program goes to. */
static u32 branch_target(const struct dataflow *df, u32 at)
{
    u32 to = DATAFLOW_NOWHERE;
    dataflow_inside(df, dataflow_direct_target(df, at), &to);
    return to;
}

/* The compare behind which a branch at `back` goes back: s_cbranch_scc1 head, or s_cbranch_scc0
 * over / s_branch head / over. */
static u32 loop_compare(const struct dataflow *df, u32 back)
{
    u32 cond = before(df, back);
    if (is_op(df, back, OP_s_cbranch_scc1))
        return cond;
    bool over = is_op(df, back, OP_s_branch) && is_op(df, cond, OP_s_cbranch_scc0) &&
                branch_target(df, cond) == back + df->node[back].in.dw;
    return over ? before(df, cond) : ~0u;
}

/* s_movk_i32 C, n / head: ... / s_sub_u32 C, C, 1 / s_cmp_lg_u32 C, 0 / s_cbranch_scc1 head: the
 * last three stand together, nobody else writes C inside, and the loop is entered at its head
 * only. */
static bool is_counted_loop(const struct dataflow *df, u32 head, u32 back)
{
    u32 cmp = loop_compare(df, back), sub = before(df, cmp), init = before(df, head);
    if (!is_op(df, cmp, OP_s_cmp_lg_u32) || !is_op(df, sub, OP_s_sub_u32) ||
        !is_op(df, init, OP_s_movk_i32) || sub < head)
        return false;
    u32 c = field(df, cmp, FLD_ssrc0), n = field(df, init, FLD_simm16);
    if (field(df, cmp, FLD_ssrc1) != CODE_INT_0 || field(df, sub, FLD_ssrc0) != c ||
        field(df, sub, FLD_ssrc1) != CODE_INT_1 || field(df, sub, FLD_sdst) != c ||
        field(df, init, FLD_sdst) != c || n < 1 || n > LOOP_COUNT_MAX)
        return false;
    for (u32 at = head; at <= back; at++)
        if (df->node[at].begins && at != sub && effects_writes(&df->node[at].in, c, 1))
            return false;
    for (u32 at = 0; at < df->dw; at++) {
        for (u32 i = 0; i < df->node[at].edges; i++) {
            u32 to = df->node[at].edge[i];
            bool inside = at >= head && at <= back;
            if (!inside && to >= head && to <= back && !(at == init && to == head))
                return false;
            if ((to == cmp && at != sub) || (to > cmp && to <= back && at != before(df, to)))
                return false;
        }
    }
    return true;
}

static enum status mark_loops(struct check *c, struct err *e)
{
    const struct dataflow *df = &c->df;
    for (u32 at = 0; at < df->dw; at++) {
        const struct dataflow_node *n = &df->node[at];
        if (!n->begins || !n->edges || !dataflow_is_direct(df, &n->in))
            continue;
        u32 to = branch_target(df, at);
        if (to > at)
            continue;
        if (!is_counted_loop(df, to, at))
            return complain(df, at, "branches backward, and is not the end of a counted loop", e);
        c->loop[at] = true;
    }
    return ST_OK;
}

/* Edges that were not kept would be missed by what follows. */
static enum status check_edges(const struct dataflow *df, struct err *e)
{
    for (u32 at = 0; at < df->dw; at++)
        if (df->node[at].full)
            return complain(df, at, "jumps to too many places", e);
    return ST_OK;
}

enum { WHITE, GREY, BLACK };

/* Depth first, with a stack of its own: without the counted loops no path may come back to
 * itself. */
static enum status check_acyclic(const struct check *c, struct err *e)
{
    const struct dataflow *df = &c->df;
    u32 *stack = calloc(df->dw, sizeof *stack), depth = 0;
    u8 *color = calloc(df->dw, sizeof *color), *next = calloc(df->dw, sizeof *next);
    enum status st = stack && color && next ? ST_OK : err_memory(e);
    if (st == ST_OK) {
        stack[depth++] = 0;
        color[0] = GREY;
    }
    while (depth && st == ST_OK) {
        u32 at = stack[depth - 1];
        const struct dataflow_node *n = &df->node[at];
        if (next[at] == n->edges) {
            color[at] = BLACK;
            depth--;
            continue;
        }
        u32 to = n->edge[next[at]++];
        if (c->loop[at] && to <= at)
            continue;
        if (color[to] == GREY)
            st = complain(df, at, "comes back to itself for ever", e);
        if (color[to] != WHITE)
            continue;
        color[to] = GREY;
        stack[depth++] = to;
    }
    free(stack);
    free(color);
    free(next);
    return st;
}

enum status rule_check(const struct isa *isa, const struct rule_program *p, struct err *e)
{
    if (p->dw == 0)
        return err_set(e, ST_INPUT, "the program is empty");
    struct check *c = calloc(1, sizeof *c);
    bool *loop = calloc(p->dw, sizeof *loop);
    struct rule_state *start = malloc(sizeof *start);
    enum status st = c && loop && start ? ST_OK : err_memory(e);
    if (st == ST_OK) {
        c->loop = loop;
        c->df = (struct dataflow){ .isa = isa,
                                   .code = p->code,
                                   .dw = p->dw,
                                   .pc = p->pc,
                                   .title = "the program",
                                   .step = step,
                                   .lost = lost };
        st = dataflow_open(&c->df, e);
    }
    if (st == ST_OK)
        st = check_decodes(&c->df, e);
    if (st == ST_OK) {
        rule_start(start);
        start->lint = p->lint;
        st = dataflow_run(&c->df, start, e);
    }
    if (st == ST_OK)
        st = check_edges(&c->df, e);
    if (st == ST_OK && !p->may_loop)
        st = mark_loops(c, e);
    if (st == ST_OK && !p->may_loop)
        st = check_acyclic(c, e);
    if (c)
        dataflow_close(&c->df);
    free(start);
    free(loop);
    free(c);
    return st;
}
