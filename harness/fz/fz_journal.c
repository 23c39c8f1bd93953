/* Journals, whole or cut: read to their end or to the damage, each record written as JSON. */
#include "harness/fz/fz.h"
#include "reports/journal.h"
#include "reports/jsonl.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd;
static char path[64];

void fz_open(void)
{
    fd = memfd_create("journal", 0);
    if (fd < 0)
        fz_broken("a file in memory", "cannot be made");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
}

bool fz_one(const u8 *data, size_t size)
{
    static struct journal_record rec;
    struct journal_reader rd;
    struct err e = { .text = "" };
    u64 records = 0;
    if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        fz_broken("a file in memory", "cannot be written");
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
