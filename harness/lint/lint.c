/* The check of one function after the other: a data flow over rule states. */
#include "harness/lint/internal.h"

#include "harness/codeobj/internal.h"
#include "harness/codeobj/user_data.h"
#include "oracle/insn/counter.h"

#include <stdlib.h>

/* ---- one instruction ---- */

/* A register that the kernel does not have. */
static enum status check_registers(struct checked *c, u32 at, struct err *e)
{
    char why[80];
    struct text t;
    struct lint_finding f = { .kind = LINT_CODE, .why = why };
    u32 place;
    if (!c->df.is_final || !allocated_lacks(&c->allocated, &c->df.node[at].in, &place))
        return ST_OK;
    text_init(&t, why, sizeof why);
    text_add(&t, "%s ", insn_row(&c->df.node[at].in)->name);
    allocated_print(&c->allocated, (enum gen)c->df.node[at].in.gen, place, &t);
    return lint_report(c, at, &f, e);
}

static enum status check_one(struct checked *c, u32 at, struct err *e)
{
    struct rule_need need;
    struct lint_finding f[LINT_PER_INSN];
    const struct insn *in = &c->df.node[at].in;
    enum status st = check_registers(c, at, e);
    if (st == ST_OK)
        rule_need(&c->df.now, in, &need);
    u32 count = st == ST_OK && c->df.is_final ? lint_findings(&c->df.now, in, &need, f) : 0;
    for (u32 i = 0; i < count && st == ST_OK; i++)
        st = lint_report(c, at, &f[i], e);
    if (st == ST_OK && rule_asks(&need))
        lint_repair(&c->df.now, &need);
    return st;
}

/* What must have arrived when control goes elsewhere. */
static enum status check_leaving(struct checked *c, u32 at, enum lint_kind kind, struct err *e)
{
    struct lint_finding f = { .kind = kind };
    if (!c->df.is_final || !rule_need_all(&c->df.now, &f.need))
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
    return insn_row(&in)->flags & FLAG_WAIT && counter_get(&counter[COUNTER_vmcnt], imm) == 0 &&
           counter_get(&counter[COUNTER_lgkmcnt], imm) == 0;
}

/* What a return leaves behind. */
static enum status record_exit(struct checked *c, u32 at, struct err *e)
{
    struct rule_state **exit = &c->l->exits[c->fn - c->l->functions], after = c->df.now;
    rule_step(&after, &c->df.node[at].in, 0);
    if (*exit) {
        rule_merge(*exit, &after);
        return ST_OK;
    }
    *exit = malloc(sizeof **exit);
    if (!*exit)
        return err_memory(e);
    **exit = after;
    return ST_OK;
}

/* s_setpc: a jump, a call in tail position, or the return. *next: the dword it goes to in this
 * function, or DATAFLOW_NOWHERE. */
static enum status leave(struct checked *c, u32 at, u32 *next, struct err *e)
{
    const struct insn *in = &c->df.node[at].in;
    u64 target;
    if (dataflow_target(&c->df, at, &target)) {
        if (dataflow_inside(&c->df, target, next))
            return ST_OK;
        *next = DATAFLOW_NOWHERE;
        return begins_with_wait(c, target) ? ST_OK : check_leaving(c, at, LINT_CALL, e);
    }
    if (!c->fn->is_kernel && insn_get(in, FLD_ssrc0) == CODEOBJ_RETURN_SGPR) {
        struct lint_finding lost = { .kind = LINT_WRITE_BACK };
        enum status st = record_exit(c, at, e);
        if (st == ST_OK && c->df.is_final && c->df.now.scalar_dirty)
            st = lint_report(c, at, &lost, e);
        return st == ST_OK ? check_leaving(c, at, LINT_RETURN, e) : st;
    }
    c->l->n->unknown += c->df.is_final;
    return ST_OK;
}

static void call_unknown(struct checked *c, u32 at)
{
    struct lint *l = c->l;
    l->n->unknown += c->df.is_final;
    if (c->df.is_final && !l->caller && rule_need_all(&c->df.now, &l->under_way))
        l->caller = c->fn->vaddr + at * 4ull;
}

/* Everything has arrived, and no register is known. */
static void settle(struct rule_state *st)
{
    st->vm_done = st->vm_now;
    st->lgkm_done = st->lgkm_now;
    st->exp_done = st->exp_now;
    st->scalar_dirty = false;
    memset(st->known, 0, sizeof st->known);
    st->scc_known = false;
}

/* Wait states from before a call at `at` into the function, up to its first branch. */
static enum status check_into(const struct checked *c, u32 at, u64 target, struct err *e)
{
    enum { MOST = 20 }; /* no hazard is longer */
    struct rule_state now = c->df.now;
    u64 vaddr = target - c->l->co->base;
    enum status st = ST_OK;
    settle(&now);
    rule_step(&now, &c->df.node[at].in, 0);
    for (u32 n = 0; n < MOST && st == ST_OK; n++) {
        u32 dw[INSN_DW_MAX] = { 0 };
        struct codeobj_function fn = { .vaddr = vaddr };
        struct dataflow_node node = { .decoded = true };
        struct checked to = { .l = c->l, .fn = &fn, .df = { .dw = 1, .code = dw, .node = &node } };
        struct lint_finding f = { .kind = LINT_HAZARD, .caller = c->fn->vaddr + at * 4ull };
        u32 left = INSN_DW_MAX;
        while (left && !read_code(c, vaddr, dw, left * 4ull))
            left--;
        if (!left || !insn_decode(c->l->isa, dw, left, &node.in, NULL))
            return ST_OK;
        rule_need(&now, &node.in, &f.need);
        if (f.need.nops || f.need.vcc)
            st = lint_report(&to, 0, &f, e);
        lint_repair(&now, &f.need);
        if (insn_row(&node.in)->flags & (FLAG_BRANCH | FLAG_END))
            break;
        rule_step(&now, &node.in, 0);
        vaddr += node.in.dw * 4u;
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
    bool dirty = c->df.now.scalar_dirty;
    if (!dataflow_target(&c->df, at, &target)) {
        call_unknown(c, at);
    } else {
        if (!begins_with_wait(c, target))
            st = check_leaving(c, at, LINT_CALL, e);
        if (st == ST_OK && c->df.is_final)
            st = check_into(c, at, target, e);
        exit = exit_of(c->l, target);
    }
    if (exit)
        c->df.now = *exit;
    else
        lint_begin(c, &c->df.now);
    settle(&c->df.now);
    c->df.now.scalar_dirty = dirty;
    c->df.now.matrix = c->matrix;
    return st;
}

/* ---- following ---- */

/* Jumps other than s_setpc: a fork goes elsewhere and on. A join goes on, or to the other half of a
 * fork, which was followed from there. */
static void follow_jump(struct checked *c, u32 at, u32 *to)
{
    u64 target;
    bool known = dataflow_target(&c->df, at, &target);
    if (!known)
        c->l->n->unknown += c->df.is_final && isa_flow(insn_row(&c->df.node[at].in)) != FLOW_JOIN;
    else if (!dataflow_inside(&c->df, target, to))
        *to = DATAFLOW_NOWHERE;
}

static enum status step(struct dataflow *df, u32 at, struct dataflow_exit *x, struct err *e)
{
    struct checked *c = df->ctx;
    const struct insn *in = &df->node[at].in;
    bool calls = isa_flow_calls(insn_row(in));
    c->l->n->instructions += df->is_final;
    enum status st = check_one(c, at, e);
    if (st == ST_OK && isa_flow(insn_row(in)) == FLOW_SETPC)
        st = leave(c, at, &x->to, e);
    else if (st == ST_OK && dataflow_jumps(in) && !calls)
        follow_jump(c, at, &x->to);
    if (st == ST_OK && calls)
        st = call(c, at, e);
    else if (st == ST_OK)
        rule_step(&df->now, in, dataflow_address(df, at));
    x->next = (calls || isa_flow_passes(insn_row(in))) && at + in->dw < df->dw;
    return st;
}

static enum status lost(struct dataflow *df, u32 at, struct err *e)
{
    struct lint_finding f = { .kind = LINT_CODE, .why = "control reaches no instruction" };
    return df->is_final ? lint_report(df->ctx, at, &f, e) : ST_OK;
}

static bool uses_matrix(const struct checked *c)
{
    bool has_matrix = c->l->isa->target->features >> FEATUREBIT_MAI & 1, uses = false;
    for (u32 at = 0; at < c->df.dw; at++) {
        const struct dataflow_node *n = &c->df.node[at];
        if (n->begins)
            uses |= isa_unit(insn_row(&n->in)) == UNIT_MATRIX ||
                    (isa_flow_calls(insn_row(&n->in)) && has_matrix);
    }
    return uses;
}

static enum status follow_all(struct checked *c, struct err *e)
{
    struct rule_state start;
    c->matrix = uses_matrix(c);
    lint_begin(c, &start);
    enum status st = dataflow_run(&c->df, &start, e);
    if (st == ST_OK && !c->l->learning)
        st = dataflow_revisit(&c->df, e);
    return st == ST_OK && c->has_kernarg ? order_check(c, e) : st;
}

/* A function that trusts its callers, where one leaves results under way. */
static enum status check_entry(struct lint *l, const struct codeobj_function *fn, struct err *e)
{
    u32 dw[INSN_DW_MAX] = { 0 };
    struct dataflow_node first = { .decoded = true };
    struct checked c = { .l = l, .fn = fn, .df = { .dw = 1, .code = dw, .node = &first } };
    struct lint_finding f = { .kind = LINT_ENTRY, .need = l->under_way, .caller = l->caller };
    u64 size = fn->size < sizeof dw ? fn->size : sizeof dw;
    const u8 *bytes = codeobj_image_at(l->co, fn->vaddr, size, NULL);
    if (fn->is_kernel || !bytes || begins_with_wait(&c, l->co->base + fn->vaddr))
        return ST_OK;
    memcpy(dw, bytes, size);
    insn_decode(l->isa, dw, (u32)(size / 4), &first.in, NULL);
    return first.in.op == OP_NONE ? ST_OK : lint_report(&c, 0, &f, e);
}

/* What the descriptor of a kernel allocates (all there are if it has none that can be read), and where
 * its arguments are. */
static void read_descriptor(const struct lint *l, const struct codeobj_function *fn,
                            struct checked *c)
{
    char name[CODEOBJ_NAME_MAX];
    struct codeobj_symbol s;
    struct kernel_desc desc;
    struct err e;
    snprintf(name, sizeof name, "%s.kd", fn->name);
    bool found = fn->is_kernel && codeobj_symbol(l->co, name, &s);
    const u8 *bytes = found ? codeobj_image_at(l->co, s.vaddr, CODEOBJ_DESC_BYTES, NULL) : NULL;
    if (!bytes || codeobj_desc_decode(bytes, l->co->target.cpu->gen, &desc, &e) != ST_OK)
        return;
    c->allocated = (struct allocated){ .vgprs = desc.vgprs, .sgprs = desc.sgprs };
    c->has_kernarg = desc.user_data >> USER_KERNARG_SEGMENT_PTR & 1;
    c->kernarg = user_data_count(desc.user_data, USER_KERNARG_SEGMENT_PTR);
}

static enum status check_function(struct lint *l, const struct codeobj_function *fn, struct err *e)
{
    char title[128];
    struct checked c = { .l = l, .fn = fn };
    u32 dw = (u32)(fn->size / 4);
    const u8 *bytes = codeobj_image_at(l->co, fn->vaddr, dw * 4ull, NULL);
    if (!bytes || dw == 0)
        return ST_OK;
    read_descriptor(l, fn, &c);
    u32 *code = malloc(dw * 4ull);
    if (!code)
        return err_memory(e);
    memcpy(code, bytes, dw * 4ull);
    snprintf(title, sizeof title, "function %.100s", fn->name);
    c.df = (struct dataflow){ .isa = l->isa,
                              .code = code,
                              .dw = dw,
                              .pc = l->co->base + fn->vaddr,
                              .title = title,
                              .calls_return = true,
                              .step = step,
                              .lost = lost,
                              .ctx = &c };
    enum status st = dataflow_open(&c.df, e);
    l->n->functions += !l->learning;
    if (st == ST_OK)
        st = follow_all(&c, e);
    dataflow_close(&c.df);
    free(code);
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
        st = err_memory(e);
    if (st == ST_OK)
        st = debug_line_open(&l.lines, co, e);
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
    debug_line_close(&l.lines);
    for (u32 i = 0; l.exits && i < l.function_count; i++)
        free(l.exits[i]);
    free(l.exits);
    free(l.functions);
    return st;
}
