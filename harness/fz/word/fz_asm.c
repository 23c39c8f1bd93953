/* Text: what assembles decodes to the same instruction, and its text assembles to the same dwords.
 * The first byte chooses the processor; the rest is a listing. */
#include "harness/fz/fz.h"
#include "oracle/insn/insn.h"

#include <stdlib.h>

enum { PROGRAM_MAX = 4096, LINE_MAX_BYTES = 2000 };

void fz_open(void)
{
    fz_open_isas();
}

static bool check_line(const struct isa *isa, const char *line)
{
    struct insn in, back;
    struct err e = { .text = "" };
    u32 dw[INSN_DW_MAX] = { 0 }, got[INSN_DW_MAX] = { 0 };
    char text[1024];
    if (insn_parse(isa, line, &in, &e) != ST_OK) {
        if (!e.text[0])
            fz_broken("a failure has a message", line);
        return false;
    }
    u32 count = insn_encode(&in, dw);
    if (!insn_decode(isa, dw, count, &back, &e) || back.op != in.op || back.form != in.form ||
        back.dw != count)
        fz_broken("what assembles decodes to the same instruction", line);
    if (insn_printable(isa, &back, &e) != ST_OK)
        fz_broken("what assembles has a text", line);
    if (insn_legal(isa, &back, &e) != ST_OK)
        return true; /* a form or modifier that the text of this instruction does not show */
    insn_print(isa, &back, text, sizeof text);
    if (insn_parse(isa, text, &back, &e) != ST_OK || insn_encode(&back, got) != count ||
        memcmp(got, dw, sizeof dw) != 0)
        fz_broken("the text of what was assembled assembles to the same", text);
    return true;
}

bool fz_one(const u8 *data, size_t size)
{
    static u32 dw[PROGRAM_MAX];
    struct err e = { .text = "" };
    bool any = false;
    u32 n;
    if (size < 1)
        return false;
    const struct isa *isa = fz_isa(data[0]);
    char *text = malloc(size);
    if (!text)
        abort();
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (insn_parse_program(isa, text, dw, PROGRAM_MAX, &n, &e) == ST_OK) {
        if (n > PROGRAM_MAX)
            fz_broken("a program fits", "its length does not");
    } else if (!e.text[0] || e.line < 1) {
        fz_broken("a failure has a message and a line", e.text);
    }
    for (char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        if (strlen(line) < LINE_MAX_BYTES)
            any |= check_line(isa, line);
    }
    free(text);
    return any;
}
