/* Recipes: what a stream is made from, in pieces that can be changed one at a time. The generator draws
 * a stream from one sequence of random numbers; a recipe says from which numbers each piece of it is
 * drawn: registers and values at the start, and then each instruction. Whatever a recipe holds, what
 * is made of it is valid: it is drawn by the same functions, which place waits and wait states anew.
 * An instruction for which there is nothing (no buffers in this stream, no room) is left out.
 *
 * For one processor and one choice of opcodes and forms the recipe that was noted for a stream makes
 * that stream again. */
#ifndef FUZZ_GEN_RECIPE_H
#define FUZZ_GEN_RECIPE_H

#include "fuzz/gen/gen.h"

enum { RECIPE_GENES_MAX = 320, RECIPE_SWAPS_MAX = 4, RECIPE_VALUES_MAX = 32 };

/* Where an instruction comes from. */
enum gene_kind {
    GENE_DRAWN, /* what the generator draws next: any opcode, a block, a barrier */
    GENE_FOCUS, /* the opcode that the stream turns around */
    GENE_OP,    /* this opcode */
    GENE_KINDS
};
enum { GENE_ANY_FORM = 255, GENE_LITERAL = 255, GENE_ALL_LANES = LANES };

/* One field of an instruction that is taken from another draw of the same opcode and form. Skipped if
 * what comes out is not legal, or if the fields of the instruction belong together. */
struct gene_swap {
    u8 field; /* enum isa_field, or GENE_LITERAL */
    u32 seed; /* of the other draw */
};

struct gene {
    u8 kind;
    u8 form;   /* of GENE_OP: enum isa_form, if the opcode may have it; GENE_ANY_FORM: drawn */
    u16 op;    /* of GENE_OP: isa_op */
    u64 at[4]; /* state of the random numbers before it; not all 0 */
    u8 swap_count;
    struct gene_swap swap[RECIPE_SWAPS_MAX];
};

/* A value at the start that is not the one drawn. Registers of data are counted: vector registers of
 * integers, floats and doubles, then scalar ones. */
struct recipe_value {
    u8 wave, reg; /* modulo their numbers */
    u8 lane;      /* of a vector register; GENE_ALL_LANES: in all lanes */
    u32 value;
};

struct recipe {
    u64 seed;  /* of shape, registers and values */
    u16 focus; /* isa_op */
    u8 form;   /* the only form of the focus; GENE_ANY_FORM: any */
    u16 value_count, gene_count;
    struct recipe_value value[RECIPE_VALUES_MAX];
    struct gene gene[RECIPE_GENES_MAX];
};

/* Makes the recipe one that can be made into a stream: what is out of range becomes something in
 * range. */
void recipe_repair(const struct generator *g, struct recipe *r);

/* Makes the stream of a repaired recipe; seed and number are 0. ST_WORLD as gen_stream. */
enum status recipe_stream(const struct generator *g, const struct recipe *r, struct stream *s);

/* The registers of data that instructions of the recipe's stream read, but to keep results, each once,
 * with what wave 0 starts with there; of vector registers that of lane 0, for all lanes. `s` is filled
 * with the stream. Returns how many there are. */
enum { RECIPE_READS_MAX = 40 };
u32 recipe_list_reads(const struct generator *g, const struct recipe *r, struct stream *s,
                      struct recipe_value reads[RECIPE_READS_MAX]);

/* gen_stream for one processor, with the recipe of the stream. False: it is longer than a recipe can
 * be. */
bool recipe_note(const struct generator *g, u64 index, struct stream *s, struct recipe *r);

#endif
