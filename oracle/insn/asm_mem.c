/* Reading what only vector memory instructions and exports have: formats, targets, operands that
 * modifiers decide about. */
#include "oracle/insn/asm.h"

/* mrt0 to mrt7, mrtz, null, pos0 to pos3, param0 to param31. */
enum status asm_read_export_target(struct line *l, struct val *v, struct err *e)
{
    asm_skip(l);
    char name[16];
    const char *start = l->p;
    size_t n = asm_word_length(start);
    for (const struct export_name *t = text_exports; t->name && n < sizeof(name); t++)
        for (u32 code = t->first; code <= t->last; code++) {
            *text_put_export_target(name, code) = '\0';
            if (!asm_accept_word(l, name))
                continue;
            v->type = VAL_INT;
            v->num = code;
            return ST_OK;
        }
    return asm_fail_at(l, start, "no such export target:", e);
}

/* A name of one of the two lists; false if it is in neither, or the same part is there twice. */
static bool accept_format_name(struct line *l, i64 *data, i64 *num)
{
    for (u32 i = 0; i < DATA_FORMATS && *data < 0; i++)
        if (asm_accept_word(l, text_data_formats[i])) {
            *data = i;
            return true;
        }
    for (u32 i = 0; i < NUM_FORMATS && *num < 0; i++)
        if (asm_accept_word(l, text_num_format((enum gen)l->gen, i))) {
            *num = i;
            return true;
        }
    return false;
}

/* What is not written is 8 bits, or unsigned normalised. */
static i64 join_format(i64 data, i64 num)
{
    return (data < 0 ? DATA_FORMAT_DEFAULT : data) + (num < 0 ? 0 : num) * DATA_FORMATS;
}

enum status asm_read_format(struct line *l, const char *start, i64 *value, struct err *e)
{
    i64 data = -1, num = -1;
    if (!asm_accept_char(l, ':'))
        return asm_fail_at(l, start, "':' and a value are missing after", e);
    asm_skip(l);
    if (!asm_accept_char(l, '['))
        return asm_accept_integer(l, value) ? ST_OK : asm_fail_at(l, l->p, "not a format:", e);
    do {
        asm_skip(l);
        if (!accept_format_name(l, &data, &num))
            return asm_fail_at(l, l->p, "no such format, or given twice:", e);
    } while (asm_accept_char(l, ','));
    *value = join_format(data, num);
    return asm_accept_char(l, ']') ? ST_OK : asm_fail_at(l, l->p, "']' missing before", e);
}

enum status asm_read_split_format(struct line *l, struct err *e)
{
    i64 part[2] = { -1, -1 };
    static const char *const words[2] = { "dfmt", "nfmt" };
    static const u8 limits[2] = { DATA_FORMATS, NUM_FORMATS };
    asm_skip(l);
    const char *start = l->p;
    for (bool found = true; found;) {
        found = false;
        for (u32 i = 0; i < 2; i++) {
            asm_skip(l);
            const char *at = l->p;
            if (part[i] >= 0 || !asm_accept_word(l, words[i]))
                continue;
            found = true;
            if (!asm_accept_char(l, ':') || !asm_accept_integer(l, &part[i]) || part[i] < 0 ||
                part[i] >= limits[i])
                return asm_fail_at(l, at, "':' and a number in range belong after", e);
            asm_accept_char(l, ',');
        }
    }
    if (part[0] < 0 && part[1] < 0)
        return ST_OK;
    return asm_add_mod(l, start, FLD_format, join_format(part[0], part[1]), e);
}

bool asm_first_is_optional(const struct isa_row *row)
{
    u32 kind = row->operand[0].kind;
    return kind == K_RTN || kind == K_LDATA || (kind == K_BDATA && row->flags & FLAG_LDS_FORM);
}

enum status asm_place_operands(struct line *l, struct err *e)
{
    if (!asm_first_is_optional(l->row))
        return ST_OK;
    bool rtn = l->row->operand[0].kind == K_RTN, given = false;
    for (u32 i = 0; i < l->modvals; i++)
        given |= l->mod[i].field == (rtn ? FLD_glc : FLD_lds);
    l->first = rtn != given;
    u32 want = asm_operand_count(l->row) - l->first;
    if (l->count != want)
        return err_set(e, ST_INPUT, "%s has %u operands %s %s, not %u", l->name, want,
                       given ? "with" : "without", rtn ? "glc" : "lds", l->count);
    return ST_OK;
}

u32 asm_operand_count(const struct isa_row *row)
{
    u32 n = 0;
    while (row->operand[n].kind != K_NONE)
        n++;
    return n;
}

/* More than four registers may also be written as eight. */
bool asm_image_address_fits(const struct isa_row *row, const struct isa_operand *o, u32 dwords)
{
    u32 least = isa_types[o->type].dwords;
    u32 most = insn_operand_most(row, o, least);
    return (dwords >= least && dwords <= (most < 4 ? 4 : most)) || (dwords == 8 && most > 4);
}

void asm_compress_export(struct insn *in)
{
    if (!insn_has(in, FLD_compr) || !insn_get(in, FLD_compr))
        return;
    u32 en = insn_get(in, FLD_en);
    insn_set(in, FLD_en, (en & 1 ? 3u : 0u) | (en & 4 ? 12u : 0u));
    insn_set(in, FLD_vsrc1, insn_get(in, FLD_vsrc2));
    insn_set(in, FLD_vsrc2, 0);
    insn_set(in, FLD_vsrc3, 0);
}
