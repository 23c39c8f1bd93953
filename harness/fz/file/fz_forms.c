/* What AFL++'s mutator is told that a device has: processor, features, opcodes and their forms. */
#include "harness/afl/afl.h"
#include "harness/fz/fz.h"

void fz_open(void) {}

bool fz_one(const u8 *data, size_t size)
{
    static struct afl_forms forms;
    struct err e = { .text = "" };
    enum status st = afl_read_forms(fz_file(data, size), "gfx900", &forms, &e);
    if (st != ST_OK && !e.text[0])
        fz_broken("a failure has a message", "none");
    return st == ST_OK;
}
