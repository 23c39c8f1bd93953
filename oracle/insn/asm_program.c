/* Assembling listings. Branches have one length, so that two readings are enough: the first finds
 * the labels. */
#include "oracle/insn/asm.h"

static bool is_name_char(char c, bool first)
{
    bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
    return letter || (!first && c >= '0' && c <= '9');
}

static const char *skip_spaces(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
    return p;
}

static bool ends_line(const char *p)
{
    return *p == '\0' || *p == '\n' || *p == ';' || *p == '#' || (p[0] == '/' && p[1] == '/');
}

/* Moves over `name:` at the start of a line; *len is 0 if there is none. */
static const char *skip_label(const char *p, u32 *len)
{
    u32 n = 0;
    while (is_name_char(p[n], n == 0))
        n++;
    const char *colon = skip_spaces(p + n);
    *len = n && *colon == ':' ? n : 0;
    return *len ? skip_spaces(colon + 1) : p;
}

/* A decimal or hexadecimal number of 32 bits at *p; moves over it. */
static bool take_number(const char **p, u32 *v)
{
    *p = skip_spaces(*p);
    u32 base = (*p)[0] == '0' && (*p)[1] == 'x' ? 16 : 10;
    const char *from = *p += base == 16 ? 2 : 0;
    u64 n = 0;
    for (; n <= ~0u; ++*p) {
        char c = **p;
        u32 digit = c >= '0' && c <= '9'   ? (u32)(c - '0')
                    : c >= 'a' && c <= 'f' ? (u32)(c - 'a') + 10
                                           : 99;
        if (digit >= base)
            break;
        n = n * base + digit;
    }
    *v = (u32)n;
    return *p > from && n <= ~0u;
}

static bool take_comma(const char **p)
{
    *p = skip_spaces(*p);
    return *(*p)++ == ',';
}

/* `COUNT, 4, VALUE` behind .fill: so many times a dword, as LLVM spells it. */
static enum status fill(const char *p, u32 *dw, u32 max, u32 *n, struct err *e)
{
    u32 count, size, value;
    if (!take_number(&p, &count) || !take_comma(&p) || !take_number(&p, &size) || size != 4 ||
        !take_comma(&p) || !take_number(&p, &value) || !ends_line(skip_spaces(p)))
        return err_set(e, ST_INPUT, "'.fill' takes COUNT, 4, VALUE, as in .fill 8, 4, 0xbf810000");
    if (count > max - *n)
        return err_set(e, ST_INPUT, "the program is longer than %u dwords", max);
    for (u32 i = 0; i < count; i++)
        dw[(*n)++] = value;
    return ST_OK;
}

/* One line: labels, then perhaps an instruction, which goes to dw[*n..]. */
static enum status program_line(const struct isa *isa, const char *p, struct asm_labels *labels,
                                u32 *dw, u32 max, u32 *n, struct err *e)
{
    u32 len;
    for (p = skip_spaces(p);;) {
        const char *name = p;
        p = skip_label(p, &len);
        if (len == 0)
            break;
        enum status st = labels->complete ? ST_OK : asm_label_add(labels, name, len, *n, e);
        if (st != ST_OK)
            return st;
    }
    if (ends_line(p))
        return ST_OK;
    if (strncmp(p, ".fill", 5) == 0 && (p[5] == ' ' || p[5] == '\t'))
        return fill(p + 5, dw, max, n, e);
    struct insn in;
    labels->next = *n + 1; /* every branch is one dword long */
    enum status st = asm_line(isa, p, labels, &in, e);
    if (st != ST_OK)
        return st;
    if (*n + in.dw > max)
        return err_set(e, ST_INPUT, "the program is longer than %u dwords", max);
    *n += insn_encode(&in, dw + *n);
    return ST_OK;
}

enum status insn_parse_program(const struct isa *isa, const char *text, u32 *dw, u32 max, u32 *n,
                               struct err *e)
{
    struct asm_labels labels;
    labels.count = 0;
    labels.complete = false;
    for (u32 pass = 0; pass < 2; pass++, labels.complete = true) {
        const char *p = text;
        *n = 0;
        for (int line = 1; *p; line++) {
            enum status st = program_line(isa, p, &labels, dw, max, n, e);
            if (st != ST_OK) {
                if (e)
                    e->line = line;
                return st;
            }
            p += strcspn(p, "\n");
            p += *p == '\n';
        }
    }
    return ST_OK;
}
