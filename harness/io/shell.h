/* Commands that people copy from reports into a shell. */
#ifndef HARNESS_IO_SHELL_H
#define HARNESS_IO_SHELL_H

#include "oracle/base/base.h"

/* Adds a word of a command, quoted where a POSIX shell would read it otherwise. */
void shell_word(struct text *t, const char *word);

#endif
