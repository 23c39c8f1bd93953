/* What a shell makes of words: commands that people copy from reports, and programs by name. */
#ifndef HARNESS_IO_SHELL_H
#define HARNESS_IO_SHELL_H

#include "oracle/base/base.h"

/* Adds a word of a command, quoted where a POSIX shell would read it otherwise. */
void shell_word(struct text *t, const char *word);

/* The program that a shell or execvp would start for this name, into path, which holds SHELL_PATH
 * bytes. False if there is none. */
enum { SHELL_PATH = 4096 };
bool shell_program(const char *name, char *path);

#endif
