/* Files of coverage. What is damaged is refused at the latest at their end, behind the checksum. */
#include "harness/campaign/coverage.h"
#include "harness/fz/fz.h"

static struct isa isa;
static struct cover_model model;
static struct cover_seen seen;

void fz_open(void)
{
    struct err e = { .text = "" };
    fz_open_isa(&isa, "gfx900");
    if (coverage_open_model(&model, &isa, &e) != ST_OK ||
        cover_seen_open(&seen, &model, &e) != ST_OK)
        fz_broken("the model of coverage opens", e.text);
}

bool fz_one(const u8 *data, size_t size)
{
    struct err e = { .text = "" };
    cover_seen_clear(&seen);
    enum status st = coverage_read(&seen, fz_file(data, size), &e);
    if (st != ST_OK)
        fz_check_message(&e);
    return st == ST_OK;
}
