/* Journals, whole or cut: read to their end or to the damage, each record written as JSON. */
#include "harness/fz/fz.h"
#include "reports/journal.h"
#include "reports/jsonl.h"

#include <stdlib.h>

void fz_open(void) {}

bool fz_one(const u8 *data, size_t size)
{
    static struct journal_record rec;
    struct journal_reader rd;
    struct err e = { .text = "" };
    u64 records = 0;
    const char *path = fz_file(data, size);
    enum status st = journal_reader_open(&rd, path, &e);
    if (st != ST_OK) {
        fz_check_message(&e);
        return false;
    }
    while ((st = journal_next(&rd, &rec, &e)) == ST_OK && rec.kind != JOURNAL_NONE) {
        free(jsonl_text(&rec));
        records++;
    }
    if (st != ST_OK)
        fz_check_message(&e);
    if (rd.parts_ended > rd.parts)
        fz_broken("no more ends than beginnings", path);
    journal_reader_close(&rd);
    return records > 0;
}
