#include "harness/launch/point.h"

#include "harness/io/number.h"
#include "harness/launch/internal.h"

#include <stdlib.h>

/* --- places --- */

/* Whether there is code of the line; where not, the lines before and behind it of which there is (0: none). */
static bool has_line(const struct debug_lines *lines, const struct point_place *p, u32 *before,
                     u32 *behind)
{
    *before = *behind = 0;
    for (u32 i = 0; lines && i < lines->count; i++) {
        u32 line = lines->list[i].line;
        if (line == 0 || strcmp(lines->list[i].file, p->file) != 0)
            continue;
        if (line == p->line)
            return true;
        if (line < p->line && line > *before)
            *before = line;
        if (line > p->line && (*behind == 0 || line < *behind))
            *behind = line;
    }
    return false;
}

static enum status refuse_line(const char *text, u32 before, u32 behind, struct err *e)
{
    if (before && behind)
        return err_set(e, ST_INPUT, "no code of line %.80s, the next ones are %u and %u", text,
                       before, behind);
    if (before || behind)
        return err_set(e, ST_INPUT, "no code of line %.80s, the next one is %u", text,
                       before | behind);
    return err_set(e, ST_INPUT, "no code of line %.80s (compiled with -g?)", text);
}

static enum status parse_address(const struct codeobj *co, const char *text, u64 *address,
                                 struct err *e)
{
    const char *plus = strchr(text, '+');
    size_t len = plus ? (size_t)(plus - text) : strlen(text);
    char name[256], *end = NULL;
    struct codeobj_symbol s;
    u32 found;
    u64 vaddr = 0, offset = plus ? strtoull(plus + 1, &end, 0) : 0;
    if (plus && (*end || end == plus + 1))
        return err_set(e, ST_INPUT, "%.80s: '%.40s' is no number of bytes", text, plus + 1);
    snprintf(name, sizeof name, "%.*s", (int)(len < 255 ? len : 255), text);
    if (codeobj_symbol(co, name, &s)) {
        vaddr = s.vaddr + offset;
        found = codeobj_function_at(co, co->base + vaddr, &s);
    } else {
        u64 shown = strtoull(name, &end, 16);
        if (plus || *end || end == name)
            return err_set(e, ST_INPUT, "%.80s: neither a function nor a hexadecimal offset", text);
        found = codeobj_find_shown(co, shown, &vaddr);
        vaddr = found ? vaddr : shown;
    }
    if (vaddr & 3)
        return err_set(e, ST_INPUT, "%.80s: no instruction begins there", text);
    if (found != 1)
        return err_set(e, ST_INPUT, "%.80s lies in %s", text,
                       found ? "functions of several sections, name one" : "no function");
    *address = co->base + vaddr;
    return ST_OK;
}

enum status point_parse(const struct codeobj *co, const struct debug_lines *lines, const char *text,
                        struct point_place *place, struct err *e)
{
    const char *colon = strrchr(text, ':');
    u64 line;
    u32 before, behind;
    *place = (struct point_place){ .is_line = false };
    if (!lines || !colon || !number_u64(colon + 1, 1, UINT32_MAX, &line) ||
        colon - text >= POINT_FILE_MAX)
        return parse_address(co, text, &place->address, e);
    place->is_line = true;
    place->line = (u32)line;
    const char *slash = strrchr(text, '/'); /* lines name files without their folders */
    const char *file = slash && slash < colon ? slash + 1 : text;
    snprintf(place->file, sizeof place->file, "%.*s", (int)(colon - file), file);
    return has_line(lines, place, &before, &behind) ? ST_OK : refuse_line(text, before, behind, e);
}

/* --- limits --- */

/* "1.0.2"; coordinates that are left out are 0. */
static bool parse_group(const char *text, u32 group[3])
{
    u32 n = 0;
    memset(group, 0, 3 * sizeof group[0]);
    for (const char *s = text; n < 3; n++) {
        u64 v;
        size_t len = strcspn(s, ".");
        if (!number_u64_span(s, len, &v) || v > UINT32_MAX)
            return false;
        group[n] = (u32)v;
        if (!s[len])
            return true;
        s += len + 1;
    }
    return false;
}

bool point_parse_limit(const char *word, const char *value, struct point_limits *limits)
{
    u64 v = 0;
    if (strcmp(word, "hit") == 0)
        return number_u64(value, 1, UINT64_MAX, &limits->from_hit);
    if (strcmp(word, "group") == 0)
        return limits->has_group = parse_group(value, limits->group);
    if (strcmp(word, "wave") != 0)
        return false;
    limits->has_wave = number_u64(value, 0, MAX_GROUP_WAVES - 1, &v);
    limits->wave = (u32)v;
    return limits->has_wave;
}

bool point_is_meant(const struct point_limits *limits, const u32 group[3], u32 wave)
{
    return (!limits->has_wave || limits->wave == wave) &&
           (!limits->has_group || memcmp(limits->group, group, sizeof limits->group) == 0);
}
