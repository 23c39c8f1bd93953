/* The vocabulary every folder uses: short integer types, bit helpers, error text, text buffers and
 * the one pseudo-random generator. No allocation and no I/O happens here; everything is
 * deterministic. */
#ifndef ORACLE_BASE_BASE_H
#define ORACLE_BASE_BASE_H

/* Elsewhere the results would be others, silently. */
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "gcncheck needs a little-endian processor: it keeps the GPU's memory in its byte order."
#endif
#ifndef __SIZEOF_INT128__
#error "gcncheck needs a compiler with __int128, as gcc and clang are for 64-bit processors."
#endif

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

enum {
    LANES = 64,          /* lanes of a wave */
    PC_DEFAULT = 0x10000 /* where a program sits unless its owner says otherwise, bytes */
};

/* What a fallible function answers. The struct err beside it says what and where in one line. */
enum status {
    ST_OK,
    ST_INPUT, /* bad input: a file, an option, dwords, text; exit code 2 */
    ST_WORLD  /* the environment failed: no memory, no device, a lost worker; exit code 3 */
};

/* One line about one failure. `file` is empty and `line` 0 where there is none. */
struct err {
    char text[256];
    char file[256];
    int line;
};

/* Fills *e (file and line are left as they are) and returns `st`, so that callers can write
 * `return err_set(e, ST_INPUT, "...")`. e may be NULL. */
enum status err_set(struct err *e, enum status st, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with the file that it is about. */
enum status err_file(struct err *e, enum status st, const char *file, const char *text);

/* The same with "out of memory" and ST_WORLD. */
enum status err_memory(struct err *e);

/* Whether err_memory filled it. */
bool err_is_memory(const struct err *e);

/* Prints "file:line: text" (or as much of it as is known) into buf. Returns buf. */
const char *err_text(const struct err *e, char *buf, size_t size);

/* Our own bug: prints where, aborts. Never for bad input. */
#define BUG(text) bug_at(__FILE__, __LINE__, text)
void bug_at(const char *file, int line, const char *text) __attribute__((noreturn));

/* A text buffer over the caller's memory. Always NUL-terminated; what does not fit sets `full`. */
struct text {
    char *buf;
    size_t size; /* bytes */
    size_t len;  /* bytes used, without the NUL */
    bool full;
};

void text_init(struct text *t, char *buf, size_t size);
void text_add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* xoshiro256**, seeded through splitmix64. One stream per owner; passed as a pointer, never
 * global. */
struct rng {
    u64 s[4];
};

void rng_seed(struct rng *r, u64 seed);

static inline u64 rng_rotate(u64 v, u32 n)
{
    return v << n | v >> (64 - n);
}
static inline u64 rng_u64(struct rng *r)
{
    u64 *s = r->s, result = rng_rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotate(s[3], 45);
    return result;
}

/* 0 <= result < n, n > 0. Unbiased: of the numbers of 32 bits, the last run of n is taken only if it
 * is whole. */
static inline u32 rng_below(struct rng *r, u32 n)
{
    if (n == 0)
        BUG("rng_below(0)");
    for (;;) {
        u32 v = (u32)(rng_u64(r) >> 32), rest = v % n;
        if (v - rest <= 0u - n)
            return rest;
    }
}

/* True once in n. */
static inline bool rng_one_in(struct rng *r, u32 n)
{
    return rng_below(r, n) == 0;
}

/* Mixes two words into one; used to derive seeds, so that (seed, opcode, index) never collide by
 * hand. */
u64 hash_mix(u64 a, u64 b);

/* Total shifts and fields: defined for every count and width. */
static inline u32 mask32(u32 width)
{
    return width >= 32 ? ~0u : (1u << width) - 1;
}
static inline u64 mask64(u32 width)
{
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}
static inline u32 bits32(u32 v, u32 lsb, u32 width)
{
    return lsb >= 32 ? 0 : v >> lsb & mask32(width);
}
static inline u64 bits64(u64 v, u32 lsb, u32 width)
{
    return lsb >= 64 ? 0 : v >> lsb & mask64(width);
}

/* Sign-extends the low `width` bits (1..32, 1..64). */
static inline u32 sext32(u32 v, u32 width)
{
    u32 sign = 1u << (width - 1);
    return ((v & mask32(width)) ^ sign) - sign;
}

static inline u64 sext64(u64 v, u32 width)
{
    u64 sign = 1ull << (width - 1);
    return ((v & mask64(width)) ^ sign) - sign;
}

/* Counts; the argument of the clz and ctz forms may be zero (they answer the width). */
static inline u32 popcount32(u32 v)
{
    return (u32)__builtin_popcount(v);
}
static inline u32 popcount64(u64 v)
{
    return (u32)__builtin_popcountll(v);
}
static inline u32 clz32(u32 v)
{
    return v ? (u32)__builtin_clz(v) : 32;
}
static inline u32 clz64(u64 v)
{
    return v ? (u32)__builtin_clzll(v) : 64;
}
static inline u32 ctz32(u32 v)
{
    return v ? (u32)__builtin_ctz(v) : 32;
}
static inline u32 ctz64(u64 v)
{
    return v ? (u32)__builtin_ctzll(v) : 64;
}

#endif
