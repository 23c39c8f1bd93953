/* gcncheck list: every opcode of a processor. */
#include "harness/cmd/base/cmd.h"

#include "harness/ask/differ.h"
#include "harness/ask/samples.h"
#include "harness/case/casefile.h"
#include "oracle/isa/isa.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Rows of DIR/FILE; 0 if there is no such file or it is wrong. ST_WORLD: no memory to read it. */
static enum status count_cases(const char *dir, const char *file, u64 *rows, struct err *e)
{
    char path[4096];
    int len = snprintf(path, sizeof path, "%s/%s", dir, file);
    *rows = 0;
    if ((size_t)len >= sizeof path || access(path, R_OK) != 0)
        return ST_OK;
    enum status st = casefile_count_rows(path, rows, e);
    return st == ST_WORLD ? st : ST_OK;
}

static enum status list_row(const struct isa *isa, isa_op op, const struct opts *o, const char *dir,
                            bool first, struct err *e)
{
    const char *format = o->format ? o->format : "text";
    const struct isa_row *row = &isa_rows[op];
    enum gen gen = (enum gen)isa->target->gen;
    bool runs = isa_modelled(op) && isa_target_modelled(isa->target);
    const char *enc = isa_encs[row->enc].name, *modelled = runs ? "yes" : "no";
    const char *name = isa_name(gen, op);
    int number = row->number[gen];
    const char *format_none = strcmp(format, "json") == 0 ? "null" : "-";
    char forms[80], accept[ACCEPT_TEXT_MAX], cases[24], file[80];
    u64 rows = 0;
    casefile_of_row(row, file, sizeof file);
    enum status st = dir && runs ? count_cases(dir, file, &rows, e) : ST_OK;
    if (st != ST_OK)
        return st;
    if (dir)
        snprintf(cases, sizeof cases, "%llu", (unsigned long long)rows);
    else
        snprintf(cases, sizeof cases, "%s", format_none);
    isa_accept_text(row, accept);
    if (strcmp(format, "json") == 0)
        printf("%s\n {\"encoding\": \"%s\", \"opcode\": %d, \"mnemonic\": \"%s\", \"forms\": "
               "[\"%s\"], "
               "\"modelled\": %s, \"case_rows\": %s, \"accept\": \"%s\", \"case_file\": \"%s\"}",
               first ? "" : ",", enc, number, name,
               differ_forms(gen, row, "\", \"", forms, sizeof(forms)), runs ? "true" : "false",
               cases, accept, file);
    else
        printf(strcmp(format, "tsv") == 0 ? "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n"
                                          : "%-8s %6d  %-28s %-28s %-8s %9s  %-8s %s\n",
               enc, number, name, differ_forms(gen, row, ",", forms, sizeof(forms)), modelled,
               cases, accept, file);
    return ST_OK;
}

/* Rows in the order of encodings as the manuals list them, then by number. */
static isa_op next_row(const struct isa *isa, u32 enc, int above)
{
    isa_op best = OP_NONE;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        int number = isa_rows[op].number[isa->target->gen];
        if (isa_has(isa, op) && isa_rows[op].enc == enc && number > above &&
            (best == OP_NONE || number < isa_rows[best].number[isa->target->gen]))
            best = op;
    }
    return best;
}

/* Dwords, our answer to them, and the dwords that its text gives. */
static bool print_sample(void *ctx, const struct insn *in)
{
    const struct isa *isa = ctx;
    u32 dw[INSN_DW_MAX], count = insn_encode(in, dw);
    char text[512];
    struct err e = { .file = "" };
    struct insn back;
    for (u32 i = 0; i < count; i++)
        printf("%s%08x", i ? " " : "", dw[i]);
    bool good = insn_decode(isa, dw, count, &back, &e) && insn_printable(isa, &back, &e) == ST_OK;
    if (good && back.dw != count) {
        good = false;
        err_set(&e, ST_INPUT, "%s takes %u dwords", insn_name(&back), back.dw);
    }
    if (good)
        insn_print(isa, &back, text, sizeof(text));
    printf("\t%s%s\n", good ? "" : "invalid: ", good ? text : e.text);
    return true;
}

static void list_samples(const struct isa *isa, u64 seed, u64 random)
{
    struct rng r;
    rng_seed(&r, seed);
    struct sample_range range = { .random = (u32)random, .r = &r };
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
        for (u32 form = 0; form < FORM_COUNT && isa_has(isa, op); form++)
            if (isa_forms((enum gen)isa->target->gen, &isa_rows[op]) >> form & 1)
                samples_each(isa, op, (enum isa_form)form, &range, print_sample,
                             (void *)(uintptr_t)isa);
}

/* ---- --diff ---- */

struct diff_print {
    bool tsv;
    u32 lines; /* so far */
};

static void print_difference(void *ctx, const struct differ_line *l)
{
    struct diff_print *p = ctx;
    p->lines++;
    printf(p->tsv ? "%s\t%s\t%s\t%s\t%s\n" : "%-9s  %-28s %-44s %-30s %s\n", l->kind, l->name,
           l->what[0] ? l->what : "-", l->a, l->b);
}

static int list_diff(struct opts *o, const struct isa *isa, const char *format)
{
    struct isa other;
    struct err e = { .file = "" }, why = { .text = "" };
    struct diff_print p = { .tsv = strcmp(format, "tsv") == 0 };
    if (!p.tsv && strcmp(format, "text") != 0)
        return cmd_error(o, EXIT_USAGE, "--format %.40s: with --diff it must be text or tsv",
                         format);
    if (o->arg_count)
        return cmd_error(o, EXIT_USAGE, "--diff takes no folder of cases (%.60s)", o->arg[0]);
    enum status st = isa_open(&other, o->diff, &why);
    if (st != ST_OK)
        return cmd_fail(o, err_set(&e, st, "--diff: %.220s", why.text), &e);
    print_difference(&p, &(struct differ_line){ "kind", "name", "what", o->mcpu, o->diff });
    differ_each(isa, &other, print_difference, &p);
    if (p.lines == 1 && !p.tsv)
        printf("no difference\n");
    return EXIT_CLEAN;
}

int cmd_list(struct opts *o)
{
    struct isa isa;
    struct err e = { .file = "" };
    const char *format = o->format ? o->format : "text";
    enum status st = isa_open(&isa, o->mcpu, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (!opts_has_word("text tsv json samples", format, strlen(format)))
        return cmd_error(o, EXIT_USAGE, "--format %.40s: must be text, tsv, json or samples",
                         format);
    if (o->diff)
        return list_diff(o, &isa, format);
    if (strcmp(format, "samples") == 0) {
        list_samples(&isa, o->seed, o->count);
        return EXIT_CLEAN;
    }
    struct stat about;
    if (o->arg_count && (stat(o->arg[0], &about) != 0 || !S_ISDIR(about.st_mode)))
        return cmd_error(o, EXIT_USAGE, "%s: %s", o->arg[0],
                         access(o->arg[0], F_OK) ? strerror(errno) : strerror(ENOTDIR));
    char own[CMD_CASES_PATH];
    const char *dir = o->arg_count ? o->arg[0] : cmd_own_cases(own) ? own : NULL;
    bool first = true;
    if (strcmp(format, "json") == 0)
        printf("[");
    else
        printf(strcmp(format, "tsv") == 0 ? "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n"
                                          : "%-8s %6s  %-28s %-28s %-8s %9s  %-8s %s\n",
               "encoding", "opcode", "mnemonic", "forms", "modelled", "case rows", "accept",
               "case file");
    for (u32 enc = 0; enc < ENC_COUNT; enc++) {
        int above = -1;
        for (isa_op op; (op = next_row(&isa, enc, above)) != OP_NONE; first = false) {
            st = list_row(&isa, op, o, dir, first, &e);
            if (st != ST_OK)
                return cmd_fail(o, st, &e);
            above = isa_rows[op].number[isa.target->gen];
        }
    }
    if (strcmp(format, "json") == 0)
        printf("\n]\n");
    return EXIT_CLEAN;
}
