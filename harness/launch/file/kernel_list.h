/* The kernels of a file, each loaded as a launch does: `gcncheck launch --list`. */
#ifndef HARNESS_LAUNCH_FILE_KERNEL_LIST_H
#define HARNESS_LAUNCH_FILE_KERNEL_LIST_H

#include "harness/bundle/bundle.h"
#include "harness/codeobj/codeobj.h"

#include <stdio.h>

struct kernel_list_counts {
    u32 objects; /* code objects opened, or not to be opened */
    u64 kernels; /* that load */
    u64 bad;     /* kernels and code objects that do not */
};

/* Loads every kernel of every code object of *b for the processors or target ids in `mcpus` (with
 * commas between them; NULL: all that can be launched) and prints a line for each; for what does
 * not load, the reason. ST_WORLD if memory is short. */
enum status kernel_list(FILE *out, const struct bundle *b, const char *mcpus,
                        struct kernel_list_counts *n, struct err *e);

#endif
