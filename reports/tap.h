/* TAP 13, the format of every test result on standard output; Debian's `prove` reads it. Two users:
 *   - commands print struct results with tap_open, tap_result, tap_close;
 *   - self tests (harness/t/t_NAME.c) use the short macros at the end:
 *
 *         int main(void)
 *         {
 *             plan(2);
 *             is_hex(0x80, bits(7), "bit 7");      // wanted value first, then what was seen
 *             ok(text_is_sane(), "text of %s", "s0");
 *             return done();
 *         } */
#ifndef REPORTS_TAP_H
#define REPORTS_TAP_H

#include "oracle/base/base.h"
#include "reports/result.h"

#include <stdio.h>

/* A TAP document being written. Counters are for reading; the file stays the caller's. */
struct tap {
    FILE *out;
    u64 planned;               /* 0: the plan is printed at the end */
    u64 done;                  /* test points printed */
    u64 failed, skipped, todo; /* of them */
};

/* Begins a document: version line, and the plan `1..planned` unless planned is 0. */
void tap_open(struct tap *t, FILE *out, u64 planned);

/* Prints one test point, with a YAML block for everything but a plain pass. */
void tap_result(struct tap *t, const struct result *r);

/* Prints a `#` line (one for each line of the text). */
void tap_comment(struct tap *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints `Bail out!`: nothing after it counts. */
void tap_bail(struct tap *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Ends a document without test points instead of tap_close: a plan of none, with the reason. */
bool tap_close_empty(struct tap *t, const char *why);

/* Ends the document: the plan, if it was left for the end, and the buffer flushed. Returns whether
 * the plan was kept and everything could be written; a failed test point is no error here. */
bool tap_close(struct tap *t);

/* Self tests. One document on standard output per process. A failure prints file:line and both
 * values on `#` lines above `not ok`. All checks return whether they held. The text is
 * printf-like. */

/* The number of test points to come; without it the plan is printed by done(). */
#define plan(count)            tap_test_plan(count)

#define ok(claim, ...)         tap_test_ok(__FILE__, __LINE__, claim, __VA_ARGS__)
#define is_u64(want, got, ...) tap_test_u64(__FILE__, __LINE__, want, got, __VA_ARGS__)
#define is_i64(want, got, ...) tap_test_i64(__FILE__, __LINE__, want, got, __VA_ARGS__)
#define is_hex(want, got, ...) tap_test_hex(__FILE__, __LINE__, want, got, __VA_ARGS__)
#define is_str(want, got, ...) tap_test_str(__FILE__, __LINE__, want, got, __VA_ARGS__)

/* The two blocks of `size` bytes are the same; a failure names the first byte that is not. */
#define is_mem(want, got, size, ...) tap_test_mem(__FILE__, __LINE__, want, got, size, __VA_ARGS__)

/* Prints `count` points that could not be tried here, with the reason. */
#define skip(count, ...) tap_test_skip(count, __VA_ARGS__)

/* Instead of a plan: prints that nothing here can be tried, with the reason, and exits with 0. */
#define skip_all(...) tap_test_skip_all(__VA_ARGS__)

/* A `#` line. */
#define diag(...) tap_test_diag(__VA_ARGS__)

/* The test itself cannot go on: prints why and exits with 255. */
#define bail(...) tap_test_bail(__FILE__, __LINE__, __VA_ARGS__)

/* Ends the document. Returns main()'s result: 0 if all held and the plan was kept, else 1. */
#define done() tap_test_done()

void tap_test_plan(u64 count);
bool tap_test_ok(const char *file, int line, bool claim, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
bool tap_test_u64(const char *file, int line, u64 want, u64 got, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
bool tap_test_i64(const char *file, int line, i64 want, i64 got, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
bool tap_test_hex(const char *file, int line, u64 want, u64 got, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
bool tap_test_str(const char *file, int line, const char *want, const char *got, const char *fmt,
                  ...) __attribute__((format(printf, 5, 6)));
bool tap_test_mem(const char *file, int line, const void *want, const void *got, size_t size,
                  const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void tap_test_skip_all(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
void tap_test_skip(u64 count, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tap_test_diag(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tap_test_bail(const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), noreturn));
int tap_test_done(void);

#endif
