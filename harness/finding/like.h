/* Which mutant of the model gives the results of a DUT. */
#ifndef HARNESS_FINDING_LIKE_H
#define HARNESS_FINDING_LIKE_H

#include "harness/finding/finding.h"
#include "harness/finding/sample.h"

/* Fills f->like with the mutants whose results are the DUT's, if there are any. *missing (`size`
 * bytes) says what keeps them from being asked. ST_WORLD: one could not be run. */
enum status like_find(const struct samples *s, struct finding *f, char *missing, size_t size,
                      struct err *e);

#endif
