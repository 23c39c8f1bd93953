/* The pages that gcncheck explain prints; all of it comes from the rows and the ledger. */
#ifndef HARNESS_ASK_EXPLAIN_H
#define HARNESS_ASK_EXPLAIN_H

#include "oracle/errata/errata.h"
#include "oracle/insn/insn.h"

#include <stdio.h>

/* Opcode numbers and processors, forms, operands, modifiers, flags, semantics, cases, ledger. Case files
 * stand in the folder `cases` (NULL: it was not found) and are called cases/..., wherever that is, as
 * witnesses of the ledger are. ST_WORLD: no memory to read one. */
enum status explain_op(FILE *out, const struct isa *isa, isa_op op, const char *cases,
                       struct err *e);

/* Which bits are which field of the instruction in dw[0..count-1], and whether it is legal, with
 * the reason if not. False if it is not exactly one instruction, or not a legal one. */
bool explain_bits(FILE *out, const struct isa *isa, const u32 *dw, u32 count);

/* One ledger entry. */
void explain_erratum(FILE *out, const struct erratum *entry);

#endif
