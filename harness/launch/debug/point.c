/* What the debugger's users write: places in code and memory, registers, limits of points. */
#include "harness/io/number.h"
#include "harness/launch/debug/internal.h"

#include <inttypes.h>
#include <stdlib.h>

enum status debug_parse_code(const struct debugger *g, const char *text, struct debug_point *p,
                             struct err *e)
{
    struct point_place place;
    enum status st = point_parse(g->d->co, g->d->cfg->lines, text, &place, e);
    p->kind = place.is_line ? DEBUG_LINE : DEBUG_BREAK;
    p->address = place.address;
    p->line = place.line;
    memcpy(p->file, place.file, sizeof p->file);
    return st;
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

enum status debug_parse_limits(const char *const *word, u32 words, struct debug_point *p,
                               struct err *e)
{
    p->only.from_hit = 1;
    for (u32 i = 0; i < words; i += 2) {
        const char *value = i + 1 < words ? word[i + 1] : "";
        if (!point_parse_limit(word[i], value, &p->only))
            return err_set(e, ST_INPUT, "%.40s %.40s: not " POINT_LIMITS_USAGE, word[i], value);
    }
    return ST_OK;
}
