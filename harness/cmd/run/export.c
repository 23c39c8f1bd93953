/* gcncheck export: directed cases as vectors, and as code objects that check themselves. */
#include "harness/campaign/vector.h"
#include "harness/cmd/run/vectors.h"
#include "harness/io/file.h"
#include "harness/run/vector.h"
#include "harness/selfcheck/selfcheck.h"
#include "reports/file/output.h"

#include <stdlib.h>

enum { OBJECT_VECTORS = 4096, REASONS_MAX = 24 };

struct exported {
    const struct opts *o;
    enum { TO_JSON, TO_BIN, TO_ELF } form;
    struct vector_writer *w;
    u64 vectors, rows;
    /* Code objects: the one being filled, of an encoding. */
    struct selfcheck *s;
    struct output *list; /* of its vectors */
    char encoding[64];
    u32 part, objects;
    u64 carried;
    struct refused {
        char why[256];
        u64 count;
    } refused[REASONS_MAX];
    u32 reasons;
};

/* ---- code objects ---- */

static void count_refused(struct exported *x, const char *why)
{
    u32 i = 0;
    /* What a mnemonic has in front says what the reason is of. */
    const char *colon = strstr(why, ": ");
    const char *reason = colon ? colon + 2 : why;
    while (i < x->reasons && strcmp(x->refused[i].why, reason) != 0)
        i++;
    if (i == REASONS_MAX)
        return;
    if (i == x->reasons)
        snprintf(x->refused[x->reasons++].why, sizeof x->refused[i].why, "%s", reason);
    x->refused[i].count++;
}

/* DIR/CPU-NAME and an ending. */
static void object_path(const struct exported *x, const char *ending, char *path, size_t size)
{
    snprintf(path, size, "%s/%s-%s%s%.0u%s", x->o->out, x->o->mcpu, x->encoding,
             x->part > 1 ? "-" : "", x->part > 1 ? x->part : 0, ending);
}

/* Writes the code object, the file to launch it by, and the list of its vectors. */
static enum status finish_object(struct exported *x, struct err *e)
{
    struct output_rule rule = { .force = x->o->force };
    char path[1024], text[200];
    enum status st = ST_OK;
    if (!x->s)
        return ST_OK;
    if (selfcheck_count(x->s))
        st = output_commit(x->list, e);
    else
        output_drop(x->list);
    x->list = NULL;
    if (st == ST_OK && selfcheck_count(x->s)) {
        object_path(x, ".co", path, sizeof path);
        st = selfcheck_write(x->s, path, x->o->force, e);
        int len = snprintf(text, sizeof text,
                           "kernel gcncheck\ngrid 64 1 1\nworkgroup 64 1 1\nany-index\ntext %u\n",
                           SELFCHECK_BUFFER_BYTES);
        object_path(x, ".txt", path, sizeof path);
        if (st == ST_OK)
            st = output_write(path, text, (size_t)len, &rule, e);
        x->objects++;
        x->carried += selfcheck_count(x->s);
    }
    selfcheck_close(x->s);
    x->s = NULL;
    return st;
}

/* A set has a code object of its own for each encoding and each so many vectors. */
static enum status put_object(struct exported *x, const struct gcncheck_vector *v, struct err *e)
{
    char encoding[64], name[80];
    struct err why = { .text = "" };
    enum status st = ST_OK;
    if (!vector_is_name(v->encoding))
        return err_set(e, ST_INPUT, "%.*s: the encoding is no name", v->id.len, v->id.at);
    snprintf(encoding, sizeof encoding, "%.*s", v->encoding.len, v->encoding.at);
    bool is_other = strcmp(encoding, x->encoding) != 0;
    if (x->s && (is_other || selfcheck_count(x->s) == OBJECT_VECTORS))
        st = finish_object(x, e);
    if (st == ST_OK && !x->s) {
        x->part = is_other ? 1 : x->part + 1;
        snprintf(x->encoding, sizeof x->encoding, "%s", encoding);
        snprintf(name, sizeof name, "%s%s%.0u", encoding, x->part > 1 ? "-" : "",
                 x->part > 1 ? x->part : 0);
        st = selfcheck_open(&x->s, x->o->mcpu, name, e);
        char path[1024];
        object_path(x, ".tsv", path, sizeof path);
        struct output_rule rule = { .force = x->o->force };
        if (st == ST_OK)
            st = output_open(&x->list, path, &rule, e);
    }
    if (st != ST_OK)
        return st;
    st = selfcheck_add(x->s, v, &why);
    if (st == ST_OK)
        fprintf(output_stream(x->list), "%.*s/%.*s#%u\t%.*s\n", v->mnemonic.len, v->mnemonic.at,
                v->form.len, v->form.at, v->number, v->id.len, v->id.at);
    if (st == ST_WORLD)
        *e = why;
    else if (st == ST_INPUT)
        count_refused(x, why.text);
    return st == ST_WORLD ? st : ST_OK;
}

/* ---- vectors ---- */

static enum status put(void *ctx, const struct vector_record *r, struct err *e)
{
    struct exported *x = ctx;
    struct gcncheck_vector v;
    enum status st = ST_OK;
    if (!gcncheck_vector_parse(&v, r->bytes, r->size)) {
        if (!v.is_short)
            BUG("a vector that cannot be read back");
        st = err_memory(e);
    }
    x->vectors++;
    x->rows += v.row_count;
    if (st == ST_OK)
        st = x->form == TO_ELF ? put_object(x, &v, e) : vector_writer_add(x->w, r, &v, e);
    gcncheck_vector_free(&v);
    return st;
}

static enum status open_out(struct exported *x, struct err *e)
{
    struct vector_head head = vectors_head(x->o->mcpu, "");
    return x->form == TO_ELF
               ? file_make_dir(x->o->out, e)
               : vector_writer_open(&x->w, x->form == TO_JSON, x->o->out, x->o->force, &head, e);
}

static enum status close_out(struct exported *x, enum status st, struct err *e)
{
    enum status closed = vector_writer_close(x->w, st != ST_OK, st == ST_OK ? e : NULL);
    if (st == ST_OK && closed == ST_OK)
        closed = finish_object(x, e);
    selfcheck_close(x->s);
    output_drop(x->list);
    return st == ST_OK ? closed : st;
}

/* Steps of random programs. */
static enum status export_streams(struct exported *x, struct err *e)
{
    const struct opts *o = x->o;
    const struct step_vectors cfg = {
        .mcpu = o->mcpu, .only = o->only, .seed = o->seed, .count = o->count
    };
    if (o->arg_count)
        return err_set(e, ST_INPUT, "--count is for random programs: there are no files of them");
    enum status st = open_out(x, e);
    if (st == ST_OK)
        st = vector_steps(&cfg, put, x, e);
    return close_out(x, st, e);
}

static enum status export_cases(struct exported *x, struct err *e)
{
    const struct opts *o = x->o;
    char own[CMD_CASES_PATH];
    struct run_cfg cfg = { .dut = "model",
                           .jobs = 1,
                           .own_cases = cmd_own_cases(own) ? own : NULL };
    struct run *r = NULL;
    cmd_choose_cases(o, &cfg);
    enum status st = run_open(&r, &cfg, e);
    if (st == ST_OK)
        st = cmd_add_cases(o, r, e);
    if (st == ST_OK && run_offered(r) == 0) {
        *e = (struct err){ .text = "" };
        st = err_set(e, ST_INPUT, "no case is selected");
    }
    if (st == ST_OK)
        st = open_out(x, e);
    if (st == ST_OK)
        st = run_vectors(r, put, x, e);
    st = close_out(x, st, e);
    run_close(r);
    return st;
}

/* Whether there are code objects that check themselves for the processor, before any case is read. */
static enum status has_selfcheck(const char *mcpu, struct err *e)
{
    struct selfcheck *s = NULL;
    enum status st = selfcheck_open(&s, mcpu, "", e);
    selfcheck_close(s);
    return st;
}

static enum status pick_format(struct exported *x, struct err *e)
{
    bool is_json = true;
    enum status st = ST_OK;
    if (x->o->format && strcmp(x->o->format, "elf") == 0) {
        x->form = TO_ELF;
    } else if (vectors_format(x->o, &is_json, e) != ST_OK) {
        st = err_set(e, ST_INPUT, "--format %.40s: must be json, bin or elf", x->o->format);
    } else {
        x->form = is_json ? TO_JSON : TO_BIN;
    }
    if (st == ST_OK && x->form == TO_ELF)
        st = has_selfcheck(x->o->mcpu, e);
    if (st == ST_OK && !x->o->out)
        st = err_set(e, ST_INPUT, "--out is missing: where the vectors go");
    struct output_rule rule = { .force = x->o->force };
    if (st == ST_OK)
        st = x->form == TO_BIN ? output_check(x->o->out, &rule, e)
                               : output_check_folder(x->o->out, e);
    return st;
}

int cmd_export(struct opts *o)
{
    struct exported x = { .o = o };
    struct err e = { .text = "" };
    enum status st = pick_format(&x, &e);
    if (st == ST_OK)
        st = o->count ? export_streams(&x, &e) : export_cases(&x, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (o->quiet)
        return EXIT_CLEAN;
    printf("%s: %llu vectors, %llu rows\n", o->out, (unsigned long long)x.vectors,
           (unsigned long long)x.rows);
    if (x.form != TO_ELF)
        return EXIT_CLEAN;
    printf("%u code object%s: %llu vectors; not carried:\n", x.objects, x.objects == 1 ? "" : "s",
           (unsigned long long)x.carried);
    for (u32 i = 0; i < x.reasons; i++)
        printf("  %6llu  %s\n", (unsigned long long)x.refused[i].count, x.refused[i].why);
    return EXIT_CLEAN;
}
