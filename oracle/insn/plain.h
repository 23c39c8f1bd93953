/* Instructions without any modifier, whose operands are registers, constants or numbers that may stand
 * there whatever the row is: most are. Of these it can be said in few steps that they are legal, and what
 * their operands are. Of all others insn_printable says it. */
#ifndef ORACLE_INSN_PLAIN_H
#define ORACLE_INSN_PLAIN_H

#include "oracle/insn/insn.h"

/* What a code may be. */
enum plain_class {
    PLAIN_OTHER,
    PLAIN_SCALAR = 1,   /* register */
    PLAIN_SINGLE = 2,   /* register that is not the first of two */
    PLAIN_CONSTANT = 4, /* inline */
    PLAIN_LITERAL = 8,
    PLAIN_VECTOR = 16, /* register */
    PLAIN_NUMBER = 32  /* of an operand that takes any */
};

/* Where the number of an operand stands in the word, what it counts from, and what may stand there. */
struct plain_operand {
    u8 slot, kind, type, dir; /* as in struct isa_operand */
    u8 lsb, width;
    u16 first, last; /* code of the number 0, and the last code that there may be */
    u8 takes;        /* PLAIN_ bits */
    u8 odd;          /* bits that the code of a scalar register does not have */
};

/* What instructions of a row in one form have in common with those of many others. */
struct plain_form {
    u64 operands;  /* bits of the word that are numbers of operands, or the row's number */
    u64 rest;      /* what the others are without modifiers */
    u64 modifiers; /* of the rest, what may be set, whatever else is */
    u8 count;      /* operands; 0: none is plain */
    struct plain_operand operand[OPERANDS_MAX];
};

/* Those of a processor, found as they are asked for: some hundred for two thousand rows and forms, so that they stay
 * in a cache. Zero is a table in which none is yet. */
enum { PLAIN_FORMS = FORM_E64 + 1, PLAIN_NONE = 1, PLAIN_MAX = 512 };
struct plain_table {
    u8 classes[CODE_VGPR + 1];    /* by code; all vector registers are the last */
    u16 of[OPS_MAX][PLAIN_FORMS]; /* 0: not asked for yet */
    u32 count;
    struct plain_form form[PLAIN_MAX]; /* from PLAIN_NONE on, which has no instruction */
};

/* What plain_find does for a row and form that is asked for the first time. */
const struct plain_form *plain_add(struct plain_table *t, const struct isa *isa,
                                   const struct insn *in);

/* The form of an instruction. It has none that are plain if it has modifiers that are always there, or a kind of
 * operand that other fields have a say in. */
static inline const struct plain_form *plain_find(struct plain_table *t, const struct isa *isa,
                                                  const struct insn *in)
{
    if (in->form >= PLAIN_FORMS)
        return &t->form[PLAIN_NONE];
    u32 known = t->of[in->op][in->form];
    return known ? &t->form[known] : plain_add(t, isa, in);
}

/* Whether the instruction, of that row and form, is plain but for modifiers, of which *modified says whether there
 * are any. */
static inline bool plain_is(const struct plain_form *f, u64 word, bool *modified)
{
    u64 rest = word & ~f->operands;
    *modified = rest & f->modifiers;
    return f->count && (rest & ~f->modifiers) == f->rest;
}

/* The operand's code, as insn_code. */
static inline u32 plain_code(const struct plain_operand *o, u64 word)
{
    return ((u32)(word >> o->lsb) & ((1u << o->width) - 1)) + o->first;
}

/* Whether the code may stand there. What is rare is not looked at: of other codes nothing is said. */
static inline bool plain_takes(const struct plain_table *t, const struct plain_operand *o, u32 code)
{
    u32 class = t->classes[code < CODE_VGPR ? code : (u32)CODE_VGPR];
    u32 odd = class & PLAIN_SCALAR ? code & o->odd : 0;
    return (o->takes & (class | PLAIN_NUMBER)) && !odd && code <= o->last;
}

#endif
