/* The macros that make a vector row a loop over 64 lanes. A shape's operands become, one after the
 * other: pointers to what was fetched (DECL), variables of one lane (LANE), collected results
 * (SAVE), stores (STORE). Included by the files that compile the vector rows. */
#ifndef ORACLE_SEM_ALU_VOP_H
#define ORACLE_SEM_ALU_VOP_H

#include "oracle/sem/sem.h"

#include "oracle/isa/shape.def"

#define BUF_T_B32  u32
#define BUF_T_U32  u32
#define BUF_T_I32  u32
#define BUF_T_F32  u32
#define BUF_T_S32  u32
#define BUF_T_MASK u32
#define BUF_T_F16  u32
#define BUF_T_F16H u32
#define BUF_T_U16  u32
#define BUF_T_I16  u32
#define BUF_T_H16  u32
#define BUF_T_MIX  u32
#define BUF_T_PF16 u32
#define BUF_T_PU16 u32
#define BUF_T_PI16 u32
#define BUF_T_PU8  u32
#define BUF_T_PI8  u32
#define BUF_T_PU4  u32
#define BUF_T_PI4  u32
#define BUF_T_B64  u64
#define BUF_T_U64  u64
#define BUF_T_I64  u64
#define BUF_T_F64  u64

static inline const u64 *fetch64(struct wave *w, const struct xinsn *in, const struct xop *o,
                                 u64 *buf)
{
    return o->fetch64(w, in, o, buf);
}
static inline void store64(struct wave *w, const struct xinsn *in, const struct xop *o, u64 *out)
{
    o->store64(w, in, o, out);
}
#define FETCH_u32 fetch32
#define FETCH_u64 fetch64
#define STORE_u32 store32
#define STORE_u64 store64
#define FETCH_(t) SEM_GLUE(FETCH, t)
#define STORE_(t) SEM_GLUE(STORE, t)

#define NOTHING_E(enc, ...)
#define NOTHING(v, f, k, t)
#define DECL_W(v, f, k, t) _Alignas(64) BUF_T_##t out_##v[LANES];
#define DECL_R(v, f, k, t)                 \
    _Alignas(64) BUF_T_##t buf_##v[LANES]; \
    const BUF_T_##t *p_##v = FETCH_(BUF_T_##t)(w, in, &in->opnd[SLOT_##v], buf_##v);
#define DECL_RW(v, f, k, t) DECL_W(v, f, k, t) DECL_R(v, f, k, t)
#define LANE_R(v, f, k, t)  CT_##t v = (CT_##t)p_##v[LANE];
#define LANE_W(v, f, k, t)  CT_##t v;
#define SAVE(v, f, k, t)    out_##v[LANE] = SAVED_##t(v);
#define STORE(v, f, k, t)   STORE_(BUF_T_##t)(w, in, &in->opnd[SLOT_##v], out_##v);

/* The formats among a shape's types: of the first source with one, and of the destination. */
#define FORMAT_IN(v, f, k, t)  env_in = is_float_type(env_in) ? env_in : T_##t;
#define FORMAT_OUT(v, f, k, t) env_out = is_float_type(env_out) ? env_out : T_##t;

static inline bool is_float_type(enum isa_type t)
{
    return t == T_F32 || t == T_F64 || t == T_F16 || t == T_F16H || t == T_PF16;
}

/* The environment of a row by its formats: the flush of sources belongs to that of the sources,
 * rounding and the flush of results to that of the result. A format that a row does not have is the
 * other one. */
static inline struct fp_env env_of_formats(const struct wave *w, enum isa_type in,
                                           enum isa_type out)
{
    if (!is_float_type(in))
        in = out;
    if (!is_float_type(out))
        out = in;
    struct fp_env env = out == T_F32 ? w->f32 : w->f64;
    env.flush_in = in == T_F32 ? w->f32.flush_in : w->f64.flush_in;
    return env;
}

/* Declares env, the environment of a row of this shape. */
// clang-format off
#define DECL_ENV(shape)                                 \
    enum isa_type env_in = T_NONE, env_out = T_NONE;    \
    shape(NOTHING_E, FORMAT_OUT, FORMAT_IN, FORMAT_OUT) \
    struct fp_env env = env_of_formats(w, env_in, env_out);
// clang-format on

/* Results of 16 bits are stored without their sign. */
#define SAVED_B32(v)  (v)
#define SAVED_U32(v)  (v)
#define SAVED_I32(v)  ((u32)(v))
#define SAVED_F32(v)  (v)
#define SAVED_PF16(v) (v)
#define SAVED_F64(v)  (v)
#define SAVED_S32(v)  (v)
#define SAVED_MASK(v) (v)
#define SAVED_F16(v)  ((u16)(v))
#define SAVED_F16H(v) ((u16)(v))
#define SAVED_U16(v)  ((u16)(v))
#define SAVED_I16(v)  ((u16)(v))
#define SAVED_B64(v)  (v)
#define SAVED_U64(v)  (v)
#define SAVED_I64(v)  ((u64)(v))

/* Packed rows: one half of a lane. */
#define HALF_T_PF16           u16
#define HALF_T_PU16           u16
#define HALF_T_PI16           i16
#define HALF_W(v, f, k, t)    HALF_T_##t v;
#define HALF_R(v, f, k, t)    HALF_T_##t v = (HALF_T_##t)(p_##v[LANE] >> HALF * 16);
#define HALF_SAVE(v, f, k, t) out_##v[LANE] = (HALF ? out_##v[LANE] : 0) | (u32)(u16)v << HALF * 16;

/* v_cmpx: EXEC becomes the mask just stored. */
static inline void exec_from_mask(struct wave *w)
{
    u32 dw[2];
    pair_set(dw, w->mask_out);
    scalar_write(w, CODE_EXEC, dw, 2);
}

#endif
