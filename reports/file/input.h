/* The one place where a file that somebody names is opened for reading: what is no file is refused
 * by its name before anything waits for it. */
#ifndef REPORTS_FILE_INPUT_H
#define REPORTS_FILE_INPUT_H

#include "oracle/base/base.h"

/* Opens the file; the caller closes the descriptor. -1: it cannot be opened, or is a directory, a
 * FIFO, a socket or a device, and *e (ST_INPUT) says which. A pipe that the shell made (<(command),
 * /dev/stdin) is taken as a file. */
int input_open(const char *path, struct err *e);

/* The same question without opening: ST_INPUT if there is something of that name that is no file.
 * For what libraries open. */
enum status input_check(const char *path, struct err *e);

#endif
