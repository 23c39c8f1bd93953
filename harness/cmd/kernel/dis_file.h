/* `gcncheck dis` of a file that holds code objects: which of them, and what is printed of each. */
#ifndef HARNESS_CMD_KERNEL_DIS_FILE_H
#define HARNESS_CMD_KERNEL_DIS_FILE_H

#include "harness/line/opts.h"

/* Whether a file is to be read as code objects rather than as lines of hex. Of standard input ("-")
 * the first bytes are looked at and put back. ST_INPUT: it cannot be looked at. */
enum status dis_file_is_binary(const char *path, bool *is_binary, struct err *e);

/* Lists the code objects of a file as the options say; answers an exit code. */
int dis_file(struct opts *o, const char *path);

#endif
