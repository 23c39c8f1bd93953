/* What the files of coverage share. Lowest first: level.c (the levels of a factor), name.c (what
 * they are called), model.c (which are legal), count.c (which were seen). */
#ifndef FUZZ_COVER_INTERNAL_H
#define FUZZ_COVER_INTERNAL_H

#include "fuzz/cover/cover.h"

enum { COVER_NO_LEVEL = 255, COVER_DPP_KINDS = 12 };

/* The sorts of values; of floats, zero to infinity come in two signs. */
enum cover_float {
    COVER_FLOAT_ZERO = 0,
    COVER_FLOAT_SUBNORMAL = 2,
    COVER_FLOAT_NORMAL = 4,
    COVER_FLOAT_INFINITE = 6,
    COVER_FLOAT_QUIET = 8,
    COVER_FLOAT_SIGNALLING,
    COVER_FLOATS
};
enum cover_int {
    COVER_INT_0,
    COVER_INT_1,
    COVER_INT_ALL, /* ones: -1 */
    COVER_INT_MAX,
    COVER_INT_MIN,
    COVER_INT_ABOVE,
    COVER_INT_BELOW,
    COVER_INTS
};
enum cover_exec { COVER_EXEC_ALL, COVER_EXEC_SOME, COVER_EXEC_ONE, COVER_EXEC_NONE, COVER_EXECS };

/* What a code of an operand names. */
enum cover_class cover_class_of(enum gen gen, u32 code);

/* The level, among all of its way, that an instruction has of a fixed factor. */
u32 cover_fixed_level(const struct cover_factor *f, const struct insn *in);

/* The level, likewise, of a value. */
u32 cover_float_level(u64 bits, u32 width);
u32 cover_int_level(u64 bits, u32 width);

/* The value that a source of SDWA selects of a register; others have the whole. */
u64 cover_selected(const struct insn *in, const struct isa_operand *o, u64 value, u32 *width);

/* Bits of a value of the type that decide its sort: of packed values those of the first. */
u32 cover_value_width(enum isa_type type);

static inline bool cover_is_fixed(const struct cover_factor *f)
{
    return f->way < COVER_MODE;
}
static inline void cover_set(struct cover_bits *b, u32 level)
{
    b->w[level / 64] |= 1ull << level % 64;
}
static inline bool cover_get(const struct cover_bits *b, u32 level)
{
    return b->w[level / 64] >> level % 64 & 1;
}
static inline void cover_or(struct cover_bits *to, const struct cover_bits *from)
{
    for (u32 i = 0; i < COVER_WORDS; i++)
        to->w[i] |= from->w[i];
}
/* The level of the kind that a level of a factor's way is; COVER_LEVELS_MAX if it is none. */
static inline u32 cover_level_at(const struct cover_factor *f, u32 level)
{
    if (level >= 32 || !(f->has >> level & 1))
        return COVER_LEVELS_MAX;
    return f->first + popcount32(f->has & mask32(level));
}

#endif
