/* Vector ALU rows. OPF rows are those of the `ref` engine: integers only, active lanes only. */
#include "oracle/sem.h"

#include "oracle/isa/shape.def"

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

/* ---- rows ---- */

#define BUF_T_B32  u32
#define BUF_T_U32  u32
#define BUF_T_I32  u32
#define BUF_T_F32  u32
#define BUF_T_MASK u32
#define BUF_T_B64  u64
#define BUF_T_U64  u64
#define BUF_T_I64  u64

static inline const u64 *fetch64(struct wave *w, const struct xinsn *in, const struct xop *o, u64 *buf)
{
    return o->fetch64(w, in, o, buf);
}
static inline void store64(struct wave *w, const struct xinsn *in, const struct xop *o, const u64 *out)
{
    o->store64(w, in, o, out);
}
#define FETCH_u32 fetch32
#define FETCH_u64 fetch64
#define STORE_u32 store32
#define STORE_u64 store64
#define FETCH_(t) SEM_GLUE(FETCH, t)
#define STORE_(t) SEM_GLUE(STORE, t)

#define NOTHING_E(enc, forms)
#define NOTHING(v, f, k, t)
#define DECL_W(v, f, k, t) _Alignas(64) BUF_T_##t out_##v[LANES];
#define DECL_R(v, f, k, t)                                                                         \
    _Alignas(64) BUF_T_##t buf_##v[LANES];                                                         \
    const BUF_T_##t *p_##v = FETCH_(BUF_T_##t)(w, in, &in->opnd[SLOT_##v], buf_##v);
#define DECL_RW(v, f, k, t) DECL_W(v, f, k, t) DECL_R(v, f, k, t)
#define LANE_R(v, f, k, t)  CT_##t v = (CT_##t)p_##v[LANE];
#define LANE_W(v, f, k, t)  CT_##t v;
#define SAVE(v, f, k, t)    out_##v[LANE] = (BUF_T_##t)v;
#define STORE(v, f, k, t)   STORE_(BUF_T_##t)(w, in, &in->opnd[SLOT_##v], out_##v);

static inline void exec_from_mask(struct wave *w)
{
    u32 dw[2];
    pair_set(dw, w->mask_out);
    scalar_write(w, CODE_EXEC, dw, 2);
}

#define OP(op, shape, numbers, rowflags, ...)                                                         \
    static void sem_##op(struct wave *w, const struct xinsn *in)                                   \
    {                                                                                              \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_RW)                                                  \
        const bool CLAMP = in->clamp;                                                              \
        (void)w, (void)CLAMP;                                                                      \
        for (u32 LANE = 0; LANE < LANES; LANE++) {                                                 \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R)                                               \
            __VA_ARGS__                                                                            \
            shape(NOTHING_E, SAVE, NOTHING, SAVE)                                                  \
        }                                                                                          \
        shape(NOTHING_E, STORE, NOTHING, STORE)                                                    \
        if ((rowflags) & WR_EXEC)                                                                     \
            exec_from_mask(w);                                                                     \
    }

/* Lanes that are off must not raise exceptions, so only active ones are computed. */
#define ZERO(v, f, k, t) memset(out_##v, 0, sizeof out_##v);
#define OPF(op, shape, numbers, rowflags, ...)                                                        \
    static void sem_##op(struct wave *w, const struct xinsn *in)                                   \
    {                                                                                              \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_RW)                                                  \
        shape(NOTHING_E, ZERO, NOTHING, ZERO)                                                      \
        struct fp_env env = w->f32, *const E = &env;                                               \
        for (u64 m = wave_exec(w); m; m &= m - 1) {                                                \
            const u32 LANE = ctz64(m);                                                             \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R)                                               \
            __VA_ARGS__                                                                            \
            shape(NOTHING_E, SAVE, NOTHING, SAVE)                                                  \
        }                                                                                          \
        shape(NOTHING_E, STORE, NOTHING, STORE)                                                    \
        wave_raise(w, env.flags);                                                                  \
        if ((rowflags) & WR_EXEC)                                                                     \
            exec_from_mask(w);                                                                     \
    }

#define OPW(op, shape, numbers, rowflags, ...)                                                        \
    static void sem_##op(struct wave *w, const struct xinsn *in) { __VA_ARGS__ }

#include "oracle/isa/vop.def"
#undef OP
#undef OPF
#undef OPW

sem_fn *const SEM_TABLE(sem_vop)[OP_COUNT] = {
#define OP(op, shape, numbers, rowflags, ...) [OP_##op] = sem_##op,
#define OPF                                OP
#define OPW                                OP
#include "oracle/isa/vop.def"
};
