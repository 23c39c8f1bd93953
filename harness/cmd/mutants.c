/* gcncheck mutants: the planted bugs that --dut mutant:ID takes; and how a command gets at them. */
#include "harness/cmd/cmd.h"
#include "harness/dut/dut.h"
#include "harness/mutant/mutant.h"
#include "harness/vgpu/under.h"

#include <stdlib.h>

/* Goes on under a virtual GPU, unless it does so already. */
static enum status become_guest(const struct opts *o, const char *gpu, struct err *e)
{
    char buf[160];
    struct vgpu_under u;
    enum status st = vgpu_under_parse(gpu, buf, sizeof buf, &u, e);
    if (st != ST_OK || vgpu_under_is(&u))
        return st;
    return vgpu_under_exec(&u, "/proc/self/exe", o->argv - 1, e);
}

enum status cmd_ready_dut(const struct opts *o, const char *dut, struct err *e)
{
    static const char mutant[] = "mutant:", vgpu[] = "vgpu:";
    if (o->unsafe && setenv("GCNCHECK_DRM_UNSAFE", "1", 1) != 0)
        return err_memory(e);
    if (strncmp(dut, mutant, sizeof mutant - 1) == 0)
        return mutant_become(o->argv - 1, e);
    if (strncmp(dut, vgpu, sizeof vgpu - 1) == 0)
        return become_guest(o, dut + sizeof vgpu - 1, e);
    return ST_OK;
}

enum status cmd_ready_finding(const struct opts *o, const char *dut, struct err *e)
{
    if (!o->dut_is_given && !o->trust && dut_is_program(dut)) {
        char name[160];
        dut_clean_text(name, sizeof name, dut, strlen(dut));
        return err_set(e, ST_INPUT,
                       "its DUT is a program, %s%s: --trust starts it, --dut names another", name,
                       strlen(dut) < sizeof name ? "" : "...");
    }
    return cmd_ready_dut(o, o->dut_is_given ? o->dut : dut, e);
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
        if (mu->op && !isa_has(isa, mu->op))
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
