/* Traits: what an instruction is, names and meets, apart from which opcode it is. Of an instruction
 * that is about to be executed, so that those of lanes and of MODE are known. What failing
 * instructions share, and those that are right do not, tells one bug from many. */
#ifndef HARNESS_CHECK_TRAIT_H
#define HARNESS_CHECK_TRAIT_H

#include "oracle/sem/operand.h"

/* Ranges, then those of trait.def. */
enum trait {
    TRAIT_FORM,                          /* + enum isa_form */
    TRAIT_ENC = TRAIT_FORM + FORM_COUNT, /* + enum isa_enc */
    TRAIT_DPP = TRAIT_ENC + ENC_COUNT,   /* + kind of dpp_ctrl */
    TRAIT_CONSTANT = TRAIT_DPP + 12,     /* + group of inline constants */
    TRAIT_BYTES = TRAIT_CONSTANT + 15,   /* + width of a memory access */
    TRAIT_NAMED = TRAIT_BYTES + 6,
    TRAIT_BEFORE_NAMED = TRAIT_NAMED - 1, /* so that the first of trait.def is TRAIT_NAMED */
#define TRAIT(name, text) TRAIT_##name,
#include "harness/check/trait.def"
#undef TRAIT
    TRAIT_COUNT
};

enum { TRAIT_WORDS = (TRAIT_COUNT + 63) / 64 };

/* A set of traits, a bit each. */
struct traits {
    u64 bits[TRAIT_WORDS];
};

static inline bool trait_has(const struct traits *t, u32 trait)
{
    return t->bits[trait / 64] >> trait % 64 & 1;
}

/* Those of a prepared instruction that the wave is about to execute. */
void trait_find(const struct wave *w, const struct xinsn *x, struct traits *t);

/* Adds what is said of an instruction with this trait: "bound_ctrl:0", "reads a lane that is off". */
void trait_add_text(u32 trait, struct text *t);

#endif
