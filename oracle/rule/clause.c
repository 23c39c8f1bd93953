/* Clauses: memory instructions of one kind that follow each other. Where memory is paged in on
 * demand (XNACK), all of a clause may be issued again, so that none of its instructions may write a
 * register that one of them reads. Vega ISA, chapter 7 (replay), and LLVM, which also begins a new
 * clause with each store behind a load. An instruction that writes its own sources is not a clause:
 * compilers leave that to the hardware. */
#include "oracle/rule/internal.h"

enum kind { KIND_NONE, KIND_SCALAR, KIND_VECTOR };

enum {
    WORDS = (RULE_SGPRS + RULE_VGPRS) / 64,
    COUNT_MAX = 40 * RULE_CLAUSE_MATRIX /* longer clauses count on a ring before it */
};

static enum kind kind_of(const struct subject *s)
{
    if (s->unit == UNIT_SMEM)
        return KIND_SCALAR;
    return isa_is_vmem(s->row) ? KIND_VECTOR : KIND_NONE;
}

static bool is_store(const struct subject *s)
{
    return s->row->flags & (FLAG_STORE | FLAG_ATOMIC);
}

static void add_place(struct rule_set *set, u32 place)
{
    if (place < RULE_SGPRS)
        set->bits[place / 64] |= 1ull << place % 64;
    else if (rule_is_vgpr(place))
        set->bits[(RULE_SGPRS + place - PLACE_V0) / 64] |= 1ull << place % 64;
}

static void add_set(struct rule_set *set, const struct rule_set *more)
{
    for (u32 i = 0; i < WORDS; i++)
        set->bits[i] |= more->bits[i];
}

static void add_registers(const struct subject *s, struct rule_set *write, struct rule_set *read)
{
    for (u32 i = 0; i < s->fx->count; i++) {
        const struct effect *e = &s->fx->e[i];
        for (u32 n = 0; n < e->dw; n++) {
            if (e->dir & DIR_W)
                add_place(write, e->place + n);
            if (e->dir & DIR_R)
                add_place(read, e->place + n);
        }
    }
}

/* A place that both hold; ~0 if there is none. */
static u32 common(const struct rule_set *a, const struct rule_set *b)
{
    for (u32 i = 0; i < WORDS; i++) {
        u64 both = a->bits[i] & b->bits[i];
        u32 place = both ? i * 64 + ctz64(both) : 0;
        if (both)
            return place < RULE_SGPRS ? place : place - RULE_SGPRS + PLACE_V0;
    }
    return ~0u;
}

/* What the last instructions of the clause wrote and read. */
static void look_back(const struct rule_state *st, struct rule_set *write, struct rule_set *read)
{
    const struct rule_clause *c = &st->clause;
    u32 most = st->matrix ? RULE_CLAUSE_MATRIX : RULE_CLAUSE;
    *write = *read = (struct rule_set){ { 0 } };
    for (u32 i = 1; i <= c->count && i <= most; i++) {
        u32 at = (c->count - i) % RULE_CLAUSE_MATRIX;
        add_set(write, &c->write[at]);
        add_set(read, &c->read[at]);
    }
}

bool rule_breaks_clause(const struct rule_state *st, const struct subject *s, u32 *place)
{
    struct rule_set write, read, none = { { 0 } };
    if (st->clause.count == 0 || kind_of(s) != st->clause.kind)
        return false;
    look_back(st, &write, &read);
    if (memcmp(&write, &none, sizeof none) == 0)
        return false;
    *place = common(&write, &write);
    if (is_store(s))
        return true;
    add_registers(s, &write, &read);
    *place = common(&write, &read);
    return *place != ~0u;
}

void rule_step_clause(struct rule_state *st, const struct subject *s)
{
    struct rule_clause *c = &st->clause;
    enum kind kind = kind_of(s);
    if (kind != c->kind) {
        c->kind = (u8)kind;
        c->count = 0;
    }
    if (kind == KIND_NONE)
        return;
    u32 at = c->count % RULE_CLAUSE_MATRIX;
    c->write[at] = c->read[at] = (struct rule_set){ { 0 } };
    add_registers(s, &c->write[at], &c->read[at]);
    if (++c->count == COUNT_MAX)
        c->count = COUNT_MAX - RULE_CLAUSE_MATRIX;
}
