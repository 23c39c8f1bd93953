/* Files that hold GPU code: an ELF code object; a bundle of several, as clang makes them for many
 * processors (`__CLANG_OFFLOAD_BUNDLE__`, or `CCOB` when compressed); and programs, libraries and
 * objects for the host with bundles one after the other in a section .hip_fatbin or, where there is
 * none, with code objects anywhere in their sections (OpenMP and OpenACC). Opens such a file
 * and answers where each code object stands. Called by `gcncheck dis`. The file is untrusted:
 * whatever is wrong gives one line and no crash. */
#ifndef HARNESS_BUNDLE_BUNDLE_H
#define HARNESS_BUNDLE_BUNDLE_H

#include "oracle/base/base.h"

enum {
    BUNDLE_MAX_PARTS = 1 << 16,    /* code objects of one file */
    BUNDLE_MAX_UNPACKED = 1 << 30, /* bytes of one compressed bundle when unpacked */
    BUNDLE_ID_SIZE = 256,          /* bytes of an id, its end included */
    BUNDLE_MAGIC_SIZE = 4          /* bytes that tell such a file from text */
};

/* One code object, or whatever else a bundle has for a GPU. */
struct bundle_part {
    const u8 *bytes; /* in the opened file or unpacked; not aligned */
    size_t size;
    u32 bundle; /* which bundle of the file it stands in, from 0 */
    char *id;   /* "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-"; "at 0x1000" of a code object outside a
                   bundle; "" if the file is the code object */
};

struct bundle {
    char *file; /* for messages */
    u8 *bytes;  /* the file */
    size_t size;
    bool is_mapped;
    struct bundle_part *parts;
    u32 part_count, part_cap;
    u32 bundle_count;
    u8 **unpacked; /* one for each compressed bundle */
    u32 unpacked_count, unpacked_cap;
};

/* Whether a file that begins with these bytes is one of those above (or damaged beyond that). */
bool bundle_is_binary(const u8 magic[BUNDLE_MAGIC_SIZE]);

/* Opens `path` ("-": standard input) and finds its parts; parts for the host and empty ones are
 * left out. On success the caller closes *b; on failure nothing is left to close and e->file is
 * `path`. */
enum status bundle_open(struct bundle *b, const char *path, struct err *e);

/* The same from memory; the bytes are copied. `name` stands for the file in messages. */
enum status bundle_open_memory(struct bundle *b, const char *name, const void *bytes, size_t size,
                               struct err *e);

/* Frees everything. A zeroed *b may be closed. */
void bundle_close(struct bundle *b);

/* The target id at the end of a part's id ("gfx906:xnack-"); "" if there is none. */
const char *bundle_target(const struct bundle_part *p);

#endif
