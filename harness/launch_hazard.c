/* Rules about sequences of instructions, on what the waves of a launch execute. */
#include "harness/launch_in.h"
#include "harness/lint.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SHOWN_MAX = 20 };

struct hazard_watch {
    struct rule_state st[MAX_GROUP_WAVES];
    u64 *places; /* addresses of instructions that violated a rule */
    u32 count, room;
};

struct hazard_watch *watch_open(void)
{
    return calloc(1, sizeof(struct hazard_watch));
}

void watch_close(struct hazard_watch *h)
{
    if (h)
        free(h->places);
    free(h);
}

void watch_start(struct hazard_watch *h, const struct codeobj_target *target)
{
    for (u32 i = 0; i < MAX_GROUP_WAVES; i++)
        lint_start(&h->st[i], target);
}

u64 watch_violations(const struct hazard_watch *h)
{
    return h->count;
}

/* Whether this place is new; forgets it if memory is short, so that it is shown again. */
static bool remember(struct hazard_watch *h, u64 pc)
{
    for (u32 i = 0; i < h->count; i++)
        if (h->places[i] == pc)
            return false;
    if (h->count == h->room) {
        u32 room = h->room ? h->room * 2 : 64;
        u64 *more = realloc(h->places, room * sizeof *more);
        if (!more)
            return true;
        h->places = more;
        h->room = room;
    }
    h->places[h->count++] = pc;
    return true;
}

static void show(const struct dispatch *d, const struct wave *w, const struct insn *in,
                 const struct rule_need *need, const u32 group[3])
{
    struct lint_finding f[LINT_PER_INSN];
    u32 count = lint_findings(need, f);
    for (u32 i = 0; i < count; i++) {
        char buf[1024];
        struct text t;
        text_init(&t, buf, sizeof buf);
        describe_pc(d, w->pc, &t);
        text_add(&t, ": ");
        lint_print_what(&t, &f[i]);
        lint_print_insn(&t, &d->isa, in, &f[i]);
        fprintf(d->cfg->out, "%s; work-group %u %u %u, wave %u\n", buf, group[0], group[1],
                group[2], w->id);
    }
}

void watch_step(struct hazard_watch *h, const struct dispatch *d, const struct wave *w,
                const struct insn *in, const u32 group[3])
{
    struct rule_state *st = &h->st[w->id];
    struct rule_need need;
    if (rule_need(st, in, &need)) {
        if (remember(h, w->pc) && h->count <= SHOWN_MAX)
            show(d, w, in, &need, group);
        lint_repair(st, &need);
    }
    rule_step(st, in, w->pc);
}
