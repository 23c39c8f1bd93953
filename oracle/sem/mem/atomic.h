/* What atomics make of the value in memory and their data, on bits. Shared by LDS, vector and
 * scalar memory rows. Vector rows spell sums and bit operations out. Vega ISA, chapter 12 (DS,
 * MUBUF, FLAT and SMEM opcodes). ERRATA(SMEM-C13): of 64-bit minima and maxima the manual prints a
 * subtraction. */
#ifndef ORACLE_SEM_MEM_ATOMIC_H
#define ORACLE_SEM_MEM_ATOMIC_H

#include "oracle/sem/sem.h"

/* As functions, for scalar memory. */
static inline u32 add32(u32 old, u32 data)
{
    return old + data;
}
static inline u32 rsub32(u32 old, u32 data)
{
    return data - old;
}
static inline u32 sub32(u32 old, u32 data)
{
    return old - data;
}
static inline u32 and32(u32 old, u32 data)
{
    return old & data;
}
static inline u32 or32(u32 old, u32 data)
{
    return old | data;
}
static inline u32 xor32(u32 old, u32 data)
{
    return old ^ data;
}
static inline u32 swap32(u32 old, u32 data)
{
    (void)old;
    return data;
}
/* The same in 64 bits: a row names a function of its type. */
static inline u64 add64(u64 old, u64 data)
{
    return old + data;
}
static inline u64 rsub64(u64 old, u64 data)
{
    return data - old;
}
static inline u64 sub64(u64 old, u64 data)
{
    return old - data;
}
static inline u64 and64(u64 old, u64 data)
{
    return old & data;
}
static inline u64 or64(u64 old, u64 data)
{
    return old | data;
}
static inline u64 xor64(u64 old, u64 data)
{
    return old ^ data;
}
static inline u64 swap64(u64 old, u64 data)
{
    (void)old;
    return data;
}

/* Counts up to `data` and starts again at 0. */
static inline u32 inc32(u32 old, u32 data)
{
    return old >= data ? 0 : old + 1;
}
static inline u64 inc64(u64 old, u64 data)
{
    return old >= data ? 0 : old + 1;
}

/* Counts down to 0 and starts again at `data`, also from above it. */
static inline u32 dec32(u32 old, u32 data)
{
    return old == 0 || old > data ? data : old - 1;
}
static inline u64 dec64(u64 old, u64 data)
{
    return old == 0 || old > data ? data : old - 1;
}

static inline u32 min_u32(u32 old, u32 data)
{
    return data < old ? data : old;
}
static inline u32 max_u32(u32 old, u32 data)
{
    return data > old ? data : old;
}
static inline u32 min_i32(u32 old, u32 data)
{
    return (i32)data < (i32)old ? data : old;
}
static inline u32 max_i32(u32 old, u32 data)
{
    return (i32)data > (i32)old ? data : old;
}
static inline u64 min_u64(u64 old, u64 data)
{
    return data < old ? data : old;
}
static inline u64 max_u64(u64 old, u64 data)
{
    return data > old ? data : old;
}
static inline u64 min_i64(u64 old, u64 data)
{
    return (i64)data < (i64)old ? data : old;
}
static inline u64 max_i64(u64 old, u64 data)
{
    return (i64)data > (i64)old ? data : old;
}

/* Bits of the mask are replaced. Bits of `data` outside the mask are set too. */
static inline u32 mskor32(u32 old, u32 mask, u32 data)
{
    return (old & ~mask) | data;
}
static inline u64 mskor64(u64 old, u64 mask, u64 data)
{
    return (old & ~mask) | data;
}

static inline u32 wrap32(u32 old, u32 limit, u32 step)
{
    return old >= limit ? old - limit : old + step;
}

static inline u32 cmpst32(u32 old, u32 compare, u32 data)
{
    return old == compare ? data : old;
}
static inline u64 cmpst64(u64 old, u64 compare, u64 data)
{
    return old == compare ? data : old;
}

/* Compare and swap of vector and scalar memory: the new value is the low half of the data, the
 * compared one the high half. DS has them the other way round, as two operands. */
static inline u32 cmpswap32(u32 old, u64 data)
{
    return cmpst32(old, (u32)(data >> 32), (u32)data);
}
static inline u64 cmpswap64(u64 old, struct b128 data)
{
    return cmpst64(old, pair_get(data.d + 2), pair_get(data.d));
}

/* Exchanges each dword whose data has bit 31 set; the bit itself is not stored. UNVERIFIED: known
 * from outside the manual only. */
static inline u32 condxchg32(u32 old, u32 data)
{
    return data >> 31 ? data & 0x7fffffff : old;
}
static inline u64 condxchg64(u64 old, u64 data)
{
    return condxchg32((u32)old, (u32)data) | (u64)condxchg32((u32)(old >> 32), (u32)(data >> 32))
                                                 << 32;
}

/* ---- floats: denormals as MODE says, always rounded to nearest even; no exceptions ---- */

static inline u32 add_f32(const struct wave *w, u32 old, u32 data)
{
    struct fp_env env = w->f32;
    env.round = ROUND_EVEN;
    env.ieee = 1;
    return fadd32(&env, old, data);
}

/* In memory beyond LDS, on processors that can: MODE does not count. f32 is always flushed, f16
 * never. MI100 ISA, section 10.3. */
static inline u32 mem_add_f32(u32 old, u32 data)
{
    struct fp_env env = { .flush_in = 1, .flush_out = 1, .ieee = 1 };
    return fadd32(&env, old, data);
}
static inline u32 mem_pk_add_f16(u32 old, u32 data)
{
    struct fp_env env = { .ieee = 1 };
    u32 low = fadd16(&env, (u16)old, (u16)data);
    return low | (u32)fadd16(&env, (u16)(old >> 16), (u16)(data >> 16)) << 16;
}

/* NaNs are equal to nothing, zeros to each other. */
static inline u32 cmpst_f32(const struct wave *w, u32 old, u32 compare, u32 data)
{
    struct fp_env env = w->f32;
    return fcmp32(&env, old, compare) == ORDER_EQ ? data : old;
}
static inline u64 cmpst_f64(const struct wave *w, u64 old, u64 compare, u64 data)
{
    struct fp_env env = w->f64;
    return fcmp64(&env, old, compare) == ORDER_EQ ? data : old;
}

/* The same in memory beyond LDS. ERRATA(GCN2-U05): nothing is flushed, whatever MODE says. */
static inline u32 mem_cmpst_f32(u32 old, u32 compare, u32 data)
{
    struct fp_env env = { .ieee = 1 };
    return fcmp32(&env, old, compare) == ORDER_EQ ? data : old;
}
static inline u64 mem_cmpst_f64(u64 old, u64 compare, u64 data)
{
    struct fp_env env = { .ieee = 1 };
    return fcmp64(&env, old, compare) == ORDER_EQ ? data : old;
}
static inline u32 cmpswap_f32(u32 old, u64 data)
{
    return mem_cmpst_f32(old, (u32)(data >> 32), (u32)data);
}
static inline u64 cmpswap_f64(u64 old, struct b128 data)
{
    return mem_cmpst_f64(old, pair_get(data.d + 2), pair_get(data.d));
}

static inline bool f64_is_nan(u64 v)
{
    return v << 1 > 0xffe0000000000000u;
}

/* Order of numbers as bits: -0 below +0. */
static inline u32 key_f32(u32 v)
{
    return v >> 31 ? ~v : v | 0x80000000;
}
static inline u64 key_f64(u64 v)
{
    return v >> 63 ? ~v : v | (u64)1 << 63;
}

/* Minimum and maximum with one data operand. A number wins over a quiet NaN, a signaling NaN over
 * everything and becomes quiet; what is stored is not flushed. ERRATA(DS-C05): the manual compares
 * with a second operand that the opcode has not, and its maximum is a minimum. */
static inline bool nan_f32(u32 old, u32 data, u32 *result)
{
    if (f32_is_snan(old) || f32_is_snan(data))
        *result = (f32_is_snan(old) ? old : data) | 0x00400000;
    else
        *result = f32_is_nan(old) ? data : old;
    return f32_is_nan(old) || f32_is_nan(data);
}
static inline u32 min_f32(u32 old, u32 data)
{
    u32 r;
    return nan_f32(old, data, &r) ? r : key_f32(data) < key_f32(old) ? data : old;
}
static inline u32 max_f32(u32 old, u32 data)
{
    u32 r;
    return nan_f32(old, data, &r) ? r : key_f32(data) > key_f32(old) ? data : old;
}

static inline bool nan_f64(u64 old, u64 data, u64 *result)
{
    const u64 quiet = (u64)1 << 51;
    bool old_signals = f64_is_nan(old) && !(old & quiet);
    bool data_signals = f64_is_nan(data) && !(data & quiet);
    if (old_signals || data_signals)
        *result = (old_signals ? old : data) | quiet;
    else
        *result = f64_is_nan(old) ? data : old;
    return f64_is_nan(old) || f64_is_nan(data);
}
static inline u64 min_f64(u64 old, u64 data)
{
    u64 r;
    return nan_f64(old, data, &r) ? r : key_f64(data) < key_f64(old) ? data : old;
}
static inline u64 max_f64(u64 old, u64 data)
{
    u64 r;
    return nan_f64(old, data, &r) ? r : key_f64(data) > key_f64(old) ? data : old;
}

#endif
