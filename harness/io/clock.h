/* What clocks show. */
#ifndef HARNESS_IO_CLOCK_H
#define HARNESS_IO_CLOCK_H

#include "oracle/base/base.h"

#include <time.h>

/* Milliseconds of a clock that only goes forward. */
u64 clock_ms(void);

/* Seconds: CLOCK_MONOTONIC, or time that a thread or the process was given. */
double clock_seconds(clockid_t clock);

#endif
