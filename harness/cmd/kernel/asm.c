/* gcncheck asm: lines of text to hex dwords. */
#include "harness/cmd/base/cmd.h"

#include "harness/io/lines.h"
#include "oracle/insn/insn.h"

/* Whether there is anything but blanks and comment. */
static bool is_empty(const char *line)
{
    line += strspn(line, " \t\r");
    return *line == '\0' || *line == ';' || *line == '#' || strncmp(line, "//", 2) == 0;
}

/* Prints the dwords of one instruction; false if it is none. Nothing for an empty line. */
static bool print_line(const struct isa *isa, const char *line, u64 number)
{
    struct insn in;
    struct err e = { .file = "" };
    u32 dw[INSN_DW_MAX];
    if (is_empty(line))
        return true;
    if (insn_parse(isa, line, &in, &e) != ST_OK) {
        printf("error: line %llu: %s\n", (unsigned long long)number, e.text);
        return false;
    }
    u32 count = insn_encode(&in, dw);
    for (u32 i = 0; i < count; i++)
        printf("%s%08x", i ? " " : "", dw[i]);
    putchar('\n');
    return true;
}

int cmd_asm(struct opts *o)
{
    bool all;
    struct err e = { .file = "" };
    enum status st = lines_answer(o->mcpu, o->arg_count ? o->arg[0] : "-", print_line, &all, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    return all ? EXIT_CLEAN : EXIT_USAGE;
}
