/* What programs for a DUT may be made of: a file with a line of features and a line for each opcode. */
#include "harness/afl/afl.h"

#include <stdio.h>

enum status afl_open_generator(const char *mcpu, const struct afl_forms *f, struct isa *isa,
                               struct generator *g, struct err *e)
{
    struct gen_cfg gc = gen_cfg_default;
    gc.features = f->features;
    gc.forms = f->forms;
    enum status st = isa_open_modelled(isa, mcpu, e);
    return st == ST_OK ? gen_open(g, isa, &gc, e) : st;
}

enum status afl_write_forms(const char *path, const struct afl_forms *f, struct err *e)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return err_set(e, ST_WORLD, "%.200s: cannot be written", path);
    fprintf(out, "gcncheck-afl-forms 1 %u\n", f->features);
    for (u32 op = 0; op < isa_op_count; op++)
        if (f->forms[op])
            fprintf(out, "%s %u\n", isa_rows[op].name, f->forms[op]);
    bool is_bad = ferror(out);
    return fclose(out) || is_bad ? err_set(e, ST_WORLD, "%.200s: cannot be written", path) : ST_OK;
}

static void set_forms(struct afl_forms *f, const char *name, u32 forms)
{
    for (u32 op = 0; op < isa_op_count; op++)
        if (strcmp(isa_rows[op].name, name) == 0)
            f->forms[op] = (u8)forms;
}

enum status afl_read_forms(const char *path, struct afl_forms *f, struct err *e)
{
    char name[64];
    u32 forms;
    FILE *in = fopen(path, "r");
    memset(f, 0, sizeof *f);
    if (!in)
        return err_set(e, ST_INPUT, "%.200s: cannot be read", path);
    bool ok = fscanf(in, "gcncheck-afl-forms 1 %u", &f->features) == 1;
    while (ok && fscanf(in, "%63s %u", name, &forms) == 2)
        set_forms(f, name, forms);
    ok = ok && feof(in);
    fclose(in);
    return ok ? ST_OK : err_set(e, ST_INPUT, "%.200s: not written by gcncheck-afl", path);
}
