/* Reading the modifiers behind the operands. */
#include "oracle/insn/asm.h"

static enum status read_mod_number(struct line *l, const char *start, i64 *value, struct err *e)
{
    if (!asm_accept_char(l, ':'))
        return asm_fail_at(l, start, "':' and a value are missing after", e);
    return asm_accept_integer(l, value) ? ST_OK : asm_fail_at(l, l->p, "not a number:", e);
}

static enum status read_mod_name(struct line *l, const char *start, const char *const *names,
                                 u32 count, i64 *value, struct err *e)
{
    if (!asm_accept_char(l, ':'))
        return asm_fail_at(l, start, "':' and a value are missing after", e);
    for (u32 i = 0; i < count; i++)
        if (asm_accept_word(l, names[i])) {
            *value = i;
            return ST_OK;
        }
    return asm_fail_at(l, l->p, "no such select:", e);
}

static enum status read_omod(struct line *l, const char *start, bool divide, i64 *value,
                             struct err *e)
{
    enum status st = read_mod_number(l, start, value, e);
    if (st != ST_OK)
        return st;
    i64 n = *value;
    if (divide ? n != 1 && n != 2 : n != 1 && n != 2 && n != 4)
        return asm_fail_at(l, start, "only mul:2, mul:4 and div:2 exist, not", e);
    *value = n == 1 ? 0 : divide ? 3 : n / 2;
    return ST_OK;
}

static enum status read_quad_perm(struct line *l, const char *start, i64 *value, struct err *e)
{
    *value = 0;
    bool good = asm_accept_char(l, ':') && asm_accept_char(l, '[');
    for (u32 i = 0; i < 4 && good; i++) {
        i64 lane = 0;
        good = asm_accept_integer(l, &lane) && lane >= 0 && lane <= 3 &&
               asm_accept_char(l, i < 3 ? ',' : ']');
        if (good)
            *value |= lane << i * 2;
    }
    return good ? ST_OK
                : asm_fail_at(l, start, "four lanes 0 to 3 in [] and commas belong after", e);
}

/* A bit for each source; of the bit for the destination, which is bit 3, nothing need be said. */
static enum status read_selects(struct line *l, const char *start, const struct mod *m, i64 *value,
                                struct err *e)
{
    u32 sources = text_sel_sources(l->row), count = 0;
    bool good = asm_accept_char(l, ':') && asm_accept_char(l, '['), more = good;
    *value = 0;
    while (good && more) {
        i64 bit = 0;
        good = asm_accept_integer(l, &bit) && bit >= 0 && bit <= 1 &&
               count < sources + (m->style == STYLE_SELDST);
        if (good)
            *value |= bit << (count < sources ? count : 3);
        count++;
        more = asm_accept_char(l, ',');
    }
    good = good && count >= sources && asm_accept_char(l, ']');
    return good ? ST_OK
                : asm_fail_at(l, start, "a bit for each source in [] and commas belong after", e);
}

/* One of the dpp_ctrl words other than quad_perm; *found says whether it was one. */
static enum status read_dpp(struct line *l, i64 *value, bool *found, struct err *e)
{
    asm_skip(l);
    const char *start = l->p;
    *found = false;
    for (const struct dpp_name *d = text_dpp; d->text; d++) {
        if (!asm_accept_word(l, d->text))
            continue;
        *found = true;
        i64 n = -1;
        if (d->value >= 0) {
            enum status st = read_mod_number(l, start, &n, e);
            if (st != ST_OK)
                return st;
        }
        if (n >= d->value && n <= d->value + d->last - d->first) {
            *value = d->first + (n - d->value);
            return ST_OK;
        }
        l->p = start; /* the table has row_bcast twice */
    }
    return *found ? asm_fail_at(l, start, "no such lane shuffle:", e) : ST_OK;
}

static enum status read_mod_value(struct line *l, const char *start, const struct mod *m,
                                  i64 *value, struct err *e)
{
    switch ((enum mod_style)m->style) {
    case STYLE_NONE:
    case STYLE_FLAG: *value = 1; return ST_OK;
    case STYLE_SEL: return read_mod_name(l, start, text_sel_names, SEL_COUNT, value, e);
    case STYLE_UNUSED: return read_mod_name(l, start, text_unused_names, UNUSED_COUNT, value, e);
    case STYLE_FORMAT: return asm_read_format(l, start, value, e);
    case STYLE_DPP: return read_quad_perm(l, start, value, e);
    case STYLE_OMOD: return read_omod(l, start, false, value, e);
    case STYLE_NUM:
    case STYLE_SNUM:
    case STYLE_HEX:
    case STYLE_MASK:
    case STYLE_DMASK: return read_mod_number(l, start, value, e);
    case STYLE_SWIZZLE:
        return asm_accept_char(l, ':')
                   ? asm_read_swizzle(l, value, e)
                   : asm_fail_at(l, start, "':' and a value are missing after", e);
    case STYLE_SELS:
    case STYLE_SELDST:
    case STYLE_SELHI: return read_selects(l, start, m, value, e);
    case STYLE_BOUND: break;
    }
    /* Old and new spelling of the same bit. */
    enum status st = read_mod_number(l, start, value, e);
    if (st == ST_OK && *value != 0 && *value != 1)
        return asm_fail_at(l, start, "only 0 and 1 may follow", e);
    *value = 1;
    return st;
}

/* One modifier of a layout; *found says whether there was one. */
static enum status read_mod_of(struct line *l, enum isa_form form, bool *found, struct err *e)
{
    asm_skip(l);
    const char *start = l->p;
    i64 value = 0;
    *found = true;
    for (const struct mod *m = text_mods(l->row, form); m->style != STYLE_NONE; m++) {
        bool divide = m->style == STYLE_OMOD && asm_accept_word(l, "div");
        if (!divide &&
            (!text_mod_applies((enum gen)l->gen, l->row, form, m) || !asm_accept_word(l, m->text)))
            continue;
        enum status st =
            divide ? read_omod(l, start, true, &value, e) : read_mod_value(l, start, m, &value, e);
        return st != ST_OK ? st : asm_add_mod(l, start, m->field, value, e);
    }
    if (form == FORM_DPP) {
        enum status st = read_dpp(l, &value, found, e);
        if (st != ST_OK || *found)
            return st != ST_OK ? st : asm_add_mod(l, start, FLD_dpp_ctrl, value, e);
    }
    *found = false;
    return ST_OK;
}

enum status asm_read_mods(struct line *l, struct err *e)
{
    for (asm_skip(l); *l->p; asm_skip(l)) {
        bool found = false;
        for (u32 form = 0; form < FORM_COUNT && !found; form++) {
            if (!(isa_forms((enum gen)l->gen, l->row) >> form & 1))
                continue;
            enum status st = read_mod_of(l, (enum isa_form)form, &found, e);
            if (st != ST_OK)
                return st;
        }
        if (!found)
            return asm_fail_at(l, l->p, "not a modifier of this instruction:", e);
    }
    return ST_OK;
}
