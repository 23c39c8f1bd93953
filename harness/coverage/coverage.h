/* Coverage (fuzz/cover/cover.h) on disk: of streams, and of programs that somebody else has made. */
#ifndef HARNESS_COVERAGE_COVERAGE_H
#define HARNESS_COVERAGE_COVERAGE_H

#include "fuzz/cover/cover.h"
#include "fuzz/gen/gen.h"
#include "oracle/exec/exec.h"

/* What the form of a kind is called on a processor. */
const char *coverage_form(const struct isa *isa, const struct cover_kind *k);

/* The model of everything that the generator draws on a processor: cover_open with its forms. */
enum status coverage_open_model(struct cover_model *m, const struct isa *isa, struct err *e);

/* Adds a file's counts to *s. ST_INPUT with one line that names the file: it is damaged, of another
 * processor, or counted by another description of an opcode. ST_WORLD: memory is short. */
enum status coverage_read(struct cover_seen *s, const char *path, struct err *e);

/* Writes *s, in place of a file of the same kind, or of any with `force`. */
enum status coverage_write(const struct cover_seen *s, const char *path, bool force, struct err *e);

/* Whether coverage_write could write a file there, now; what a file that is there holds is for
 * coverage_read to say. The status as of output_check. */
enum status coverage_check(const char *path, struct err *e);

/* ---- add.c: programs that are executed, for a file that others may add to at the same time ---- */

struct coverage_adder;

/* Takes what the file holds for granted until the end. Memory for counts is taken with the first program. ST_INPUT
 * with one line: there is no such processor, or a file that is there is none of coverage, damaged or of another
 * processor. ST_WORLD: memory is short, or no file can be written there. */
enum status coverage_adder_open(struct coverage_adder **adder, const char *path, const char *mcpu,
                                struct err *e);

/* Counts the instructions of the machine's program that waves have come to since it was loaded, as
 * they stand; one stream. ST_WORLD if memory is short: then nothing more is counted. */
enum status coverage_adder_count(struct coverage_adder *a, const struct machine *m, struct err *e);

/* Adds what was counted to the file and frees the adder; nothing is written if nothing was counted.
 * The statuses of coverage_read and coverage_write. */
enum status coverage_adder_close(struct coverage_adder *a, struct err *e);

#endif
