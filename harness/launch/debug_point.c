/* What the debugger's users write: places in code and memory, registers, limits of points. */
#include "harness/io/number.h"
#include "harness/launch/debug_internal.h"

#include <inttypes.h>
#include <stdlib.h>

static bool has_line(const struct debug_lines *lines, const struct debug_point *p)
{
    for (u32 i = 0; lines && i < lines->count; i++)
        if (lines->list[i].line == p->line && strcmp(lines->list[i].file, p->file) == 0)
            return true;
    return false;
}

enum status debug_parse_code(const struct debugger *g, const char *text, struct debug_point *p,
                             struct err *e)
{
    const char *colon = strrchr(text, ':');
    u64 line;
    if (colon && number_u64(colon + 1, 1, UINT32_MAX, &line) && colon - text < DEBUG_FILE_MAX) {
        p->kind = DEBUG_LINE;
        p->line = (u32)line;
        const char *slash = strrchr(text, '/'); /* lines name files without their folders */
        const char *file = slash && slash < colon ? slash + 1 : text;
        snprintf(p->file, sizeof p->file, "%.*s", (int)(colon - file), file);
        return has_line(g->d->cfg->lines, p)
                   ? ST_OK
                   : err_set(e, ST_INPUT, "no code of line %.80s (compiled with -g?)", text);
    }
    p->kind = DEBUG_BREAK;
    return where_parse(g->d, text, &p->address, e);
}

enum status debug_parse_memory(const struct debugger *g, const char *text, u64 *address,
                               struct err *e)
{
    const struct dispatch *d = g->d;
    const char *plus = strchr(text, '+');
    u64 item, offset = 0;
    if (strncmp(text, "lds:", 4) == 0 && number_u64(text + 4, 0, LDS_MAX - 1, &offset)) {
        *address = g->w->shared_base + offset;
        return ST_OK;
    }
    if (strncmp(text, "arg", 3) == 0) {
        size_t len = plus ? (size_t)(plus - text) : strlen(text);
        bool good = number_u64_span(text + 3, len - 3, &item) && item < d->l->arg_count &&
                    launch_arg_is_buffer(&d->l->args[item]) &&
                    (!plus || number_u64(plus + 1, 0, UINT32_MAX, &offset));
        if (!good)
            return err_set(e, ST_INPUT, "%.60s: no buffer (argN or argN+BYTES, N from 0)", text);
        *address = d->ka.addresses[item] + offset;
        return ST_OK;
    }
    if (number_u64(text, 0, UINT64_MAX, address))
        return ST_OK;
    return err_set(e, ST_INPUT, "%.60s: no place in memory (0x..., argN+BYTES or lds:BYTE)", text);
}

enum status debug_parse_register(const struct debugger *g, const char *text,
                                 struct place_range *reg, struct err *e)
{
    const char *why = NULL;
    enum gen gen = (enum gen)g->d->isa.target->gen;
    if (place_parse(gen, text, strlen(text), reg, &why) != ST_OK)
        return err_set(e, ST_INPUT, "%.60s: %s", text, why ? why : "not a register");
    if (place_is_vector(reg->place) && reg->place + reg->dw > PLACE_V0 + wave_vgprs(g->w))
        return err_set(e, ST_INPUT, "%.60s: %s has no such register", text, g->d->isa.target->mcpu);
    return ST_OK;
}

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

enum status debug_parse_limits(const char *const *word, u32 words, struct debug_point *p,
                               struct err *e)
{
    p->from_hit = 1;
    for (u32 i = 0; i < words; i += 2) {
        const char *value = i + 1 < words ? word[i + 1] : "";
        u64 v = 0;
        bool good = false;
        if (strcmp(word[i], "hit") == 0) {
            good = number_u64(value, 1, UINT64_MAX, &p->from_hit);
        } else if (strcmp(word[i], "wave") == 0) {
            good = p->has_wave = number_u64(value, 0, MAX_GROUP_WAVES - 1, &v);
            p->wave = (u32)v;
        } else if (strcmp(word[i], "group") == 0) {
            good = p->has_group = parse_group(value, p->group);
        }
        if (!good)
            return err_set(e, ST_INPUT, "%.40s %.40s: not 'hit N', 'group X.Y.Z' or 'wave N'",
                           word[i], value);
    }
    return ST_OK;
}
