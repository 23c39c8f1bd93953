/* SHA-256 (FIPS 180-4), as sha256sum prints it: what tells whether a file is still the one that a
 * run began with. */
#ifndef HARNESS_IO_SHA256_H
#define HARNESS_IO_SHA256_H

#include "oracle/base/base.h"

enum { SHA256_BYTES = 32, SHA256_TEXT = 2 * SHA256_BYTES + 1, SHA256_BLOCK = 64 };

struct sha256 {
    u32 h[8];
    u64 bytes; /* that were added */
    u8 block[SHA256_BLOCK];
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, const void *bytes, size_t size);

/* Adds a text and its end; NULL is an empty one. */
void sha256_add_text(struct sha256 *s, const char *text);

/* Ends it: the digest. *s is of no use afterwards. */
void sha256_end_bytes(struct sha256 *s, u8 digest[SHA256_BYTES]);

/* The same in hex, terminated. */
void sha256_end(struct sha256 *s, char text[SHA256_TEXT]);

/* Adds the contents of a file. False with errno: it cannot be read; *s is of no use then. */
bool sha256_add_file(struct sha256 *s, const char *path);

#endif
