/* Numbers as users write them in options and in the names of DUTs. Strict: the whole text must be
 * the number, without a sign and with nothing around it. */
#ifndef HARNESS_IO_NUMBER_H
#define HARNESS_IO_NUMBER_H

#include "oracle/base/base.h"

/* Decimal or 0x hex; false if the text is no such number or lies outside min..max. */
bool number_u64(const char *text, u64 min, u64 max, u64 *value);

/* The same for the first `len` bytes of a text, without bounds. */
bool number_u64_span(const char *text, size_t len, u64 *value);

/* 0 to 15, or -1: no hexadecimal digit. */
static inline int number_hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* "90" and "90s", "250ms", "5m", "2h": a time that is more than 0, in milliseconds. */
bool number_time_ms(const char *text, u64 *ms);

#endif
