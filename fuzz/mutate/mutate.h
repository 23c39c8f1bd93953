/* Recipes of programs (fuzz/gen/recipe.h) as bytes, and changed at random: what a fuzzer that is led
 * by coverage works on. */
#ifndef FUZZ_MUTATE_MUTATE_H
#define FUZZ_MUTATE_MUTATE_H

#include "fuzz/gen/recipe.h"

/* Bytes that any recipe has at most. */
enum {
    MUTATE_HEAD_BYTES = 16,
    MUTATE_VALUE_BYTES = 8,
    MUTATE_GENE_BYTES = 38,
    MUTATE_SWAP_BYTES = 5,
    MUTATE_BYTES_MAX = MUTATE_HEAD_BYTES + RECIPE_VALUES_MAX * MUTATE_VALUE_BYTES +
                       RECIPE_GENES_MAX * (MUTATE_GENE_BYTES + RECIPE_SWAPS_MAX * MUTATE_SWAP_BYTES)
};

/* Reads a recipe and repairs it. Every sequence of bytes is one: where it ends too early, what is
 * begun there and all behind it is left out; what it has too much is not looked at. */
void mutate_decode(const struct generator *g, const u8 *bytes, size_t size, struct recipe *r);

/* Writes a repaired recipe; returns the bytes. Decoded, they are the same recipe. */
size_t mutate_encode(const struct recipe *r, u8 bytes[MUTATE_BYTES_MAX]);

/* Changes a repaired recipe in one or several places: instructions are put in, taken out, repeated,
 * moved, drawn anew, taken from `other`; one gets another form or another operand or modifier; values
 * at the start of registers that are read change. The same *rng gives the same. `other` (repaired) may
 * be NULL; what `scratch` holds is lost. The result is repaired. */
void mutate_recipe(const struct generator *g, struct rng *rng, const struct recipe *other,
                   struct stream *scratch, struct recipe *r);

/* What a recipe's stream reads, to be changed digit by digit. */
struct mutate_walk {
    u32 count;
    struct recipe_value reads[RECIPE_READS_MAX];
};

/* Of a repaired recipe; what `scratch` holds is lost. Returns how many steps there are. */
u32 mutate_walk_start(const struct generator *g, const struct recipe *r, struct stream *scratch,
                      struct mutate_walk *walk);
/* Sets one hexadecimal digit of one value to one of 16: step by step all of all, so that one which a
 * branch asks for is met. *r is the recipe that the walk was started with. */
void mutate_walk_step(const struct mutate_walk *walk, u32 step, struct recipe *r);

/* Takes n genes out, of which the recipe has as many from `at` on. */
void mutate_cut(struct recipe *r, u32 at, u32 n);

#endif
