#include "reports/file/pack_memory.h"

#include <msgpack.h>

static _Thread_local bool was_short;

int pack_memory_write(void *buffer, const char *bytes, size_t size)
{
    int failed = msgpack_sbuffer_write(buffer, bytes, size);
    was_short |= failed != 0;
    return failed;
}

bool pack_memory_was_short(void)
{
    return was_short;
}
