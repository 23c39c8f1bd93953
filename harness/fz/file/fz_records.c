/* Journals whose checksums are right, whatever their records hold: as a report in one of its formats,
 * or as what came and went. The first byte chooses; then, of each record, the bytes and the number
 * that it says it has, in 2 bytes each, and what stands before that number. A record of no bytes
 * ends the first of two journals. */
#include "harness/fz/fz.h"
#include "reports/diff.h"
#include "reports/file/checksum.h"

#include <stdlib.h>

enum { JOURNAL_MAX = 1 << 21, GUARD_BYTES = 10 };

static struct checksum checksum;
static struct diff diff;
static FILE *sink;
static u8 journal[JOURNAL_MAX];

void fz_open(void)
{
    checksum_init(&checksum);
    sink = fz_sink();
}

static u8 *put_u32(u8 *to, u32 v)
{
    *to++ = 0xce;
    for (int shift = 24; shift >= 0; shift -= 8)
        *to++ = (u8)(v >> shift);
    return to;
}

/* The next journal of the input, in a file. */
static const char *seal(const u8 **data, size_t *size)
{
    u8 *to = journal;
    while (*size >= 4) {
        size_t len = (*data)[0] | (size_t)(*data)[1] << 8;
        u32 number = (*data)[2] | (u32)(*data)[3] << 8;
        *data += 4;
        *size -= 4;
        len = len < *size ? len : *size;
        if (!len || (size_t)(journal + sizeof journal - to) < len + GUARD_BYTES)
            break;
        u8 *from = to;
        memcpy(to, *data, len);
        to = put_u32(to + len, number);
        to = put_u32(to, checksum_of(&checksum, from, (size_t)(to - from)));
        *data += len;
        *size -= len;
    }
    return fz_file(journal, (size_t)(to - journal));
}

static void check(enum status st, const struct err *e)
{
    if (st != ST_OK && !e->text[0])
        fz_broken("a failure has a message", "none");
}

static bool print(const struct report_format *format, const u8 *data, size_t size)
{
    struct report r = { .canonical = size & 1 };
    struct report_reading found = { .unfinished = 0 };
    struct report_end end = { 0 };
    struct err e = { .text = "" };
    if (!report_open(&r, format, sink))
        fz_broken("there is memory", "none");
    enum status st = report_journal(&r, seal(&data, &size), &found, &e);
    if (st == ST_OK)
        st = parts_check(&found.parts, false, &e);
    check(st, &e);
    end.broken = st != ST_OK ? e.text : NULL;
    if (!report_close(&r, &end))
        fz_broken("there is memory", "none");
    bool any = found.parts.count > 0;
    parts_free(&found.parts);
    return any;
}

static bool compare(const struct report_format *format, const u8 *data, size_t size)
{
    struct err e = { .text = "" };
    if (diff_open(&diff, &e) != ST_OK)
        fz_broken("there is memory", e.text);
    enum status st = diff_read(&diff, DIFF_OLD, seal(&data, &size), &e);
    if (st == ST_OK)
        st = diff_read(&diff, DIFF_NEW, seal(&data, &size), &e);
    if (st == ST_OK)
        st = diff_find(&diff, &e);
    check(st, &e);
    if (st == ST_OK && !diff_print(&diff, format, sink, false))
        fz_broken("there is memory", "none");
    diff_close(&diff);
    return st == ST_OK;
}

bool fz_one(const u8 *data, size_t size)
{
    u32 formats = 0;
    while (report_format_at(formats))
        formats++;
    if (size < 1)
        return false;
    const struct report_format *format = report_format_at(data[0] / 2 % formats);
    return data[0] & 1 ? compare(format, data + 1, size - 1) : print(format, data + 1, size - 1);
}
