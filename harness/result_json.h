/* A result as one line of JSON: what `--format json` prints. */
#ifndef HARNESS_RESULT_JSON_H
#define HARNESS_RESULT_JSON_H

#include "reports/result.h"

#include <stdio.h>

/* Prints every text that is not empty, the numbers and the differences held, and a line end. Keys
 * are those of struct result. */
void result_json(FILE *out, const struct result *r);

#endif
