#include "oracle/insn/counter.h"

static const struct counter counters[2][COUNTERS] = {
    {
#define COUNTER(name, low, low_at, high, high_at) { #name, low, low_at, 0, 0 },
#include "oracle/isa/reg.def"
    },
    {
#define COUNTER(name, low, low_at, high, high_at) { #name, low, low_at, high, high_at },
#include "oracle/isa/reg.def"
    },
};

const struct counter *counter_table(enum gen gen)
{
    return counters[gen >= GEN_GFX9];
}

u32 counter_get(const struct counter *c, u32 simm16)
{
    return bits32(simm16, c->low_pos, c->low_bits) | bits32(simm16, c->high_pos, c->high_bits)
                                                         << c->low_bits;
}

u32 counter_set(const struct counter *c, u32 simm16, u32 value)
{
    u32 low = mask32(c->low_bits), high = mask32(c->high_bits);
    simm16 &= ~(low << c->low_pos | high << c->high_pos);
    return simm16 | (value & low) << c->low_pos | (value >> c->low_bits & high) << c->high_pos;
}
