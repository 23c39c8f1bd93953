/* What a single instruction that differs has in common: its opcode and form are judged many times more,
 * with random operands, modifiers and values. A mutant that gives the results of the DUT in all of
 * them says what the bug is like; a few conditions on the inputs that all failing ones have, and no
 * right one, say when it shows. */
#ifndef HARNESS_FINDING_DIAGNOSE_H
#define HARNESS_FINDING_DIAGNOSE_H

#include "harness/finding/executor.h"
#include "harness/finding/finding.h"

/* Fills f->like and f->fails, which stay empty where nothing was found, or where the finding is no
 * single instruction whose results differ. *missing: what keeps mutants from being asked ("PATH is
 * not there: make mutants puts it beside gcncheck"), empty if nothing does. Changes the environment
 * while it runs: no other thread may. ST_WORLD: the DUT cannot go on, or memory is short. */
enum { DIAGNOSE_MISSING_MAX = 4200 };
enum status diagnose_finding(struct executor *x, struct finding *f,
                             char missing[DIAGNOSE_MISSING_MAX], struct err *e);

#endif
