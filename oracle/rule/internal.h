/* Shared by the files of rule.h. */
#ifndef ORACLE_RULE_INTERNAL_H
#define ORACLE_RULE_INTERNAL_H

#include "oracle/rule/rule.h"
#include "oracle/state/effects.h"

/* An instruction and what every question about it needs. */
struct subject {
    const struct insn *in;
    const struct isa_row *row;
    enum isa_unit unit;
    bool lint;    /* as in the state */
    bool indexed; /* MODE adds an index to the numbers of vector registers */
    u32 gens;     /* whose rules hold, bits by enum gen */
    const struct effects *fx;
};

/* From so many wait states on a time asks for nothing any more; of the matrix core it is more. */
enum { RULE_RECENT = 5 };

static inline bool rule_is_recent(const struct rule_state *st, u32 time)
{
    return st->now - time < RULE_RECENT;
}

static inline bool rule_is_vgpr(u32 place)
{
    return place >= PLACE_V0 && place < PLACE_A0;
}

/* The matrix core is used from here on. */
void rule_start_matrix(struct rule_state *st);

/* What the instruction needs of the counters, added to *need. */
void rule_need_waits(const struct rule_state *st, const struct subject *s, struct rule_need *need);
/* Moves the counters over it. */
void rule_step_waits(struct rule_state *st, const struct subject *s);

/* Both where memory instructions may be replayed alone.
 *
 * Whether the instruction would be one more of a clause that XNACK cannot replay: *place is what
 * would have been written over, or written before a store reads (PLACE_MEM). */
bool rule_breaks_clause(const struct rule_state *st, const struct subject *s, u32 *place);
void rule_step_clause(struct rule_state *st, const struct subject *s);

#endif
