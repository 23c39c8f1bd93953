/* Files of weights. */
#include "harness/campaign/weights.h"
#include "harness/fz/fz.h"

static struct isa isa;

void fz_open(void)
{
    fz_open_isa(&isa, "gfx906");
}

bool fz_one(const u8 *data, size_t size)
{
    static u32 weight[OPS_MAX][FORM_COUNT];
    struct err e = { .text = "" };
    memset(weight, 0, sizeof weight);
    enum status st = weights_read(&isa, fz_file(data, size), weight, &e);
    if (st != ST_OK)
        fz_check_message(&e);
    for (u32 op = 0; op < OPS_MAX; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            if (weight[op][form] > WEIGHT_MAX)
                fz_broken("a weight has a limit", isa_rows[op].name);
    return st == ST_OK && size;
}
