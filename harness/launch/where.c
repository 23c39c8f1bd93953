/* Addresses of a launch as users read and write them. */
#include "harness/launch/internal.h"

#include <inttypes.h>
#include <stdlib.h>

u64 where_shown_pc(const struct dispatch *d, u64 pc)
{
    return codeobj_shown_address(d->co, pc - d->co->base);
}

void where_describe_pc(const struct dispatch *d, u64 pc, struct text *t)
{
    struct codeobj_symbol s;
    u64 vaddr = pc - d->co->base;
    const struct debug_line *line = d->cfg->lines ? debug_line_at(d->cfg->lines, vaddr) : NULL;
    text_add(t, "pc 0x%" PRIx64, where_shown_pc(d, pc));
    if (!codeobj_function_at(d->co, pc, &s))
        return;
    text_add(t, " (%.80s+0x%" PRIx64, s.name, vaddr - s.vaddr);
    if (line)
        text_add(t, ", %.200s:%u", line->file, line->line);
    text_add(t, ")");
}

enum status where_parse(const struct dispatch *d, const char *text, u64 *address, struct err *e)
{
    const char *plus = strchr(text, '+');
    size_t len = plus ? (size_t)(plus - text) : strlen(text);
    char name[256], *end = NULL;
    struct codeobj_symbol s;
    u32 found;
    u64 vaddr = 0, offset = plus ? strtoull(plus + 1, &end, 0) : 0;
    if (plus && (*end || end == plus + 1))
        return err_set(e, ST_INPUT, "break %.80s: '%.40s' is no number of bytes", text, plus + 1);
    snprintf(name, sizeof name, "%.*s", (int)(len < 255 ? len : 255), text);
    if (codeobj_symbol(d->co, name, &s)) {
        vaddr = s.vaddr + offset;
        found = codeobj_function_at(d->co, d->co->base + vaddr, &s);
    } else {
        u64 shown = strtoull(name, &end, 16);
        if (plus || *end || end == name)
            return err_set(e, ST_INPUT, "break %.80s: neither a function nor a hexadecimal offset",
                           text);
        found = codeobj_find_shown(d->co, shown, &vaddr);
        vaddr = found ? vaddr : shown;
    }
    if (vaddr & 3)
        return err_set(e, ST_INPUT, "break %.80s: no instruction begins there", text);
    if (found != 1)
        return err_set(e, ST_INPUT, "break %.80s lies in %s", text,
                       found ? "functions of several sections, name one" : "no function");
    *address = d->co->base + vaddr;
    return ST_OK;
}

enum status where_parse_break(struct dispatch *d, const char *text, struct err *e)
{
    return where_parse(d, text, &d->break_address, e);
}
