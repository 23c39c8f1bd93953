#include "oracle/rule/dataflow.h"

#include <stdlib.h>

/* ---- the graph ---- */

bool dataflow_inside(const struct dataflow *df, u64 address, u32 *at)
{
    u64 off = address - df->pc;
    *at = (u32)(off / 4);
    return off % 4 == 0 && off / 4 < df->dw;
}

/* s_trap comes back: what its handler does is not the program's. */
bool dataflow_jumps(const struct insn *in)
{
    enum isa_flow_target target = isa_flow_target(insn_row(in));
    return target != TARGET_NONE && target != TARGET_HANDLER;
}

static bool has_distance(const struct insn *in)
{
    return isa_flow_target(insn_row(in)) == TARGET_DISTANCE;
}

bool dataflow_is_direct(const struct dataflow *df, const struct insn *in)
{
    return has_distance(in) && !(df->calls_return && isa_flow_calls(insn_row(in)));
}

u64 dataflow_direct_target(const struct dataflow *df, u32 at)
{
    return insn_flow_target(&df->node[at].in, dataflow_address(df, at));
}

/* An address in a pair of scalar registers whose values are known. */
static bool register_target(const struct rule_state *st, u32 code, u64 *target)
{
    for (u32 i = code; i < code + 2; i++)
        if (i >= RULE_SGPRS || !(st->known[i / 64] >> i % 64 & 1))
            return false;
    *target = st->value[code] | (u64)st->value[code + 1] << 32;
    return true;
}

bool dataflow_target(const struct dataflow *df, u32 at, u64 *target)
{
    const struct insn *in = &df->node[at].in;
    if (isa_flow_target(insn_row(in)) == TARGET_REGISTER)
        return register_target(&df->now, insn_flow_register(in), target);
    if (!has_distance(in)) /* what a fork has put aside */
        return false;
    *target = dataflow_direct_target(df, at);
    return true;
}

static bool decode(struct dataflow *df, u32 at)
{
    struct dataflow_node *n = &df->node[at];
    if (!n->decoded)
        insn_decode(df->isa, df->code + at, df->dw - at, &n->in, NULL);
    n->decoded = true;
    return n->in.op != OP_NONE;
}

static void mark_joins(struct dataflow *df)
{
    for (u32 at = 0; at < df->dw;) {
        struct dataflow_node *n = &df->node[at];
        u32 to;
        if (!decode(df, at)) {
            at++;
            continue;
        }
        n->begins = true;
        if (dataflow_is_direct(df, &n->in) &&
            dataflow_inside(df, dataflow_direct_target(df, at), &to))
            df->node[to].join = true;
        at += n->in.dw;
    }
}

static void add_edge(struct dataflow *df, u32 from, u32 to)
{
    struct dataflow_node *n = &df->node[from];
    for (u32 i = 0; i < n->edges; i++)
        if (n->edge[i] == to)
            return;
    if (n->edges < DATAFLOW_EDGES_MAX)
        n->edge[n->edges++] = to;
    else
        n->full = true;
}

enum status dataflow_open(struct dataflow *df, struct err *e)
{
    df->node = calloc(df->dw, sizeof *df->node);
    if (!df->node)
        return err_memory(e);
    mark_joins(df);
    return ST_OK;
}

void dataflow_close(struct dataflow *df)
{
    for (u32 at = 0; df->node && at < df->dw; at++)
        free(df->node[at].st);
    free(df->node);
    df->node = NULL;
}

/* ---- following ---- */

/* df->now reaches a join point. */
static enum status join(struct dataflow *df, u32 at, struct err *e)
{
    struct dataflow_node *n = &df->node[at];
    if (df->is_final)
        return ST_OK;
    if (!n->st) {
        if (df->joins++ == DATAFLOW_JOINS_MAX)
            return err_set(e, ST_INPUT, "%s has more than %d places where paths meet", df->title,
                           DATAFLOW_JOINS_MAX);
        n->st = malloc(sizeof *n->st);
        if (!n->st)
            return err_memory(e);
        rule_copy(n->st, &df->now);
        df->grew |= !n->join;
        n->join = true;
    } else if (!rule_merge(n->st, &df->now)) {
        return ST_OK;
    }
    df->queued += !n->queued;
    n->queued = true;
    return ST_OK;
}

/* From a join point to the next one or to the end. */
static enum status follow(struct dataflow *df, u32 at, struct err *e)
{
    rule_copy(&df->now, df->node[at].st);
    for (bool first = true;; first = false) {
        struct dataflow_exit x = { .to = DATAFLOW_NOWHERE };
        if (!first && df->node[at].join)
            return join(df, at, e);
        if (!decode(df, at))
            return df->lost(df, at, e);
        enum status st = df->step(df, at, &x, e);
        if (st == ST_OK && x.to != DATAFLOW_NOWHERE) {
            add_edge(df, at, x.to);
            st = join(df, x.to, e);
        }
        if (st != ST_OK || !x.next)
            return st;
        u32 next = at + df->node[at].in.dw;
        add_edge(df, at, next);
        at = next;
    }
}

static void queue_all(struct dataflow *df)
{
    for (u32 at = 0; at < df->dw; at++) {
        struct dataflow_node *n = &df->node[at];
        df->queued += n->st && !n->queued;
        n->queued = n->st != NULL;
    }
}

/* A join point that was found late may have been run over before, so that all are followed again.
 * States only lose certainty, so that this ends. */
enum status dataflow_run(struct dataflow *df, const struct rule_state *start, struct err *e)
{
    rule_copy(&df->now, start);
    enum status st = join(df, 0, e);
    while (df->queued && st == ST_OK) {
        df->grew = false;
        for (u32 at = 0; at < df->dw && st == ST_OK; at++) {
            if (!df->node[at].queued)
                continue;
            df->node[at].queued = false;
            df->queued--;
            st = follow(df, at, e);
        }
        if (df->grew)
            queue_all(df);
    }
    return st;
}

enum status dataflow_revisit(struct dataflow *df, struct err *e)
{
    enum status st = ST_OK;
    df->is_final = true;
    for (u32 at = 0; at < df->dw && st == ST_OK; at++)
        if (df->node[at].st)
            st = follow(df, at, e);
    return st;
}
