/* Hashes of text. */
#ifndef ORACLE_BASE_HASH_H
#define ORACLE_BASE_HASH_H

#include "oracle/base/base.h"

/* FNV-1a of 64 bits over the bytes before the NUL. Seeds and the order of case points depend on it:
 * it never changes. */
u64 hash_text(const char *text);

#endif
