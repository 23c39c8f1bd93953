#include "reports/file/json_memory.h"

#include <jansson.h>
#include <pthread.h>
#include <stdlib.h>

static _Thread_local bool was_short;

void *json_memory_get(size_t size)
{
    void *p = malloc(size);
    was_short |= !p;
    return p;
}

static void watch_all(void)
{
    json_set_alloc_funcs(json_memory_get, free);
}

void json_memory_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_all);
    was_short = false;
}

bool json_memory_was_short(void)
{
    return was_short;
}
