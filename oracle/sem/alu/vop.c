/* Vector ALU rows. OPF rows are those of the `ref` engine: integers only, active lanes only. */
#include "oracle/sem/alu/vop.h"

#include "oracle/fp/fp_gfx.h"
#include "oracle/fp/fp_old.h"
#include "oracle/fp/fp_trans.h"

/* ---- dot products of packed values: the sums that rows add to a 32-bit value ---- */

/* Element i of `bits` bits. */
static inline i32 dot_signed(u32 v, u32 i, u32 bits)
{
    return (i32)sext32(v >> i * bits & mask32(bits), bits);
}
static inline u32 dot_unsigned(u32 v, u32 i, u32 bits)
{
    return v >> i * bits & mask32(bits);
}

/* The sum of the products of all elements. */
static inline i64 dot_i(u32 a, u32 b, u32 bits)
{
    i64 sum = 0;
    for (u32 i = 0; i < 32 / bits; i++)
        sum += (i64)dot_signed(a, i, bits) * dot_signed(b, i, bits);
    return sum;
}
static inline u64 dot_u(u32 a, u32 b, u32 bits)
{
    u64 sum = 0;
    for (u32 i = 0; i < 32 / bits; i++)
        sum += (u64)dot_unsigned(a, i, bits) * dot_unsigned(b, i, bits);
    return sum;
}

static inline u32 sat_u32(u64 v)
{
    return v > UINT32_MAX ? UINT32_MAX : (u32)v;
}

/* Plus the addend; clamp saturates the exact sum. Open: that of the products by itself. */
static inline i32 dot_add_i(struct fp_env *env, i64 products, i32 addend, bool clamp)
{
    i64 sum = products + addend;
    if (!clamp)
        return (i32)(u32)(u64)sum;
    if (products != sat_i32(products) && fp_alt(env, ALT_VALUE))
        return sat_i32((i64)sat_i32(products) + addend);
    return sat_i32(sum);
}
static inline u32 dot_add_u(u64 products, u32 addend, bool clamp)
{
    u64 sum = products + addend;
    return clamp ? sat_u32(sum) : (u32)sum;
}

/* ---- 16-bit and packed values: total functions on bits and small numbers ---- */

/* A sum or product as 16 bits: saturated if clamp is set, else its low bits. */
static inline u16 u16_of(i64 v, bool clamp)
{
    if (clamp)
        v = v < 0 ? 0 : v > UINT16_MAX ? UINT16_MAX : v;
    return (u16)v;
}
static inline i16 i16_of(i64 v, bool clamp)
{
    if (clamp)
        v = v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v;
    return (i16)v;
}

/* Saturated to 8 bits without sign. */
static inline u32 u8_of(i32 v)
{
    return v < 0 ? 0 : v > 255 ? 255 : (u32)v;
}

static inline u16 u16_min(u16 a, u16 b)
{
    return a < b ? a : b;
}
static inline u16 u16_max(u16 a, u16 b)
{
    return a >= b ? a : b;
}
static inline i16 i16_min(i16 a, i16 b)
{
    return a < b ? a : b;
}
static inline i16 i16_max(i16 a, i16 b)
{
    return a >= b ? a : b;
}

/* V_PACK_B32_F16 moves bits. Open: whether it flushes and quiets. */
static inline u16 pack_half(struct fp_env *env, u16 v)
{
    bool special = (v & 0x7fff) > 0x7c00, subnormal = !(v & 0x7c00) && v & 0x3ff;
    if (special && !(v & 0x200))
        env->open |= OPEN_ANY;
    bool flush = env->flush_in || env->flush_out;
    return subnormal && flush && fp_alt(env, ALT_RAW) ? v & 0x8000 : v;
}

/* ---- interpolation: parameters of primitives in LDS, and the arithmetic on them ----
 * Vega ISA, sections 10.3 (LDS parameter reads) and 12.11. */

/* The selectors of v_interp_mov_f32. */
enum { P10, P20, P0 };

/* A parameter for the quad that the lane is of: twelve dwords for each primitive of each attribute.
 * M0 holds where they begin, and for each quad but the first whether a primitive begins there.
 * ERRATA(EXP-U02): the manual says no more; the order is that of CLRX. */
static inline u32 lds_param(struct wave *w, u32 attr_chan, u32 which, u32 lane)
{
    u32 m0 = w->sgpr[CODE_M0], begins = (m0 >> 15 & 0xfffe) | 1, chan = attr_chan & 3;
    u32 prim = popcount32(begins & ((2u << lane / 4) - 1)) - 1;
    u32 dword = which == P20 ? 8 + chan : chan * 2 + (which == P10);
    u32 record = (attr_chan >> 2) * popcount32(begins) + prim;
    return (u32)mem_read(w, SPACE_LDS_M0, lane, (m0 & 0xffff) + (record * 12 + dword) * 4, 4);
}

/* a * b + c. ERRATA(EXP-U03): whether the product is rounded and subnormals are flushed is not
 * known. */
static inline u32 interp32(struct fp_env *env, u32 a, u32 b, u32 c)
{
    struct fp_env unfused = *env;
    u32 d = ffma32(env, a, b, c), other = fmad32(&unfused, a, b, c);
    return d != other && fp_alt(env, ALT_VALUE2) ? other : d;
}

/* Half of a parameter, as f32. ERRATA(EXP-U03): whether subnormals are flushed is not known. */
static inline u32 interp_half(struct fp_env *env, u32 half)
{
    bool subnormal = !(half & 0x7c00) && half & 0x3ff;
    return f16_widen((u16)half, subnormal && fp_alt(env, ALT_VALUE));
}

/* interp32 whose result may be rounded as halves are. ERRATA(EXP-U03): LLVM sets that field of MODE
 * for it. */
static inline u32 interp_wide(struct fp_env *env, const struct fp_env *narrow, u32 a, u32 b, u32 c)
{
    struct fp_env other = *env;
    other.round = narrow->round;
    u32 d = interp32(env, a, b, c), e = interp32(&other, a, b, c);
    return d != e && fp_alt(env, ALT_PRODUCT) ? e : d;
}

/* a * b + c as a half, where `wide` is the environment of f32. ERRATA(EXP-U03): as of interp32. */
static inline u16 interp16(struct fp_env *env, const struct fp_env *wide, u32 a, u32 b, u32 c)
{
    struct fp_env unfused = *env;
    u16 d = fmix16(env, wide, a, b, c, true), other = fmix16(&unfused, wide, a, b, c, false);
    return d != other && fp_alt(env, ALT_PRODUCT) ? other : d;
}

/* The half of a parameter that the instruction's attr_word names. */
static inline u32 half_param(struct fp_env *env, struct wave *w, const struct xinsn *in,
                             u32 attr_chan, u32 which, u32 lane)
{
    u32 dword = lds_param(w, attr_chan, which, lane);
    return interp_half(env, insn_get(&in->insn, FLD_high) ? dword >> 16 : dword & 0xffff);
}

/* ---- looking something up, putting bytes together ---- */

/* v with its byte `index` (two bits count) replaced. V_CVT_PK_U8_F32. */
static inline u32 put_byte(u32 v, u32 index, u32 byte)
{
    u32 shift = (index & 3) * 8;
    return (v & ~(0xffu << shift)) | byte << shift;
}

/* V_SCREEN_PARTITION_4SE_B32: the shader engines that a rectangle of tiles covers, a bit each.
 * sel = x_min, y_min, x_max, y_max, two bits each from the top; coordinates wrap. The engine of a
 * tile is { x[0] ^ y[1], y[0] ^ x[1] }: the manual's table of 256 results, Vega ISA, VOP1
 * opcodes. */
static inline u32 screen_partition(u32 sel)
{
    u32 x_min = sel >> 6 & 3, y_min = sel >> 4 & 3, x_max = sel >> 2 & 3, y_max = sel & 3,
        covered = 0;
    for (u32 i = 0; i <= ((x_max - x_min) & 3); i++)
        for (u32 k = 0; k <= ((y_max - y_min) & 3); k++) {
            u32 x = x_min + i, y = y_min + k;
            covered |= 1u << (((x ^ y >> 1) & 1) << 1 | ((y ^ x >> 1) & 1));
        }
    return covered;
}

/* ---- sums of absolute differences of bytes ----
 * The MI100 manual has the formulas; the Vega manual only names. */

static inline u32 absdiff(u32 a, u32 b)
{
    return a > b ? a - b : b - a;
}

static inline u32 byte_of(u32 v, u32 i)
{
    return v >> i * 8 & 0xff;
}

/* Of four bytes; a byte of `ref` that is 0 counts nothing if `masked`. */
static inline u32 sad4(u32 v, u32 ref, bool masked)
{
    u32 sum = 0;
    for (u32 i = 0; i < 4; i++)
        if (!masked || byte_of(ref, i))
            sum += absdiff(byte_of(v, i), byte_of(ref, i));
    return sum;
}

/* Four windows of four bytes, a byte apart, each added to 16 bits of acc. What a sum over 0xffff
 * gives is open: cut, or 0xffff. */
static inline u64 qsad4(struct fp_env *env, u64 v, u32 ref, u64 acc, bool masked)
{
    u64 result = 0;
    for (u32 i = 0; i < 4; i++) {
        u32 sum = sad4((u32)(v >> i * 8), ref, masked) + (u32)(acc >> i * 16 & 0xffff);
        if (sum > 0xffff)
            sum = fp_alt(env, ALT_VALUE) ? 0xffff : sum & 0xffff;
        result |= (u64)sum << i * 16;
    }
    return result;
}

/* The mean of four pairs of bytes, rounded up where bit 0 of the byte of `up` is set. */
static inline u32 lerp4(u32 a, u32 b, u32 up)
{
    u32 result = 0;
    for (u32 i = 0; i < 4; i++)
        result |= ((byte_of(a, i) + byte_of(b, i) + (byte_of(up, i) & 1)) >> 1) << i * 8;
    return result;
}

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

/* M0 is added to the number of the source, of the destination, or both. A source behind the last
 * register is v0, and nothing is written behind it. ERRATA(GCN3-U07): the rule of gfx9's indexing,
 * which took the place of these. */
static void vector_movrel(struct wave *w, const struct xinsn *in, bool source, bool destination)
{
    struct xop s = in->opnd[SLOT_S0], d = in->opnd[SLOT_D];
    u64 m0 = w->sgpr[CODE_M0];
    u32 buf[LANES], out[LANES];
    const char *name = insn_row(&in->insn)->name;
    if ((source && !allocated_holds(w, name, true, s.code - CODE_VGPR + m0, 1)) ||
        (destination && !allocated_holds(w, name, true, d.code - CODE_VGPR + m0, 1)))
        return;
    if (source)
        s.code = (u16)(s.code + m0 < CODE_VGPR + VGPRS ? s.code + m0 : CODE_VGPR);
    if (destination && d.code + m0 >= CODE_VGPR + VGPRS)
        return;
    if (destination)
        d.code = (u16)(d.code + m0);
    memcpy(out, fetch32(w, in, &s, buf), sizeof out);
    store32(w, in, &d, out);
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

// clang-format off
#define OP(op, shape, numbers, rowflags, ...)                    \
    static void sem_##op(struct wave *w, const struct xinsn *in) \
    {                                                            \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_RW)                \
        const bool CLAMP = in->clamp;                            \
        (void)w, (void)CLAMP;                                    \
        for (u32 LANE = 0; LANE < LANES; LANE++) {               \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R)             \
            __VA_ARGS__                                          \
            shape(NOTHING_E, SAVE, NOTHING, SAVE)                \
        }                                                        \
        shape(NOTHING_E, STORE, NOTHING, STORE)                  \
        if ((rowflags)&WR_EXEC)                                  \
            exec_from_mask(w);                                   \
    }

/* Lanes that are off must not raise exceptions, so only active ones are computed. */
#define ZERO(v, f, k, t) memset(out_##v, 0, sizeof out_##v);
#define OPF(op, shape, numbers, rowflags, ...)                   \
    static void sem_##op(struct wave *w, const struct xinsn *in) \
    {                                                            \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_RW)                \
        shape(NOTHING_E, ZERO, NOTHING, ZERO)                    \
        const bool CLAMP = in->clamp;                            \
        (void)CLAMP;                                             \
        DECL_ENV(shape)                                          \
        struct fp_env *const E = &env;                           \
        for (u64 m = wave_exec(w); m; m &= m - 1) {              \
            const u32 LANE = ctz64(m);                           \
            shape(NOTHING_E, LANE_W, LANE_R, LANE_R)             \
            __VA_ARGS__                                          \
            shape(NOTHING_E, SAVE, NOTHING, SAVE)                \
            wave_note_open(w, LANE, E);                          \
        }                                                        \
        shape(NOTHING_E, STORE, NOTHING, STORE)                  \
        wave_raise(w, env.flags);                                \
        if ((rowflags)&WR_EXEC)                                  \
            exec_from_mask(w);                                   \
    }

/* Exceptions of lanes that are off go nowhere. */
#define OPP(op, shape, numbers, rowflags, ...)                       \
    static void sem_##op(struct wave *w, const struct xinsn *in)     \
    {                                                                \
        shape(NOTHING_E, DECL_W, DECL_R, DECL_RW)                    \
        const bool CLAMP = in->clamp;                                \
        DECL_ENV(shape)                                              \
        struct fp_env off = env;                                     \
        const u64 exec = wave_exec(w);                               \
        (void)CLAMP;                                                 \
        for (u32 LANE = 0; LANE < LANES; LANE++) {                   \
            struct fp_env *const E = exec >> LANE & 1 ? &env : &off; \
            (void)E;                                                 \
            for (u32 HALF = 0; HALF < 2; HALF++) {                   \
                shape(NOTHING_E, HALF_W, HALF_R, HALF_R)             \
                __VA_ARGS__                                          \
                shape(NOTHING_E, HALF_SAVE, NOTHING, HALF_SAVE)      \
            }                                                        \
            wave_note_open(w, LANE, &env);                           \
        }                                                            \
        shape(NOTHING_E, STORE, NOTHING, STORE)                      \
        wave_raise(w, env.flags);                                    \
    }
// clang-format on

#define OPW(op, shape, numbers, rowflags, ...) SEM_OF_WAVE(op, __VA_ARGS__)

#define OPH                                    OPF
#define OPX(...)                               /* oracle/sem/alu/mai.c */
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
