/* What came and went, in every format. */
#include "reports/diff.h"
#include "reports/file/json_memory.h"

#include <jansson.h>
#include <stdlib.h>

static const char *const side_names[DIFF_SIDES] = { "old", "new" };
static const char *const now_names[DIFF_NOW_COUNT] = {
    [DIFF_NOW_RIGHT] = "right now",
    [DIFF_NOW_OTHER] = "fail for another cause",
    [DIFF_NOW_NOT_JUDGED] = "are not judged now",
    [DIFF_NOW_GONE] = "are not among the new ones",
};

/* ---- text ---- */

static void put_side(FILE *out, const struct diff *d, enum diff_side side)
{
    char line[1024];
    struct summary *s = d->summary[side];
    const struct journal_head *h = &s->head[0];
    summary_sort(s);
    fprintf(out, "%s: ", side_names[side]);
    if (s->heads)
        fprintf(out, "gcncheck %s, %s, %s", h->version, h->mcpu, h->dut);
    if (s->heads && s->dut[0].name[0])
        fprintf(out, " (%s%s%s)", s->dut[0].name, s->dut[0].version[0] ? " " : "",
                s->dut[0].version);
    if (s->heads && h->dut_hash[0])
        fprintf(out, ", %.12s", h->dut_hash);
    if (s->heads > 1)
        fprintf(out, " and %u more", s->heads - 1);
    fprintf(out, "\n     %s\n", summary_line(s, line, sizeof line));
}

/* What became of its cases. */
static void put_now(FILE *out, const struct diff_cause *c)
{
    const char *sep = "        ";
    for (u32 i = 0; i < DIFF_NOW_COUNT; i++)
        if (c->now[i]) {
            fprintf(out, "%s%llu %s", sep, (unsigned long long)c->now[i], now_names[i]);
            sep = ", ";
        }
    if (sep[0] == ',')
        fputc('\n', out);
}

static void put_cause(FILE *out, const struct diff_cause *c)
{
    char name[640];
    const struct result *r = c->first;
    unsigned long long old = c->count[DIFF_OLD], new = c->count[DIFF_NEW];
    if (c->change == DIFF_STAYED && old != new)
        fprintf(out, "%6llu  %s (%llu before)\n", new, c->key, old);
    else
        fprintf(out, "%6llu  %s\n", c->change == DIFF_WENT ? old : new, c->key);
    if (c->change == DIFF_WENT)
        put_now(out, c);
    if (c->change == DIFF_STAYED && r->known[0])
        fprintf(out, "        known: %s\n", r->known);
    if (c->change != DIFF_CAME)
        return;
    fprintf(out, "        %s\n", result_name(r, name, sizeof name));
    if (r->file[0])
        fprintf(out, "        at %s:%u\n", r->file, r->line);
    if (r->again[0])
        fprintf(out, "        %s\n", r->again);
}

static void put_heading(FILE *out, const struct diff *d, u32 change, bool color)
{
    static const char *const colors[DIFF_CHANGES] = { "1;31", "1;32", "1" };
    u32 n = d->changes[change];
    fputc('\n', out);
    if (color && n)
        fprintf(out, "\033[%sm", colors[change]);
    fprintf(out, "%s: %u cause%s%s\n", diff_change_names[change], n, n == 1 ? "" : "s",
            color && n ? "\033[0m" : "");
}

static void put_text(const struct diff *d, FILE *out, bool color)
{
    fprintf(out, "gcncheck report --diff\n");
    put_side(out, d, DIFF_OLD);
    put_side(out, d, DIFF_NEW);
    for (u32 change = 0, i = 0; change < DIFF_CHANGES; change++) {
        put_heading(out, d, change, color);
        for (; i < d->causes && d->cause[i].change == change; i++)
            put_cause(out, &d->cause[i]);
    }
}

/* ---- JSON lines ---- */

static void set_text(json_t *o, const char *name, const char *text)
{
    if (text[0])
        json_object_set_new(o, name, json_string(text));
}

static json_t *side_object(const struct diff *d, enum diff_side side)
{
    const struct summary *s = d->summary[side];
    json_t *o = json_object();
    if (!s->heads)
        return o;
    set_text(o, "version", s->head[0].version);
    set_text(o, "mcpu", s->head[0].mcpu);
    set_text(o, "dut", s->head[0].dut);
    set_text(o, "dut_name", s->dut[0].name);
    set_text(o, "dut_version", s->dut[0].version);
    set_text(o, "dut_hash", s->head[0].dut_hash);
    set_text(o, "args", s->head[0].args);
    return o;
}

static json_t *cause_object(const struct diff_cause *c)
{
    static const char *const names[DIFF_NOW_COUNT] = { "right", "other", "not_judged", "gone" };
    json_t *o = json_object(), *now = json_object();
    set_text(o, "kind", "cause");
    set_text(o, "change", diff_change_names[c->change]);
    set_text(o, "cause", c->key);
    for (u32 side = 0; side < DIFF_SIDES; side++)
        json_object_set_new(o, side_names[side], json_integer((json_int_t)c->count[side]));
    for (u32 i = 0; i < DIFF_NOW_COUNT; i++)
        if (c->now[i])
            json_object_set_new(now, names[i], json_integer((json_int_t)c->now[i]));
    if (c->change == DIFF_WENT)
        json_object_set_new(o, "now", now);
    else
        json_decref(now);
    set_text(o, "id", c->first->id);
    set_text(o, "known", c->first->known);
    set_text(o, "again", c->first->again);
    return o;
}

/* Prints an object and frees it. */
static bool put_line(json_t *o, FILE *out)
{
    char *text = json_memory_was_short() ? NULL : json_dumps(o, JSON_COMPACT);
    json_decref(o);
    if (text)
        fprintf(out, "%s\n", text);
    free(text);
    return text && !json_memory_was_short();
}

static bool put_json(const struct diff *d, FILE *out)
{
    json_memory_watch();
    json_t *o = json_object();
    set_text(o, "kind", "diff");
    for (u32 side = 0; side < DIFF_SIDES; side++)
        json_object_set_new(o, side_names[side], side_object(d, (enum diff_side)side));
    for (u32 i = 0; i < DIFF_CHANGES; i++)
        json_object_set_new(o, diff_change_names[i], json_integer(d->changes[i]));
    bool good = put_line(o, out);
    for (u32 i = 0; good && i < d->causes; i++)
        good = put_line(cause_object(&d->cause[i]), out);
    return good;
}

/* ---- the others: a result for each cause ---- */

static void make_result(const struct diff_cause *c, struct result *r)
{
    static const u8 status[DIFF_CHANGES] = { RESULT_NOT_OK, RESULT_OK, RESULT_KNOWN };
    *r = *c->first;
    r->status = status[c->change];
    RESULT_SET(r->title, "%s, %s (%llu before, %llu now)", c->key, diff_change_names[c->change],
               (unsigned long long)c->count[DIFF_OLD], (unsigned long long)c->count[DIFF_NEW]);
    r->narrowed[0] = '\0';
    if (c->change == DIFF_STAYED && !r->known[0])
        RESULT_SET(r->known, "it was there before");
}

/* Which runs they are. */
static bool put_heads(const struct diff *d, struct report *r)
{
    struct journal_record *rec = calloc(1, sizeof *rec);
    bool good = rec != NULL;
    for (u32 side = 0; good && r->format->writer->record && side < DIFF_SIDES; side++) {
        const struct summary *s = d->summary[side];
        if (!s->heads)
            continue;
        rec->kind = JOURNAL_HEAD;
        rec->head = s->head[0];
        good = r->format->writer->record(r, rec);
        rec->kind = JOURNAL_DUT;
        rec->dut = s->dut[0];
        if (good && rec->dut.name[0])
            good = r->format->writer->record(r, rec);
    }
    free(rec);
    return good;
}

static bool put_results(const struct diff *d, const struct report_format *format, FILE *out,
                        bool color)
{
    struct report r = { .color = color, .apart = true };
    struct report_end end = { .empty = "no cause in either run" };
    struct result *made = malloc(sizeof *made);
    bool good = made && report_open(&r, format, out);
    if (!good) {
        free(made);
        return false;
    }
    good = put_heads(d, &r);
    for (u32 i = 0; good && i < d->causes; i++) {
        make_result(&d->cause[i], made);
        good = report_result(&r, made);
    }
    free(made);
    return report_close(&r, &end) && good;
}

bool diff_print(const struct diff *d, const struct report_format *format, FILE *out, bool color)
{
    bool good = true;
    if (format->writer == &report_text)
        put_text(d, out, color);
    else if (format->writer == &report_jsonl)
        good = put_json(d, out);
    else
        return put_results(d, format, out, color);
    return fflush(out) == 0 && !ferror(out) && good;
}
