/* Files of known failures, and deqp-runner's: read, asked and written. A file from which nothing is
 * gone and to which nothing is new is written as it was. */
#include "harness/fz/fz.h"
#include "harness/known/internal.h"

#include <stdlib.h>

void fz_open(void) {}

/* Every failure that the file names is one of its entries. */
static void check_entries(struct known *k)
{
    for (u32 i = 0; i < k->entries; i++) {
        const struct known_entry *x = &k->entry[i];
        if (x->begin >= x->end || x->end > k->size || (i && x->begin < k->entry[i - 1].end))
            fz_broken("entries stand in the file, one behind the other", x->name);
        if (!x->is_pattern && x->ends && !x->is_expired && !known_reason(k, x->name))
            fz_broken("an entry without a pattern names itself", x->name);
    }
}

static void check_text(const struct known *k)
{
    char *text = NULL;
    size_t size = 0;
    u32 added, dropped;
    struct err e;
    FILE *out = open_memstream(&text, &size);
    if (!out || known_put(k, true, out, &added, &dropped, &e) != ST_OK || fclose(out) != 0)
        abort();
    bool is_same = size >= k->size && memcmp(text, k->bytes, k->size) == 0;
    if (k->size && (added || dropped || !is_same || size > k->size + 1))
        fz_broken("a file to which nothing happened stays", text);
    free(text);
}

bool fz_one(const u8 *data, size_t size)
{
    struct known_cfg cfg = { .file = "known", .command = KNOWN_RUN };
    struct known *k = calloc(1, sizeof *k);
    struct err e = { .text = "" };
    if (!k || !(k->bytes = malloc(size + 1)))
        abort();
    k->cfg = cfg;
    k->size = size;
    if (size)
        memcpy(k->bytes, data, size);
    k->bytes[size] = 0;
    enum status st = known_parse(k, &e);
    if (st == ST_OK) {
        check_entries(k);
        check_text(k);
    } else {
        fz_check_message(&e);
    }
    known_close(k);
    return st == ST_OK && size;
}
