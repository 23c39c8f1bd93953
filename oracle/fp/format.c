#include "oracle/fp/format.h"

#include "oracle/fp/fp.h"

static const struct data_format formats[DATA_FORMAT_LAST + 1] = {
    [1] = { 1, { 8 }, 1 },
    [2] = { 1, { 16 }, 2 },
    [3] = { 2, { 8, 8 }, 2 },
    [4] = { 1, { 32 }, 4 },
    [5] = { 2, { 16, 16 }, 4 },
    [6] = { 3, { 11, 11, 10 }, 4 },
    [7] = { 3, { 10, 11, 11 }, 4 },
    [8] = { 4, { 2, 10, 10, 10 }, 4 },
    [9] = { 4, { 10, 10, 10, 2 }, 4 },
    [10] = { 4, { 8, 8, 8, 8 }, 4 },
    [11] = { 2, { 32, 32 }, 8 },
    [12] = { 4, { 16, 16, 16, 16 }, 8 },
    [13] = { 3, { 32, 32, 32 }, 12 },
    [14] = { 4, { 32, 32, 32, 32 }, 16 },
    [16] = { 3, { 5, 6, 5 }, 2 },
    [17] = { 4, { 5, 5, 5, 1 }, 2 },
    [18] = { 4, { 1, 5, 5, 5 }, 2 },
    [19] = { 4, { 4, 4, 4, 4 }, 2 },
};

/* The f32 nearest to the linear value of each sRGB byte c: with s = c / 255, s / 12.92 up to
 * 0.04045, else ((s + 0.055) / 1.055)^2.4. */
static const u32 srgb_linear[256] = {
#include "oracle/fp/srgb.def"
};

const struct data_format *data_format(u32 code)
{
    return &formats[code < COUNT_OF(formats) ? code : 0];
}

bool num_format_fits(u32 bits, enum num_format num)
{
    switch (num) {
    case NUM_RESERVED: return false;
    case NUM_FLOAT: return bits == 10 || bits == 11 || bits == 16 || bits == 32;
    case NUM_UINT:
    case NUM_SINT: return true;
    case NUM_SRGB: return bits == 8;
    case NUM_SNORM: return bits > 1 && bits < 32;
    default: return bits < 32;
    }
}

enum { F32_ONE = 0x3f800000, F32_INF = 0x7f800000 };
static const u32 f32_sign = 0x80000000;

/* num / den as the nearest f32, ties to even; 0 < num <= den < 2^16. */
static u32 ratio(u32 num, u32 den)
{
    /* 24 bits of quotient and one more, which says with `more` on which side of half the rest is: as many
     * as there are when num, moved up, is den to twice den, and 24 bits further up */
    u32 shift = clz32(num) - clz32(den);
    shift += num << shift < den ? 25 : 24;
    u64 wide = (u64)num << shift;
    u32 q = (u32)(wide / den);
    bool more = wide % den != 0;
    u32 mant = q >> 1;
    if (q & 1 && (more || mant & 1))
        mant++;
    /* mant is 2^23..2^24; a carry into 2^24 moves on into the exponent */
    return ((127 + 24 - shift) << 23) + (mant - (1u << 23));
}

/* Unsigned floats of 10 and 11 bits: 5 bits of exponent, as in f16, and 5 or 6 of significand. */
static u32 small_float(u32 raw, u32 bits)
{
    u32 mant_bits = bits - 5, exp = raw >> mant_bits, mant = raw & mask32(mant_bits);
    struct fp_env env = { .round = ROUND_EVEN };
    u16 half = (u16)(exp << 10 | mant << (10 - mant_bits));
    return cvt_f32_f16(&env, half);
}

static u32 decode_float(u32 raw, u32 bits)
{
    struct fp_env env = { .round = ROUND_EVEN };
    if (bits == 32)
        return raw;
    return bits == 16 ? cvt_f32_f16(&env, (u16)raw) : small_float(raw, bits);
}

u32 format_decode(u32 raw, u32 bits, enum num_format num)
{
    struct fp_env env = { .round = ROUND_EVEN };
    i32 value = (i32)sext32(raw, bits);
    switch (num) {
    case NUM_UNORM: return raw ? ratio(raw, mask32(bits)) : 0;
    case NUM_SNORM: {
        u32 most = mask32(bits - 1), size = (u32)(value < 0 ? -value : value);
        u32 v = value == 0 ? 0 : ratio(size > most ? most : size, most);
        return v | (value < 0 ? f32_sign : 0);
    }
    case NUM_USCALED: return cvt_f32_u32(&env, raw);
    case NUM_SSCALED: return cvt_f32_i32(&env, (u32)value);
    case NUM_SINT: return (u32)value;
    case NUM_FLOAT: return decode_float(raw, bits);
    case NUM_SRGB: return srgb_linear[raw & 0xff];
    case NUM_UINT:
    case NUM_RESERVED: break;
    }
    return raw;
}

static bool is_integer(enum num_format num)
{
    return num == NUM_UINT || num == NUM_SINT;
}

u32 format_narrow(u32 value, u32 bits, enum num_format num, bool saturates)
{
    u32 low = value & mask32(bits);
    if (!saturates)
        return low;
    if (num == NUM_UINT)
        return low == value ? value : mask32(bits);
    if (sext32(low, bits) == value)
        return low;
    return value >> 31 ? 1u << (bits - 1) : mask32(bits - 1);
}

u32 format_decode_half(u32 raw, u32 bits, enum num_format num, bool saturates)
{
    u32 v = format_decode(raw, bits, num);
    struct fp_env env = { .round = num == NUM_FLOAT && bits == 32 ? ROUND_ZERO : ROUND_EVEN };
    return is_integer(num) ? format_narrow(v, 16, num, saturates) : cvt_f16_f32(&env, v);
}

/* |v| * scale as the nearest integer, ties to even, or cut; |v| <= 1 or what clamping left. */
static u32 times(u32 v, u32 scale, bool nearest)
{
    i32 exp = (i32)(v >> 23 & 0xff);
    u64 product = (u64)((v & 0x7fffff) | (exp ? 1u << 23 : 0)) * scale;
    i32 shift = 150 - (exp ? exp : 1); /* product is worth product * 2^-shift */
    if (shift <= 0)
        return (u32)(product << -shift);
    if (shift > 63)
        return 0;
    u64 whole = product >> shift, rest = product & mask64((u32)shift), half = 1ull << (shift - 1);
    return (u32)(whole + (nearest && (rest > half || (rest == half && whole & 1))));
}

/* A float to an integer of this size, limited to its range. */
static u32 to_scaled(u32 v, u32 bits, bool is_signed)
{
    bool negative = v >> 31;
    u32 size = v & ~f32_sign, most = is_signed ? mask32(bits - 1) : mask32(bits);
    u32 limit = most + (is_signed && negative);
    if (size > F32_INF || (negative && !is_signed))
        return 0;
    u32 whole = size >= 0x4f800000 ? limit : times(size, 1, false);
    whole = whole > limit ? limit : whole;
    return (negative ? 0 - whole : whole) & mask32(bits);
}

static u32 to_norm(u32 v, u32 bits, bool is_signed)
{
    bool negative = v >> 31;
    u32 size = v & ~f32_sign, most = mask32(is_signed ? bits - 1 : bits);
    if (size > F32_INF || (negative && !is_signed))
        return 0;
    u32 whole = times(size > F32_ONE ? (u32)F32_ONE : size, most, true);
    return (negative ? 0 - whole : whole) & mask32(bits);
}

/* To an unsigned float of 10 or 11 bits, to nearest even; too large gives the largest number. */
static u32 to_small_float(u32 v, u32 bits)
{
    u32 mant_bits = bits - 5, size = v & ~f32_sign;
    u32 infinite = 31u << mant_bits;
    if (size > F32_INF)
        return infinite | 1u << (mant_bits - 1);
    if (v >> 31)
        return 0;
    if (size == F32_INF)
        return infinite;
    i32 exp = (i32)(size >> 23) - 127 + 15;
    u32 mant = (size & 0x7fffff) | (size >> 23 ? 1u << 23 : 0);
    u32 shift = 23 - mant_bits + (exp < 1 ? (u32)(1 - exp) : 0);
    if (shift > 30)
        return 0;
    u32 whole = mant >> shift, rest = mant & mask32(shift), half = 1u << (shift - 1);
    whole += rest > half || (rest == half && whole & 1);
    /* the hidden bit adds one to the exponent */
    u32 coded = whole + (exp < 1 ? 0 : (u32)(exp - 1) << mant_bits);
    return coded >= infinite ? infinite - 1 : coded;
}

u32 format_encode(u32 value, u32 bits, enum num_format num, bool saturates)
{
    struct fp_env env = { .round = ROUND_EVEN };
    switch (num) {
    case NUM_UNORM: return to_norm(value, bits, false);
    case NUM_SNORM: return to_norm(value, bits, true);
    case NUM_USCALED: return to_scaled(value, bits, false);
    case NUM_SSCALED: return to_scaled(value, bits, true);
    case NUM_FLOAT:
        if (bits == 32)
            return value;
        return bits == 16 ? cvt_f16_f32(&env, value) : to_small_float(value, bits);
    case NUM_UINT:
    case NUM_SINT: return format_narrow(value, bits, num, saturates);
    case NUM_SRGB:
    case NUM_RESERVED: break;
    }
    return value & mask32(bits);
}

u32 format_widen_half(u32 half, enum num_format num)
{
    struct fp_env env = { .round = ROUND_EVEN };
    if (is_integer(num))
        return num == NUM_SINT ? sext32(half, 16) : half & 0xffff;
    return cvt_f32_f16(&env, (u16)half);
}
