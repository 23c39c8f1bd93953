/* What programs of csmith include: checked arithmetic (an operation that C leaves undefined gives its left operand), and
 * a sum over all variables at the end. Once for the host, where main writes the sum to the file of its name; once for the
 * GPU, where a kernel of one work-item stores it. */
#ifndef CSMITH_H
#define CSMITH_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#ifndef __AMDGCN__
#include <stdio.h>
#endif

#define UNARY(T, t)                                                     \
    static inline T safe_unary_minus_func_##T##_##t(T a)                \
    {                                                                   \
        T r;                                                            \
        return __builtin_sub_overflow((T)0, a, &r) && t##_ ? a : r;     \
    }
#define OVERFLOWING(name, T, t)                                         \
    static inline T safe_##name##_func_##T##_##t##_##t(T a, T b)        \
    {                                                                   \
        T r;                                                            \
        return __builtin_##name##_overflow(a, b, &r) && t##_ ? a : r;   \
    }
#define DIVIDING(name, op, T, t)                                        \
    static inline T safe_##name##_func_##T##_##t##_##t(T a, T b)        \
    {                                                                   \
        T least = (T)((uint64_t)1 << (sizeof(T) * 8 - 1));              \
        return b == 0 || (t##_ && a == least && b == (T)-1) ? a : (T)(a op b); \
    }
/* The left operand is at least an int; bits may go only where C says so. */
#define SHIFTING(T, t, U, u)                                            \
    static inline T safe_lshift_func_##T##_##t##_##u(T a, U b)          \
    {                                                                   \
        int bits = sizeof(T) < 4 ? 32 : (int)sizeof(T) * 8;             \
        if (a < 0 || b < 0 || (int64_t)b >= bits || a > (T)(top_##T >> b)) \
            return a;                                                   \
        return (T)(a << b);                                             \
    }                                                                   \
    static inline T safe_rshift_func_##T##_##t##_##u(T a, U b)          \
    {                                                                   \
        int bits = sizeof(T) < 4 ? 32 : (int)sizeof(T) * 8;             \
        return a < 0 || b < 0 || (int64_t)b >= bits ? a : (T)(a >> b);  \
    }
#define ALL(T, t)                                                       \
    UNARY(T, t)                                                         \
    OVERFLOWING(add, T, t)                                              \
    OVERFLOWING(sub, T, t)                                              \
    OVERFLOWING(mul, T, t)                                              \
    DIVIDING(div, /, T, t)                                              \
    DIVIDING(mod, %, T, t)                                              \
    SHIFTING(T, t, int, s)                                              \
    SHIFTING(T, t, unsigned, u)

enum { s_ = 1, u_ = 0 };
#define top_int8_t   INT8_MAX
#define top_int16_t  INT16_MAX
#define top_int32_t  INT32_MAX
#define top_int64_t  INT64_MAX
#define top_uint8_t  UINT8_MAX
#define top_uint16_t UINT16_MAX
#define top_uint32_t UINT32_MAX
#define top_uint64_t UINT64_MAX
ALL(int8_t, s)
ALL(int16_t, s)
ALL(int32_t, s)
ALL(int64_t, s)
ALL(uint8_t, u)
ALL(uint16_t, u)
ALL(uint32_t, u)
ALL(uint64_t, u)

/* Of floats only what stays finite and normal. */
#define FLOATING(name, op, T, f, least, most)                           \
    static inline T safe_##name##_func_##T##_##f##_##f(T a, T b)        \
    {                                                                   \
        T r = a op b, size = r < 0 ? -r : r;                            \
        return size <= most && (size >= least || size == 0) ? r : a;    \
    }
#define ALL_FLOATING(T, f, least, most)                                 \
    FLOATING(add, +, T, f, least, most)                                 \
    FLOATING(sub, -, T, f, least, most)                                 \
    FLOATING(mul, *, T, f, least, most)                                 \
    FLOATING(div, /, T, f, least, most)
ALL_FLOATING(float, f, __FLT_MIN__, __FLT_MAX__)
ALL_FLOATING(double, d, __DBL_MIN__, __DBL_MAX__)
static inline int32_t safe_convert_func_float_to_int32_t(float a)
{
    return a > -2147483648.0f && a < 2147483648.0f ? (int32_t)a : INT32_MAX;
}

static uint64_t sum;

static inline void sum_up(uint64_t value)
{
    sum = (sum ^ value) * 0x100000001b3u;
    sum ^= sum >> 29;
}

static inline void sum_up_bytes(const void *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum_up(((const uint8_t *)at)[i]);
}

#define transparent_crc(value, name, print)           ((void)(print), sum_up((uint64_t)(value)))
#define transparent_crc_bytes(at, bytes, name, print) ((void)(print), sum_up_bytes(at, bytes))
#define printf(...)                                   ((void)0)
#define platform_main_begin()                         ((void)0)
#define crc32_gentab()                                ((void)0)
#define crc32_context                                 0
#define platform_main_end(crc, print)                 ((void)(print))

static int program(void);

#ifdef __AMDGCN__
__attribute__((amdgpu_kernel, visibility("protected"))) void run(__attribute__((address_space(1))) uint64_t *out)
{
    program();
    *out = sum;
}
#else
int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "wb") : NULL;
    if (!f)
        return 1;
    program();
    return !(fwrite(&sum, sizeof sum, 1, f) == 1 && fclose(f) == 0);
}
#endif

#define main(...) program(void)
#endif
