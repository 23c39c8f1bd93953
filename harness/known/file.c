/* The file of known failures, and deqp-runner's: reading. */
#include "harness/io/file.h"
#include "harness/known/internal.h"
#include "oracle/base/array.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { FILE_MAX = 64 << 20 };

/* A file being read. */
struct reader {
    struct known *k;
    const char *at; /* the line that comes */
    u32 number;     /* of the line that was read, from 1 */
    char today[12];
};

static enum status fail(const struct reader *rd, struct err *e, enum status st)
{
    file_error(e, rd->k->cfg.file, (int)rd->number);
    return st;
}

static bool is_text(const u8 *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((bytes[i] < 0x20 && bytes[i] != '\t') || bytes[i] == 0x7f)
            return false;
    return true;
}

/* The next line without its end; false behind the last. *begin: its offset in the file. *is_bad: it
 * is too long, or no text, and was left out. */
static bool next_line(struct reader *rd, char *line, size_t size, size_t *begin, bool *is_bad)
{
    const struct known *k = rd->k;
    *begin = (size_t)(rd->at - (const char *)k->bytes);
    if (*begin >= k->size)
        return false;
    size_t left = k->size - *begin;
    const char *end = memchr(rd->at, '\n', left);
    size_t len = end ? (size_t)(end - rd->at) : left;
    rd->at += end ? len + 1 : len;
    rd->number++;
    while (len && isspace((u8)k->bytes[*begin + len - 1]))
        len--;
    *is_bad = len >= size || !is_text(k->bytes + *begin, len);
    snprintf(line, size, "%.*s", (int)(*is_bad ? 0 : len), (const char *)k->bytes + *begin);
    return true;
}

/* ---- entries ---- */

static struct known_entry *add_entry(struct known *k, struct err *e)
{
    struct known_entry *at = array_grow(k->entry, &k->entries_cap, k->entries + 1ull, sizeof *at);
    if (!at) {
        err_memory(e);
        return NULL;
    }
    k->entry = at;
    at = &k->entry[k->entries++];
    *at = (struct known_entry){ .ends = KNOWN_ANY };
    return at;
}

/* Puts the last entry among the names. ST_INPUT: it is there already. */
static enum status name_entry(struct known *k, const char *name, struct err *e)
{
    struct known_entry *x = &k->entry[k->entries - 1];
    snprintf(x->name, sizeof x->name, "%s", name);
    x->is_pattern = !k->is_deqp && strpbrk(name, "*?[") != NULL;
    const struct known_name *n = known_has_name(&k->names, x->name);
    if (n)
        return err_set(e, ST_INPUT, "%.120s stands in line %u already", name,
                       k->entry[n - k->names.at].line);
    if (x->is_pattern) {
        u32 *at = array_grow(k->pattern, &k->patterns_cap, k->patterns + 1ull, sizeof *at);
        if (!at)
            return err_memory(e);
        k->pattern = at;
        k->pattern[k->patterns++] = k->entries - 1;
    }
    return known_add_name(&k->names, x->name) ? ST_OK : err_memory(e);
}

/* ---- our own format ---- */

static bool is_date(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    static const u8 days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    for (size_t i = 0; i < sizeof form; i++)
        if (form[i] == 'd' ? !isdigit((u8)text[i]) : text[i] != form[i])
            return false;
    u32 month = (u32)(text[5] - '0') * 10 + (u32)(text[6] - '0');
    u32 day = (u32)(text[8] - '0') * 10 + (u32)(text[9] - '0');
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
}

/* "run", "fuzz" or both. */
static enum status read_commands(struct known_entry *x, const char *text, struct err *e)
{
    static const char *const names[KNOWN_COMMANDS] = { "run", "fuzz" };
    for (size_t len; *text; text += len + strspn(text + len, " ")) {
        u32 i = 0;
        len = strcspn(text, " ");
        while (i < KNOWN_COMMANDS && (strlen(names[i]) != len || memcmp(text, names[i], len) != 0))
            i++;
        if (i == KNOWN_COMMANDS)
            return err_set(e, ST_INPUT, "by %.40s: it is run, fuzz, or both", text);
        x->commands |= (u8)(1u << i);
    }
    return ST_OK;
}

/* A line below a cause, without its indentation. */
static enum status read_detail(const struct reader *rd, struct known_entry *x, const char *text,
                               size_t begin, struct err *e)
{
    if (strncmp(text, "until ", 6) == 0 && isdigit((u8)text[6])) {
        if (!is_date(text + 6))
            return err_set(e, ST_INPUT, "'%.40s' is no date: YYYY-MM-DD", text + 6);
        snprintf(x->until, sizeof x->until, "%s", text + 6);
        x->is_expired = strcmp(rd->today, x->until) > 0;
        return ST_OK;
    }
    if (strncmp(text, "by ", 3) == 0 && !x->commands && !x->reason[0]) {
        x->by = begin;
        x->by_end = (size_t)(rd->at - (const char *)rd->k->bytes);
        return read_commands(x, text + 3, e);
    }
    size_t len = strlen(x->reason);
    snprintf(x->reason + len, sizeof x->reason - len, "%s%s", len ? " " : "", text);
    return ST_OK;
}

/* Whether the last entry is whole. */
static enum status end_entry(const struct reader *rd, struct err *e)
{
    const struct known *k = rd->k;
    const struct known_entry *x = k->entries ? &k->entry[k->entries - 1] : NULL;
    if (!x || x->reason[0])
        return ST_OK;
    err_set(e, ST_INPUT, "%.120s has no reason: an indented line below it", x->name);
    file_error(e, k->cfg.file, (int)x->line);
    return ST_INPUT;
}

static enum status begin_entry(struct reader *rd, const char *line, struct err *e)
{
    struct known *k = rd->k;
    if (!strstr(line, ": ") || strlen(line) >= KNOWN_NAME_SIZE)
        return err_set(e, ST_INPUT,
                       "'%.60s' is no cause: they are as \"v_bfe_u32 e64: vgpr\", opcode, form and "
                       "what differs",
                       line);
    struct known_entry *x = add_entry(k, e);
    if (!x)
        return ST_WORLD;
    x->line = rd->number;
    return name_entry(k, line, e);
}

static enum status read_own(struct reader *rd, struct err *e)
{
    struct known *k = rd->k;
    char line[512];
    size_t begin;
    bool is_bad, is_below = false;
    enum status st = ST_OK;
    while (st == ST_OK && next_line(rd, line, sizeof line, &begin, &is_bad)) {
        const char *text = line + strspn(line, " \t");
        if (is_bad)
            st = err_set(e, ST_INPUT, "the line is too long, or no text");
        else if (!text[0] || text[0] == '#')
            continue;
        else if (text == line) {
            if (end_entry(rd, e) != ST_OK)
                return ST_INPUT;
            st = begin_entry(rd, line, e);
            if (st == ST_OK)
                k->entry[k->entries - 1].begin = begin;
            is_below = true;
        } else if (!is_below)
            st = err_set(e, ST_INPUT, "an indented line, and no cause before it");
        else
            st = read_detail(rd, &k->entry[k->entries - 1], text, begin, e);
        if (st == ST_OK)
            k->entry[k->entries - 1].end = (size_t)(rd->at - (const char *)k->bytes);
    }
    return st == ST_OK ? end_entry(rd, e) : fail(rd, e, st);
}

/* ---- deqp-runner's ---- */

/* What an expected status covers. Those that cover nothing stand in the files of results that may be
 * given as expectations. False: there is no such status. */
static bool ends_of(const char *status, u8 *ends)
{
    static const struct {
        const char *name;
        u8 ends;
    } all[] = { { "Fail", KNOWN_FAIL },
                { "Crash", KNOWN_CRASH },
                { "Timeout", KNOWN_TIMEOUT },
                { "ExpectedFail", KNOWN_FAIL | KNOWN_CRASH },
                { "Pass", 0 },
                { "Skip", 0 },
                { "Warn", 0 },
                { "Flake", 0 },
                { "KnownFlake", 0 },
                { "Missing", 0 },
                { "UnexpectedPass", 0 },
                { "UnexpectedImprovement(Pass)", 0 },
                { "UnexpectedImprovement(Skip)", 0 },
                { "UnexpectedImprovement(Warn)", 0 },
                { "UnexpectedImprovement(Fail)", KNOWN_FAIL },
                { "UnexpectedImprovement(Crash)", KNOWN_CRASH } };
    for (u32 i = 0; i < COUNT_OF(all); i++)
        if (strcmp(all[i].name, status) == 0) {
            *ends = all[i].ends;
            return true;
        }
    return false;
}

/* NAME,STATUS[,SECONDS] */
static enum status read_pair(struct reader *rd, char *line, struct err *e)
{
    char *comma = strchr(line, ',');
    char *status = comma ? comma + 1 : NULL;
    if (!comma || comma == line || comma - line >= KNOWN_NAME_SIZE)
        return err_set(e, ST_INPUT,
                       "'%.60s' is not NAME,STATUS (or the first line of the file is not "
                       "known-format 1)",
                       line);
    *comma = '\0';
    status[strcspn(status, ",")] = '\0';
    struct known_entry *x = add_entry(rd->k, e);
    if (!x)
        return ST_WORLD;
    x->line = rd->number;
    if (!ends_of(status, &x->ends))
        return err_set(e, ST_INPUT, "'%.40s' is no status: Fail, Crash, Timeout, Skip, ...",
                       status);
    snprintf(x->reason, sizeof x->reason, "expected, line %u of %.90s", x->line, rd->k->cfg.file);
    return name_entry(rd->k, line, e);
}

static enum status read_deqp(struct reader *rd, struct err *e)
{
    char line[512];
    size_t begin;
    bool is_bad;
    enum status st = ST_OK;
    while (st == ST_OK && next_line(rd, line, sizeof line, &begin, &is_bad)) {
        if (is_bad)
            st = err_set(e, ST_INPUT, "the line is too long, or no text");
        else if (line[0] && line[0] != '#')
            st = read_pair(rd, line, e);
        else
            continue;
        if (st == ST_OK) {
            rd->k->entry[rd->k->entries - 1].begin = begin;
            rd->k->entry[rd->k->entries - 1].end = (size_t)(rd->at - (const char *)rd->k->bytes);
        }
    }
    return st == ST_OK ? ST_OK : fail(rd, e, st);
}

/* ---- both ---- */

static bool has_deqp_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".txt") == 0);
}

enum status known_parse(struct known *k, struct err *e)
{
    struct reader rd = { .k = k, .at = (const char *)k->bytes };
    char line[64];
    size_t begin;
    bool is_bad = false;
    time_t now = time(NULL);
    struct tm utc;
    strftime(rd.today, sizeof rd.today, "%Y-%m-%d", gmtime_r(&now, &utc));
    k->is_deqp = has_deqp_name(k->cfg.file);
    if (k->size == 0)
        return ST_OK;
    if (next_line(&rd, line, sizeof line, &begin, &is_bad) &&
        strncmp(line, "known-format", 12) == 0) {
        k->is_deqp = false;
        if (strcmp(line, "known-format 1") == 0)
            return read_own(&rd, e);
        err_set(e, ST_INPUT, "'%.40s': only known-format 1 is known", line);
        return fail(&rd, e, ST_INPUT);
    }
    k->is_deqp = true;
    rd.at = (const char *)k->bytes;
    rd.number = 0;
    return read_deqp(&rd, e);
}

enum status known_read(struct known *k, struct err *e)
{
    struct reader rd = { .k = k };
    if (k->cfg.update && access(k->cfg.file, F_OK) != 0 && errno == ENOENT) {
        k->is_deqp = has_deqp_name(k->cfg.file);
        return ST_OK;
    }
    enum status st = file_read(k->cfg.file, FILE_MAX, &k->bytes, &k->size, e);
    if (st != ST_OK)
        return fail(&rd, e, st);
    k->is_there = true;
    return known_parse(k, e);
}
