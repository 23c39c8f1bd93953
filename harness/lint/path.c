/* Findings as lines: where, what, and on which path. */
#include "harness/lint/internal.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    SEARCH_MAX = 20000, /* instructions looked at for the start of a path */
    SEARCH_SOME = 500,  /* the same in a file with so many findings that nobody reads all paths */
    MANY_FINDINGS = 200,
    PATH_MAX_SHOWN = 8 /* points of a path that are printed */
};

/* Predecessors of all instructions, from the edges found on the way. */
static enum status list_before(struct checked *c, struct err *e)
{
    if (c->before)
        return ST_OK;
    u32 edges = 0;
    for (u32 at = 0; at < c->df.dw; at++)
        edges += c->df.node[at].edges;
    c->before = malloc((edges + 1ull) * sizeof *c->before);
    c->before_at = calloc(c->df.dw + 2ull, sizeof *c->before_at);
    if (!c->before || !c->before_at)
        return err_memory(e);
    for (u32 at = 0; at < c->df.dw; at++)
        for (u32 i = 0; i < c->df.node[at].edges; i++)
            c->before_at[c->df.node[at].edge[i] + 2]++;
    for (u32 at = 0; at < c->df.dw; at++)
        c->before_at[at + 2] += c->before_at[at + 1];
    for (u32 at = 0; at < c->df.dw; at++) /* each start moves on to the next one's */
        for (u32 i = 0; i < c->df.node[at].edges; i++)
            c->before[c->before_at[c->df.node[at].edge[i] + 1]++] = at;
    return ST_OK;
}

/* Whether what is needed after the steps is the finding. */
static bool shows(const struct checked *c, const struct rule_state *st, u32 at,
                  const struct lint_finding *f, bool exactly)
{
    struct rule_need need;
    struct rule_state start;
    if (f->kind == LINT_CALL || f->kind == LINT_RETURN)
        return rule_need_all(st, &need);
    if (f->kind == LINT_WRITE_BACK)
        return st->scalar_dirty;
    if (f->kind == LINT_ORDER) { /* the path begins with the store */
        lint_begin(c, &start);
        return st->vm_done == start.vm_done;
    }
    rule_need(st, &c->df.node[at].in, &need);
    switch (f->kind) {
    case LINT_HAZARD:
        return need.hazard == f->need.hazard && need.vcc == f->need.vcc &&
               (exactly ? need.nops == f->need.nops : need.nops > 0 || need.vcc);
    case LINT_VMCNT: return need.vmcnt != RULE_NO_WAIT;
    case LINT_LGKMCNT: return need.lgkmcnt != RULE_NO_WAIT;
    case LINT_EXPCNT: return need.expcnt != RULE_NO_WAIT;
    default: return false;
    }
}

/* Whether the path from `from` to `at`, along `after`, shows the finding by itself. */
static bool path_shows(const struct checked *c, u32 from, u32 at, const u32 *after,
                       const struct lint_finding *f)
{
    struct rule_state st;
    lint_begin(c, &st);
    u32 p = from;
    do {
        rule_step(&st, &c->df.node[p].in, 0);
        p = after[p];
    } while (p != at);
    return shows(c, &st, at, f, true);
}

/* Backward, breadth first, from the finding to the instruction that began it. */
static u32 find_start(const struct checked *c, u32 at, const struct lint_finding *f, u32 *after,
                      u32 *queue)
{
    u32 head = 0, tail = 0, most = c->l->n->findings < MANY_FINDINGS ? SEARCH_MAX : SEARCH_SOME;
    for (u32 p = at;; p = queue[head++]) {
        for (u32 i = c->before_at[p]; i < c->before_at[p + 1]; i++) {
            u32 b = c->before[i];
            if (after[b] != ~0u || tail == most)
                continue;
            after[b] = p;
            queue[tail++] = b;
            if (f->kind == LINT_ORDER && b != f->from)
                continue;
            struct rule_state st;
            lint_begin(c, &st);
            rule_step(&st, &c->df.node[b].in, 0);
            if (shows(c, &st, at, f, false) && path_shows(c, b, at, after, f))
                return b;
        }
        if (head == tail)
            return ~0u;
    }
}

static u64 shown_address(const struct checked *c, u32 at)
{
    return codeobj_shown_address(c->l->co, c->fn->vaddr + at * 4ull);
}

/* The start, both ends of every branch that is taken, and the finding. */
static void print_path(struct text *t, const struct checked *c, u32 from, u32 at, const u32 *after)
{
    u32 shown = 1;
    text_add(t, " on path 0x%" PRIx64, shown_address(c, from));
    for (u32 p = from; p != at; p = after[p]) {
        u32 next = after[p];
        bool taken = next != p + c->df.node[p].in.dw;
        if (taken && shown < PATH_MAX_SHOWN) {
            if (p != from)
                text_add(t, "->0x%" PRIx64, shown_address(c, p));
            if (next != at)
                text_add(t, "->0x%" PRIx64, shown_address(c, next));
            shown += 2;
        } else if (taken && shown == PATH_MAX_SHOWN) {
            text_add(t, "->...");
            shown++;
        }
    }
    text_add(t, "->0x%" PRIx64, shown_address(c, at));
}

static enum status add_path(struct text *t, struct checked *c, u32 at, const struct lint_finding *f,
                            struct err *e)
{
    enum status st = list_before(c, e);
    u32 *after = malloc(c->df.dw * sizeof *after), *queue = malloc(SEARCH_MAX * sizeof *queue);
    if (st == ST_OK && (!after || !queue))
        st = err_memory(e);
    if (st == ST_OK) {
        memset(after, 0xff, c->df.dw * sizeof *after);
        u32 from = find_start(c, at, f, after, queue);
        if (from != ~0u)
            print_path(t, c, from, at, after);
        else
            text_add(t, " on some path");
    }
    free(after);
    free(queue);
    return st;
}

enum status lint_report(struct checked *c, u32 at, const struct lint_finding *f, struct err *e)
{
    char buf[2048];
    struct text t;
    enum status st = ST_OK;
    const struct debug_line *line = debug_line_at(&c->l->lines, c->fn->vaddr + at * 4ull);
    text_init(&t, buf, sizeof buf);
    text_add(&t, ":0x%" PRIx64, shown_address(c, at));
    if (line)
        text_add(&t, " (%.200s:%u)", line->file, line->line);
    text_add(&t, ": ");
    lint_print_what(&t, f);
    if (f->caller)
        text_add(&t, " on path 0x%" PRIx64 "->0x%" PRIx64,
                 codeobj_shown_address(c->l->co, f->caller), shown_address(c, at));
    else if (f->kind != LINT_CODE)
        st = add_path(&t, c, at, f, e);
    if (f->kind != LINT_CODE)
        lint_print_insn(&t, c->l->isa, &c->df.node[at].in, f);
    c->l->n->findings++;
    fprintf(c->l->cfg->out, "%s%s\n", c->l->cfg->title, buf);
    return st;
}
