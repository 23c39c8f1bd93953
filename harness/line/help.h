/* Explanations and the manual page, from the table of commands and the table of options. `commands`
 * is the first, which a row without a name ends. */
#ifndef HARNESS_LINE_HELP_H
#define HARNESS_LINE_HELP_H

#include "harness/line/opts.h"

#include <stdio.h>

void help_print_overview(FILE *out, const struct command *commands);
void help_print_command(FILE *out, const struct command *c);
void help_print_man(FILE *out, const struct command *commands);

/* Whether the explanation of a command lists the formats of reports; of results as they come alone
 * (*streams), or all. */
bool help_lists_formats(const struct command *c, bool *streams);

#endif
