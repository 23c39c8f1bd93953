/* JUnit XML. The counts stand in front of the cases, so the document is kept until it is closed. */
#ifndef REPORTS_JUNIT_H
#define REPORTS_JUNIT_H

#include "reports/result.h"

#include <stdio.h>

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
