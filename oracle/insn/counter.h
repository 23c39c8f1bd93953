/* The counters of s_waitcnt: their fields in its 16 bits, and their largest counts. The only
 * reader of the COUNTER rows of oracle/isa/reg.def. */
#ifndef ORACLE_INSN_COUNTER_H
#define ORACLE_INSN_COUNTER_H

#include "oracle/isa/isa.h"

enum counter_id {
#define COUNTER(name, low, low_at, high, high_at) COUNTER_##name,
#include "oracle/isa/reg.def"
    COUNTERS
};

/* How far they count on gfx9, where they have all their bits: COUNTER_MAX_vmcnt ... */
enum {
#define COUNTER(name, low, low_at, high, high_at) COUNTER_MAX_##name = (1 << ((low) + (high))) - 1,
#include "oracle/isa/reg.def"
};

struct counter {
    const char *name;
    u8 low_bits, low_pos, high_bits, high_pos;
};

/* The counters of a generation, by enum counter_id. */
const struct counter *counter_table(enum gen gen);

static inline u32 counter_max(const struct counter *c)
{
    return mask32(c->low_bits + (u32)c->high_bits);
}

/* The count in the 16 bits, and the 16 bits with another one. */
u32 counter_get(const struct counter *c, u32 simm16);
u32 counter_set(const struct counter *c, u32 simm16, u32 value);

#endif
