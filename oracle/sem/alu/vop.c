/* Vector ALU rows. OPF rows are those of the `ref` engine: integers only, active lanes only. */
#include "oracle/sem/alu/vop.h"

#include "oracle/fp/fp_gfx.h"
#include "oracle/fp/fp_trans.h"
#include "oracle/sem/alu/dot.h"
#include "oracle/sem/alu/half.h"
#include "oracle/sem/alu/interp.h"
#include "oracle/sem/alu/pack.h"
#include "oracle/sem/alu/sad.h"

/* ---- between lanes ---- */

static void readlane(struct wave *w, const struct xinsn *in, u32 lane)
{
    const u32 *src = w->vgpr[(in->opnd[SLOT_S0].code - CODE_VGPR) % VGPRS];
    scalar_write(w, in->opnd[SLOT_D].code, &src[lane], 1);
}

/* EXEC does not matter. Vega ISA, VOP3 opcodes. */
static void writelane(struct wave *w, const struct xinsn *in)
{
    const struct xop *d = &in->opnd[SLOT_D];
    u32 *dst = w->vgpr[d->code - CODE_VGPR];
    wlog_reg(w, d->code, dst, LANES);
    dst[scalar32(w, &in->opnd[SLOT_S1]) & 63] = scalar32(w, &in->opnd[SLOT_S0]);
}

/* ---- destinations of four registers ---- */

/* Four masked sums, each added to a dword. What a sum over 32 bits gives is not known; it is
 * cut. */
static void mqsad_u32(struct wave *w, const struct xinsn *in)
{
    const struct xop *acc = &in->opnd[SLOT_S2];
    struct xop dst = in->opnd[SLOT_D];
    u64 buf0[LANES];
    u32 buf1[LANES], out[LANES];
    const u64 *v = fetch64(w, in, &in->opnd[SLOT_S0], buf0);
    const u32 *ref = fetch32(w, in, &in->opnd[SLOT_S1], buf1);
    for (u32 i = 0; i < 4; i++, dst.code++) {
        const u32 *sum = w->vgpr[(acc->code - CODE_VGPR + i) % VGPRS];
        for (u32 lane = 0; lane < LANES; lane++)
            out[lane] = sad4((u32)(v[lane] >> i * 8), ref[lane], true) + sum[lane];
        store32(w, in, &dst, out);
    }
}

/* V_CLREXCP: what has been raised is forgotten. UNVERIFIED: that bits 7 and 8, which memory raises,
 * go too. */
static void clear_exceptions(struct wave *w, const struct xinsn *in)
{
    (void)in;
    wlog_reg(w, PLACE_TRAPSTS, &w->trapsts, 1);
    w->trapsts &= ~(u32)TRAPSTS_EXCP;
}

static inline void keep_inexact(struct fp_env *env, bool keep)
{
    if (!keep)
        env->flags &= ~(u32)FP_INEXACT;
}

/* ---- rows ---- */

#define OP(op, shape, numbers, rowflags, ...)                                                    \
    static void sem_##op(struct wave *w, const struct xinsn *in)                                 \
    {                                                                                            \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_RW) const bool CLAMP = in->clamp;                  \
        (void)w, (void)CLAMP;                                                                    \
        for (u32 LANE = 0; LANE < LANES; LANE++) {                                               \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R) __VA_ARGS__ shape(NOTHING_E, SAVE, NOTHING, \
                                                                       SAVE)                     \
        }                                                                                        \
        shape(NOTHING_E, STORE, NOTHING, STORE) if ((rowflags)&WR_EXEC) exec_from_mask(w);       \
    }

/* Lanes that are off must not raise exceptions, so only active ones are computed. */
#define ZERO(v, f, k, t) memset(out_##v, 0, sizeof out_##v);
#define OPF(op, shape, numbers, rowflags, ...)                                                \
    static void sem_##op(struct wave *w, const struct xinsn *in)                              \
    {                                                                                         \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_RW) shape(NOTHING_E, ZERO, NOTHING, ZERO)       \
            const bool CLAMP = in->clamp;                                                     \
        (void)CLAMP;                                                                          \
        DECL_ENV(shape)                                                                       \
        struct fp_env *const E = &env;                                                        \
        for (u64 m = wave_exec(w); m; m &= m - 1) {                                           \
            const u32 LANE = ctz64(m);                                                        \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R)                                          \
                __VA_ARGS__ shape(NOTHING_E, SAVE, NOTHING, SAVE) wave_note_open(w, LANE, E); \
        }                                                                                     \
        shape(NOTHING_E, STORE, NOTHING, STORE) wave_raise(w, env.flags);                     \
        if ((rowflags)&WR_EXEC)                                                               \
            exec_from_mask(w);                                                                \
    }

/* Exceptions of lanes that are off go nowhere. */
#define OPP(op, shape, numbers, rowflags, ...)                                                   \
    static void sem_##op(struct wave *w, const struct xinsn *in)                                 \
    {                                                                                            \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_RW) const bool CLAMP = in->clamp;                  \
        DECL_ENV(shape)                                                                          \
        struct fp_env off = env;                                                                 \
        const u64 exec = wave_exec(w);                                                           \
        (void)CLAMP;                                                                             \
        for (u32 LANE = 0; LANE < LANES; LANE++) {                                               \
            struct fp_env *const E = exec >> LANE & 1 ? &env : &off;                             \
            (void)E;                                                                             \
            for (u32 HALF = 0; HALF < 2; HALF++) {                                               \
                shape(NOTHING_E, HALF_W, HALF_R, HALF_R) __VA_ARGS__ shape(NOTHING_E, HALF_SAVE, \
                                                                           NOTHING, HALF_SAVE)   \
            }                                                                                    \
            wave_note_open(w, LANE, &env);                                                       \
        }                                                                                        \
        shape(NOTHING_E, STORE, NOTHING, STORE) wave_raise(w, env.flags);                        \
    }

#define OPW(op, shape, numbers, rowflags, ...)                   \
    static void sem_##op(struct wave *w, const struct xinsn *in) \
    {                                                            \
        __VA_ARGS__                                              \
    }

#define OPH      OPF
#define OPX(...) /* oracle/sem/alu/mai.c */
#include "oracle/isa/rows/mai.def"
#include "oracle/isa/rows/vintrp.def"
#include "oracle/isa/rows/vop1.def"
#include "oracle/isa/rows/vop2.def"
#include "oracle/isa/rows/vop3a.def"
#include "oracle/isa/rows/vop3b.def"
#include "oracle/isa/rows/vop3p.def"
#include "oracle/isa/rows/vopc.def"
#undef OP
#undef OPF
#undef OPH
#undef OPP
#undef OPW

#define OP(op, shape, numbers, rowflags, ...) SEM_EXPORT(op)
#define OPF                                   OP
#define OPH                                   OP
#define OPP                                   OP
#define OPW                                   OP
#include "oracle/isa/rows/mai.def"
#include "oracle/isa/rows/vintrp.def"
#include "oracle/isa/rows/vop1.def"
#include "oracle/isa/rows/vop2.def"
#include "oracle/isa/rows/vop3a.def"
#include "oracle/isa/rows/vop3b.def"
#include "oracle/isa/rows/vop3p.def"
#include "oracle/isa/rows/vopc.def"
