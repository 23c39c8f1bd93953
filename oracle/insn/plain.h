/* Instructions without any modifier, whose operands are registers, constants or numbers that may stand
 * there whatever the row is: most are. Of these it can be said in few steps that they are legal, and what
 * their operands are. Of all others insn_printable says it. */
#ifndef ORACLE_INSN_PLAIN_H
#define ORACLE_INSN_PLAIN_H

#include "oracle/insn/insn.h"

/* Where the number of an operand stands in the word, and what it counts from. */
struct plain_operand {
    u8 slot, kind, type, dir; /* as in struct isa_operand */
    u8 lsb, width;
    u16 first;
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
enum { PLAIN_FORMS = FORM_E64 + 1, PLAIN_NONE = 1, PLAIN_MAX = 256 };
struct plain_table {
    u8 of[OPS_MAX][PLAIN_FORMS]; /* 0: not asked for yet */
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

/* Whether the code may stand there; `has_literal`: the form does. What is rare is not looked at: of other codes
 * nothing is said. */
static inline bool plain_takes(const struct plain_operand *o, u32 code, bool has_literal)
{
    const u64 sources = 1ull << K_SRC | 1ull << K_SSRC, kind = 1ull << o->kind;
    const u64 constants = sources | 1ull << K_LANESEL;
    const u64 scalars = constants | 1ull << K_SGPR | 1ull << K_MASK;
    const u64 vectors = sources | 1ull << K_VGPR;
    const u32 dw = isa_types[o->type].dwords;
    bool vector = (code >= CODE_VGPR) & (code % 256 + dw <= 256);
    bool scalar = (dw <= 2) & !(code & (dw - 1)) &
                  ((code + dw <= CODE_SGPR_LAST + 1) | (code - CODE_VCC < 2) |
                   (code - CODE_EXEC < 2) | ((code == CODE_M0) & (dw == 1)));
    bool constant = (code - CODE_INT_0 <= CODE_INT_MINUS_16 - CODE_INT_0) |
                    (code - CODE_FLOAT_0_5 < CODE_FLOAT_LAST - CODE_FLOAT_0_5);
    bool literal = has_literal & (code == CODE_LIT);
    return (vector & !!(kind & vectors)) | (scalar & !!(kind & scalars)) |
           (constant & !!(kind & constants)) | (literal & !!(kind & sources)) |
           (isa_kinds[o->kind].class >= OPERAND_IMMEDIATE);
}

#endif
