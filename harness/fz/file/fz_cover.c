/* Files of coverage. What is damaged is refused at the latest at their end, behind the checksum: lines
 * without an end are given the right one. */
#include "harness/coverage/coverage.h"
#include "harness/fz/fz.h"
#include "reports/file/checksum.h"

#include <stdlib.h>

enum { END_BYTES = 60 };

static struct checksum table;
static struct isa isa;
static struct cover_model model;
static struct cover_seen seen;

void fz_open(void)
{
    struct err e = { .text = "" };
    checksum_init(&table);
    fz_open_isa(&isa, "gfx900");
    if (coverage_open_model(&model, &isa, &e) != ST_OK ||
        cover_seen_open(&seen, &model, &e) != ST_OK)
        fz_broken("the model of coverage opens", e.text);
}

/* The line of the end: how many there are before it, and of each the checksum of its own and of those
 * before it. */
static size_t put_end(const u8 *data, size_t size, char *to)
{
    u32 sum = 0, lines = 0;
    for (size_t at = 0; at < size; lines++) {
        const u8 *end = memchr(data + at, '\n', size - at);
        size_t len = end ? (size_t)(end - data) - at : size - at;
        u8 both[8];
        u32 own = checksum_of(&table, data + at, len);
        for (u32 i = 0; i < 4; i++) {
            both[i] = (u8)(sum >> 8 * i);
            both[4 + i] = (u8)(own >> 8 * i);
        }
        sum = checksum_of(&table, both, sizeof both);
        at += len + 1;
    }
    bool is_cut = size && data[size - 1] != '\n';
    return (size_t)snprintf(to, END_BYTES, "%send %u %08x\n", is_cut ? "\n" : "", lines, sum);
}

bool fz_one(const u8 *data, size_t size)
{
    struct err e = { .text = "" };
    u8 *whole = malloc(size + END_BYTES);
    if (!whole)
        abort();
    if (size)
        memcpy(whole, data, size);
    bool has_end = memmem(data, size, "\nend ", 5) != NULL;
    size_t all = has_end ? size : size + put_end(data, size, (char *)whole + size);
    cover_seen_clear(&seen);
    enum status st = coverage_read(&seen, fz_file(whole, all), &e);
    free(whole);
    if (st != ST_OK)
        fz_check_message(&e);
    return st == ST_OK;
}
