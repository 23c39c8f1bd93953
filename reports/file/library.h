/* Libraries that do not say why they answer nothing (libelf): whether one of them was refused memory.
 * malloc says so in errno, which nobody clears. */
#ifndef REPORTS_FILE_LIBRARY_H
#define REPORTS_FILE_LIBRARY_H

#include "oracle/base/base.h"

#include <errno.h>

/* Before the calls. */
static inline void library_watch(void)
{
    errno = 0;
}

/* What a function that made them answers: `st`, or ST_WORLD because memory was short. */
static inline enum status library_settle(enum status st, struct err *e)
{
    return errno == ENOMEM ? err_memory(e) : st;
}

#endif
