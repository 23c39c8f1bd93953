/* Completion for shells, from the table of commands, that of options and what the model knows by name: opcodes, encodings,
 * processors, entries of the ledger. */
#ifndef HARNESS_LINE_COMPLETE_H
#define HARNESS_LINE_COMPLETE_H

#include "harness/line/opts.h"

#include <stdio.h>

/* Prints the script for bash: a function _gcncheck, which bash calls. `commands` is the table of them, which a row
 * without a name ends. False: no memory, and what was printed is not whole. */
bool complete_print_bash(FILE *out, const struct command *commands);

#endif
