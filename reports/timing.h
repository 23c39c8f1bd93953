/* How long results took, by the times that a journal may have. Those that came between two of its
 * times share what lies between: cases run in batches, several at a time. */
#ifndef REPORTS_TIMING_H
#define REPORTS_TIMING_H

#include "reports/journal.h"

/* Of one run. */
struct timing {
    bool is_known;  /* the run has times */
    u64 date;       /* when it began, in seconds since 1970 */
    u64 ms;         /* that it has taken up to the last time, without pauses between stretches */
    u64 began, now; /* of the last time */
};

/* Takes a time; a head before it has made *t empty. Returns the milliseconds since the one before. */
u64 timing_take(struct timing *t, const struct journal_time *time);

/* Prints "2026-11-24 11:44:42 UTC" into buf and returns it. */
const char *timing_date(u64 date, char *buf, size_t size);

/* Prints "91.2 s", "12 min 5 s" or "3 h 12 min" into buf and returns it. */
const char *timing_span(u64 ms, char *buf, size_t size);

#endif
