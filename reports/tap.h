/* TAP 13, the format in which commands print struct results on standard output; Debian's `prove`
 * reads it. Test programs print theirs with harness/t/lib/tap_test.h. */
#ifndef REPORTS_TAP_H
#define REPORTS_TAP_H

#include "oracle/base/base.h"
#include "reports/result.h"

#include <stdio.h>

/* A TAP document being written. Counters are for reading; the file stays the caller's. */
struct tap {
    FILE *out;
    u64 planned;               /* 0: the plan is printed at the end */
    u64 done;                  /* test points printed */
    u64 failed, skipped, todo; /* of them */
};

/* Begins a document: version line, and the plan `1..planned` unless planned is 0. */
void tap_open(struct tap *t, FILE *out, u64 planned);

/* Prints one test point, with a YAML block for everything but a plain pass. */
void tap_result(struct tap *t, const struct result *r);

/* Prints a `#` line (one for each line of the text). */
void tap_comment(struct tap *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints a text as it may stand after `ok 1 - `: `#` would begin a directive, and a line end would
 * end the test point. */
void tap_escape(FILE *out, const char *text);

/* Prints `Bail out!`: nothing after it counts. */
void tap_bail(struct tap *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Ends a document without test points instead of tap_close: a plan of none, with the reason. */
bool tap_close_empty(struct tap *t, const char *why);

/* Ends the document: the plan, if it was left for the end, and the buffer flushed. Returns whether
 * the plan was kept and everything could be written; a failed test point is no error here. */
bool tap_close(struct tap *t);

#endif
