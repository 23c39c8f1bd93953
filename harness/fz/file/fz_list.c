/* Lists of regular expressions, as --skips and --flakes take them: read, and held against names. */
#include "harness/fz/fz.h"
#include "harness/known/internal.h"

void fz_open(void) {}

bool fz_one(const u8 *data, size_t size)
{
    struct known_list l = { 0 };
    struct err e = { .text = "" };
    enum status st = known_read_list(&l, fz_file(data, size), &e);
    bool is_there = st == ST_OK && l.count;
    if (st == ST_OK)
        known_list_has(&l, "gfx900/vop3a/v_bfe_u32/e64#plain.1");
    else
        fz_check_message(&e);
    known_free_list(&l);
    return is_there;
}
