#include "reports/result.h"

#include <ctype.h>
#include <stdio.h>

static const char *const status_names[RESULT_STATUS_COUNT] = {
    [RESULT_OK] = "ok",     [RESULT_NOT_OK] = "not ok", [RESULT_SKIP] = "skip",
    [RESULT_TODO] = "todo", [RESULT_KNOWN] = "known",
};

const char *result_status_name(u32 status)
{
    return status < RESULT_STATUS_COUNT ? status_names[status] : "?";
}

#define TEXT(name)                                                                  \
    {                                                                               \
#name, offsetof(struct result, name), sizeof(((struct result *)NULL)->name) \
    }
const struct result_field result_texts[RESULT_TEXTS] = {
    TEXT(id),     TEXT(title), TEXT(file),           TEXT(encoding), TEXT(mnemonic), TEXT(form),
    TEXT(mcpu),   TEXT(dut),   TEXT(against),        TEXT(reason),   TEXT(detail),   TEXT(narrowed),
    TEXT(ledger), TEXT(cause), TEXT(insn),           TEXT(program),  TEXT(inputs),   TEXT(model),
    TEXT(again),  TEXT(parts), TEXT(blame_encoding), TEXT(blame),    TEXT(known),    TEXT(vote),
};
#undef TEXT

#define TEXT(name)                                                                            \
    {                                                                                         \
#name, offsetof(struct result_diff, name), sizeof(((struct result_diff *)NULL)->name) \
    }
const struct result_field result_diff_texts[RESULT_DIFF_TEXTS] = {
    TEXT(place), TEXT(want), TEXT(got), TEXT(note), TEXT(acceptance),
};
#undef TEXT

void result_init(struct result *r)
{
    memset(r, 0, sizeof(*r));
    for (u32 i = 0; i < RESULT_DIFFS_MAX; i++)
        r->diff[i].lane = -1;
}

void result_text(char *dst, size_t size, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(dst, size, fmt, ap);
    va_end(ap);
    result_clean(dst, false);
}

void result_lines(char *dst, size_t size, const char *text)
{
    snprintf(dst, size, "%s", text);
    result_clean(dst, true);
}

/* Bytes of the UTF-8 character at `text`, or 0 if there is none (RFC 3629: no overlong forms, no
 * surrogates, nothing above U+10FFFF). */
static size_t utf8_len(const u8 *text)
{
    u8 c = text[0];
    size_t len = c < 0x80                 ? 1
                 : c >= 0xc2 && c <= 0xdf ? 2
                 : (c & 0xf0) == 0xe0     ? 3
                 : c >= 0xf0 && c <= 0xf4 ? 4
                                          : 0;
    for (size_t i = 1; i < len; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f) ||
        (c == 0xf0 && text[1] < 0x90) || (c == 0xf4 && text[1] > 0x8f))
        return 0;
    return len;
}

void result_clean(char *text, bool keep_newlines)
{
    for (size_t len; *text; text += len) {
        len = utf8_len((const u8 *)text);
        const u8 *c = (const u8 *)text;
        bool control = (*c < 0x20 && !(*c == '\n' && keep_newlines)) || *c == 0x7f ||
                       (*c == 0xc2 && c[1] < 0xa0); /* U+0080 to U+009F */
        if (!len || control) {
            *text = '?';
            len = 1;
        }
    }
}

/* What a shell takes as it stands. */
static const char plain_in_shell[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";

bool result_is_command(const char *text)
{
    static const char name[] = "gcncheck ";
    const char *at = text + strlen(name);
    if (strncmp(text, name, strlen(name)) != 0 || strchr(text, '\n'))
        return false;
    while (*at) {
        at += strspn(at, plain_in_shell);
        if (*at == '\'' && !(at = strchr(at + 1, '\'')))
            return false;
        if (*at == '\\' && at[1] != '\'')
            return false;
        if (*at && !strchr("' \\", *at))
            return false;
        at += *at == '\\' ? 2 : *at != '\0';
    }
    return true;
}

void result_check_again(struct result *r)
{
    char given[sizeof r->again];
    if (!r->again[0] || result_is_command(r->again))
        return;
    memcpy(given, r->again, sizeof given);
    for (char *c = given; *c; c++)
        if (*c != ' ' && !strchr(plain_in_shell, *c))
            *c = '?';
    RESULT_SET(r->again, "edited %s", given);
}

struct result_diff *result_add_diff(struct result *r)
{
    u32 i = r->diff_count++;
    return i < RESULT_DIFFS_MAX ? &r->diff[i] : NULL;
}

/* v0, v[2:3], a7: registers with lanes. vcc and anything else: bits. */
static bool has_lanes(const char *place)
{
    return (place[0] == 'v' || place[0] == 'a') &&
           (place[1] == '[' || (place[1] >= '0' && place[1] <= '9'));
}

const char *result_place(const struct result_diff *d, char *buf, size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    text_add(&t, "%s", d->place);
    if (d->lane >= 0)
        text_add(&t, " %s %d", has_lanes(d->place) ? "lane" : "bit", d->lane);
    return buf;
}

static void add_part(struct text *t, const char *part)
{
    if (part[0])
        text_add(t, "%s%s", t->len ? ", " : "", part);
}

const char *result_name(const struct result *r, char *buf, size_t size)
{
    struct text t;
    char head[96];
    struct text h;
    text_init(&h, head, sizeof(head));
    for (const char *c = r->encoding; *c; c++)
        text_add(&h, "%c", tolower((u8)*c));
    if (r->mnemonic[0])
        text_add(&h, "%s%s", h.len ? "/" : "", r->mnemonic);
    if (h.len && r->title[0])
        text_add(&h, ": ");

    text_init(&t, buf, size);
    text_add(&t, "%s%s", head, r->title[0] || h.len ? r->title : r->id);
    add_part(&t, r->form);
    add_part(&t, r->mcpu);
    add_part(&t, r->dut);
    if (r->against[0])
        text_add(&t, " vs %s", r->against);
    return buf;
}

const char *result_cause(const struct result *r, char *buf, size_t size)
{
    struct text t;
    text_init(&t, buf, size);
    if (r->cause[0]) {
        text_add(&t, "%s", r->cause);
        return buf;
    }
    text_add(&t, "%s", r->mnemonic[0] ? r->mnemonic : r->id);
    if (r->reason[0])
        text_add(&t, " %s", r->reason);
    if (r->diff_count) {
        /* Register numbers and addresses say where, not why. */
        size_t kind = strcspn(r->diff[0].place, "[0123456789");
        text_add(&t, " %.*s", (int)kind, r->diff[0].place);
        if (r->diff[0].note[0])
            text_add(&t, " %s", r->diff[0].note);
    }
    return buf;
}

int result_compare(const struct result *a, const struct result *b)
{
    int c = strcmp(a->id, b->id);
    c = c ? c : strcmp(a->form, b->form);
    c = c ? c : strcmp(a->title, b->title);
    c = c ? c : strcmp(a->file, b->file);
    c = c ? c : (a->line > b->line) - (a->line < b->line);
    c = c ? c : strcmp(a->dut, b->dut);
    c = c ? c : strcmp(a->again, b->again);
    return c ? c : strcmp(a->inputs, b->inputs);
}
