/* Why a launch came to no end. */
#include "harness/launch/internal.h"

#include <inttypes.h>

enum { NULL_PAGE = 4096 };

/* Which buffer an address lies in or behind, for the message about a violation. */
static void describe_address(const struct dispatch *d, u64 address, struct text *t)
{
    text_add(t, "memory violation at 0x%" PRIx64, address);
    if (address < NULL_PAGE)
        text_add(t, " (a null pointer)");
    else if (address - GPU_DEVICE_QUEUE < DEVICE_QUEUE_SIZE)
        text_add(t, ", the queue for enqueue_kernel: kernels that are launched from the device are "
                    "not modelled");
    else if (address >= GPU_SCRATCH_BASE && address < GPU_BUFFER_BASE)
        text_add(t, ", behind the private memory, %u bytes for a work-item (recursion?)",
                 d->private_size);
    for (u32 i = 0; i < d->l->arg_count; i++) {
        const struct launch_arg *a = &d->l->args[i];
        u64 offset = address - d->ka.addresses[i];
        if (launch_arg_is_buffer(a) && offset < a->size + BUFFER_GUARD)
            text_add(t, ", argument %u (%s of %" PRIu64 " bytes) byte %" PRIu64 "%s", i, a->word,
                     a->size, offset,
                     d->cfg->check_memory && a->kind == LARG_BUF && offset < a->size
                         ? ", which is only read (buf)"
                         : "");
    }
}

static const char *stands_for(enum stop stop)
{
    return stop == STOP_BARRIER ? " (barrier)" : stop == STOP_GWS ? " (global wave sync)" : "";
}

/* Where the waves of a work-group stand that have not ended. */
static void describe_waves(const struct dispatch *d, const struct machine *m, struct text *t)
{
    for (u32 i = 0; i < m->waves; i++) {
        const struct wave *w = m->wave[i];
        if (w->stop == STOP_END)
            continue;
        text_add(t, "; wave %u at 0x%" PRIx64 "%s", i, where_shown_pc(d, w->pc),
                 stands_for(w->stop));
    }
}

void stop_describe(const struct group_run *run, enum stop stop, u32 who, struct launch_result *r)
{
    const struct dispatch *d = run->g.d;
    const struct machine *m = run->g.m;
    const struct wave *w = m->wave[who];
    struct text t;
    text_init(&t, r->why, sizeof r->why);
    where_describe_pc(d, stop == STOP_SPIN ? w->pc : w->stop_pc, &t);
    text_add(&t, ": ");
    if (stop == STOP_FAULT && !w->faulted)
        text_add(&t, "access outside LDS: byte %" PRIu64 ", the work-group has %u", w->fault_addr,
                 d->lds_size);
    else if (stop == STOP_FAULT)
        describe_address(d, w->fault_addr, &t);
    else if (stop == STOP_LIMIT)
        text_add(&t,
                 "%" PRIu64
                 " instructions without an end (--max-steps): a loop, or a wait for another wave",
                 d->cfg->max_steps);
    else if (stop == STOP_NONE)
        text_add(&t, d->cfg->debug ? "ended by the debugger" : "break");
    else
        text_add(&t, "%s", w->why[0] ? w->why : machine_stop_text(stop));
    if (stop == STOP_FAULT || stop >= STOP_LIMIT || stop == STOP_NONE || stop == STOP_GWS)
        text_add(&t, "; work-group %u %u %u, wave %u", run->group[0], run->group[1], run->group[2],
                 w->id);
    if (stop >= STOP_LIMIT || stop == STOP_GWS)
        describe_waves(d, m, &t);
}

enum { PLACES_MAX = 8 };

/* Waves of all work-groups that stand at one instruction for one reason. */
struct standing {
    u64 pc;
    enum stop stop;
    u32 count;
};

void stop_describe_all(const struct group_run *const *runs, u32 count, u64 not_begun,
                       struct launch_result *r)
{
    struct standing at[PLACES_MAX];
    u32 places = 0, others = 0;
    struct text t;
    size_t len = strlen(r->why);
    text_init(&t, r->why + len, sizeof r->why - len);
    for (u32 i = 0; i < count; i++)
        for (u32 k = 0; k < runs[i]->g.m->waves; k++) {
            const struct wave *w = runs[i]->g.m->wave[k];
            u32 p = 0;
            while (p < places && (at[p].pc != w->pc || at[p].stop != w->stop))
                p++;
            if (w->stop == STOP_END)
                continue;
            if (p == places && places < PLACES_MAX)
                at[places++] = (struct standing){ w->pc, w->stop, 0 };
            if (p < places)
                at[p].count++;
            else
                others++;
        }
    text_add(&t, "; work-groups under way: %u, waves", count);
    for (u32 p = 0; p < places; p++)
        text_add(&t, "%s %u at 0x%" PRIx64 "%s", p ? "," : "", at[p].count,
                 where_shown_pc(runs[0]->g.d, at[p].pc), stands_for(at[p].stop));
    if (others)
        text_add(&t, ", %u elsewhere", others);
    if (not_begun)
        text_add(&t, "; %" PRIu64 " are not begun: no more can be resident (--resident)",
                 not_begun);
}
