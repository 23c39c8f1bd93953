/* gcncheck import: reads vectors, checks them and writes them in another format. */
#include "harness/cmd/run/vectors.h"

#include <stdlib.h>

enum status vectors_format(const struct opts *o, bool *is_json, struct err *e)
{
    const char *format = o->format ? o->format : "json";
    *is_json = strcmp(format, "json") == 0;
    if (!*is_json && strcmp(format, "bin") != 0)
        return err_set(e, ST_INPUT, "--format %.40s: must be json or bin", format);
    return ST_OK;
}

struct vector_head vectors_head(const char *mcpu, const char *dut)
{
    struct vector_head h = { .generator = "gcncheck " GCNCHECK_VERSION };
    snprintf(h.mcpu, sizeof h.mcpu, "%s", mcpu);
    snprintf(h.dut, sizeof h.dut, "%s", dut);
    return h;
}

struct counts {
    u64 vectors, rows, answers;
};

static enum status copy(struct vector_reader *rd, struct vector_writer *w, struct counts *n,
                        struct err *e)
{
    struct vector_record r;
    const struct gcncheck_vector *v;
    const struct gcncheck_answer *a;
    enum status st;
    while ((st = vector_reader_next(rd, &r, &v, &a, e)) == ST_OK && v) {
        n->vectors++;
        n->rows += v->row_count;
        n->answers += a != NULL;
        if (w && (st = vector_writer_add(w, &r, v, e)) != ST_OK)
            break;
    }
    return st;
}

int cmd_import(struct opts *o)
{
    struct vector_reader *rd = NULL;
    struct vector_writer *w = NULL;
    struct counts n = { 0 };
    struct err e = { .text = "" };
    bool is_json;
    enum status st = vectors_format(o, &is_json, &e);
    if (st == ST_OK && o->format && !o->out)
        st = err_set(&e, ST_INPUT, "--format without --out: nothing is written");
    if (st == ST_OK)
        st = vector_reader_open(&rd, o->arg[0], &e);
    if (st == ST_OK && o->out)
        st = vector_writer_open(&w, is_json, o->out, o->force, vector_reader_head(rd), &e);
    if (st == ST_OK)
        st = copy(rd, w, &n, &e);
    enum status closed = vector_writer_close(w, st != ST_OK, st == ST_OK ? &e : NULL);
    st = st == ST_OK ? closed : st;
    if (st == ST_OK && !o->quiet)
        printf("%s: %llu vectors, %llu rows, %llu answers, every hash right\n",
               vector_reader_head(rd)->mcpu, (unsigned long long)n.vectors,
               (unsigned long long)n.rows, (unsigned long long)n.answers);
    vector_reader_close(rd);
    return st == ST_OK ? EXIT_CLEAN : cmd_fail(o, st, &e);
}
