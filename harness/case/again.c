/* `again v+128`: a second test like the first, whose vector registers have numbers higher by that
 * much. Code, columns, inputs and results follow; everything else is shared. */
#include "harness/case/internal.h"

#include <stdio.h>

/* By how much registers of a file are moved. */
struct again_file {
    char letter;
    u16 place; /* of its register 0 */
};
static const struct again_file files[CASE_AGAIN_FILES] = { { 'v', PLACE_V0 }, { 'a', PLACE_A0 } };

enum status again_read(struct case_test *t, const struct word *w, struct err *e)
{
    u64 by;
    u32 k = 0;
    while (k < COUNT_OF(files) && w->s[0] != files[k].letter)
        k++;
    if (k == COUNT_OF(files) || w->len < 3 || w->s[1] != '+' || w->s[2] == '0' ||
        !word_u64(w->s + 2, w->len - 2, &by) || by >= VGPRS)
        return word_err(e, "not a file of vector registers and a distance, as in v+128", w->s,
                        w->len);
    if (t->again[k])
        return word_err(e, "given twice", w->s, w->len);
    t->again[k] = (u8)by;
    return ST_OK;
}

static bool is_again(const struct case_test *t)
{
    return t->again[0] || t->again[1];
}

/* ---- code ---- */

static bool is_word_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '$';
}

/* Moves over a decimal number, adds the number higher by `by` to *o; false if it is none or leaves
 * the file. */
static bool move_number(const char **p, u32 by, struct text *o)
{
    size_t len = strspn(*p, "0123456789");
    u64 n;
    if (!word_u64(*p, len, &n) || n + by >= VGPRS)
        return false;
    text_add(o, "%u", (u32)n + by);
    *p += len;
    return true;
}

/* A register at p, as v4, v[4], v[4:7]: its length, or 0. */
static size_t register_length(const char *p)
{
    size_t digits = strspn(p + 1, "0123456789");
    if (digits)
        return is_word_char(p[1 + digits]) ? 0 : 1 + digits;
    size_t inside = p[1] == '[' ? strspn(p + 2, "0123456789:") : 0;
    return inside && p[2 + inside] == ']' ? 3 + inside : 0;
}

/* The line with its registers moved; their number is added to *moved. */
static enum status move_line(struct casefile *f, const struct case_test *t, struct case_line *l,
                             u32 *moved, struct err *e)
{
    char buf[CASE_LINE_BYTES * 2];
    struct text o;
    text_init(&o, buf, sizeof buf);
    for (const char *p = l->text; *p;) {
        u32 k = 0;
        bool starts = p == l->text || !is_word_char(p[-1]);
        while (k < COUNT_OF(files) && *p != files[k].letter)
            k++;
        size_t len = starts && k < COUNT_OF(files) && t->again[k] ? register_length(p) : 0;
        for (const char *end = p + len; p < end;) {
            bool digit = *p >= '0' && *p <= '9';
            e->line = l->line;
            if (digit && !move_number(&p, t->again[k], &o))
                return word_err(e, "again moves it out of its file", end - len, len);
            if (!digit)
                text_add(&o, "%c", *p++);
        }
        *moved += len > 0;
        if (!len)
            text_add(&o, "%c", *p++);
    }
    char *copy = casefile_alloc(f, o.len + 1);
    if (!copy)
        return err_memory(e);
    memcpy(copy, buf, o.len);
    l->text = copy;
    return ST_OK;
}

static enum status move_code(struct casefile *f, struct case_test *t, struct err *e)
{
    u32 moved = 0;
    struct case_line *code = casefile_alloc(f, t->code_count * sizeof *code);
    if (!code)
        return err_memory(e);
    for (u32 i = 0; i < t->code_count; i++) {
        code[i] = t->code[i];
        enum status st = move_line(f, t, &code[i], &moved, e);
        if (st != ST_OK)
            return st;
    }
    t->code = code;
    e->line = t->line;
    return moved ? ST_OK : err_set(e, ST_INPUT, "again moves no register of the code");
}

/* ---- places ---- */

static enum status move_place(const struct case_test *t, struct case_place *p, int line,
                              struct err *e)
{
    char name[64];
    for (u32 k = 0; k < COUNT_OF(files); k++) {
        u32 from = files[k].place, end = from + VGPRS;
        if (p->space != CASE_REG || p->place < from || p->place >= end)
            continue;
        e->line = line;
        if ((u32)p->place + p->dw + t->again[k] > end) {
            casefile_place_name(t, p, name, sizeof name);
            return word_err(e, "again moves it out of its file", name, strlen(name));
        }
        p->place = (u16)(p->place + t->again[k]);
        break;
    }
    return ST_OK;
}

static enum status move_list(struct casefile *f, const struct case_test *t,
                             struct case_assigns *list, struct err *e)
{
    enum status st = ST_OK;
    struct case_assign *a = casefile_alloc(f, list->count * sizeof *a);
    if (!a)
        return err_memory(e);
    for (u32 i = 0; st == ST_OK && i < list->count; i++) {
        a[i] = list->a[i];
        st = move_place(t, &a[i].place, a[i].line, e);
    }
    list->a = a;
    return st;
}

static enum status move_places(struct casefile *f, struct case_test *t, struct err *e)
{
    struct case_item *item = casefile_alloc(f, t->items * sizeof *item);
    if (!item)
        return err_memory(e);
    enum status st = move_list(f, t, &t->in, e);
    if (st == ST_OK)
        st = move_list(f, t, &t->out, e);
    for (u32 i = 0; st == ST_OK && i < t->cols; i++)
        st = move_place(t, &t->col[i], t->rows_line, e);
    for (u32 i = 0; st == ST_OK && i < t->items; i++) {
        item[i] = t->item[i];
        st = move_list(f, t, &item[i].in, e);
        if (st == ST_OK)
            st = move_list(f, t, &item[i].out, e);
    }
    t->item = item;
    return st;
}

/* ---- the test ---- */

/* "plain values, v+128" and "plain-values+v128": a plus stands in no other id. */
static enum status move_names(struct casefile *f, struct case_test *t, struct err *e)
{
    char distance[16];
    struct text title, id;
    size_t size = strlen(t->title) + 32;
    char *copy = casefile_alloc(f, size);
    if (!copy)
        return err_memory(e);
    text_init(&title, copy, size);
    text_init(&id, distance, sizeof distance);
    text_add(&title, "%s,", t->title);
    for (u32 k = 0; k < COUNT_OF(files); k++) {
        if (!t->again[k])
            continue;
        text_add(&title, " %c+%u", files[k].letter, t->again[k]);
        text_add(&id, "+%c%u", files[k].letter, t->again[k]);
    }
    for (u32 i = 0; i < t->items; i++)
        if (t->item[i].title == t->title)
            t->item[i].title = copy;
    t->title = copy;
    size_t room = sizeof t->slug - 1 - id.len;
    size_t kept = strlen(t->slug) < room ? strlen(t->slug) : room;
    memcpy(t->slug + kept, distance, id.len + 1);
    return ST_OK;
}

enum status again_finish(struct casefile *f, const struct case_test *t, struct err *e)
{
    if (!is_again(t))
        return ST_OK;
    struct case_test copy = *t;
    enum status st = move_code(f, &copy, e);
    if (st == ST_OK)
        st = move_places(f, &copy, e);
    if (st == ST_OK)
        st = move_names(f, &copy, e);
    if (st != ST_OK)
        return st;
    e->line = t->line;
    if (f->tests == CASE_TESTS_MAX)
        return err_set(e, ST_INPUT, "more than %u tests", CASE_TESTS_MAX);
    copy.is_again = true;
    struct case_test *to = casefile_more(f, &f->test, &f->tests, &f->tests_cap, sizeof *to);
    if (!to)
        return err_memory(e);
    *to = copy;
    return ST_OK;
}
