/* The host engine: OPH rows on the host's SIMD unit. A row is compiled twice here from the same
 * body: as a loop of float operations over 64 lanes, and per lane with the integer arithmetic of
 * oracle/fp/fp.h for the lanes in which a NaN takes part, so that the rules for NaNs stand in one
 * place. */
#include "oracle/sem/alu/vop.h"
#include "oracle/sem/host/f64.h"

/* Arrays of one value per lane as parameters and arguments. */
#define PARAM_W(v, f, k, t)  , BUF_T_##t *out_##v
#define PARAM_R(v, f, k, t)  , const BUF_T_##t *p_##v
#define PARAM_RW(v, f, k, t) PARAM_W(v, f, k, t) PARAM_R(v, f, k, t)
#define ARG_W(v, f, k, t)    , out_##v
#define ARG_R(v, f, k, t)    , p_##v
#define ARG_RW(v, f, k, t)   ARG_W(v, f, k, t) ARG_R(v, f, k, t)

/* ---- the lanes with a NaN, by oracle/fp/fp.h ---- */

// clang-format off
#define OPH(op, shape, numbers, rowflags, ...)                                                    \
    static __attribute__((noinline)) void redo_##op(struct fp_env *E, u64 lanes                   \
                                                    shape(NOTHING_E, PARAM_W, PARAM_R, PARAM_RW)) \
    {                                                                                             \
        for (u64 m = lanes; m; m &= m - 1) {                                                      \
            const u32 LANE = ctz64(m);                                                            \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R)                                              \
            __VA_ARGS__                                                                           \
            shape(NOTHING_E, SAVE, NOTHING, SAVE)                                                 \
        }                                                                                         \
    }
// clang-format on
#include "oracle/isa/ops.def"

/* ---- all lanes, by the host ---- */

#define fadd32(env, a, b)    hadd32(a, b)
#define fsub32(env, a, b)    hsub32(a, b)
#define fmul32(env, a, b)    hmul32(a, b)
#define ffma32(env, a, b, c) hfma32(a, b, c)
#define fmad32(env, a, b, c) hmad32(a, b, c)
#define fadd64(env, a, b)    hadd64(a, b)
#define fmul64(env, a, b)    hmul64(a, b)
#define ffma64(env, a, b, c) hfma64(a, b, c)

/* 1.0 takes the place of operands in lanes that are off: no operation of ones raises an
 * exception. */
#define ONE_u32 0x3f800000u
#define ONE_u64 0x3ff0000000000000u

/* v, or 1.0 where keep is zero; keep is all zeros or all ones. */
#define HARMLESS(v, f, k, t) \
    v = (v & (BUF_T_##t)keep) | (SEM_GLUE(ONE, BUF_T_##t) & ~(BUF_T_##t)keep);

/* The lanes of `active` whose result is a NaN. For these operations they are all lanes with a NaN
 * operand, and the invalid ones. */
static inline u64 nan_lanes_u32(const u32 *v, u64 active)
{
    u32 any = 0;
    u64 lanes = 0;
    for (u32 lane = 0; lane < LANES; lane++)
        any |= (u32)((v[lane] & 0x7fffffff) > 0x7f800000);
    for (u32 lane = 0; any && lane < LANES; lane++)
        lanes |= (u64)f32_is_nan(v[lane]) << lane;
    return lanes & active;
}

static inline u64 nan_lanes_u64(const u64 *v, u64 active)
{
    u64 any = 0, lanes = 0;
    for (u32 lane = 0; lane < LANES; lane++)
        any |= (u64)((i64)(v[lane] & ~0ull >> 1) > 0x7ff0000000000000);
    for (u32 lane = 0; any && lane < LANES; lane++)
        lanes |= (u64)((v[lane] & ~0ull >> 1) > 0x7ff0000000000000) << lane;
    return lanes & active;
}

#define PIN_IN(v, f, k, t)    host_pin((void *)(uintptr_t)p_##v);
#define PIN_OUT(v, f, k, t)   host_pin(out_##v);
#define NAN_LANES(v, f, k, t) const u64 again = SEM_GLUE(nan_lanes, BUF_T_##t)(out_##v, exec);

/* Two loops: with all lanes on there is nothing to replace. */
// clang-format off
#define OPH(op, shape, numbers, rowflags, ...)                             \
    static void sem_##op(struct wave *w, const struct xinsn *in)           \
    {                                                                      \
        const u64 exec = wave_exec(w);                                     \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_RW)                          \
        DECL_ENV(shape)                                                    \
        if ((rowflags)&FLUSHES)                                            \
            env.flush_in = env.flush_out = 1;                              \
        const u32 saved = host_enter(host_csr(&env));                      \
        shape(NOTHING_E, NOTHING, PIN_IN, PIN_IN)                          \
        if (exec == ~0ull) {                                               \
            for (u32 LANE = 0; LANE < LANES; LANE++) {                     \
                shape(NOTHING_E, LANE_W, LANE_R, LANE_R)                   \
                __VA_ARGS__                                                \
                shape(NOTHING_E, SAVE, NOTHING, SAVE)                      \
            }                                                              \
        } else {                                                           \
            for (u32 half = 0; half < LANES; half += 32) {                 \
                const u32 bits = (u32)(exec >> half);                      \
                for (u32 i = 0; i < 32; i++) {                             \
                    const u32 LANE = half + i;                             \
                    const i32 keep = -(i32)(bits >> i & 1);                \
                    shape(NOTHING_E, LANE_W, LANE_R, LANE_R)               \
                    shape(NOTHING_E, NOTHING, HARMLESS, HARMLESS)          \
                    __VA_ARGS__                                            \
                    shape(NOTHING_E, SAVE, NOTHING, SAVE)                  \
                }                                                          \
            }                                                              \
        }                                                                  \
        shape(NOTHING_E, PIN_OUT, NOTHING, PIN_OUT)                        \
        env.flags = host_flags(host_leave(saved));                         \
        shape(NOTHING_E, NAN_LANES, NOTHING, NAN_LANES)                    \
        if (__builtin_expect(again != 0, 0))                               \
            redo_##op(&env, again shape(NOTHING_E, ARG_W, ARG_R, ARG_RW)); \
        shape(NOTHING_E, STORE, NOTHING, STORE)                            \
        wave_raise(w, env.flags);                                          \
    }
// clang-format on
#include "oracle/isa/ops.def"

#define OPH(op, shape, numbers, rowflags, ...) SEM_EXPORT(op)
#include "oracle/isa/ops.def"
