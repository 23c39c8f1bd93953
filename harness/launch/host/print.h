/* printf for text and arguments that come from a GPU's memory: harness/launch/host/host.c. */
#ifndef HARNESS_LAUNCH_HOST_PRINT_H
#define HARNESS_LAUNCH_HOST_PRINT_H

#include "oracle/base/base.h"

#include <stdio.h>

/* Arguments as they lie in memory, taken one after the other. */
struct print_args {
    const u8 *at;
    size_t size;      /* bytes left */
    bool is_wide;     /* HIP: each takes 8 bytes, strings stand among them, padded to 8 */
    const u32 *sizes; /* OpenCL: bytes of each, from the metadata; strings are padded to 4 */
    u32 size_count;
    u32 lost; /* OpenCL: dwords at the end that were not written */
};

/* The largest width and precision, and the most characters of one call. */
enum { PRINT_NUMBER_MAX = 1 << 16, PRINT_CHARS_MAX = 1 << 26 };

/* Prints `format`; returns the number of characters, or -1 where an argument is missing, a conversion is
 * none of C's (or OpenCL's, %v4f), or one of these limits is passed; what came before is printed. */
int print_formatted(FILE *out, const char *format, struct print_args *args);

#endif
