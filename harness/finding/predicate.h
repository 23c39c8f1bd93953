/* The conditions under which an instruction fails. */
#ifndef HARNESS_FINDING_PREDICATE_H
#define HARNESS_FINDING_PREDICATE_H

#include "harness/finding/finding.h"
#include "harness/finding/sample.h"

/* Fills f->fails with a few conditions that all failing inputs have and no right one, if there are
 * such. ST_WORLD: memory is short. */
enum status predicate_find(const struct samples *s, struct finding *f, struct err *e);

#endif
