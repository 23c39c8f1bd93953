#include "reports/html.h"

#include "oracle/errata/errata.h"
#include "reports/html_charts.h"
#include "reports/markup.h"
#include "reports/page.h"

#include <ctype.h>

static const char style[] =
    ":root{color-scheme:light "
    "dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d0d7de;--card:#f6f8fa;"
    "--good:#116329;--good-bg:#dafbe1;--bad:#a40e26;--bad-bg:#ffebe9;--mid:#7d4e00;--mid-bg:#"
    "fff8c5;"
    "--none-bg:#eaeef2;--link:#0550ae}\n"
    "@media "
    "(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9da7b3;--line:#30363d;"
    "--card:#161b22;--good:#7ee787;--good-bg:#12351f;--bad:#ffa198;--bad-bg:#4b1113;--mid:#e3b341;"
    "--mid-bg:#3a2a06;--none-bg:#21262d;--link:#79c0ff}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:72rem;padding:1.5rem 1rem "
    "4rem;background:var(--bg);color:var(--fg);"
    "font:16px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.6rem;margin:0 0 .5rem}h2{font-size:1.25rem;margin:2.5rem 0 .75rem;"
    "border-bottom:1px solid var(--line);padding-bottom:.25rem}h3{font-size:1rem;margin:1.25rem 0 "
    ".5rem}\n"
    "a{color:var(--link)}a:focus-visible,summary:focus-visible{outline:2px solid var(--link);"
    "outline-offset:2px}\n"
    "code,pre,.mono{font:.875rem/1.5 ui-monospace,monospace}\n"
    "pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.75rem;"
    "overflow-x:auto;margin:.5rem 0}\n"
    "nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:1rem 0 "
    "0;padding:0}\n"
    ".run{color:var(--dim);margin:.25rem 0;overflow-wrap:anywhere}\n"
    ".verdict{font-size:1.1rem;font-weight:600;padding:.6rem .9rem;border-radius:6px;margin:1rem "
    "0}\n"
    ".tiles{display:flex;flex-wrap:wrap;gap:.75rem;margin:0;padding:0;list-style:none}\n"
    ".tiles li{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.5rem "
    ".9rem;"
    "min-width:7.5rem}\n"
    ".tiles b{display:block;font-size:1.5rem;line-height:1.2}.tiles span{color:var(--dim)}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:.9375rem}caption{text-align:left;color:var(--dim);"
    "padding:.25rem 0}\n"
    "th,td{padding:.3rem .7rem;border-bottom:1px solid "
    "var(--line);text-align:left;vertical-align:top}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}thead "
    "th{background:var(--card)}\n"
    ".heat th,.heat td{font:.75rem/1.4 ui-monospace,monospace;padding:.1rem .35rem}\n"
    ".heat th[scope=row]{white-space:nowrap}.heat td{text-align:center}\n"
    ".good{background:var(--good-bg);color:var(--good)}.bad{background:var(--bad-bg);color:var(--"
    "bad)}\n"
    ".mid{background:var(--mid-bg);color:var(--mid)}.none{background:var(--none-bg);color:var(--fg)"
    "}\n"
    "details{border:1px solid var(--line);border-radius:6px;margin:.5rem 0;padding:0 .9rem}\n"
    "details[open]{padding-bottom:.75rem}summary{cursor:pointer;padding:.5rem "
    "0;overflow-wrap:anywhere}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:.25rem 0}\n"
    "dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere;min-width:0}\n"
    "td.bad.w1{opacity:.7}td.bad.w2{opacity:.8}td.bad.w3{opacity:.9}td.bad.w4{font-weight:700}\n"
    "svg{display:block;width:100%;max-width:45rem;height:auto}svg text{font:11px "
    "system-ui,sans-serif;fill:var(--dim)}\n"
    ".end{text-anchor:end}.axis{fill:none;stroke:var(--line)}.line{fill:none;stroke:var(--bad);"
    "stroke-width:2}\n"
    ".dim{color:var(--dim)}\n"
    "td.mono{overflow-wrap:anywhere}\n"
    "@media (max-width:30rem){body{padding:1rem .6rem 3rem}dl{grid-template-columns:1fr;gap:0}"
    "dd{margin-bottom:.4rem}th,td{padding:.25rem .4rem}.tiles li{min-width:5.5rem;padding:.4rem "
    ".6rem}details{padding:0 .5rem}}\n"
    "@media print{details{break-inside:avoid}}\n";

static void put_number(FILE *out, u64 n)
{
    fprintf(out, "%llu", (unsigned long long)n);
}

/* <tag>text</tag> */
static void put_in(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    markup_text(out, text);
    fprintf(out, "</%s>", tag);
}

/* Date and duration, if the journal has them; and which files the device was. */
static void put_when(FILE *out, const struct journal_head *h, const struct timing *t)
{
    char text[64];
    if (t->is_known) {
        fprintf(out, "; <time>%s</time>", timing_date(t->date, text, sizeof text));
        fprintf(out, ", %s", timing_span(t->ms, text, sizeof text));
    }
    if (h->dut_hash[0]) {
        fputs("; files <code>", out);
        snprintf(text, sizeof text, "%.12s", h->dut_hash);
        markup_text(out, text);
        fputs("</code>", out);
    }
}

static void put_head(FILE *out, const struct summary *s)
{
    char shards[48];
    fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"generator\" content=\"gcncheck\">\n<title>gcncheck");
    if (s->heads) {
        fputs(": ", out);
        markup_text(out, s->head[0].mcpu);
        fputs(", ", out);
        markup_text(out, s->head[0].dut);
    }
    fprintf(out,
            "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>gcncheck report</h1>\n",
            style);
    for (u32 i = 0; i < s->heads && i < SUMMARY_HEADS_MAX; i++) {
        const struct journal_head *h = &s->head[i];
        fputs("<p class=\"run\"><strong>", out);
        markup_text(out, h->dut);
        fputs("</strong>", out);
        if (s->dut[i].name[0]) {
            fputs(" (", out);
            markup_text(out, s->dut[i].name);
            fputs(s->dut[i].version[0] ? " " : "", out);
            markup_text(out, s->dut[i].version);
            fputs(")", out);
        }
        fputs(" on ", out);
        markup_text(out, h->mcpu);
        fputs(summary_shards(s, i, shards, sizeof shards), out);
        if (h->seed_count)
            fprintf(out, ", seeds %llu to %llu", (unsigned long long)h->seed_first,
                    (unsigned long long)(h->seed_first + h->seed_count - 1));
        fputs(", gcncheck ", out);
        markup_text(out, h->version);
        put_when(out, h, &s->timing[i]);
        if (h->args[0]) {
            fputs("<br>", out);
            put_in(out, "code", h->args);
        }
        fputs("</p>\n", out);
    }
    if (s->heads > SUMMARY_HEADS_MAX)
        fprintf(out, "<p class=\"run\">and %u more runs</p>\n", s->heads - SUMMARY_HEADS_MAX);
    if (!s->heads)
        fputs("<p class=\"run\">It is not known of which run this is: its head is damaged.</p>\n",
              out);
}

/* A table's name as a heading. */
static void put_title(FILE *out, const struct summary_table *t)
{
    char name[sizeof(t->name)];
    memcpy(name, t->name, sizeof(name));
    name[0] = (char)toupper((u8)name[0]);
    markup_text(out, name);
}

static bool has_times(const struct summary *s)
{
    for (u32 i = 0; i < s->causes.count; i++)
        if (s->causes.at[i].has_time)
            return true;
    return false;
}

static void put_nav(FILE *out, const struct summary *s)
{
    fputs("<nav aria-label=\"Sections\"><ul>", out);
    if (s->count[TALLY_WRONG])
        fputs("<li><a href=\"#causes\">Causes</a></li><li><a href=\"#failures\">Failures</a></li>",
              out);
    if (has_times(s))
        fputs("<li><a href=\"#over-time\">Over time</a></li>", out);
    if (s->known.count)
        fputs("<li><a href=\"#known\">Known failures</a></li>", out);
    if (s->ops.count)
        fputs("<li><a href=\"#opcodes\">Opcodes</a></li>", out);
    if (s->reasons.count)
        fputs("<li><a href=\"#skipped\">Not judged</a></li>", out);
    for (u32 i = 0; i < s->tables; i++) {
        fprintf(out, "<li><a href=\"#table-%u\">", i);
        put_title(out, &s->table[i]);
        fputs("</a></li>", out);
    }
    fputs("</ul></nav>\n</header>\n<main>\n", out);
}

static void put_totals(FILE *out, const struct summary *s)
{
    char line[1024];
    const char *class = s->count[TALLY_WRONG] ? "bad" : s->unfinished || !s->total ? "mid" : "good";
    fprintf(out, "<p class=\"verdict %s\">", class);
    markup_text(out, summary_line(s, line, sizeof(line)));
    fputs("</p>\n", out);
    if (s->unfinished)
        fprintf(
            out,
            "<p class=\"verdict mid\">%u run%s did not come to an end: %llu case%s begun without a "
            "result.</p>\n",
            s->unfinished, s->unfinished == 1 ? "" : "s", (unsigned long long)s->lost,
            s->lost == 1 ? "" : "s");
    fputs("<ul class=\"tiles\" aria-label=\"Totals\">\n", out);
    for (u32 t = 0; t < TALLY_COUNT; t++) {
        fputs("<li><b>", out);
        put_number(out, s->count[t]);
        fprintf(out, "</b><span>%s</span></li>\n", tally_names[t]);
    }
    fputs("</ul>\n", out);
}

/* Whether the failure is among those that are shown in any case. */
static bool is_kept(const struct summary *s, const struct result *r)
{
    u32 low = 0, high = s->failures;
    while (low < high) {
        u32 middle = (low + high) / 2;
        int order = result_compare(s->failure[middle], r);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Whether the first failure of a cause is on the page. Those that are not kept are shown, too, for the
 * causes with the most results. */
static bool is_shown(const struct summary *s, u32 cause)
{
    return cause < SUMMARY_FAILURES_MAX || is_kept(s, s->causes.at[cause].first);
}

/* The first failure of a cause, as a link to it. */
static void put_link(FILE *out, const struct summary *s, u32 cause)
{
    const struct result *r = s->causes.at[cause].first;
    bool shown = is_shown(s, cause);
    if (shown)
        fprintf(out, "<a href=\"#f%u\">", cause);
    markup_text(out, r->id[0] ? r->id : r->title[0] ? r->title : "this");
    fputs(shown ? "</a>" : "", out);
}

static void put_causes(FILE *out, const struct summary *s)
{
    if (!s->causes.count)
        return;
    bool times = has_times(s);
    fprintf(out,
            "<section id=\"causes\">\n<h2>Causes</h2>\n<div class=\"scroll\"><table>\n<thead><tr>"
            "<th scope=\"col\" class=\"n\">wrong</th><th scope=\"col\">cause</th>"
            "<th scope=\"col\">first of them</th>%s</tr></thead>\n<tbody>\n",
            times ? "<th scope=\"col\" class=\"n\">seen after</th>" : "");
    for (u32 i = 0; i < s->causes.count; i++) {
        const struct summary_group *c = &s->causes.at[i];
        char span[32];
        fprintf(out, "<tr id=\"c%u\"><td class=\"n\">", i);
        put_number(out, c->total);
        fputs("</td><td class=\"mono\">", out);
        markup_text(out, c->key);
        fputs("</td><td class=\"mono\">", out);
        put_link(out, s, i);
        if (times)
            fprintf(out, "</td><td class=\"n\">%s",
                    c->has_time ? timing_span(c->first_ms, span, sizeof span) : "");
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table></div>\n</section>\n", out);
}

static void put_known(FILE *out, const struct summary *s)
{
    if (!s->known.count)
        return;
    fputs("<section id=\"known\">\n<h2>Known failures</h2>\n<div class=\"scroll\"><table>\n"
          "<thead><tr><th scope=\"col\" class=\"n\">results</th><th scope=\"col\">cause</th>"
          "<th scope=\"col\">reason</th></tr></thead>\n<tbody>\n",
          out);
    for (u32 i = 0; i < s->known.count; i++) {
        const struct summary_group *g = &s->known.at[i];
        fputs("<tr><td class=\"n\">", out);
        put_number(out, g->total);
        fputs("</td><td class=\"mono\">", out);
        markup_text(out, g->key);
        fputs("</td>", out);
        put_in(out, "td", g->first->known);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n</section>\n", out);
}

static void put_term(FILE *out, const char *term, const char *text)
{
    if (!text[0])
        return;
    fprintf(out, "<dt>%s</dt><dd><code>", term);
    markup_text(out, text);
    fputs("</code></dd>\n", out);
}

/* The ledger's entries whose ids stand between blanks: what is in doubt, and what the model
 * does. */
static void put_ledger(FILE *out, const char *ids)
{
    for (const char *p = ids; *(p += strspn(p, " ")); p += strcspn(p, " ")) {
        char id[64];
        snprintf(id, sizeof(id), "%.*s", (int)strcspn(p, " "), p);
        const struct erratum *entry = erratum_find(id, strlen(id));
        if (!entry) {
            put_term(out, "ledger", id);
            continue;
        }
        fputs("<dt>ledger</dt><dd><code>", out);
        markup_text(out, id);
        fprintf(out, "</code> (%s) ", evidence_names[entry->evidence]);
        markup_text(out, entry->doubt);
        fputs(entry->doubt[0] ? "<br>The model: " : "", out);
        markup_text(out, entry->model);
        fputs("</dd>\n", out);
    }
}

static void put_diffs(FILE *out, const struct result *r)
{
    char place[64];
    if (!r->diff_count)
        return;
    fputs("<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">place</th><th scope=\"col\">"
          "want</th><th scope=\"col\">got</th><th scope=\"col\">accepted</th><th scope=\"col\">note"
          "</th></tr></thead>\n<tbody>\n",
          out);
    for (u32 i = 0; i < result_diffs_held(r); i++) {
        const struct result_diff *d = &r->diff[i];
        fputs("<tr class=\"mono\"><th scope=\"row\">", out);
        markup_text(out, result_place(d, place, sizeof(place)));
        fputs("</th>", out);
        put_in(out, "td", d->want);
        put_in(out, "td", d->got);
        put_in(out, "td", d->acceptance[0] ? d->acceptance : "exact");
        put_in(out, "td", d->note);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    if (r->diff_count > RESULT_DIFFS_MAX)
        fprintf(out, "<p>and %u more differences</p>\n", r->diff_count - (u32)RESULT_DIFFS_MAX);
}

/* The place to which the link of a cause leads stands inside, so that following it opens the rest.
 * `linked`: no result before is the same. */
static void put_failure(FILE *out, const struct summary *s, const struct result *r, bool open,
                        bool linked)
{
    char text[640];
    struct text t;
    const struct summary_group *cause = summary_cause_of(s, r);
    u32 number = cause ? (u32)(cause - s->causes.at) : 0;
    fprintf(out, "<details%s><summary class=\"mono\">", open ? " open" : "");
    markup_text(out, result_name(r, text, sizeof(text)));
    fputs("</summary>\n<dl", out);
    if (cause && linked && result_compare(cause->first, r) == 0)
        fprintf(out, " id=\"f%u\"", number);
    fputs(">\n", out);
    if (cause) {
        fprintf(out, "<dt>cause</dt><dd><a href=\"#c%u\"><code>", number);
        markup_text(out, cause->key);
        fputs("</code></a></dd>\n", out);
    }
    put_term(out, "case", r->id);
    text_init(&t, text, sizeof(text));
    text_add(&t, r->line ? "%s:%u" : "%s", r->file, r->line);
    put_term(out, "at", text);
    text_init(&t, text, sizeof(text));
    text_add(&t, "%s", r->insn);
    for (u32 i = 0; i < r->dword_count && i < RESULT_DWORDS_MAX; i++)
        text_add(&t, "%s%08x", i ? " " : "   ", r->dwords[i]);
    put_term(out, "instruction", text);
    put_term(out, "inputs", r->inputs);
    put_term(out, "ended", r->reason);
    put_term(out, "detail", r->detail);
    put_term(out, "narrowed", r->narrowed);
    put_ledger(out, r->ledger);
    put_term(out, "model", r->model);
    put_term(out, "vote", r->vote);
    put_term(out, r->blame[0] ? "parts at" : "parts", r->parts);
    fputs("</dl>\n", out);
    put_diffs(out, r);
    if (r->program[0]) {
        fputs("<h3>Program</h3>\n", out);
        put_in(out, "pre", r->program);
    }
    if (r->again[0]) {
        fputs("<h3>Again</h3>\n", out);
        put_in(out, "pre", r->again);
    }
    fputs("</details>\n", out);
}

static void put_failures(FILE *out, const struct summary *s)
{
    if (!s->failures)
        return;
    fputs("<section id=\"failures\">\n<h2>Failures</h2>\n", out);
    for (u32 i = 0; i < s->failures; i++)
        put_failure(out, s, s->failure[i], i == 0,
                    !i || result_compare(s->failure[i - 1], s->failure[i]) != 0);
    u32 shown = s->failures;
    for (u32 i = 0; i < s->causes.count && i < SUMMARY_FAILURES_MAX; i++)
        if (!is_kept(s, s->causes.at[i].first)) {
            put_failure(out, s, s->causes.at[i].first, false, true);
            shown++;
        }
    if (s->count[TALLY_WRONG] > shown)
        fprintf(out, "<p>and %llu more; the journal holds them all</p>\n",
                (unsigned long long)(s->count[TALLY_WRONG] - shown));
    fputs("</section>\n", out);
}

/* A row of the table of encodings, for the opcodes from `at` on. Returns the index behind them. */
static u32 put_encoding_row(FILE *out, const struct summary_groups *ops, u32 at)
{
    const struct summary_group *head = &ops->at[at];
    size_t len = summary_encoding_len(head);
    u64 count[TALLY_COUNT] = { 0 };
    u32 n = 0;
    char name[32];
    for (; at < ops->count && strncmp(ops->at[at].key, head->key, len + 1) == 0; at++, n++) {
        for (u32 t = 0; t < TALLY_COUNT; t++)
            count[t] += ops->at[at].count[t];
    }
    snprintf(name, sizeof(name), "%.*s", (int)len, head->key);
    fputs("<tr><th scope=\"row\">", out);
    markup_text(out, name);
    fprintf(out, "</th><td class=\"n\">%u</td>", n);
    for (u32 t = 0; t < TALLY_COUNT; t++)
        fprintf(out, "<td class=\"n%s\">%llu</td>", t == TALLY_WRONG && count[t] ? " bad" : "",
                (unsigned long long)count[t]);
    fputs("</tr>\n", out);
    return at;
}

static void put_opcodes(FILE *out, const struct summary *s)
{
    const struct summary_groups *ops = &s->ops;
    if (!ops->count)
        return;
    fputs("<section id=\"opcodes\">\n<h2>Opcodes</h2>\n<div class=\"scroll\"><table>\n<thead><tr>"
          "<th scope=\"col\">encoding</th><th scope=\"col\" class=\"n\">opcodes</th>",
          out);
    for (u32 t = 0; t < TALLY_COUNT; t++)
        fprintf(out, "<th scope=\"col\" class=\"n\">%s</th>", tally_names[t]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (u32 i = 0; i < ops->count;)
        i = put_encoding_row(out, ops, i);
    fputs("</tbody></table></div>\n"
          "<p class=\"dim\">&#10003; right &#183; &#10007; wrong of all &#183; ~ right in part: "
          "narrowed, skipped, known or below the gate &#183; &#8211; not judged</p>\n",
          out);
    html_charts_put_heat(out, s);
    fputs("</section>\n", out);
}

static void put_reasons(FILE *out, const struct summary *s)
{
    if (!s->reasons.count)
        return;
    fputs(
        "<section id=\"skipped\">\n<h2>Not judged</h2>\n<div class=\"scroll\"><table>\n<thead><tr>"
        "<th scope=\"col\" class=\"n\">results</th><th scope=\"col\">reason</th>"
        "<th scope=\"col\">for example</th></tr></thead>\n<tbody>\n",
        out);
    for (u32 i = 0; i < s->reasons.count; i++) {
        const struct summary_group *g = &s->reasons.at[i];
        char name[640];
        fputs("<tr><td class=\"n\">", out);
        put_number(out, g->total);
        fputs("</td><td>", out);
        markup_text(out, g->key);
        fputs("</td><td>", out);
        markup_text(out, result_name(g->first, name, sizeof(name)));
        fputs(g->first->detail[0] ? ": " : "", out);
        markup_text(out, g->first->detail);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table></div>\n</section>\n", out);
}

/* Whether a cell is a number, to be set flush right: "12", "99.5 %", "1,000". */
static bool is_number(const char *text)
{
    return isdigit((u8)text[0]) && strspn(text, "0123456789.,% ") == strlen(text);
}

static void put_tables(FILE *out, const struct summary *s)
{
    for (u32 i = 0; i < s->tables; i++) {
        const struct summary_table *t = &s->table[i];
        fprintf(out, "<section id=\"table-%u\">\n<h2>", i);
        put_title(out, t);
        fputs("</h2>\n<div class=\"scroll\"><table>\n", out);
        for (u32 r = 0; r < t->count; r++) {
            fputs(r ? "<tr>" : "<thead><tr>", out);
            for (u32 c = 0; c < t->row[r].count; c++) {
                const char *cell = t->row[r].cell[c];
                const char *next = t->count > 1 && c < t->row[1].count ? t->row[1].cell[c] : "";
                bool right = is_number(r ? cell : next);
                fprintf(out, r ? "<td%s>" : "<th scope=\"col\"%s>", right ? " class=\"n\"" : "");
                markup_text(out, cell);
                fputs(r ? "</td>" : "</th>", out);
            }
            fputs(r ? "</tr>\n" : "</tr></thead>\n<tbody>\n", out);
        }
        fputs("</tbody></table></div>\n</section>\n", out);
    }
}

void html_print(struct summary *s, FILE *out)
{
    summary_sort(s);
    put_head(out, s);
    put_nav(out, s);
    put_totals(out, s);
    put_causes(out, s);
    html_charts_put_causes(out, s);
    put_failures(out, s);
    put_known(out, s);
    put_opcodes(out, s);
    put_reasons(out, s);
    put_tables(out, s);
    fputs("</main>\n</body>\n</html>\n", out);
}

/* ---- the format ---- */

static bool close_report(struct report *r, const struct report_end *end)
{
    if (page_has_contents(r, end))
        html_print(r->state, r->out);
    summary_free(r->state);
    return true;
}

const struct report_writer report_html = { .open = page_open,
                                           .result = page_result,
                                           .record = page_record,
                                           .journal = page_journal,
                                           .close = close_report,
                                           .mark = "name=\"generator\" content=\"gcncheck\"" };
