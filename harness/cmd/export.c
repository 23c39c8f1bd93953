/* gcncheck export: directed cases as vectors. */
#include "harness/cmd/vectors.h"
#include "harness/run/vector.h"

#include <stdlib.h>

struct exported {
    struct vector_writer *w;
    u64 vectors, rows;
};

static enum status put(void *ctx, const struct vector_record *r, struct err *e)
{
    struct exported *x = ctx;
    struct gcncheck_vector v;
    if (!gcncheck_vector_parse(&v, r->bytes, r->size))
        BUG("a vector that cannot be read back");
    x->vectors++;
    x->rows += v.row_count;
    enum status st = vector_writer_add(x->w, r, &v, e);
    gcncheck_vector_free(&v);
    return st;
}

static enum status add_cases(const struct opts *o, struct run *r, struct err *e)
{
    struct case_paths paths = { 0 };
    enum status st = o->arg_count ? ST_OK : casefile_find("cases", &paths, e);
    for (u32 i = 0; st == ST_OK && i < o->arg_count; i++)
        st = casefile_find(o->arg[i], &paths, e);
    casefile_sort(&paths);
    if (st == ST_OK)
        st = run_add_paths(r, &paths, e);
    case_paths_free(&paths);
    return st;
}

static enum status export_cases(const struct opts *o, bool is_json, struct exported *x,
                                struct err *e)
{
    struct run_cfg cfg = { .mcpu = o->mcpu,
                           .dut = "model",
                           .form = o->form,
                           .only = o->only,
                           .fraction = o->fraction,
                           .fraction_of = o->fraction_of,
                           .shard = o->shard,
                           .shards = o->shards,
                           .jobs = 1 };
    struct vector_head head = vectors_head(o->mcpu, "");
    struct run *r = NULL;
    enum status st = run_open(&r, &cfg, e);
    if (st == ST_OK)
        st = add_cases(o, r, e);
    if (st == ST_OK && run_offered(r) == 0) {
        *e = (struct err){ .text = "" };
        st = err_set(e, ST_INPUT, "no case is selected");
    }
    if (st == ST_OK)
        st = vector_writer_open(&x->w, is_json, o->out, &head, e);
    if (st == ST_OK)
        st = run_vectors(r, put, x, e);
    enum status closed = vector_writer_close(x->w, st != ST_OK, st == ST_OK ? e : NULL);
    run_close(r);
    return st == ST_OK ? closed : st;
}

int cmd_export(struct opts *o)
{
    struct exported x = { 0 };
    struct err e = { .text = "" };
    bool is_json;
    enum status st = vectors_format(o, &is_json, &e);
    if (st == ST_OK && !o->out)
        st = err_set(&e, ST_INPUT, "--out is missing: where the vectors go");
    if (st == ST_OK)
        st = export_cases(o, is_json, &x, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (!o->quiet)
        printf("%s: %llu vectors, %llu rows\n", o->out, (unsigned long long)x.vectors,
               (unsigned long long)x.rows);
    return EXIT_CLEAN;
}
