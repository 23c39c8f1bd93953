/* What programs for a DUT may be made of: a file whose first line has the processor and the features, and then
 * a line for each opcode. */
#include "harness/afl/afl.h"
#include "reports/file/output.h"

#include <stdio.h>
#include <stdlib.h>

const char *afl_env(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

enum status afl_open_generator(const char *mcpu, const struct afl_forms *f, struct isa *isa,
                               struct generator *g, struct err *e)
{
    struct gen_cfg gc = gen_cfg_default;
    gc.features = f->features;
    gc.forms = f->forms;
    enum status st = isa_open_modelled(isa, mcpu, e);
    return st == ST_OK ? gen_open(g, isa, &gc, e) : st;
}

static const char *judge_forms(const void *ctx, const u8 *head, size_t size)
{
    static const char magic[] = "gcncheck-afl-forms ";
    size_t n = sizeof magic - 1;
    (void)ctx;
    return size >= n && memcmp(head, magic, n) == 0 ? NULL : "was not written by gcncheck-afl";
}

enum status afl_write_forms(const char *path, const char *mcpu, const struct afl_forms *f,
                            struct err *e)
{
    const struct output_rule rule = { .judge = judge_forms };
    struct output *out;
    enum status st = output_open(&out, path, &rule, e);
    if (st != ST_OK)
        return st;
    fprintf(output_stream(out), "gcncheck-afl-forms 2 %s %u\n", mcpu, f->features);
    for (u32 op = 0; op < isa_op_count; op++)
        if (f->forms[op])
            fprintf(output_stream(out), "%s %u\n", isa_rows[op].name, f->forms[op]);
    return output_commit(out, e);
}

static void set_forms(struct afl_forms *f, const char *name, u32 forms)
{
    for (u32 op = 0; op < isa_op_count; op++)
        if (strcmp(isa_rows[op].name, name) == 0)
            f->forms[op] = (u8)forms;
}

enum status afl_read_forms(const char *path, const char *mcpu, struct afl_forms *f, struct err *e)
{
    char name[64] = "";
    u32 forms;
    FILE *in = fopen(path, "r");
    memset(f, 0, sizeof *f);
    if (!in)
        return err_set(e, ST_INPUT, "%.200s: cannot be read", path);
    bool ok = fscanf(in, "gcncheck-afl-forms 2 %63s %u", name, &f->features) == 2;
    bool is_other = ok && strcmp(name, mcpu) != 0;
    if (is_other)
        err_set(e, ST_INPUT, "%.120s: is about %s, not %.40s (GCNCHECK_AFL_MCPU)", path, name,
                mcpu);
    while (ok && fscanf(in, "%63s %u", name, &forms) == 2)
        set_forms(f, name, forms);
    ok = ok && feof(in);
    fclose(in);
    return is_other ? ST_INPUT
           : ok     ? ST_OK
                    : err_set(e, ST_INPUT, "%.200s: not written by gcncheck-afl", path);
}
