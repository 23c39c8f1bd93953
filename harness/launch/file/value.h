/* Values as they are written in a launch.txt: integers, floats, and the types that arguments have.
 * Used by harness/launch/file/file.c. */
#ifndef HARNESS_LAUNCH_FILE_VALUE_H
#define HARNESS_LAUNCH_FILE_VALUE_H

#include "oracle/base/base.h"

enum scalar_class { SCALAR_SIGNED, SCALAR_UNSIGNED, SCALAR_FLOAT };

struct launch_scalar {
    const char *word; /* "u32" */
    enum scalar_class class;
    u32 size; /* bytes: 1, 2, 4, 8; a float has at least 2 */
};

/* The type that `word` names, or NULL. */
const struct launch_scalar *launch_scalar_named(const char *word);

/* The bits of a value of that type, sign-extended to 64 for negative integers; false if `s` is no
 * such value or does not fit. Floats are rounded to the nearest, ties to even. */
bool launch_scalar_bits(const struct launch_scalar *sc, const char *s, u64 *bits);

/* Decimal or 0x..., with an optional minus; false if `s` is anything else or does not fit. */
bool launch_integer(const char *s, bool *is_negative, u64 *magnitude);

#endif
