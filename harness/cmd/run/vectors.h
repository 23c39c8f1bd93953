/* What the commands about vectors share. */
#ifndef HARNESS_CMD_RUN_VECTORS_H
#define HARNESS_CMD_RUN_VECTORS_H

#include "harness/cmd/base/cmd.h"
#include "harness/vector/vector.h"

/* "json" or "bin", of --format; ST_INPUT for any other word. */
enum status vectors_format(const struct opts *o, bool *is_json, struct err *e);

/* The head of files that this program makes. */
struct vector_head vectors_head(const char *mcpu, const char *dut);

/* Whether the path is that of vectors, rather than of a finding. */
bool vectors_is(const char *path);

/* gcncheck replay RECORDING. */
int vectors_replay(struct opts *o);

#endif
