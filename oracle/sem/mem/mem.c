/* LDS and vector memory rows. */
#include "oracle/sem/mem/mem.h"
#include "oracle/sem/mem/atomic.h"
#include "oracle/sem/mem/ds.h"
#include "oracle/sem/mem/gws.h"

#include "oracle/isa/shape.def"

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
    return w->isa->ecc == ECC_ON ? 0 : old;
}

/* Address operands are joined by the address calculation; only the data operands are variables. */
#define NOTHING_E(enc, forms)
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

#define OPM(op, shape, numbers, rowflags, ...)                                                     \
    INLINE void run_##op(struct wave *w, const struct xinsn *in, struct reach R, const u64 *addr,  \
                         const u64 *addr1)                                                         \
    {                                                                                              \
        const bool INTO_LDS = (rowflags)&LDS_FORM && in->into_lds;                                 \
        shape(NOTHING_E, DECL_W, NOTHING, DECL_W) for (u64 m = wave_exec(w); m; m &= m - 1)        \
        {                                                                                          \
            const u32 lane = ctz64(m);                                                             \
            const u64 ADDR = addr[lane], ADDR1 = HAS_ADDR1(rowflags) ? addr1[lane] : 0;            \
            (void)in, (void)ADDR1, (void)INTO_LDS;                                                 \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R) __VA_ARGS__ shape(NOTHING_E, SAVE_W, NOTHING, \
                                                                       SAVE_W)                     \
        }                                                                                          \
        shape(NOTHING_E, STORE_W, NOTHING, STORE_W)                                                \
    }                                                                                              \
    static void sem_##op(struct wave *w, const struct xinsn *in)                                   \
    {                                                                                              \
        u64 addr[LANES], addr1[LANES];                                                             \
        in->ops->addresses(w, in, addr, addr1);                                                    \
        struct reach R = reach_of(w, in, rowflags, addr, HAS_ADDR1(rowflags) ? addr1 : NULL);      \
        if (R.direct)                                                                              \
            run_##op(w, in, R, addr, addr1);                                                       \
        else                                                                                       \
            run_##op(w, in, (struct reach){ .space = R.space }, addr, addr1);                      \
    }
#define OPW(op, shape, numbers, rowflags, ...)                   \
    static void sem_##op(struct wave *w, const struct xinsn *in) \
    {                                                            \
        __VA_ARGS__                                              \
    }
#define HAS_ADDR1(flags) ((flags) & (OFFSET2 | SRC2))

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
