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
