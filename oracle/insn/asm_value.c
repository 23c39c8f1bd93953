/* Reading operands: registers, constants, and the source modifiers around them. */
#include "oracle/insn/asm.h"

/* ---- registers ---- */

struct bank {
    char letters[5];
    u16 first, count;
    bool acc; /* only in matrix instructions: elsewhere a1 may be a label */
};
static struct bank bank_at(enum gen gen, size_t i)
{
    u16 ttmp = (u16)insn_first_ttmp(gen);
    const struct bank banks[] = { { "s", 0, (u16)insn_sgprs(gen), false },
                                  { "v", CODE_VGPR, 256, false },
                                  { "ttmp", ttmp, (u16)(CODE_TTMP_LAST - ttmp + 1), false },
                                  { "a", CODE_ACC, 256, true },
                                  { "acc", CODE_ACC, 256, true } };
    return banks[i];
}
enum { BANKS = 5 };

static enum status set_range(struct line *l, const char *start, const struct bank *b, i64 first,
                             i64 last, struct val *v, struct err *e)
{
    if (last < first || last - first >= 32)
        return asm_fail_at(l, start, "bad register range", e);
    if (last >= b->count)
        return asm_fail_at(l, start, "no such register", e);
    v->type = VAL_REG;
    v->code = (u16)(b->first + first);
    v->dwords = (u8)(last - first + 1);
    return ST_OK;
}

/* s5, s[2], s[2:3]; *found says whether it was one of the ranges at all. */
static enum status read_ranged(struct line *l, struct val *v, bool *found, struct err *e)
{
    const char *start = l->p;
    for (size_t i = 0; i < BANKS; i++) {
        const struct bank bank = bank_at((enum gen)l->gen, i), *b = &bank;
        size_t n = strlen(b->letters), word = asm_word_length(start);
        if (b->acc && l->row->enc != ENC_MAI)
            continue;
        if (strncmp(start, b->letters, n) != 0 || (word > n && !asm_is_digit(start[n])))
            continue;
        i64 first, last;
        l->p = start + n;
        *found = true;
        if (word > n) {
            if (!asm_accept_integer(l, &first))
                return asm_fail_at(l, start, "no such register", e);
            return set_range(l, start, b, first, first, v, e);
        }
        if (!asm_accept_char(l, '[')) {
            *found = false;
            break;
        }
        bool good = asm_accept_integer(l, &first);
        last = first;
        if (good && asm_accept_char(l, ':'))
            good = asm_accept_integer(l, &last);
        if (!good || !asm_accept_char(l, ']'))
            return asm_fail_at(l, start, "bad register range", e);
        return set_range(l, start, b, first, last, v, e);
    }
    l->p = start;
    return ST_OK;
}

static bool read_named(struct line *l, struct val *v)
{
    size_t n = asm_word_length(l->p);
    for (const struct reg_name *r = text_regs; r->name; r++)
        if (r->gens >> l->gen & 1 && asm_same_word(l->p, n, r->name)) {
            l->p += n;
            v->type = VAL_REG;
            v->code = r->code;
            v->dwords = r->dwords;
            return true;
        }
    return false;
}

/* [s2,s3]: neighbours, written out. */
static enum status read_list(struct line *l, struct val *v, struct err *e)
{
    const char *start = l->p;
    struct val next = { 0 };
    bool found = false, first = true;
    asm_accept_char(l, '[');
    do {
        asm_skip(l);
        found = false;
        enum status st = read_ranged(l, &next, &found, e);
        if (st != ST_OK)
            return st;
        if (!found || next.dwords != 1 || (!first && next.code != v->code + v->dwords))
            return asm_fail_at(l, start, "not a list of neighbouring registers:", e);
        if (first) {
            v->code = next.code;
            v->dwords = 0;
        }
        v->dwords++;
        first = false;
    } while (asm_accept_char(l, ','));
    v->type = VAL_REG;
    return asm_accept_char(l, ']') ? ST_OK : asm_fail_at(l, l->p, "']' missing before", e);
}

static enum status read_plain(struct line *l, struct val *v, struct err *e)
{
    asm_skip(l);
    bool found = false;
    if (*l->p == '[')
        return read_list(l, v, e);
    if (asm_is_digit(*l->p) || *l->p == '-' || (*l->p == '.' && asm_is_digit(l->p[1])))
        return asm_read_number(l, v, e);
    if (asm_accept_word(l, "off")) {
        v->type = VAL_OFF;
        return ST_OK;
    }
    enum status st = read_ranged(l, v, &found, e);
    if (st != ST_OK || found || read_named(l, v))
        return st;
    size_t n = asm_word_length(l->p);
    if (n == 0)
        return asm_fail_at(l, l->p, "an operand is missing before", e);
    v->type = VAL_LABEL;
    l->p += n;
    return ST_OK;
}

/* ---- operands ---- */

/* word( ... ), and nothing else moves on. */
static bool accept_call(struct line *l, const char *word)
{
    const char *start = l->p;
    if (asm_accept_word(l, word) && asm_accept_char(l, '('))
        return true;
    l->p = start;
    return false;
}

static enum status read_abs(struct line *l, struct val *v, struct err *e)
{
    bool bar = asm_accept_char(l, '|'), call = !bar && accept_call(l, "abs");
    enum status st = read_plain(l, v, e);
    if (st != ST_OK || (!bar && !call))
        return st;
    v->mods |= TAKES_ABS;
    return asm_accept_char(l, bar ? '|' : ')')
               ? ST_OK
               : asm_fail_at(l, l->p, "end of the absolute value missing before", e);
}

/* A '-' belongs to a number if one follows, else it is the modifier. */
static bool accept_minus(struct line *l)
{
    const char *start = l->p;
    if (!asm_accept_char(l, '-'))
        return false;
    asm_skip(l);
    if (!asm_is_digit(*l->p) && *l->p != '.')
        return true;
    l->p = start;
    return false;
}

enum status asm_read_value(struct line *l, struct val *v, struct err *e)
{
    asm_skip(l);
    const char *start = l->p;
    *v = (struct val){ .at = (u16)(start - l->text) };
    bool minus = accept_minus(l), call_neg = !minus && accept_call(l, "neg");
    bool call_sext = !minus && !call_neg && accept_call(l, "sext");
    if (minus || call_neg)
        v->mods |= TAKES_NEG;
    if (call_sext)
        v->mods |= TAKES_SEXT;
    enum status st = read_abs(l, v, e);
    if (st != ST_OK)
        return st;
    if ((call_neg || call_sext) && !asm_accept_char(l, ')'))
        return asm_fail_at(l, l->p, "')' missing before", e);
    v->len = (u16)(l->p - start);
    return ST_OK;
}
