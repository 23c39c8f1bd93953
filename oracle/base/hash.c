#include "oracle/base/hash.h"

u64 hash_text(const char *text)
{
    u64 h = 0xcbf29ce484222325ull;
    for (; *text; text++)
        h = (h ^ (u8)*text) * 0x100000001b3ull;
    return h;
}
