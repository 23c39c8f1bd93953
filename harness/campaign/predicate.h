/* The conditions under which an instruction fails. */
#ifndef HARNESS_CAMPAIGN_PREDICATE_H
#define HARNESS_CAMPAIGN_PREDICATE_H

#include "harness/campaign/finding.h"
#include "harness/campaign/sample.h"

/* Fills f->fails with a few conditions that all failing inputs have and no right one, if there are
 * such. ST_WORLD: memory is short. */
enum status predicate_find(const struct samples *s, struct finding *f, struct err *e);

#endif
