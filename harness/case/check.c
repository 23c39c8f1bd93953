/* What a test must be once all of it is read, and the named fields of MODE. */
#include "harness/case/internal.h"

#include <stdio.h>

/* MODE, Vega ISA section 5 (MODE register): field names of the format, and the words for their
 * values. */
static const struct {
    const char *name;
    u8 lsb, width;
    u8 lsb2; /* a second copy of the field, or 0 */
    const char *word[4];
} mode_fields[] = {
    { "round", 0, 2, 2, { "rne", "rtp", "rtn", "rtz" } },
    { "fp32_round", 0, 2, 0, { "rne", "rtp", "rtn", "rtz" } },
    { "fp64_round", 2, 2, 0, { "rne", "rtp", "rtn", "rtz" } },
    { "denorm", 4, 2, 6, { "flush", "keep_in", "keep_out", "keep" } },
    { "fp32_denorm", 4, 2, 0, { "flush", "keep_in", "keep_out", "keep" } },
    { "fp64_denorm", 6, 2, 0, { "flush", "keep_in", "keep_out", "keep" } },
    { "dx10_clamp", 8, 1, 0, { 0 } },
    { "ieee", 9, 1, 0, { 0 } },
    { "lod_clamped", 10, 1, 0, { 0 } },
    { "excp_en", 12, 7, 0, { 0 } },
    { "fp16_ovfl", 23, 1, 0, { 0 } },
    { "gpr_idx_en", 27, 1, 0, { 0 } },
    { "vskip", 28, 1, 0, { 0 } },
};

enum status casefile_mode(const struct word *field, const struct word *value, u32 *mode,
                          struct err *e)
{
    u32 i = 0;
    u64 v = 0;
    while (i < COUNT_OF(mode_fields) && !word_is(field, mode_fields[i].name))
        i++;
    if (i == COUNT_OF(mode_fields))
        return word_err(e, "no such field of MODE", field->s, field->len);
    u32 mask = mask32(mode_fields[i].width);
    if (mode_fields[i].word[0]) {
        while (v < 4 && !word_is(value, mode_fields[i].word[v]))
            v++;
        if (v == 4) {
            char text[100];
            snprintf(text, sizeof text, "not one of %s, %s, %s, %s", mode_fields[i].word[0],
                     mode_fields[i].word[1], mode_fields[i].word[2], mode_fields[i].word[3]);
            return word_err(e, text, value->s, value->len);
        }
    } else if (!word_u64(value->s, value->len, &v) || v > mask) {
        return word_err(e, "value does not fit the field of MODE", value->s, value->len);
    }
    *mode = (*mode & ~(mask << mode_fields[i].lsb)) | (u32)v << mode_fields[i].lsb;
    if (mode_fields[i].lsb2)
        *mode = (*mode & ~(mask << mode_fields[i].lsb2)) | (u32)v << mode_fields[i].lsb2;
    return ST_OK;
}

static void reach_list(const struct case_assigns *list, u32 *end)
{
    for (u32 i = 0; i < list->count; i++) {
        const struct case_place *p = &list->a[i].place;
        if (p->space == CASE_LDS && p->offset + p->bits / 8u > *end)
            *end = p->offset + p->bits / 8u;
    }
}

/* How much LDS there is: as the test says, or up to the last byte named in steps of 512 bytes, as
 * the hardware allocates it. */
static enum status size_lds(struct case_test *t, struct err *e)
{
    u32 end = 0;
    for (u32 c = 0; c < t->cols; c++)
        if (t->col[c].space == CASE_LDS && t->col[c].offset + t->col[c].bits / 8u > end)
            end = t->col[c].offset + t->col[c].bits / 8u;
    reach_list(&t->in, &end);
    reach_list(&t->out, &end);
    for (u32 i = 0; i < t->items; i++) {
        reach_list(&t->item[i].in, &end);
        reach_list(&t->item[i].out, &end);
    }
    if (t->lds_size % 4)
        return err_set(e, ST_INPUT, "LDS has a multiple of 4 bytes, not %u", t->lds_size);
    if (t->lds_size && end > t->lds_size)
        return err_set(e, ST_INPUT, "LDS has %u bytes; the test names places up to byte %u",
                       t->lds_size, end - 1);
    if (!t->lds_size)
        t->lds_size = (end + 511) / 512 * 512;
    return ST_OK;
}

/* A place of a table's column may not be given by the shared `in` or `out` as well. */
static enum status check_columns(const struct case_test *t, struct err *e)
{
    char name[64];
    for (u32 c = 0; c < t->cols; c++) {
        const struct case_assigns *list = c < t->in_cols ? &t->in : &t->out;
        for (u32 i = 0; i < list->count; i++) {
            if (!casefile_overlap(&t->col[c], &list->a[i].place))
                continue;
            e->line = list->a[i].line;
            return err_set(e, ST_INPUT, "is also a column of the table at line %d: \"%s\"",
                           t->rows_line,
                           casefile_place_name(t, &list->a[i].place, name, sizeof name));
        }
    }
    return ST_OK;
}

static enum status check_reject(const struct case_test *t, struct err *e)
{
    if (t->rows_line || t->items || t->in.count || t->out.count || t->forms || t->again[0] ||
        t->again[1])
        return err_set(e, ST_INPUT, "a test with reject has code and nothing else");
    return ST_OK;
}

enum status casefile_finish_test(struct casefile *f, struct case_test *t, struct err *e)
{
    e->line = t->line;
    if (!t->code_count)
        return err_set(e, ST_INPUT, "the test has no code");
    if (t->reject) {
        t->shape = CASE_REJECT;
        return check_reject(t, e);
    }
    if (t->rows_line && !t->rows) {
        e->line = t->rows_line;
        return err_set(e, ST_INPUT, "the table has no rows");
    }
    if (!t->rows_line && !t->items) {
        if (!t->out.count)
            return err_set(e, ST_INPUT, "the test has no rows, case, out or reject");
        struct case_item *item = casefile_more(f, &t->item, &t->items, &t->items_cap, sizeof *item);
        if (!item)
            return err_memory(e);
        *item = (struct case_item){ .line = t->line, .title = t->title };
    }
    if (!t->rows_line)
        t->shape = CASE_ITEMS;
    if (t->rows_line && t->waves > 1)
        return err_set(e, ST_INPUT, "a table is for one wave; use case");
    enum status st = size_lds(t, e);
    return st == ST_OK ? check_columns(t, e) : st;
}
