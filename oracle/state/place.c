#include "oracle/state/place.h"

#include "oracle/insn/insn.h"
#include "oracle/isa/gens.h"

/* Names of single registers and of pairs; sources that are no registers have 0 dwords there. */
static const struct place_word {
    const char *name;
    u16 place;
    u8 dw;
    u8 gens; /* bits by enum gen */
} words[] = {
#define REG(gens, code, dwords, name)    { #name, code, dwords, GEN_BITS(gens) },
#define STATE(gens, place, dwords, name) { #name, PLACE_##place, dwords, GEN_BITS(gens) },
#include "oracle/isa/reg.def"
};

static bool is_named(const struct place_word *w, enum gen gen)
{
    return w->dw && w->gens >> gen & 1;
}

/* Registers that are numbered. */
struct place_file {
    char name[5];
    u16 first, count;
};
enum { FILES = 4 };

static struct place_file file_at(enum gen gen, u32 index)
{
    u16 trap = (u16)insn_first_ttmp(gen);
    const struct place_file files[FILES] = {
        { "s", 0, (u16)insn_sgprs(gen) },
        { "v", PLACE_V0, VGPRS },
        { "a", PLACE_A0, VGPRS },
        { "ttmp", trap, (u16)(CODE_TTMP_LAST + 1 - trap) },
    };
    return files[index];
}

/* ---- parsing ---- */

/* What is still to be read. */
struct rest {
    const char *s, *end;
};

static bool take_text(struct rest *r, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(r->end - r->s) < n || memcmp(r->s, text, n) != 0)
        return false;
    r->s += n;
    return true;
}

static bool is_digit(const struct rest *r)
{
    return r->s < r->end && *r->s >= '0' && *r->s <= '9';
}

/* A decimal number below a million. */
static bool take_number(struct rest *r, u32 *v)
{
    const char *from = r->s;
    for (*v = 0; is_digit(r) && r->s - from < 6; r->s++)
        *v = *v * 10 + (u32)(*r->s - '0');
    return r->s > from && !is_digit(r);
}

/* Behind the name of the file: 4 [4] [4:7]. *why says what is wrong. */
static enum status parse_range(struct rest *r, const struct place_file *f, struct place_range *p,
                               const char **why)
{
    u32 first, last;
    bool range = take_text(r, "[");
    *why = "not a register";
    if (!take_number(r, &first))
        return ST_INPUT;
    last = first;
    if (range && ((take_text(r, ":") && !take_number(r, &last)) || !take_text(r, "]")))
        return ST_INPUT;
    *why = last < first                   ? "register range runs backwards"
           : last >= f->count             ? "no such register"
           : last - first >= PLACE_DW_MAX ? "more than 4 registers at once"
                                          : NULL;
    if (*why)
        return ST_INPUT;
    p->place = (u16)(f->first + first);
    p->dw = (u8)(last - first + 1);
    return ST_OK;
}

static enum status parse_lane(struct rest *r, struct place_range *p, const char **why)
{
    u32 lane;
    if (r->s == r->end)
        return ST_OK;
    *why = "not a lane";
    if (!place_is_vector(p->place) || !take_text(r, ".lane") || !take_number(r, &lane) ||
        lane >= LANES || r->s != r->end)
        return ST_INPUT;
    *why = NULL;
    p->lane = (i8)lane;
    return ST_OK;
}

enum status place_parse(enum gen gen, const char *s, size_t len, struct place_range *p,
                        const char **why)
{
    *p = (struct place_range){ .lane = -1 };
    *why = NULL;
    for (u32 i = 0; i < COUNT_OF(words); i++) {
        if (is_named(&words[i], gen) && strlen(words[i].name) == len &&
            memcmp(words[i].name, s, len) == 0) {
            p->place = words[i].place;
            p->dw = words[i].dw;
            return ST_OK;
        }
    }
    for (u32 i = 0; i < FILES; i++) {
        struct rest r = { s, s + len };
        struct place_file f = file_at(gen, i);
        if (!take_text(&r, f.name) || !(is_digit(&r) || (r.s < r.end && *r.s == '[')))
            continue;
        enum status st = parse_range(&r, &f, p, why);
        return st == ST_OK ? parse_lane(&r, p, why) : st;
    }
    return ST_INPUT;
}

/* ---- printing ---- */

static void print_range(enum gen gen, struct text *t, const struct place_range *p)
{
    for (u32 i = 0; i < FILES; i++) {
        struct place_file f = file_at(gen, i);
        u32 n = (u32)p->place - f.first;
        if (p->place < f.first || n >= f.count)
            continue;
        if (p->dw == 1)
            text_add(t, "%s%u", f.name, n);
        else
            text_add(t, "%s[%u:%u]", f.name, n, n + p->dw - 1);
        return;
    }
    for (u32 i = 0; i < COUNT_OF(words); i++)
        if (is_named(&words[i], gen) && words[i].place == p->place && words[i].dw == p->dw) {
            text_add(t, "%s", words[i].name);
            return;
        }
    text_add(t, "place %u", p->place);
}

void place_print(enum gen gen, struct text *t, const struct place_range *p)
{
    print_range(gen, t, p);
    if (p->lane >= 0)
        text_add(t, ".lane%d", p->lane);
}

static const char *range_name(enum gen gen, u32 place, u32 dw, char buf[PLACE_NAME_MAX])
{
    struct place_range p = { .place = (u16)place, .dw = (u8)dw, .lane = -1 };
    struct text t;
    text_init(&t, buf, PLACE_NAME_MAX);
    place_print(gen, &t, &p);
    return buf;
}

const char *place_name(enum gen gen, u32 place, char buf[PLACE_NAME_MAX])
{
    return range_name(gen, place, 1, buf);
}

const char *place_pair_name(enum gen gen, u32 place, char buf[PLACE_NAME_MAX])
{
    return range_name(gen, place, 2, buf);
}
