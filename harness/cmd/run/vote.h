/* gcncheck run with several --dut. */
#ifndef HARNESS_CMD_RUN_VOTE_H
#define HARNESS_CMD_RUN_VOTE_H

#include "harness/line/opts.h"

/* Runs the cases on each of o->duts, prints where they differ and who stands alone. Returns the exit
 * code. */
int cmd_vote(struct opts *o);

#endif
