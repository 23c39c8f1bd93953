/* Explanations, the manual page and the shell completion, all from the table of commands and the
 * table of options. `commands` is that table, which a row without a name ends. */
#ifndef HARNESS_LINE_HELP_H
#define HARNESS_LINE_HELP_H

#include "harness/line/opts.h"

#include <stdio.h>

void help_print_overview(FILE *out, const struct command *commands);
void help_print_command(FILE *out, const struct command *c);
void help_print_man(FILE *out, const struct command *commands);
void help_print_bash_completion(FILE *out, const struct command *commands);

#endif
