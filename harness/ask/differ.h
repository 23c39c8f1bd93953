/* What differs between two processors, for gcncheck list --diff: opcodes, their names, numbers, forms
 * and modifiers; where fields stand; what features change; hazards; limits. Made from the tables, so
 * that it is what the model does. */
#ifndef HARNESS_ASK_DIFFER_H
#define HARNESS_ASK_DIFFER_H

#include "oracle/isa/isa.h"

#include <stdio.h>

/* One difference. */
struct differ_line {
    const char *kind;  /* "opcode" "name" "number" "forms" "modifiers" "field" "feature" "rule"
                         "hazard" "limit" */
    const char *name;  /* of the row, layout, feature, hazard or limit */
    const char *what;  /* what of it; "" where the kind says it */
    const char *a, *b; /* what it is on each; "-": it is not there */
};

/* Called with each difference, in a fixed order; the texts live until it returns. */
typedef void differ_fn(void *ctx, const struct differ_line *line);

/* Tells fn every difference between two processors, and returns how many there are. */
u32 differ_each(const struct isa *a, const struct isa *b, differ_fn *fn, void *ctx);

/* The forms of a row as words, "e32,literal", with `between` between two. Returns buf. */
const char *differ_forms(enum gen gen, const struct isa_row *row, const char *between, char *buf,
                         size_t size);

#endif
