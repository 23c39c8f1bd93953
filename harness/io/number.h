/* Numbers as users write them in options and in the names of DUTs. Strict: the whole text must be
 * the number, without a sign and with nothing around it. */
#ifndef HARNESS_IO_NUMBER_H
#define HARNESS_IO_NUMBER_H

#include "oracle/base/base.h"

/* Decimal or 0x hex; false if the text is no such number or lies outside min..max. */
bool number_u64(const char *text, u64 min, u64 max, u64 *value);

/* The same for the first `len` bytes of a text, without bounds. */
bool number_u64_span(const char *text, size_t len, u64 *value);

/* "90" and "90s", "250ms", "5m", "2h": a time that is more than 0, in milliseconds. */
bool number_time_ms(const char *text, u64 *ms);

#endif
