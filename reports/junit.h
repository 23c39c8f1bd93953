/* JUnit XML: a suite for each encoding, a case for each failure. Other results are folded: those of one
 * opcode, form and reason are one case, so that a few failures are not drowned; how many results of
 * each sort there were are properties of the suite. Times are those of the journal, if it has any.
 * Everything is kept until it is closed, since counts stand in front. */
#ifndef REPORTS_JUNIT_H
#define REPORTS_JUNIT_H

#include "reports/summary.h"
#include "reports/timing.h"

#include <stdio.h>

/* A case; its texts are owned. */
struct junit_case {
    char suite[16];
    char *class, *name;
    char *text;  /* the elements that stand in it */
    u32 status;  /* enum result_status; RESULT_STATUS_COUNT: of the run, no result */
    u64 results; /* that are folded in it; 0: it is one, by itself */
    u64 us;      /* that they took */
    u32 number;  /* in which order they were made */
};

struct junit_suite {
    char name[16];
    u64 tally[TALLY_COUNT]; /* of its results */
};

struct junit {
    bool apart; /* nothing is folded */
    struct junit_case *at;
    u32 count, cap;
    u32 *slots; /* hash of cases that results may be folded in: index + 1; twice as many as cap */
    struct junit_suite *suite;
    u32 suites, suites_cap;
    u32 *waiting; /* the cases of the results since the last time */
    u32 waits, waiting_cap;
    struct timing timing; /* of the present run */
    bool has_times;
    u64 date, ms; /* of all runs: the earliest, the sum */
};

/* An empty document. `apart`: each result is a case. */
void junit_open(struct junit *j, bool apart);

/* Adds a result. False: no memory, nothing was added. */
bool junit_result(struct junit *j, const struct result *r);

/* A run begins; its times come between its results. */
void junit_head(struct junit *j);
void junit_time(struct junit *j, const struct journal_time *time);

/* Adds a case of its own that says why the run as a whole is not to be trusted. False: no memory. */
bool junit_error(struct junit *j, const char *text);

/* Prints the document and frees it. False: no memory, or `out` cannot be written. */
bool junit_close(struct junit *j, FILE *out);

#endif
