/* The table of all commands, and a whole command line. */
#ifndef HARNESS_CMD_TABLE_H
#define HARNESS_CMD_TABLE_H

#include "harness/line/opts.h"

/* The commands, in the order they are listed; NULL behind the last. */
const struct command *cmd_at(u32 index);
const struct command *cmd_find(const char *name); /* NULL if there is none */

/* Runs a whole command line, which ends with a NULL, and returns the exit code. main() in other
 * words. */
int cmd_main(int argc, char **argv);

#endif
