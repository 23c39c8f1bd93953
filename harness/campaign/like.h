/* Which mutant of the model gives the results of a DUT. */
#ifndef HARNESS_CAMPAIGN_LIKE_H
#define HARNESS_CAMPAIGN_LIKE_H

#include "harness/campaign/finding.h"
#include "harness/campaign/sample.h"

/* Fills f->like with the mutants whose results are the DUT's, if there are any. *missing (`size`
 * bytes) says what keeps them from being asked. ST_WORLD: one could not be run. */
enum status like_find(const struct samples *s, struct finding *f, char *missing, size_t size,
                      struct err *e);

#endif
