/* The text page of a summary. */
#include "reports/page.h"

enum { CAUSES_SHOWN = 20, OPS_SHOWN = 40 };

struct page {
    FILE *out;
    bool color;
};

static void put_color(const struct page *p, const char *code)
{
    if (p->color)
        fprintf(p->out, "\033[%sm", code);
}

static void put_heading(const struct page *p, const char *text)
{
    fputc('\n', p->out);
    put_color(p, "1");
    fputs(text, p->out);
    put_color(p, "0");
    fputc('\n', p->out);
}

static void put_heads(const struct page *p, const struct summary *s)
{
    char shards[48];
    for (u32 i = 0; i < s->heads && i < SUMMARY_HEADS_MAX; i++) {
        const struct journal_head *h = &s->head[i];
        const struct journal_dut *d = &s->dut[i];
        fprintf(p->out, "gcncheck %s, %s, %s", h->version, h->mcpu, h->dut);
        if (d->name[0])
            fprintf(p->out, " (%s%s%s)", d->name, d->version[0] ? " " : "", d->version);
        fputs(summary_shards(s, i, shards, sizeof shards), p->out);
        if (h->seed_count)
            fprintf(p->out, ", seeds %llu..%llu", (unsigned long long)h->seed_first,
                    (unsigned long long)(h->seed_first + h->seed_count - 1));
        fprintf(p->out, "\n");
        if (h->args[0])
            fprintf(p->out, "  %s\n", h->args);
    }
    if (s->heads > SUMMARY_HEADS_MAX)
        fprintf(p->out, "and %u more\n", s->heads - SUMMARY_HEADS_MAX);
    if (!s->heads)
        fprintf(p->out, "gcncheck: it is not known of which run this is: its head is damaged\n");
    fprintf(p->out, "\n");
}

static void put_unfinished(const struct page *p, const struct summary *s)
{
    if (s->unfinished)
        fprintf(p->out, "%u run%s did not come to an end: %llu case%s begun without a result\n",
                s->unfinished, s->unfinished == 1 ? "" : "s", (unsigned long long)s->lost,
                s->lost == 1 ? "" : "s");
    if (s->damages)
        fprintf(p->out, "damaged: %llu place%s passed over; what stands around is reported\n",
                (unsigned long long)s->damages, s->damages == 1 ? " was" : "s were");
    if (s->torn_bytes)
        fprintf(p->out, "a record was cut off: %llu bytes passed over\n",
                (unsigned long long)s->torn_bytes);
}

static void put_causes(const struct page *p, const struct summary *s)
{
    char name[640];
    if (!s->causes.count)
        return;
    put_heading(p, "wrong, by cause");
    for (u32 i = 0; i < s->causes.count && i < CAUSES_SHOWN; i++) {
        const struct summary_group *c = &s->causes.at[i];
        const struct result *r = c->first;
        fprintf(p->out, "%6llu  %s\n", (unsigned long long)c->total, c->key);
        fprintf(p->out, "        %s\n", result_name(r, name, sizeof(name)));
        if (r->file[0])
            fprintf(p->out, "        at %s:%u\n", r->file, r->line);
        if (r->diff_count) {
            const struct result_diff *d = &r->diff[0];
            char place[64];
            fprintf(p->out, "        %s: want %s, got %s%s%s\n",
                    result_place(d, place, sizeof(place)), d->want, d->got, d->note[0] ? ", " : "",
                    d->note);
        }
        if (r->vote[0])
            fprintf(p->out, "        vote %s\n", r->vote);
        if (r->parts[0])
            fprintf(p->out, "        %s%s\n", r->blame[0] ? "parts at " : "", r->parts);
        if (r->again[0])
            fprintf(p->out, "        %s\n", r->again);
    }
    if (s->causes.count > CAUSES_SHOWN)
        fprintf(p->out, "        and %u more causes\n", s->causes.count - CAUSES_SHOWN);
}

/* Each list of groups has a heading and says something else of a group. */
static void put_known(const struct page *p, const struct summary *s)
{
    if (!s->known.count)
        return;
    put_heading(p, "known failures, by cause");
    for (u32 i = 0; i < s->known.count; i++) {
        const struct summary_group *g = &s->known.at[i];
        fprintf(p->out, "%6llu  %s: %s\n", (unsigned long long)g->total, g->key, g->first->known);
    }
}

static void put_reasons(const struct page *p, const struct summary *s)
{
    if (!s->reasons.count)
        return;
    put_heading(p, "not judged, by reason");
    for (u32 i = 0; i < s->reasons.count; i++) {
        const struct summary_group *g = &s->reasons.at[i];
        fprintf(p->out, "%6llu  %s%s%s%s\n", (unsigned long long)g->total, g->key,
                g->first->detail[0] ? " (" : "", g->first->detail, g->first->detail[0] ? ")" : "");
    }
}

static void put_counts(const struct page *p, const char *name, int width, const u64 *count)
{
    fprintf(p->out, "  %-*s", width, name);
    for (u32 t = 0; t < TALLY_COUNT; t++)
        fprintf(p->out, "  %*llu", (int)strlen(tally_names[t]), (unsigned long long)count[t]);
    fprintf(p->out, "\n");
}

static void put_columns(const struct page *p, const char *first, int width)
{
    fprintf(p->out, "  %-*s", width, first);
    for (u32 t = 0; t < TALLY_COUNT; t++)
        fprintf(p->out, "  %s", tally_names[t]);
    fprintf(p->out, "\n");
}

static void put_encodings(const struct page *p, const struct summary *s)
{
    char name[32];
    if (!s->ops.count)
        return;
    put_heading(p, "by encoding");
    put_columns(p, "", 10);
    for (u32 i = 0; i < s->ops.count;) {
        u64 count[TALLY_COUNT] = { 0 };
        const struct summary_group *head = &s->ops.at[i];
        size_t len = summary_encoding_len(head);
        for (; i < s->ops.count && strncmp(s->ops.at[i].key, head->key, len + 1) == 0; i++) {
            for (u32 t = 0; t < TALLY_COUNT; t++)
                count[t] += s->ops.at[i].count[t];
        }
        snprintf(name, sizeof(name), "%.*s", (int)len, head->key);
        put_counts(p, name, 10, count);
    }
}

static void put_wrong_ops(const struct page *p, const struct summary *s)
{
    u32 shown = 0, wrong = 0;
    for (u32 i = 0; i < s->ops.count; i++) {
        const struct summary_group *op = &s->ops.at[i];
        if (!op->count[TALLY_WRONG] || wrong++ >= OPS_SHOWN)
            continue;
        if (!shown++) {
            put_heading(p, "opcodes with wrong results");
            put_columns(p, "", 30);
        }
        put_counts(p, op->key, 30, op->count);
    }
    if (wrong > OPS_SHOWN)
        fprintf(p->out, "  and %u more\n", wrong - OPS_SHOWN);
}

static void put_tables(const struct page *p, const struct summary *s)
{
    for (u32 i = 0; i < s->tables; i++) {
        const struct summary_table *t = &s->table[i];
        int width[JOURNAL_CELLS_MAX] = { 0 };
        put_heading(p, t->name);
        for (u32 r = 0; r < t->count; r++) {
            for (u32 c = 0; c < t->row[r].count; c++) {
                int len = (int)strlen(t->row[r].cell[c]);
                width[c] = len > width[c] ? len : width[c];
            }
        }
        for (u32 r = 0; r < t->count; r++) {
            for (u32 c = 0; c < t->row[r].count; c++)
                fprintf(p->out, "  %-*s", c + 1 < t->row[r].count ? width[c] : 0,
                        t->row[r].cell[c]);
            fprintf(p->out, "\n");
        }
    }
}

void summary_print(struct summary *s, FILE *out, bool color)
{
    struct page p = { out, color };
    char line[1024];
    summary_sort(s);
    put_heads(&p, s);
    put_color(&p, s->count[TALLY_WRONG] ? "1;31" : "1;32");
    fprintf(out, "%s", summary_line(s, line, sizeof(line)));
    put_color(&p, "0");
    fprintf(out, "\n");
    put_unfinished(&p, s);
    put_causes(&p, s);
    put_known(&p, s);
    put_reasons(&p, s);
    put_encodings(&p, s);
    put_wrong_ops(&p, s);
    put_tables(&p, s);
}

/* ---- the format ---- */

static bool close_report(struct report *r, const struct report_end *end)
{
    if (page_has_contents(r, end))
        summary_print(r->state, r->out, r->color);
    summary_free(r->state);
    return true;
}

const struct report_writer report_text = { .open = page_open,
                                           .result = page_result,
                                           .record = page_record,
                                           .journal = page_journal,
                                           .close = close_report,
                                           .mark = "^gcncheck " };
