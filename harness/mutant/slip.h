/* Slips: mistakes that emulators make at instructions of every kind. Each is one function, which
 * executes an instruction wrongly, and a rule that says where it can be made; its mutants are all
 * rows, or encodings, that the rule admits. They share one copy of the model: which is planted is
 * data. Slips of registers, of the instruction's bits and of memory have a file each. */
#ifndef HARNESS_MUTANT_SLIP_H
#define HARNESS_MUTANT_SLIP_H

#include "harness/mutant/mutant.h"

enum slip_scope {
    SLIP_ROW, /* a mutant for each row */
    SLIP_ENC  /* a mutant for each encoding */
};

struct slip {
    const char *name;  /* what ids of its mutants end in; fits may add to it */
    const char *class; /* of bug: mutants are counted by it */
    const char *text;  /* what is wrong */
    u8 kind;           /* enum mutant_kind */
    u8 scope;          /* enum slip_scope */
    u16 variants;      /* arg is below */
    u16 one_in;        /* of the rows of an encoding, every n-th has one; 0 is 1 */
    /* Whether a row can have variant `arg`; adds to *id what tells variants apart. */
    bool (*fits)(const struct isa_row *row, u32 arg, struct text *id);
    /* Executes *x, a copy of the prepared instruction behind which PC stands. */
    void (*run)(struct machine *m, struct wave *w, struct xinsn *x, u32 arg);
};

struct slip_file {
    const struct slip *slip;
    u32 count;
};
extern const struct slip_file slip_registers, slip_instructions, slip_memory;

/* Whether a mutant is made of a slip. */
bool slip_is(const struct mutant *mu);

/* Plants those of a list that are slips beside what is planted already: in the functions of their
 * rows, those of a row before those of its encoding. One engine of a process at a time. */
void slip_plant_beside(const struct mutant *const *mu, u32 count, const struct isa *isa,
                       struct engine *eng);

/* The operand at `index` of a row's list; NULL behind the last. */
const struct isa_operand *slip_operand(const struct isa_row *row, u32 index);

/* Whether the row's body looks at the operand's value: what it only names, (void)S0, is all the
 * same, and a slip there behaves as the model. */
bool slip_counts(const struct isa_row *row, const struct isa_operand *d);

/* How many registers a prepared operand covers; 0 if it is none, or is not there. */
u32 slip_registers_of(const struct xop *o);

/* The place of register i of an operand. */
u32 slip_place(const struct xop *o, u32 i);

/* A register that shows other values while an instruction is executed. */
struct slip_shown {
    u32 *at;
    u32 count; /* 1, or LANES */
    u32 old[LANES], put[LANES];
};

/* Begins: `put` holds what the register has. The register is logged. */
void slip_open(struct wave *w, struct slip_shown *s, u32 place);
/* Shows `put`. */
void slip_show(struct slip_shown *s);
/* Puts back what nobody has written meanwhile. */
void slip_close(struct slip_shown *s);

/* Sets a register, logged: all lanes of `lanes`. */
void slip_set(struct wave *w, u32 place, u64 lanes, u32 value);

/* Prepares *x again from its instruction's bits, which may have been changed. */
void slip_prepare(struct machine *m, struct xinsn *x);

#endif
