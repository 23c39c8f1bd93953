/* gcncheck explain: what a mnemonic, the dwords of an instruction, or a ledger entry mean. */
#include "harness/cmd/base/cmd.h"

#include "harness/ask/explain.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* Dwords are 8 hexadecimal digits, with or without 0x before them. */
static bool is_dword(const char *arg)
{
    const char *p = arg[0] == '0' && (arg[1] == 'x' || arg[1] == 'X') ? arg + 2 : arg;
    size_t len = strlen(p);
    return len == 8 && strspn(p, "0123456789abcdefABCDEF") == len;
}

static int explain_dwords(struct opts *o, const struct isa *isa)
{
    u32 dw[INSN_DW_MAX], count = 0;
    for (; count < o->arg_count; count++) {
        if (!is_dword(o->arg[count]))
            return cmd_error(o, EXIT_USAGE, "'%.40s' is no hex dword of 8 digits", o->arg[count]);
        if (count == INSN_DW_MAX)
            return cmd_error(o, EXIT_USAGE, "an instruction has at most %d dwords", INSN_DW_MAX);
        dw[count] = (u32)strtoul(o->arg[count], NULL, 16);
    }
    return explain_bits(stdout, isa, dw, count) ? EXIT_CLEAN : EXIT_USAGE;
}

/* Mnemonics are lower case; manuals write them in capitals. A form suffix is left out. */
static isa_op find_op(const struct isa *isa, const char *arg)
{
    static const char *const suffixes[] = { "_e32", "_e64", "_sdwa", "_dpp" };
    char name[64];
    size_t len = 0;
    for (; arg[len] && len + 1 < sizeof(name); len++)
        name[len] = (char)tolower((u8)arg[len]);
    name[len] = '\0';
    isa_op op = isa_find(isa, name, len);
    for (size_t i = 0; i < COUNT_OF(suffixes) && op == OP_NONE; i++) {
        size_t cut = strlen(suffixes[i]);
        if (len > cut && strcmp(name + len - cut, suffixes[i]) == 0)
            op = isa_find(isa, name, len - cut);
    }
    return op;
}

/* What is wrong with an argument that means nothing for this processor. */
static int unknown(struct opts *o, const struct isa *isa, const char *arg)
{
    char have[400] = "", here[120] = "";
    struct isa *other = malloc(sizeof *other);
    struct text t;
    struct err e;
    text_init(&t, have, sizeof have);
    for (u32 i = 0; other && isa_target_at(i); i++) {
        const char *mcpu = isa_target_at(i)->mcpu;
        isa_op op = isa_open(other, mcpu, &e) == ST_OK ? find_op(other, arg) : OP_NONE;
        if (op == OP_NONE)
            continue;
        text_add(&t, " %s", mcpu);
        if (!here[0] && isa_has(isa, op))
            snprintf(here, sizeof here, ", which calls that of %s %s", mcpu,
                     isa_name((enum gen)isa->target->gen, op));
    }
    free(other);
    if (have[0])
        return cmd_error(o, EXIT_USAGE, "'%.60s' is no mnemonic of %s%s; these have it:%s", arg,
                         isa->target->mcpu, here, have);
    return cmd_error(o, EXIT_USAGE,
                     "'%.60s' is no mnemonic of %s, no dword of 8 hex digits and no ledger id", arg,
                     isa->target->mcpu);
}

int cmd_explain(struct opts *o)
{
    char cases[CMD_CASES_PATH];
    bool has_cases = cmd_own_cases(cases);
    struct isa isa;
    struct err e = { .file = "" };
    enum status st = isa_open(&isa, o->mcpu, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (is_dword(o->arg[0]))
        return explain_dwords(o, &isa);
    for (u32 i = 0; i < o->arg_count; i++) {
        const char *arg = o->arg[i];
        const struct erratum *entry = erratum_find(arg, strlen(arg));
        isa_op op = entry ? OP_NONE : find_op(&isa, arg);
        if (i)
            putchar('\n');
        if (entry)
            explain_erratum(stdout, entry);
        else if (op != OP_NONE)
            st = explain_op(stdout, &isa, op, has_cases ? cases : NULL, &e);
        else
            return unknown(o, &isa, arg);
        if (st != ST_OK)
            return cmd_fail(o, st, &e);
    }
    return EXIT_CLEAN;
}
