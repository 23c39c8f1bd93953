/* A corpus: files of recipes (fuzz/gen/recipe.h) that a campaign runs in place of streams that it draws. */
#ifndef HARNESS_CAMPAIGN_CORPUS_H
#define HARNESS_CAMPAIGN_CORPUS_H

#include "fuzz/mutate/mutate.h"
#include "harness/io/sha256.h"

struct corpus;

/* Reads a file, or the files of a folder in the order of their names: not those that begin with a dot,
 * nor the README.txt that AFL++ lays beside its own. ST_INPUT: there is none, or one cannot be read. On
 * ST_OK the caller frees *out by corpus_close. */
enum status corpus_open(const char *path, struct corpus **out, struct err *e);
void corpus_close(struct corpus *c); /* NULL is fine */

u32 corpus_count(const struct corpus *c);
const char *corpus_name(const struct corpus *c, u64 i); /* path of a file */

/* A hash of the names and contents of all its files, in hex. */
void corpus_hash(const struct corpus *c, char hash[SHA256_TEXT]);

/* Makes the stream of file i (below the count); its number is i. ST_WORLD if memory is short. */
enum status corpus_stream(const struct corpus *c, const struct generator *g, u64 i,
                          struct stream *s, struct err *e);

#endif
