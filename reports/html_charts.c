#include "reports/html_charts.h"

#include "reports/markup.h"

#include <stdlib.h>

/* The class of what has these counts, and the mark (markup) by which it is told without colours. */
static void find_mark(const u64 count[TALLY_COUNT], const char **class, const char **mark)
{
    *class = "none";
    *mark = "&#8211;";
    if (count[TALLY_WRONG]) {
        *class = "bad";
        *mark = "&#10007;";
    } else if (count[TALLY_NARROWED] || count[TALLY_TODO] || count[TALLY_KNOWN]) {
        *class = "mid";
        *mark = "~";
    } else if (count[TALLY_RIGHT]) {
        bool all = !count[TALLY_UNIMPLEMENTED] && !count[TALLY_SKIPPED];
        *class = all ? "good" : "mid";
        *mark = all ? "&#10003;" : "~";
    }
}

/* " title=..." with the counts that are not 0. */
static void put_title(FILE *out, const u64 count[TALLY_COUNT])
{
    const char *between = "";
    fputs(" title=\"", out);
    for (u32 t = 0; t < TALLY_COUNT; t++) {
        if (!count[t])
            continue;
        fprintf(out, "%s%s %llu", between, tally_names[t], (unsigned long long)count[t]);
        between = ", ";
    }
    fputc('"', out);
}

static u64 sum(const u64 count[TALLY_COUNT])
{
    u64 total = 0;
    for (u32 t = 0; t < TALLY_COUNT; t++)
        total += count[t];
    return total;
}

/* ---- causes over time ---- */

/* Units of the drawing, which is as wide as a telephone. */
enum { WIDTH = 360, HEIGHT = 170, LEFT = 36, RIGHT = 8, TOP = 12, BOTTOM = 24 };

static int by_time(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return x < y ? -1 : x > y;
}

/* Where a share of an axis lies. */
static u32 across(u64 part, u64 whole, u32 length)
{
    return whole ? (u32)((double)part / (double)whole * length + 0.5) : 0;
}

/* The line: up at each cause, as far as it can be seen. */
static void put_line(FILE *out, const u64 *ms, u32 count, u64 end)
{
    u32 base = HEIGHT - BOTTOM, x = LEFT, y = base;
    fprintf(out, "<path d=\"M%u %u", x, y);
    for (u32 i = 0; i < count; i++) {
        u32 to_x = LEFT + across(ms[i], end, WIDTH - LEFT - RIGHT);
        u32 to_y = base - across(i + 1, count, base - TOP);
        bool is_last_here =
            i + 1 == count || LEFT + across(ms[i + 1], end, WIDTH - LEFT - RIGHT) != to_x;
        if (!is_last_here)
            continue;
        if (to_x != x)
            fprintf(out, "H%u", to_x);
        if (to_y != y)
            fprintf(out, "V%u", to_y);
        x = to_x;
        y = to_y;
    }
    fprintf(out, "H%u\" class=\"line\"/>\n", (u32)(WIDTH - RIGHT));
}

static void put_drawing(FILE *out, const u64 *ms, u32 count, u64 end)
{
    char span[32];
    timing_span(end, span, sizeof span);
    fprintf(out,
            "<section id=\"over-time\">\n<h2>Causes over time</h2>\n"
            "<svg viewBox=\"0 0 %u %u\" role=\"img\" aria-label=\"%u cause%s in %s\">\n"
            "<path d=\"M%u %uV%uH%u\" class=\"axis\"/>\n",
            (u32)WIDTH, (u32)HEIGHT, count, count == 1 ? "" : "s", span, (u32)LEFT, (u32)TOP,
            (u32)(HEIGHT - BOTTOM), (u32)(WIDTH - RIGHT));
    put_line(out, ms, count, end);
    fprintf(out,
            "<text x=\"%u\" y=\"%u\" class=\"end\">%u</text><text x=\"%u\" y=\"%u\" "
            "class=\"end\">0</text><text x=\"%u\" y=\"%u\" class=\"end\">%s</text>\n</svg>\n"
            "<p class=\"dim\">When each cause was seen first, since the beginning of its run.</p>\n"
            "</section>\n",
            (u32)(LEFT - 4), (u32)(TOP + 4), count, (u32)(LEFT - 4), (u32)(HEIGHT - BOTTOM),
            (u32)(WIDTH - RIGHT), (u32)(HEIGHT - 6), span);
}

void html_charts_put_causes(FILE *out, const struct summary *s)
{
    u64 end = 0, *ms = malloc((s->causes.count + 1ull) * sizeof *ms);
    u32 count = 0;
    for (u32 i = 0; ms && i < s->causes.count; i++)
        if (s->causes.at[i].has_time)
            ms[count++] = s->causes.at[i].first_ms;
    for (u32 i = 0; i < s->heads && i < SUMMARY_HEADS_MAX; i++)
        end = s->timing[i].ms > end ? s->timing[i].ms : end;
    if (count) {
        qsort(ms, count, sizeof *ms, by_time);
        put_drawing(out, ms, count, end);
    }
    free(ms);
}

/* ---- opcodes by forms ---- */

static void put_cell(FILE *out, const u64 count[TALLY_COUNT])
{
    const char *class, *mark;
    u64 total = sum(count), wrong = count[TALLY_WRONG];
    if (!total) {
        fputs("<td></td>", out);
        return;
    }
    find_mark(count, &class, &mark);
    fprintf(out, "<td class=\"%s", class);
    if (wrong) /* 1 to 4: the share that is wrong */
        fprintf(out, " w%u", wrong >= total ? 4u : 1 + across(wrong, total, 2));
    fputc('"', out);
    put_title(out, count);
    fprintf(out, ">%s", mark);
    if (wrong)
        fprintf(out, "%llu", (unsigned long long)wrong);
    fputs("</td>", out);
}

/* The opcodes from `from` to `to`, which are those of one encoding. */
static void put_encoding(FILE *out, const struct summary_groups *ops, u32 from, u32 to)
{
    const struct summary_group *head = &ops->at[from];
    bool has_form[SUMMARY_FORMS] = { false };
    u32 wrong = 0;
    char name[32];
    for (u32 i = from; i < to; i++) {
        wrong += ops->at[i].count[TALLY_WRONG] != 0;
        for (u32 f = 0; f < SUMMARY_FORMS; f++)
            has_form[f] |= sum(ops->at[i].form[f]) != 0;
    }
    snprintf(name, sizeof name, "%.*s", (int)summary_encoding_len(head), head->key);
    fprintf(out, "<details%s><summary><b>", wrong ? " open" : "");
    markup_text(out, name);
    fprintf(out, "</b>: %u opcode%s", to - from, to - from == 1 ? "" : "s");
    if (wrong)
        fprintf(out, ", %u wrong", wrong);
    fputs("</summary>\n<div class=\"scroll\"><table class=\"heat\">\n<thead><tr><th "
          "scope=\"col\">opcode</th>",
          out);
    for (u32 f = 0; f < SUMMARY_FORMS; f++)
        if (has_form[f])
            fprintf(out, "<th scope=\"col\">%s</th>", summary_forms[f]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (u32 i = from; i < to; i++) {
        fputs("<tr><th scope=\"row\">", out);
        markup_text(out, ops->at[i].key + summary_encoding_len(&ops->at[i]) + 1);
        fputs("</th>", out);
        for (u32 f = 0; f < SUMMARY_FORMS; f++)
            if (has_form[f])
                put_cell(out, ops->at[i].form[f]);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n</details>\n", out);
}

void html_charts_put_heat(FILE *out, const struct summary *s)
{
    const struct summary_groups *ops = &s->ops;
    for (u32 from = 0, to; from < ops->count; from = to) {
        const struct summary_group *head = &ops->at[from];
        size_t len = summary_encoding_len(head);
        for (to = from; to < ops->count && strncmp(ops->at[to].key, head->key, len + 1) == 0;)
            to++;
        put_encoding(out, ops, from, to);
    }
}
