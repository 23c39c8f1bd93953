/* What a code object says of itself, as text: header, target id, notes. Called by `gcncheck dis
 * --metadata`. */
#ifndef HARNESS_DIS_META_H
#define HARNESS_DIS_META_H

#include "harness/codeobj/target.h"

#include <stdio.h>

/* Prints the head of an ELF file of `size` bytes made for *t, and its metadata: the msgpack
 * document of version 3 and later, of amdpal and of mesa3d as YAML, that of version 2 as it stands.
 * ST_INPUT with the reason in e->text if the document is malformed. */
enum status dis_metadata(FILE *out, const u8 *bytes, size_t size, const struct codeobj_target *t,
                         struct err *e);

/* Prints a msgpack document as YAML. */
enum status dis_msgpack(FILE *out, const u8 *doc, size_t size, struct err *e);

#endif
