/* LDS and vector memory rows. */
#include "oracle/sem/mem/mem.h"
#include "oracle/sem/mem/atomic.h"

#include "oracle/isa/shape.def"

/* ---- DS rows that act on the wave as a whole: lanes read each other, all share a counter ----
 * Vega ISA, chapter 12 (DS opcodes). */

/* Pull: each lane reads DATA0 of the lane that its address names; a lane that is off gives 0. */
static void ds_bpermute(struct wave *w, const struct xinsn *in)
{
    const u32 *addr = w->vgpr[in->opnd[SLOT_ADDR].code - CODE_VGPR];
    const u32 *data = w->vgpr[in->opnd[SLOT_DATA0].code - CODE_VGPR];
    u64 exec = wave_exec(w);
    u32 out[LANES];
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 src = (addr[lane] + (u32)in->offset) / 4 % LANES;
        out[lane] = exec >> src & 1 ? data[src] : 0;
    }
    store32(w, in, &in->opnd[SLOT_D], out);
}

/* Push: each lane writes its DATA0 to the lane that its address names; the highest-numbered writer
 * wins and a lane that nobody writes gets 0. */
static void ds_permute(struct wave *w, const struct xinsn *in)
{
    const u32 *addr = w->vgpr[in->opnd[SLOT_ADDR].code - CODE_VGPR];
    const u32 *data = w->vgpr[in->opnd[SLOT_DATA0].code - CODE_VGPR];
    u32 out[LANES] = { 0 };
    for (u64 m = wave_exec(w); m; m &= m - 1) {
        u32 lane = ctz64(m);
        out[(addr[lane] + (u32)in->offset) / 4 % LANES] = data[lane];
    }
    store32(w, in, &in->opnd[SLOT_D], out);
}

enum { SWIZZLE_QUAD = 0x8000, SWIZZLE_ROTATE = 0xc000, SWIZZLE_FFT = 0xe000 };

/* The lane that lane i of 32 reads. ERRATA(DS-U01): the Vega manual does not define it; the modes
 * are those of the MI100 manual. ERRATA(GCN3-U05): what the two that came with gfx9 are before it is
 * not said; bit 15 alone tells. */
static inline u32 swizzle_lane(u32 offset, u32 i, bool few)
{
    u32 mask = offset & 31, middle = offset >> 5 & 31;
    if (few && offset >= SWIZZLE_QUAD)
        offset = SWIZZLE_QUAD | (offset & 0xff);
    if (offset >= SWIZZLE_FFT)
        return (brev32(i) >> 27 >> popcount32(mask)) | (i & mask);
    if (offset >= SWIZZLE_ROTATE) {
        u32 by = offset >> 10 & 1 ? 0 - middle : middle;
        return (i & mask) | ((i + by) & ~mask & 31);
    }
    if (offset >= SWIZZLE_QUAD)
        return (i & ~3u) | (offset >> (i & 3) * 2 & 3);
    return ((i & mask) | middle) ^ (offset >> 10 & 31);
}

/* The halves of a wave do not meet; a lane that is off gives 0. */
static void ds_swizzle(struct wave *w, const struct xinsn *in)
{
    const u32 *data = w->vgpr[in->opnd[SLOT_ADDR].code - CODE_VGPR];
    u64 exec = wave_exec(w);
    bool few = isa_target_has(w->isa->target, FEATUREBIT_FEW_SWIZZLES);
    u32 out[LANES];
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 src = (lane & 32) | swizzle_lane((u32)in->offset, lane & 31, few);
        out[lane] = exec >> src & 1 ? data[src] : 0;
    }
    store32(w, in, &in->opnd[SLOT_D], out);
}

/* Adds a number to the counter at M0's base + offset; every active lane gets its old value.
 * ERRATA(DS-C12): where M0 holds the base of LDS is not said; compilers use the lower half. */
static void ds_count(struct wave *w, const struct xinsn *in, u32 number)
{
    enum space space = in->space == SPACE_LDS ? SPACE_LDS_M0 : (enum space)in->space;
    u64 addr = (space == SPACE_LDS_M0 ? w->sgpr[CODE_M0] & 0xffff : 0) + (u64)(u32)in->offset;
    u32 old = (u32)mem_read(w, space, 0, addr, 4), out[LANES];
    mem_write(w, space, 0, addr, 4, old + number);
    for (u32 lane = 0; lane < LANES; lane++)
        out[lane] = old;
    store32(w, in, &in->opnd[SLOT_D], out);
}

/* ---- global wave sync: barriers and semaphores that waves of all work-groups share ----
 * A wave that has to wait stands still at the instruction; whoever releases it takes it out of the
 * queue at once. Vega ISA, chapter 12 (DS opcodes). */

/* The resource. ERRATA(DS-U12): the manual adds the offset to a base of another register; it is
 * that of the machine's waves, 0, and bits of M0. */
static u32 gws_number(const struct wave *w, const struct xinsn *in)
{
    return ((w->sgpr[CODE_M0] >> 16) + (u32)in->offset) % GWS_RESOURCES;
}

/* The data operand of the first active lane, 0 if there is none of either. */
static u32 gws_data(const struct wave *w, const struct xinsn *in)
{
    const struct xop *o = &in->opnd[SLOT_ADDR];
    u64 exec = wave_exec(w);
    return o->dw && exec ? w->vgpr[o->code - CODE_VGPR][ctz64(exec)] : 0;
}

/* The resource for an opcode that makes it one of `type`; NULL if its effect is not known, and then
 * the wave has stopped. */
static struct gws_resource *gws_open(struct wave *w, const struct xinsn *in, enum gws_type type)
{
    u32 number = gws_number(w, in);
    struct gws_resource *r = &w->gws->resource[number];
    const char *name = insn_row(&in->insn)->name;
    if (wave_exec(w) == 0) {
        wave_unmodelled(w, "%s without an active lane is not modelled", name);
        return NULL;
    }
    if (gws_data(w, in) > GWS_COUNTER_MAX) {
        wave_unmodelled(w, "%s: a count beyond %d is not modelled", name, GWS_COUNTER_MAX);
        return NULL;
    }
    if (type != GWS_NEW && !r->ready) {
        wave_unmodelled(w, "%s: resource %u is not initialised", name, number);
        return NULL;
    }
    if (r->first && r->type != type) {
        wave_unmodelled(w, "%s: waves wait at resource %u for something else", name, number);
        return NULL;
    }
    w->gws->used = true;
    r->type = (u8)type;
    return r;
}

static void gws_enqueue(struct gws_resource *r, struct wave *w)
{
    w->stop = STOP_GWS;
    w->gws_next = NULL;
    if (r->first)
        r->last->gws_next = w;
    else
        r->first = w;
    r->last = w;
}

static void gws_release_first(struct gws_resource *r)
{
    r->first->stop = STOP_NONE;
    r->first = r->first->gws_next;
}

static void gws_init(struct wave *w, const struct xinsn *in)
{
    struct gws_resource *r = gws_open(w, in, GWS_NEW);
    if (r)
        *r = (struct gws_resource){ .ready = true, .counter = (u16)gws_data(w, in) };
}

/* The counter says how many more waves are needed before the last one, which brings the number for
 * the next barrier with it. */
static void gws_barrier(struct wave *w, const struct xinsn *in)
{
    struct gws_resource *r = gws_open(w, in, GWS_BARRIER);
    if (!r)
        return;
    if (r->counter > 0) {
        r->counter--;
        gws_enqueue(r, w);
        return;
    }
    r->counter = (u16)gws_data(w, in);
    while (r->first)
        gws_release_first(r);
}

/* Adds to the counter of a semaphore; waves that wait take it at once, the first first. */
static void gws_add(struct wave *w, const struct xinsn *in, u32 number)
{
    struct gws_resource *r = gws_open(w, in, GWS_SEMAPHORE);
    if (!r)
        return;
    number += r->counter;
    for (; number && r->first; number--)
        gws_release_first(r);
    if (number > GWS_COUNTER_MAX)
        wave_unmodelled(w, "%s: a counter beyond %d is not modelled", insn_row(&in->insn)->name,
                        GWS_COUNTER_MAX);
    else
        r->counter = (u16)number;
}

static void gws_take(struct wave *w, const struct xinsn *in)
{
    struct gws_resource *r = gws_open(w, in, GWS_SEMAPHORE);
    if (r && r->counter > 0)
        r->counter--;
    else if (r)
        gws_enqueue(r, w);
}

/* ERRATA(DS-U12): the formula sets the counter to the number of waves that wait, the text leaves it
 * alone if there are none. */
static void gws_release_all(struct wave *w, const struct xinsn *in)
{
    struct gws_resource *r = gws_open(w, in, GWS_SEMAPHORE);
    if (r && r->counter > 0)
        wave_unmodelled(
            w, "ds_gws_sema_release_all of a semaphore that nobody waits for is not modelled");
    while (r && r->first)
        gws_release_first(r);
}

static u32 lane_dword(const struct wave *w, const struct xop *o, u32 i, u32 lane)
{
    return w->vgpr[(o->code - CODE_VGPR + i) % VGPRS][lane];
}

/* ---- rows ---- */

/* A destination of n dwords is collected as n rows of lanes. */
static void store_rows(struct wave *w, const struct xinsn *in, u32 (*out)[LANES])
{
    struct xop o = in->opnd[SLOT_D];
    for (u32 i = 0; i < in->opnd[SLOT_D].dw; i++) {
        o.code = (u16)(CODE_VGPR + (in->opnd[SLOT_D].code - CODE_VGPR + i) % VGPRS);
        store32(w, in, &o, out[i]);
    }
}

#define DW_B8   1
#define DW_B16  1
#define DW_B32  1
#define DW_F32  1
#define DW_B64  2
#define DW_F64  2
#define DW_B96  3
#define DW_B128 4

static inline void split(const void *v, u32 dw, u32 (*out)[LANES], u32 lane)
{
    u32 d[4];
    memcpy(d, v, dw * 4);
    for (u32 i = 0; i < dw; i++)
        out[i][lane] = d[i];
}

static inline void join(const struct wave *w, const struct xop *o, u32 dw, void *v, u32 lane)
{
    u32 d[4];
    for (u32 i = 0; i < dw; i++)
        d[i] = lane_dword(w, o, i, lane);
    memcpy(v, d, dw * 4);
}

/* What a load of half a register finds in the destination: with error correction the other half
 * becomes 0. MI100 ISA, section 9.1. */
static inline u32 kept_half(const struct wave *w, u32 old)
{
    return isa_clears_half(w->isa) ? 0 : old;
}

/* Address operands are joined by the address calculation; only the data operands are variables. */
#define NOTHING_E(enc, ...)
#define NOTHING(v, f, k, t)
#define DECL_W(v, f, k, t) u32 out[DW_##t][LANES];
#define LANE_W(v, f, k, t) CT_##t v;
#define LANE_R(v, f, k, t) LANE_##v(t)
#define LANE_D(t)          LANE_DATA(D, t) D = kept_half(w, D);
#define LANE_ADDR(t)
#define LANE_BASE(t)
#define LANE_DATA0(t) LANE_DATA(DATA0, t)
#define LANE_DATA1(t) LANE_DATA(DATA1, t)
#define LANE_DATA(v, t) \
    CT_##t v;           \
    join(w, &in->opnd[SLOT_##v], DW_##t, &v, lane);
#define SAVE_W(v, f, k, t) split(&v, DW_##t, out, lane);
#define STORE_W(v, f, k, t)     \
    if (INTO_LDS)               \
        put_lds(w, in, out[0]); \
    else                        \
        store_rows(w, in, out);

// clang-format off
#define OPM(op, shape, numbers, rowflags, ...)                                                    \
    INLINE void run_##op(struct wave *w, const struct xinsn *in, struct reach R, const u64 *addr, \
                         const u64 *addr1)                                                        \
    {                                                                                             \
        const bool INTO_LDS = (rowflags)&LDS_FORM && in->into_lds;                                \
        shape(NOTHING_E, DECL_W, NOTHING, DECL_W)                                                 \
        for (u64 m = wave_exec(w); m; m &= m - 1) {                                               \
            const u32 lane = ctz64(m);                                                            \
            const u64 ADDR = addr[lane], ADDR1 = HAS_ADDR1(rowflags) ? addr1[lane] : 0;           \
            (void)in, (void)ADDR1, (void)INTO_LDS;                                                \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R)                                              \
            __VA_ARGS__                                                                           \
            shape(NOTHING_E, SAVE_W, NOTHING, SAVE_W)                                             \
        }                                                                                         \
        shape(NOTHING_E, STORE_W, NOTHING, STORE_W)                                               \
    }                                                                                             \
    static void sem_##op(struct wave *w, const struct xinsn *in)                                  \
    {                                                                                             \
        u64 addr[LANES], addr1[LANES];                                                            \
        in->ops->addresses(w, in, addr, addr1);                                                   \
        struct reach R = reach_of(w, in, rowflags, addr, HAS_ADDR1(rowflags) ? addr1 : NULL);     \
        if (R.direct)                                                                             \
            run_##op(w, in, R, addr, addr1);                                                      \
        else                                                                                      \
            run_##op(w, in, (struct reach){ .space = R.space }, addr, addr1);                     \
    }
// clang-format on
#define OPW(op, shape, numbers, rowflags, ...) SEM_OF_WAVE(op, __VA_ARGS__)
#define HAS_ADDR1(flags)                       ((flags) & (OFFSET2 | SRC2))

#include "oracle/isa/rows/ds.def"
#include "oracle/isa/rows/flat.def"
#include "oracle/isa/rows/global.def"
#include "oracle/isa/rows/scratch.def"
#undef OPM
#undef OPW

#define OPM(op, shape, numbers, rowflags, ...) SEM_EXPORT(op)
#define OPW                                    OPM
#include "oracle/isa/rows/ds.def"
#include "oracle/isa/rows/flat.def"
#include "oracle/isa/rows/global.def"
#include "oracle/isa/rows/scratch.def"
