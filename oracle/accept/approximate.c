#include "oracle/accept/approximate.h"

#include "oracle/accept/acceptance.h"
#include "oracle/base/hash.h"

enum { TRIES = 8 };

/* The float that a result holds: `lsb` and width of its bits. */
struct slice {
    u32 lsb, width;
};

static struct slice slice_of(const struct acceptance *l)
{
    if (l->type == T_F16)
        return (struct slice){ l->shift, 16 };
    return (struct slice){ 0, l->dw * 32u };
}

/* The result `distance` numbers away from `want`. */
static u64 moved(struct slice s, u64 want, u64 distance)
{
    u64 mask = mask64(s.width) << s.lsb;
    return (want & ~mask) | ((want + (distance << s.lsb)) & mask);
}

static bool takes(const struct acceptance *l, u32 lane, u64 want, u64 distance)
{
    return acceptance_takes(l, lane, want, moved(slice_of(l), want, distance));
}

/* The longest way of a power of two that leads to an accepted value; 0: none. */
static u64 reach(const struct acceptance *l, u32 lane, u64 want, bool down)
{
    u64 way = 0;
    for (u32 i = 0; i + 2 < slice_of(l).width; i++) {
        u64 next = 1ull << i;
        if (!takes(l, lane, want, down ? 0 - next : next))
            break;
        way = next;
    }
    return way;
}

u64 approximate_value(const struct acceptance *l, u32 lane, u64 want, u64 draw)
{
    bool down = draw & 1;
    u64 way = reach(l, lane, want, down);
    for (u32 i = 0; way && i < TRIES; i++) {
        draw = hash_mix(draw, i);
        u64 distance = (draw >> 1) & (2 * way - 1); /* up to twice as far: some of it is accepted */
        distance = down ? 0 - distance : distance;
        if (takes(l, lane, want, distance))
            return moved(slice_of(l), want, distance);
    }
    return want;
}

/* Lanes that the instruction has written. */
static u64 written(const struct wave *w, const struct xinsn *x)
{
    return wave_exec(w) & (x->insn.form == FORM_DPP ? w->write_mask : ~0ull);
}

static void draw_results(struct wave *w, const struct xinsn *x, const struct acceptance *l)
{
    const struct approximate *a = w->approximate;
    const struct xop *d = acceptance_vector(x);
    u32 at = d->code - (u32)CODE_VGPR;
    u64 seed = hash_mix(a->seed, hash_text(insn_row(&x->insn)->name));
    for (u64 m = l->near_lanes & written(w, x); m; m &= m - 1) {
        u32 lane = ctz64(m);
        u32 *lo = &w->vgpr[at][lane], *hi = &w->vgpr[(at + 1) % VGPRS][lane];
        u64 want = *lo | (d->dw > 1 ? (u64)*hi << 32 : 0);
        u64 v = approximate_value(l, lane, want, hash_mix(seed, want));
        *lo = (u32)v;
        if (d->dw > 1)
            *hi = (u32)(v >> 32);
    }
}

/* What clamp and omod make of an approximate value is not drawn. */
static void run(struct wave *w, const struct xinsn *x)
{
    const struct approximate *a = w->approximate;
    struct acceptance l;
    struct xinsn noting = *x;
    bool draws = !x->clamp && !x->omod;
    if (draws) {
        noting.sem = a->noting[x->insn.op];
        acceptance_of(w, &noting, &l);
    }
    a->usual[x->insn.op](w, x);
    if (draws && l.near_lanes && acceptance_vector(x))
        draw_results(w, x, &l);
}

static bool is_approximate(const struct isa_row *row)
{
    enum isa_accept kind = isa_accept_kind(row);
    return isa_unit(row) == UNIT_VALU &&
           (kind == ACCEPT_ULP || kind == ACCEPT_REL || kind == ACCEPT_ABS);
}

void approximate_open(struct approximate *a, struct engine *eng, u64 seed)
{
    struct engine ref;
    engine_open(&ref, "ref", NULL);
    a->seed = seed;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        a->usual[op] = eng->sem[op];
        a->noting[op] = ref.sem[op];
        if (eng->sem[op] && is_approximate(&isa_rows[op]))
            eng->sem[op] = run;
    }
}
