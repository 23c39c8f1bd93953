/* gcncheck mutants: the planted bugs that --dut mutant:ID takes. */
#include "harness/cmd/base/cmd.h"
#include "harness/mutant/mutant.h"

#include <stdlib.h>

/* Whether the processor has an opcode in which it shows. */
static bool has_subject(const struct isa *isa, const struct mutant *mu)
{
    if (mu->op)
        return isa_has(isa, mu->op);
    if (mu->enc == ENC_COUNT) /* of all encodings */
        return true;
    for (isa_op op = OP_NONE + 1; op < isa_op_count; op++)
        if (isa_has(isa, op) && isa_rows[op].enc == mu->enc)
            return true;
    return false;
}

int cmd_mutants(struct opts *o)
{
    const char *format = o->format ? o->format : "text";
    if (!opts_has_word("text tsv", format, strlen(format)))
        return cmd_error(o, EXIT_USAGE, "--format %.40s: must be text or tsv", format);
    struct err e = { .text = "" };
    enum status st = mutant_become(o->argv - 1, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    struct isa *isa = malloc(sizeof *isa);
    st = isa ? isa_open_modelled(isa, o->mcpu, &e) : err_memory(&e);
    if (st != ST_OK) {
        free(isa);
        return cmd_fail(o, st, &e);
    }
    bool tsv = strcmp(format, "tsv") == 0;
    if (tsv)
        printf("id\tencoding\topcode\tkind\twitness\tclass\ttext\n");
    const struct mutant *mu;
    for (u32 i = 0; (mu = mutant_at(i)); i++) {
        if (!has_subject(isa, mu))
            continue;
        if (tsv)
            printf("%s\t%s\t%s\t%s\t%u\t%s\t%s\n", mu->id, mutant_encoding(mu),
                   mu->op ? isa_rows[mu->op].name : "-",
                   mutant_kind_name((enum mutant_kind)mu->kind), mu->witness, mutant_class(mu),
                   mu->text);
        else
            printf("%-32s %s\n", mu->id, mu->text);
    }
    free(isa);
    return EXIT_CLEAN;
}
