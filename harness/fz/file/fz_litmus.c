/* Files of litmus tests: read; code of threads stands in their text. */
#include "harness/fz/fz.h"
#include "harness/litmus/litmus.h"

void fz_open(void) {}

static void check(const struct litmus_test *t)
{
    for (u32 i = 0; i < t->thread_count; i++) {
        const struct litmus_thread *h = &t->thread[i];
        if (h->before_at > h->before_end || h->code_at > h->code_end || h->code_end > t->text_len ||
            t->text_len > LITMUS_TEXT)
            fz_broken("code stands in the text", t->name);
    }
    for (u32 i = 0; i < t->condition_count; i++)
        if (t->condition[i].used >> t->place_count)
            fz_broken("a condition is about places that there are", t->name);
}

bool fz_one(const u8 *data, size_t size)
{
    static struct litmus_test t;
    struct litmus_file f;
    struct err e = { .text = "" };
    bool more = false, any = false;
    enum status st = litmus_open(&f, fz_file(data, size), "gfx900", &e);
    while (st == ST_OK && (st = litmus_next(&f, &t, &more, &e)) == ST_OK && more) {
        check(&t);
        any = true;
    }
    if (st != ST_OK)
        fz_check_message(&e);
    litmus_close(&f);
    return any;
}
