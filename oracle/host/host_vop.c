/* The host engine: OPH rows on the host's SIMD unit. A row is compiled twice here from the same
 * body: as a loop of float operations over 64 lanes, and per lane with the integer arithmetic of
 * oracle/fp.h for the lanes in which a NaN takes part, so that the rules for NaNs stand in one
 * place. */
#include "oracle/host/host_f32.h"
#include "oracle/sem_vop.h"

extern sem_fn *const host_vop[OP_COUNT];

#define OP(op, shape, numbers, rowflags, ...)
#define OPF(op, shape, numbers, rowflags, ...)
#define OPW(op, shape, numbers, rowflags, ...)

/* Arrays of one value per lane as parameters and arguments. */
#define PARAM_W(v, f, k, t)  , u32 *out_##v
#define PARAM_R(v, f, k, t)  , const u32 *p_##v
#define PARAM_RW(v, f, k, t) PARAM_W(v, f, k, t) PARAM_R(v, f, k, t)
#define ARG_W(v, f, k, t)    , out_##v
#define ARG_R(v, f, k, t)    , p_##v
#define ARG_RW(v, f, k, t)   ARG_W(v, f, k, t) ARG_R(v, f, k, t)

/* ---- the lanes with a NaN, by oracle/fp.h ---- */

#define OPH(op, shape, numbers, rowflags, ...)                                                   \
    static void redo_##op(struct fp_env *E,                                                      \
                          u64 lanes shape(NOTHING_E, PARAM_W, PARAM_R, PARAM_RW))                \
    {                                                                                            \
        for (u64 m = lanes; m; m &= m - 1) {                                                     \
            const u32 LANE = ctz64(m);                                                           \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R) __VA_ARGS__ shape(NOTHING_E, SAVE, NOTHING, \
                                                                       SAVE)                     \
        }                                                                                        \
    }
#include "oracle/isa/vop.def"
#undef OPH

/* ---- all lanes, by the host ---- */

#define fadd32(env, a, b)    hadd32(a, b)
#define fsub32(env, a, b)    hsub32(a, b)
#define fmul32(env, a, b)    hmul32(a, b)
#define ffma32(env, a, b, c) hfma32(a, b, c)
#define fmad32(env, a, b, c) hmad32(a, b, c)

/* 1.0 in the lanes that are off: no operation of ones raises an exception. */
static const u32 *harmless(const u32 *p, u32 *buf, u64 exec)
{
    if (exec == ~0ull)
        return p;
    for (u32 lane = 0; lane < LANES; lane++)
        buf[lane] = 0x3f800000;
    put32(buf, p, exec);
    return buf;
}

/* The lanes whose result is a NaN. For these operations they are all lanes with a NaN operand, and
 * the invalid ones. */
static u64 nan_lanes(const u32 *v)
{
    u32 any = 0;
    u64 lanes = 0;
    for (u32 lane = 0; lane < LANES; lane++)
        any |= (u32)((v[lane] & 0x7fffffff) > 0x7f800000);
    for (u32 lane = 0; any && lane < LANES; lane++)
        lanes |= (u64)f32_is_nan(v[lane]) << lane;
    return lanes;
}

#define HARMLESS(v, f, k, t)               \
    _Alignas(64) u32 on_##v[LANES];        \
    p_##v = harmless(p_##v, on_##v, exec); \
    host_pin((void *)(uintptr_t)p_##v);
#define PIN(v, f, k, t) host_pin(out_##v);

#define OPH(op, shape, numbers, rowflags, ...)                                                  \
    static void sem_##op(struct wave *w, const struct xinsn *in)                                \
    {                                                                                           \
        const u64 exec = wave_exec(w);                                                          \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_RW) struct fp_env env = w->f32;                   \
        if ((rowflags)&FLUSHES)                                                                 \
            env.flush_in = env.flush_out = 1;                                                   \
        const u32 saved = host_enter(host_csr(&env));                                           \
        shape(NOTHING_E, NOTHING, HARMLESS, HARMLESS) for (u32 LANE = 0; LANE < LANES; LANE++){ \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R)                                            \
                __VA_ARGS__ shape(NOTHING_E, SAVE, NOTHING, SAVE)                               \
        } shape(NOTHING_E, PIN, NOTHING, PIN) env.flags = host_flags(host_leave(saved));        \
        const u64 again = nan_lanes(out_D);                                                     \
        if (again)                                                                              \
            redo_##op(&env, again shape(NOTHING_E, ARG_W, ARG_R, ARG_RW));                      \
        shape(NOTHING_E, STORE, NOTHING, STORE) wave_raise(w, env.flags);                       \
    }
#include "oracle/isa/vop.def"
#undef OPH

sem_fn *const host_vop[OP_COUNT] = {
#define OPH(op, shape, numbers, rowflags, ...) [OP_##op] = sem_##op,
#include "oracle/isa/vop.def"
};
