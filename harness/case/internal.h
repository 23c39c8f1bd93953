/* Shared by the files that read .case files: words of a line, memory that a file owns, errors that
 * name a word. */
#ifndef HARNESS_CASE_INTERNAL_H
#define HARNESS_CASE_INTERNAL_H

#include "harness/case/casefile.h"

struct word {
    const char *s;
    size_t len;
};

/* The next word of a line: what stands between blanks; `{...}` with its blanks is one; `|` and `=`
 * outside braces stand alone. False at the end of the line. */
bool word_next(const char **p, struct word *w);
bool word_is(const struct word *w, const char *text);

static inline bool word_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* ST_INPUT with `text: "word"`; the word is cut and its unprintable bytes shown as '?'. */
enum status word_err(struct err *e, const char *text, const char *s, size_t len);

/* Zeroed memory that lives as long as the file; NULL if memory is short. */
void *casefile_alloc(struct casefile *f, size_t bytes);

/* Makes room for one more element of an array of the file: returns the new element, zeroed, or NULL
 * if memory is short. *count is raised. */
void *casefile_more(struct casefile *f, void *array, u32 *count, u32 *cap, size_t element);

/* An unsigned number, decimal or 0x; false if s is not one or it needs more than 64 bits. */
bool word_u64(const char *s, size_t len, u64 *v);

/* `mode` words: field=value. Changes *mode. */
enum status casefile_mode(const struct word *field, const struct word *value, u32 *mode,
                          struct err *e);

/* What can be said about a test only at its end: its shape, its columns. e->line is set to the line
 * at fault. */
enum status casefile_finish_test(struct casefile *f, struct case_test *t, struct err *e);

/* A word of `again`, as v+128. */
enum status again_read(struct case_test *t, const struct word *w, struct err *e);

/* Adds the second run of a finished test, if it asks for one. The array of tests may move. */
enum status again_finish(struct casefile *f, const struct case_test *t, struct err *e);

/* Whether two places share a bit. */
bool casefile_overlap(const struct case_place *a, const struct case_place *b);

#endif
