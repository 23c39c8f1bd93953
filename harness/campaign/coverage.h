/* Coverage of streams (fuzz/cover/cover.h) on disk, and what of it only shows when a stream is
 * executed. */
#ifndef HARNESS_CAMPAIGN_COVERAGE_H
#define HARNESS_CAMPAIGN_COVERAGE_H

#include "fuzz/cover/cover.h"
#include "fuzz/gen/gen.h"

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

/* Executes streams on the model and counts modes, lanes and values. One thread's. */
struct coverage_watch;
enum status coverage_watch_open(struct coverage_watch **watch, const char *mcpu, struct err *e);
void coverage_watch_close(struct coverage_watch *watch);
enum status coverage_watch_run(struct coverage_watch *watch, const struct stream *stream,
                               struct cover_seen *seen, struct err *e);

#endif
