/* The progress line of long work: done, rate, time to go, findings. It is drawn on standard error
 * and only if that is a terminal; in a pipe nothing is ever printed. */
#ifndef HARNESS_IO_PROGRESS_H
#define HARNESS_IO_PROGRESS_H

#include "harness/io/color.h"

struct progress {
    bool on, color;
    bool drawn;       /* a line stands on the terminal now */
    const char *what; /* plural: "cases" */
    u64 total;        /* 0: not known */
    u64 limit_ms;     /* 0: no time limit; the caller's to set once it is open */
    u64 done, findings;
    u64 start_ms, drawn_ms;
};

/* Begins. `what` is kept, not copied. Nothing is drawn if `quiet`. */
void progress_open(struct progress *p, bool quiet, enum color_when color, const char *what,
                   u64 total);

/* Says how far the work is; draws at most ten times a second. One thread calls this. */
void progress_set(struct progress *p, u64 done, u64 findings);

/* Takes the line off the terminal; to be called before anything else is printed. */
void progress_hide(struct progress *p);

/* Milliseconds since progress_open, for rates in summaries. */
u64 progress_elapsed_ms(const struct progress *p);

/* The line after `elapsed_ms`, without colours or line end. Returns buf. */
const char *progress_line(const struct progress *p, u64 elapsed_ms, char *buf, size_t size);

#endif
