#include "oracle/base/array.h"

#include <stdlib.h>

enum { CAP_FIRST = 16 };

void *array_grow(void *array, u32 *cap, u64 need, size_t size)
{
    if (need <= *cap)
        return array;
    u64 room = *cap ? *cap * 2ull : CAP_FIRST;
    if (room < need)
        room = need;
    if (room > UINT32_MAX || room > SIZE_MAX / size)
        return NULL;
    void *grown = realloc(array, (size_t)room * size);
    if (grown)
        *cap = (u32)room;
    return grown;
}
