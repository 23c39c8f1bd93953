/* Memory that fails, for one source of a test that is linked with --wrap=malloc,--wrap=calloc
 * (LDLIBS_t_NAME in the Makefile): what the test and the library allocate comes through here. */
#ifndef HARNESS_T_LIB_SHORT_MEMORY_H
#define HARNESS_T_LIB_SHORT_MEMORY_H

#include "oracle/base/base.h"

#include <stddef.h>

static u64 until_failure; /* 1: the next allocation fails; 0: none does */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static bool allocation_fails(void)
{
    return until_failure && --until_failure == 0;
}

void *__wrap_malloc(size_t size)
{
    return allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_fails() ? NULL : __real_calloc(count, size);
}

/* The n-th allocation from here on will fail. */
static void fail_memory(u64 n)
{
    until_failure = n;
}

/* No more; whether it has failed. */
static bool memory_failed(void)
{
    bool failed = until_failure == 0;
    until_failure = 0;
    return failed;
}

#endif
