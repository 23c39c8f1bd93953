/* Results for other programs: JSON lines (one object per result, through jansson) and JUnit XML. */
#ifndef REPORTS_EXPORT_H
#define REPORTS_EXPORT_H

#include "reports/journal.h"

#include <stdio.h>

/* One record as a JSON object without a line end, in memory that the caller frees: a result with
 * "kind":"result" and the journal's keys, dwords as eight hex digits; heads, intents, rows and ends
 * likewise. NULL without memory. */
char *export_json(const struct journal_record *rec);

/* Prints a result as such a line, with its line end. False: no memory. */
bool export_result(FILE *out, const struct result *r);

/* JUnit XML. The counts stand in front of the cases, so the document is kept until it is closed. */
struct junit {
    FILE *body;
    char *text;
    size_t size;
    u64 tests, failures, errors, skipped;
};

/* False: no memory. */
bool junit_open(struct junit *j);
void junit_result(struct junit *j, const struct result *r);

/* Adds a case of its own that says why the run as a whole is not to be trusted. */
void junit_error(struct junit *j, const char *text);

/* Prints the document and frees it. False: no memory, or `out` cannot be written. */
bool junit_close(struct junit *j, FILE *out);

#endif
