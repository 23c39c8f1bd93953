/* gcncheck mutants: the planted bugs that --dut mutant:ID takes. */
#include "harness/cmd.h"
#include "harness/mutant.h"

int cmd_mutants(struct opts *o)
{
    const char *format = o->format ? o->format : "text";
    if (!opts_has_word("text tsv", format, strlen(format)))
        return cmd_error(o, EXIT_USAGE, "--format %.40s: must be text or tsv", format);
    bool tsv = strcmp(format, "tsv") == 0;
    if (tsv)
        printf("id\tencoding\topcode\tkind\twitness\ttext\n");
    const struct mutant *mu;
    for (u32 i = 0; (mu = mutant_at(i)); i++) {
        if (tsv)
            printf("%s\t%s\t%s\t%s\t%u\t%s\n", mu->id, mutant_encoding(mu),
                   mu->op ? isa_rows[mu->op].name : "-",
                   mutant_kind_name((enum mutant_kind)mu->kind), mu->witness, mu->text);
        else
            printf("%-32s %s\n", mu->id, mu->text);
    }
    return EXIT_CLEAN;
}
