/* CRC-32 as zlib and Python's zlib.crc32 count it: what is kept on disk carries it, so that damage
 * is seen. Every error within 32 bits is found, others but for one in 2^32. */
#ifndef REPORTS_FILE_CHECKSUM_H
#define REPORTS_FILE_CHECKSUM_H

#include "oracle/base/base.h"

/* What counting needs; made once by whoever counts. */
struct checksum {
    u32 table[256];
};

void checksum_init(struct checksum *c);

/* The checksum of `size` bytes. */
u32 checksum_of(const struct checksum *c, const void *bytes, size_t size);

#endif
