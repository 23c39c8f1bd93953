/* Lists of regular expressions, as --skips and --flakes take them: read, and held against names. */
#include "harness/fz/fz.h"
#include "harness/known/internal.h"

enum { LINE_MAX_BYTES = 200, REPEATS_MAX = 8 };

void fz_open(void) {}

/* libc's compiler of expressions copies what is to be repeated, and repeats of repeats take memory
 * without end (v++++++++++++++++++++++): what it does with those is not asked. */
static bool is_for_libc(const u8 *data, size_t size)
{
    size_t line = 0;
    u32 repeats = 0;
    for (size_t i = 0; i < size; i++) {
        line = data[i] == '\n' ? 0 : line + 1;
        repeats = data[i] == '\n' ? 0 : repeats + (data[i] == '+');
        if (data[i] == '{' || repeats > REPEATS_MAX || line > LINE_MAX_BYTES)
            return true;
    }
    return false;
}

bool fz_one(const u8 *data, size_t size)
{
    struct known_list l = { 0 };
    struct err e = { .text = "" };
    if (is_for_libc(data, size))
        return false;
    enum status st = known_read_list(&l, fz_file(data, size), &e);
    bool is_there = st == ST_OK && l.count;
    if (st == ST_OK)
        known_list_has(&l, "gfx900/vop3a/v_bfe_u32/e64#plain.1");
    else
        fz_check_message(&e);
    known_free_list(&l);
    return is_there;
}
