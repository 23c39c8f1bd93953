/* Test points of the test programs (harness/t/FOLDER/t_NAME.c), as TAP 13 on standard output:
 *
 *     int main(void)
 *     {
 *         plan(2);
 *         is_hex(0x80, bits(7), "bit 7");      // wanted value first, then what was seen
 *         ok(text_is_sane(), "text of %s", "s0");
 *         return done();
 *     } */
#ifndef HARNESS_T_LIB_TAP_TEST_H
#define HARNESS_T_LIB_TAP_TEST_H

#include "oracle/base/base.h"

/* One document on standard output per process. A failure prints file:line and both
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
