/* Reading litmus files. */
#include "harness/litmus/litmus.h"

#include "harness/io/file.h"
#include "harness/io/number.h"

#include <stdio.h>

enum section { SECTION_HEAD, SECTION_BEFORE, SECTION_CODE };

/* The words of a line. */
struct words {
    const char *at;
    char word[LITMUS_NAME];
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next word; false at the end of the line. A word too long for any use is cut. */
static bool next(struct words *w)
{
    size_t n = 0;
    while (is_blank(*w->at))
        w->at++;
    if (*w->at == 0 || *w->at == '#')
        return false;
    while (*w->at && !is_blank(*w->at)) {
        if (n + 1 < sizeof w->word)
            w->word[n++] = *w->at;
        w->at++;
    }
    w->word[n] = 0;
    return true;
}

static enum status bad(const struct litmus_file *f, struct err *e)
{
    file_error(e, f->path, (int)f->lines.number);
    return ST_INPUT;
}

/* Copies a name of letters, digits and _. */
static bool copy_name(char *to, const char *from, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!(from[i] == '_' || (from[i] >= '0' && from[i] <= '9') ||
              (from[i] >= 'a' && from[i] <= 'z') || (from[i] >= 'A' && from[i] <= 'Z')))
            return false;
    if (len == 0 || len >= LITMUS_WORD || (from[0] >= '0' && from[0] <= '9'))
        return false;
    memcpy(to, from, len);
    to[len] = 0;
    return true;
}

static i32 find_location(const struct litmus_test *t, const char *name, size_t len)
{
    for (u32 i = 0; i < t->location_count; i++)
        if (strlen(t->location[i].name) == len && memcmp(t->location[i].name, name, len) == 0)
            return (i32)i;
    return -1;
}

static i32 find_thread(const struct litmus_test *t, const char *name, size_t len)
{
    for (u32 i = 0; i < t->thread_count; i++)
        if (strlen(t->thread[i].name) == len && memcmp(t->thread[i].name, name, len) == 0)
            return (i32)i;
    return -1;
}

/* ---- locations and threads ---- */

static enum status read_locations(struct litmus_test *t, struct words *w, bool is_local,
                                  struct err *e)
{
    while (next(w)) {
        struct litmus_location *l = &t->location[t->location_count];
        const char *is = strchr(w->word, '=');
        size_t len = is ? (size_t)(is - w->word) : strlen(w->word);
        u64 v = 0;
        if (t->location_count == LITMUS_LOCATIONS)
            return err_set(e, ST_INPUT, "more than %d locations", LITMUS_LOCATIONS);
        if (find_location(t, w->word, len) >= 0)
            return err_set(e, ST_INPUT, "location %.40s is there twice", w->word);
        if (!copy_name(l->name, w->word, len) || (is && !number_u64(is + 1, 0, UINT32_MAX, &v)))
            return err_set(e, ST_INPUT, "%.40s: a name, or a name = a number of 32 bits", w->word);
        l->is_local = is_local;
        l->initial = (u32)v;
        t->location_count++;
    }
    return ST_OK;
}

static bool next_number(struct words *w, const char *keyword, u32 max, u32 *v)
{
    u64 n;
    if (strcmp(w->word, keyword) != 0 || !next(w) || !number_u64(w->word, 0, max, &n))
        return false;
    *v = (u32)n;
    return true;
}

static enum status read_thread(struct litmus_test *t, struct words *w, struct err *e)
{
    struct litmus_thread *p = &t->thread[t->thread_count];
    if (t->thread_count == LITMUS_THREADS)
        return err_set(e, ST_INPUT, "more than %d threads", LITMUS_THREADS);
    *p = (struct litmus_thread){ .before_at = t->text_len, .code_at = t->text_len };
    p->before_end = p->code_end = t->text_len;
    if (!next(w) || !copy_name(p->name, w->word, strlen(w->word)) ||
        find_thread(t, w->word, strlen(w->word)) >= 0)
        return err_set(e, ST_INPUT, "thread: a new name of letters and digits is missing");
    if (!next(w) || !next_number(w, "group", LITMUS_THREADS - 1, &p->group))
        return err_set(e, ST_INPUT, "thread %s: 'group' and a number below %d are missing", p->name,
                       LITMUS_THREADS);
    p->cu = p->group;
    if (next(w) && (!next_number(w, "cu", 63, &p->cu) || next(w)))
        return err_set(e, ST_INPUT, "thread %s: %.40s: only 'cu' and a number below 64 may follow",
                       p->name, w->word);
    for (u32 i = 0; i < t->thread_count; i++)
        if (t->thread[i].group == p->group && t->thread[i].cu != p->cu)
            return err_set(e, ST_INPUT, "thread %s: group %u is on compute unit %u", p->name,
                           p->group, t->thread[i].cu);
    t->thread_count++;
    return ST_OK;
}

/* ---- assembly ---- */

/* The vector register that holds a value. */
static i32 value_register(struct litmus_test *t, u32 v)
{
    for (u32 i = 0; i < t->value_count; i++)
        if (t->value[i] == v)
            return LITMUS_V_VALUE + (i32)i;
    if (t->value_count == LITMUS_VALUES)
        return -1;
    t->value[t->value_count] = v;
    return LITMUS_V_VALUE + (i32)t->value_count++;
}

static bool has_suffix(const char *s, size_t len, const char *suffix)
{
    return strlen(suffix) == len && memcmp(s, suffix, len) == 0;
}

/* Adds the registers that "name" or "name.suffix" means. */
static bool put_location(const struct litmus_test *t, struct text *out, const char *s, size_t len)
{
    const char *dot = memchr(s, '.', len);
    size_t name = dot ? (size_t)(dot - s) : len, rest = len - name;
    i32 at = find_location(t, s, name);
    if (at < 0)
        return false;
    bool is_local = t->location[at].is_local;
    if (is_local && rest == 0)
        text_add(out, "v%d", LITMUS_V_OFFSET + at);
    else if (rest == 0 || has_suffix(dot, rest, ".flat"))
        text_add(out, "v[%d:%d]", LITMUS_V_ADDRESS + 2 * at, LITMUS_V_ADDRESS + 2 * at + 1);
    else if (!is_local && has_suffix(dot, rest, ".s"))
        text_add(out, "s[%d:%d]", LITMUS_S_ADDRESS + 2 * at, LITMUS_S_ADDRESS + 2 * at + 1);
    else if (!is_local && has_suffix(dot, rest, ".rsrc"))
        text_add(out, "s[%d:%d]", LITMUS_S_BUFFER + 4 * at, LITMUS_S_BUFFER + 4 * at + 3);
    else
        return false;
    return true;
}

/* Adds a line of assembly to the test's text, names replaced. */
static enum status read_code(struct litmus_test *t, const char *line, struct err *e)
{
    struct text out;
    text_init(&out, t->text + t->text_len, sizeof t->text - t->text_len);
    for (const char *s = line; *s && *s != '#'; s++) {
        if (*s != '$') {
            text_add(&out, "%c", *s);
            continue;
        }
        size_t len = strcspn(++s, " \t,]:");
        u64 v;
        i32 reg = number_u64_span(s, len, &v) && v <= UINT32_MAX ? value_register(t, (u32)v) : -1;
        if (reg >= 0)
            text_add(&out, "v%d", reg);
        else if (!put_location(t, &out, s, len))
            return err_set(e, ST_INPUT, "$%.*s: no location, and no number there is room for",
                           (int)(len < 40 ? len : 40), s);
        s += len - 1;
    }
    text_add(&out, "\n");
    if (out.full)
        return err_set(e, ST_INPUT, "more than %d bytes of assembly", LITMUS_TEXT);
    t->text_len += (u32)out.len;
    return ST_OK;
}

/* ---- conditions ---- */

/* The place of that name, which is a new one if none has it. NULL: what is wrong is in *e. */
static struct litmus_place *find_place(struct litmus_test *t, const char *name, struct err *e)
{
    const char *colon = strchr(name, ':'), *why = NULL;
    struct litmus_place *p = &t->place[t->place_count];
    struct place_range range;
    for (u32 i = 0; i < t->place_count; i++)
        if (strcmp(t->place[i].name, name) == 0)
            return &t->place[i];
    if (t->place_count == LITMUS_PLACES || strlen(name) >= sizeof p->name) {
        err_set(e, ST_INPUT, "more than %d places, or too long a name", LITMUS_PLACES);
        return NULL;
    }
    i32 at =
        colon ? find_thread(t, name, (size_t)(colon - name)) : find_location(t, name, strlen(name));
    if (at < 0 || (!colon && t->location[at].is_local) ||
        (colon && (place_parse(GEN_GFX9, colon + 1, strlen(colon + 1), &range, &why) != ST_OK ||
                   range.dw != 1))) {
        err_set(e, ST_INPUT, "%.40s: neither THREAD:REGISTER nor a global location", name);
        return NULL;
    }
    *p = (struct litmus_place){ .is_register = colon != NULL, .index = (u32)at };
    memcpy(p->name, name, strlen(name) + 1);
    if (colon)
        p->place = range.place;
    if (colon && range.lane > 0)
        p->lane = (u32)range.lane;
    t->place_count++;
    return p;
}

static enum status read_condition(struct litmus_test *t, struct words *w, enum litmus_rule rule,
                                  struct err *e)
{
    struct litmus_condition *c = &t->condition[t->condition_count];
    struct text text;
    if (t->condition_count == LITMUS_CONDITIONS)
        return err_set(e, ST_INPUT, "more than %d conditions", LITMUS_CONDITIONS);
    *c = (struct litmus_condition){ .rule = rule };
    text_init(&text, c->text, sizeof c->text);
    while (next(w)) {
        char *is = strchr(w->word, '=');
        u64 v;
        text_add(&text, "%s%s", text.len ? " " : "", w->word);
        if (!is || !number_u64(is + 1, 0, UINT32_MAX, &v))
            return err_set(e, ST_INPUT, "%.40s: is not PLACE=NUMBER", w->word);
        *is = 0;
        struct litmus_place *p = find_place(t, w->word, e);
        if (!p)
            return ST_INPUT;
        c->used |= 1u << (p - t->place);
        c->value[p - t->place] = (u32)v;
    }
    if (!c->used || text.full)
        return err_set(e, ST_INPUT, "a condition without places, or too long a one");
    t->condition_count++;
    return ST_OK;
}

/* ---- tests ---- */

static enum status read_head(struct litmus_test *t, struct words *w, enum section *section,
                             struct err *e)
{
    struct litmus_thread *p = t->thread_count ? &t->thread[t->thread_count - 1] : NULL;
    *section = SECTION_HEAD;
    if (strcmp(w->word, "global") == 0)
        return read_locations(t, w, false, e);
    if (strcmp(w->word, "local") == 0)
        return read_locations(t, w, true, e);
    if (strcmp(w->word, "thread") == 0)
        return read_thread(t, w, e);
    if (strcmp(w->word, "forbid") == 0)
        return read_condition(t, w, LITMUS_FORBID, e);
    if (strcmp(w->word, "expect") == 0)
        return read_condition(t, w, LITMUS_EXPECT, e);
    if (strcmp(w->word, "allow") == 0)
        return read_condition(t, w, LITMUS_ALLOW, e);
    if (strcmp(w->word, "mcpu") == 0 && next(w) && strlen(w->word) < sizeof t->mcpu) {
        memcpy(t->mcpu, w->word, strlen(w->word) + 1);
        return ST_OK;
    }
    if (p && strcmp(w->word, "before") == 0 && p->before_at == t->text_len) {
        *section = SECTION_BEFORE;
        return ST_OK;
    }
    if (p && strcmp(w->word, "code") == 0 && p->code_at == p->code_end) {
        p->code_at = p->code_end = t->text_len;
        *section = SECTION_CODE;
        return ST_OK;
    }
    return err_set(e, ST_INPUT, "%.40s: unknown here", w->word);
}

static enum status read_line(struct litmus_test *t, const char *line, enum section *section,
                             struct err *e)
{
    struct words w = { .at = line };
    bool indented = is_blank(*line);
    if (!next(&w))
        return ST_OK;
    if (!indented)
        return read_head(t, &w, section, e);
    if (*section == SECTION_HEAD)
        return err_set(e, ST_INPUT, "indented, but below neither 'before' nor 'code'");
    enum status st = read_code(t, line, e);
    if (*section == SECTION_BEFORE)
        t->thread[t->thread_count - 1].before_end = t->text_len;
    t->thread[t->thread_count - 1].code_end = t->text_len;
    if (*section == SECTION_BEFORE)
        t->thread[t->thread_count - 1].code_at = t->text_len;
    return st;
}

/* Whether the line begins a test. */
static bool begins(const char *line)
{
    struct words w = { .at = line };
    return !is_blank(*line) && next(&w) && strcmp(w.word, "test") == 0;
}

static bool is_empty(const char *line)
{
    struct words w = { .at = line };
    return !next(&w);
}

enum status litmus_open(struct litmus_file *f, const char *path, const char *mcpu, struct err *e)
{
    *f = (struct litmus_file){ .path = path, .mcpu = mcpu };
    enum status st = lines_open(&f->lines, path, e);
    if (st != ST_OK)
        return st;
    f->line = lines_next(&f->lines);
    if (!f->line && lines_status(&f->lines, e) == ST_WORLD)
        return ST_WORLD;
    if (!f->line || strncmp(f->line, "litmus-format 1", 15) != 0 || !is_empty(f->line + 15)) {
        err_set(e, ST_INPUT, "the first line is not 'litmus-format 1'");
        f->lines.number = 1;
        return bad(f, e);
    }
    while ((f->line = lines_next(&f->lines)) && is_empty(f->line))
        ;
    if (f->line && !begins(f->line)) {
        err_set(e, ST_INPUT, "a line before the first 'test'");
        return bad(f, e);
    }
    return f->line ? ST_OK : lines_status(&f->lines, e);
}

void litmus_close(struct litmus_file *f)
{
    lines_close(&f->lines);
}

enum status litmus_next(struct litmus_file *f, struct litmus_test *t, bool *more, struct err *e)
{
    enum section section = SECTION_HEAD;
    *more = f->line != NULL;
    if (!*more)
        return lines_status(&f->lines, e);
    const char *name = f->line + strcspn(f->line, " \t");
    name += strspn(name, " \t");
    size_t len = strcspn(name, "#\r\t");
    while (len && is_blank(name[len - 1]))
        len--;
    memset(t, 0, sizeof *t);
    t->line = f->lines.number;
    snprintf(t->mcpu, sizeof t->mcpu, "%s", f->mcpu);
    if (len == 0 || len >= sizeof t->name) {
        err_set(e, ST_INPUT, "test: a name below %d bytes is missing", LITMUS_NAME);
        return bad(f, e);
    }
    memcpy(t->name, name, len);
    while ((f->line = lines_next(&f->lines)) && !begins(f->line))
        if (read_line(t, f->line, &section, e) != ST_OK)
            return bad(f, e);
    if (!t->thread_count || !t->condition_count) {
        err_set(e, ST_INPUT, "test %s: no thread, or no condition", t->name);
        file_error(e, f->path, (int)t->line);
        return ST_INPUT;
    }
    return ST_OK;
}
