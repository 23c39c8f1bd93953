/* --known, --skips and --flakes, for the commands that take them. */
#ifndef HARNESS_CMD_BASE_KNOWN_H
#define HARNESS_CMD_BASE_KNOWN_H

#include "harness/known/known.h"
#include "harness/line/opts.h"

/* Reads the files that the options name; *out is NULL if there are none. On ST_OK the caller ends it
 * with known_close. ST_INPUT: what is wrong with them, or --update-known without a file. */
enum status cmd_known_open(const struct opts *o, enum known_command command, struct known **out,
                           struct err *e);

/* Ends a run whose exit code is `code`: says which entries no longer show, and with --update-known
 * writes the file. `complete`: the run came to its end; else neither is done. `whole`: as in
 * known_warn. Returns the exit code. */
int cmd_known_end(const struct opts *o, const struct known *k, bool complete, bool whole, int code);

#endif
