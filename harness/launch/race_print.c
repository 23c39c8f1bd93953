/* What --check-races prints. */
#include "harness/launch/race.h"

#include <inttypes.h>

enum { SHOWN_MAX = 20 };

static const char *const verbs[] = { "loads", "loads", "loads", "stores", "changes" };
static const char *const done[] = { "loaded", "loaded", "loaded", "stored", "changed" };

static const char *reason(const struct race_found *f)
{
    bool is_scalar = f->second_kind == RACE_LOAD_SCALAR;
    switch (f->why) {
    case RACE_STALE:
        return is_scalar ? "the scalar cache may hold an older value: no s_dcache_inv between"
                         : "the cache may hold an older value: no buffer_wbinvl1 between";
    case RACE_UNACKED: return "it was not waited for (vmcnt) before others were let know";
    case RACE_PENDING: return "it was not waited for (lgkmcnt) before the barrier";
    default: return "nothing orders the two";
    }
}

static void add_insn(const struct races *r, u32 at, struct text *t)
{
    char text[256] = "";
    struct insn in;
    u32 left = r->code_dw - at;
    if (insn_decode(&r->d->isa, &r->code[at], left < INSN_DW_MAX ? left : INSN_DW_MAX, &in, NULL))
        insn_print(&r->d->isa, &in, text, sizeof text);
    where_describe_pc(r->d, r->base + at * 4ull, t);
    text_add(t, ": %s ", text);
}

static void add_place(const struct races *r, const struct race_found *f, struct text *t)
{
    const struct dispatch *d = r->d;
    if (f->space == SPACE_LDS) {
        text_add(t, "byte %" PRIu64 " of LDS", f->address);
        return;
    }
    text_add(t, "memory at 0x%" PRIx64, f->address);
    for (u32 i = 0; i < d->l->arg_count; i++) {
        const struct launch_arg *a = &d->l->args[i];
        if (launch_arg_is_buffer(a) && f->address - d->ka.addresses[i] < a->size)
            text_add(t, ", argument %u (%s) byte %" PRIu64, i, a->word,
                     f->address - d->ka.addresses[i]);
    }
}

static void add_who(const struct races *r, const struct race_access *a, struct text *t)
{
    u32 group[3];
    launch_group_at(r->d, (a->wave - 1) >> r->shift, group);
    text_add(t, "work-group %u %u %u, wave %u, lane %u", group[0], group[1], group[2],
             (a->wave - 1) & ((1u << r->shift) - 1), a->where & 63);
}

static void print_one(const struct races *r, const struct race_found *f)
{
    char buf[2048];
    struct text t;
    text_init(&t, buf, sizeof buf);
    add_insn(r, f->second.where >> 6, &t);
    text_add(&t, "%s ", verbs[f->second_kind]);
    add_place(r, f, &t);
    text_add(&t, ", as ");
    add_insn(r, f->first.where >> 6, &t);
    text_add(&t, "%s it, and %s; ", done[f->first_kind], reason(f));
    add_who(r, &f->second, &t);
    text_add(&t, "; ");
    add_who(r, &f->first, &t);
    fprintf(r->d->cfg->out, "%s\n", buf);
}

u64 race_report(const struct races *r)
{
    u64 count = 0;
    for (u32 i = 0; i < r->found_count; i++)
        if (!race_is_meant(r, &r->found[i]) && ++count <= SHOWN_MAX)
            print_one(r, &r->found[i]);
    return count;
}
