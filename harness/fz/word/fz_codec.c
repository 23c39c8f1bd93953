/* Dwords: what decodes and is printable has a text; what is legal has a text that assembles to the
 * same dwords. The first byte chooses the processor. */
#include "harness/fz/fz.h"
#include "oracle/insn/insn.h"

void fz_open(void)
{
    fz_open_isas();
}

static void check_text(const struct isa *isa, const struct insn *in, const u32 *dw)
{
    char text[1024], cut[8];
    struct insn back;
    struct err e = { .text = "" };
    u32 got[INSN_DW_MAX] = { 0 };
    size_t len = insn_print(isa, in, text, sizeof text);
    if (len >= sizeof text || len != strlen(text))
        fz_broken("the length of a text", text);
    if (insn_print(isa, in, cut, sizeof cut) != len || strncmp(cut, text, sizeof cut - 1) != 0)
        fz_broken("a text that is cut", text);
    if (insn_legal(isa, in, &e) != ST_OK)
        return;
    if (insn_parse(isa, text, &back, &e) != ST_OK || insn_encode(&back, got) != in->dw ||
        memcmp(got, dw, in->dw * sizeof *dw) != 0)
        fz_broken("the text of a legal instruction assembles to its dwords", text);
}

bool fz_one(const u8 *data, size_t size)
{
    bool any = false;
    if (size < 1)
        return false;
    const struct isa *isa = fz_isa(data[0]);
    for (size_t at = 1; at + 4 <= size;) {
        u32 dw[INSN_DW_MAX] = { 0 }, back[INSN_DW_MAX];
        u32 avail = (size - at) / 4 < INSN_DW_MAX ? (u32)((size - at) / 4) : INSN_DW_MAX;
        struct insn in;
        struct err e = { .text = "" };
        memcpy(dw, data + at, (size_t)avail * 4);
        if (!insn_decode(isa, dw, avail, &in, &e)) {
            fz_check_message(&e);
        } else if (insn_printable(isa, &in, &e) != ST_OK) {
            fz_check_message(&e);
        } else {
            if (insn_encode(&in, back) != in.dw || memcmp(back, dw, in.dw * sizeof *dw) != 0)
                fz_broken("decoding and encoding is the identity", insn_row(&in)->name);
            check_text(isa, &in, dw);
            any = true;
        }
        at += in.dw * 4u;
    }
    return any;
}
