/* gcncheck dis: lines of hex dwords, or the code objects of a file, to text. */
#include "harness/cmd/base/cmd.h"

#include "harness/cmd/kernel/dis_file.h"
#include "harness/io/file.h"
#include "harness/io/lines.h"
#include "oracle/insn/insn.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum { DWORDS_MAX = 8 };

/* Hex dwords of 8 digits, with or without 0x, between spaces or commas: a digit lost is a
 * mistake. */
static bool read_dwords(const char *line, u32 *dw, u32 *count)
{
    *count = 0;
    for (;;) {
        while (isspace((u8)*line) || *line == ',')
            line++;
        if (*line == '\0')
            return *count > 0;
        line += line[0] == '0' && (line[1] == 'x' || line[1] == 'X') ? 2 : 0;
        size_t digits = strspn(line, "0123456789abcdefABCDEF");
        char end = line[digits];
        if (*count == DWORDS_MAX || digits != 8 || !(isspace((u8)end) || end == ',' || end == '\0'))
            return false;
        dw[(*count)++] = (u32)strtoul(line, NULL, 16);
        line += digits;
    }
}

/* Prints the text of one instruction; false if it is not one. Nothing for an empty line. */
static bool print_line(const struct isa *isa, const char *line, u64 number)
{
    u32 dw[DWORDS_MAX], count;
    struct insn in;
    struct err e = { .file = "" };
    char text[512];
    (void)number;
    if (*line == '\0')
        return true;
    if (!read_dwords(line, dw, &count))
        err_set(&e, ST_INPUT, "not hex dwords of 8 digits");
    else if (insn_decode(isa, dw, count, &in, &e) && insn_printable(isa, &in, &e) == ST_OK &&
             in.dw != count)
        err_set(&e, ST_INPUT, "%s takes %u dword%s, %u given", insn_row(&in)->name, in.dw,
                in.dw == 1 ? "" : "s", count);
    if (e.text[0]) {
        printf("invalid: %s\n", e.text);
        return false;
    }
    insn_print(isa, &in, text, sizeof(text));
    puts(text);
    return true;
}

int cmd_dis(struct opts *o)
{
    bool all;
    bool is_binary;
    struct err e = { .file = "" };
    const char *path = o->arg_count ? o->arg[0] : "-";
    enum status st = dis_file_is_binary(path, &is_binary, &e);
    if (st != ST_OK) {
        file_error(&e, path, 0);
        return cmd_fail(o, st, &e);
    }
    if (is_binary || o->symbol || o->check || o->descriptor || o->metadata)
        return dis_file(o, path);
    st = lines_answer(o->mcpu, path, print_line, &all, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    return all ? EXIT_CLEAN : EXIT_USAGE;
}
