/* finding.json: read. Findings of the first format have no checksum, so that most of what is mutated
 * gets beyond it. */
#include "harness/finding/finding.h"
#include "harness/fz/fz.h"

void fz_open(void) {}

bool fz_one(const u8 *data, size_t size)
{
    struct finding *f = NULL;
    struct err e = { .text = "" };
    enum status st = finding_read(fz_file(data, size), &f, &e);
    if (st != ST_OK) {
        fz_check_message(&e);
        return false;
    }
    if (f->minimal->code_dw > STREAM_DW_MAX || f->original->code_dw > STREAM_DW_MAX)
        fz_broken("a program has room", f->id);
    finding_free(f);
    return true;
}
