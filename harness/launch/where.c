/* Addresses of a launch as users read and write them. */
#include "harness/launch/internal.h"

#include <inttypes.h>

u64 where_shown_pc(const struct dispatch *d, u64 pc)
{
    return codeobj_shown_address(d->co, pc - d->co->base);
}

void where_describe_pc(const struct dispatch *d, u64 pc, struct text *t)
{
    struct codeobj_symbol s;
    u64 vaddr = pc - d->co->base;
    const struct debug_line *line = d->cfg->lines ? debug_line_at(d->cfg->lines, vaddr) : NULL;
    struct debug_line call;
    text_add(t, "pc 0x%" PRIx64, where_shown_pc(d, pc));
    if (!codeobj_function_at(d->co, pc, &s))
        return;
    text_add(t, " (%.80s+0x%" PRIx64, s.name, vaddr - s.vaddr);
    if (line)
        text_add(t, ", %.200s:%u", line->file, line->line);
    if (line && debug_line_call(d->cfg->lines, vaddr, &call))
        text_add(t, " called at %.200s:%u", call.file, call.line);
    text_add(t, ")");
}

enum status where_parse_break(struct dispatch *d, const char *text, struct err *e)
{
    struct point_place place;
    struct err why = { .text = "" };
    enum status st = point_parse(d->co, NULL, text, &place, &why);
    d->break_address = place.address;
    return st == ST_OK ? ST_OK : err_set(e, st, "break %s", why.text);
}
