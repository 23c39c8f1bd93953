#include "reports/file/checksum.h"

void checksum_init(struct checksum *c)
{
    for (u32 i = 0; i < COUNT_OF(c->table); i++) {
        u32 v = i;
        for (u32 bit = 0; bit < 8; bit++)
            v = v & 1 ? v >> 1 ^ 0xedb88320u : v >> 1;
        c->table[i] = v;
    }
}

u32 checksum_of(const struct checksum *c, const void *bytes, size_t size)
{
    const u8 *at = bytes;
    u32 v = ~0u;
    for (size_t i = 0; i < size; i++)
        v = c->table[(v ^ at[i]) & 255] ^ v >> 8;
    return ~v;
}
