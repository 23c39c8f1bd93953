/* Files of self tests: names for temporary ones, files in memory, and files read into memory that
 * a test may damage. */
#ifndef HARNESS_T_LIB_FILES_H
#define HARNESS_T_LIB_FILES_H

#include "harness/io/file.h"
#include "harness/t/lib/tap_test.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEMP_NAME_BYTES = 128 };

/* A template for mkstemp and mkdtemp, below $TMPDIR or /tmp. buf holds TEMP_NAME_BYTES. */
static inline char *temp_name(char *buf, const char *test)
{
    const char *folder = getenv("TMPDIR");
    int n = snprintf(buf, TEMP_NAME_BYTES, "%s/gcncheck-%s-XXXXXX",
                     folder && folder[0] ? folder : "/tmp", test);
    if (n < 0 || n >= TEMP_NAME_BYTES)
        bail("TMPDIR is too long");
    return buf;
}

/* A file in memory, for what prints: when it is closed, *text is what was printed, the caller's to
 * free. */
static inline FILE *memory_open(char **text)
{
    static size_t size; /* open_memstream wants one; texts end with a NUL */
    *text = NULL;
    FILE *f = open_memstream(text, &size);
    if (!f)
        bail("no memory");
    return f;
}

/* The bytes are the caller's to free. */
struct sample {
    u8 *bytes;
    size_t size;
};

static inline struct sample sample_load(const char *path)
{
    struct sample s = { 0 };
    struct err e = { .text = "" };
    if (file_read(path, 1 << 20, &s.bytes, &s.size, &e) != ST_OK)
        bail("%s %s", path, e.text);
    return s;
}

#endif
