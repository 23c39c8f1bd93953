/* gcncheck record: what a DUT answers to vectors, kept beside them; and its judging elsewhere. */
#include "harness/vector/record.h"
#include "harness/cmd/run/vectors.h"
#include "harness/vector/result.h"
#include "reports/format.h"
#include "reports/summary.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct counts {
    struct vector_writer *w;
    u64 vectors, done, refused;
};

static enum status keep(void *ctx, const struct vector_record *r, const struct gcncheck_vector *v,
                        struct err *e)
{
    struct counts *n = ctx;
    struct gcncheck_answer a;
    if (!gcncheck_answer_parse(&a, v, r->answer, r->answer_size)) {
        if (!a.is_short)
            BUG("an answer that cannot be read back");
        gcncheck_answer_free(&a);
        return err_memory(e);
    }
    n->vectors++;
    n->done += gcncheck_text_is(a.outcome, "done") ? 1 : 0;
    n->refused += gcncheck_text_is(a.outcome, "unsupported") ? 1 : 0;
    gcncheck_answer_free(&a);
    return vector_writer_add(n->w, r, v, e);
}

static enum status record_all(struct vector_reader *rd, struct recorder *rec, struct counts *n,
                              struct err *e)
{
    struct vector_record r;
    const struct gcncheck_vector *v;
    const struct gcncheck_answer *a;
    enum status st;
    while ((st = vector_reader_next(rd, &r, &v, &a, e)) == ST_OK && v)
        if ((st = record_add(rec, &r, keep, n, e)) != ST_OK)
            return st;
    return st == ST_OK ? record_flush(rec, keep, n, e) : st;
}

static enum status record_to(struct opts *o, struct vector_reader *rd, bool is_json,
                             struct counts *n, struct err *e)
{
    const char *mcpu = vector_reader_head(rd)->mcpu;
    struct dut_cfg cfg = { .mcpu = mcpu,
                           .time_limit_ms = opts_dut_time_ms(o),
                           .in_process = o->in_process };
    struct dut *d = NULL;
    struct recorder *rec = NULL;
    char name[128];
    enum status st = dut_open(o->dut, &cfg, &d, e);
    if (st != ST_OK)
        return st;
    snprintf(name, sizeof name, "%s%s%s", o->dut, d->version[0] ? " " : "", d->version);
    struct vector_head head = vectors_head(mcpu, name);
    st = vector_writer_open(&n->w, is_json, o->out, o->force, &head, e);
    if (st == ST_OK)
        st = record_open(&rec, mcpu, d, e);
    if (st == ST_OK)
        st = record_all(rd, rec, n, e);
    enum status closed = vector_writer_close(n->w, st != ST_OK, st == ST_OK ? e : NULL);
    record_close(rec);
    dut_close(d);
    return st == ST_OK ? closed : st;
}

int cmd_record(struct opts *o)
{
    struct vector_reader *rd = NULL;
    struct counts n = { 0 };
    struct err e = { .text = "" };
    bool is_json;
    enum status st = vectors_format(o, &is_json, &e);
    if (st == ST_OK && !o->out)
        st = err_set(&e, ST_INPUT, "--out is missing: where the recording goes");
    if (st == ST_OK)
        st = cmd_ready_dut(o, o->dut, &e);
    if (st == ST_OK)
        st = vector_reader_open(&rd, o->arg[0], &e);
    if (st == ST_OK)
        st = record_to(o, rd, is_json, &n, &e);
    vector_reader_close(rd);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (!o->quiet)
        printf("%s: %llu vectors, %llu run to their end, %llu not supported\n", o->out,
               (unsigned long long)n.vectors, (unsigned long long)n.done,
               (unsigned long long)n.refused);
    return EXIT_CLEAN;
}

/* ---- replay ---- */

bool vectors_is(const char *path)
{
    char finding[1024];
    struct stat about;
    snprintf(finding, sizeof finding, "%s/finding.json", path);
    return stat(path, &about) == 0 && access(finding, F_OK) != 0 &&
           (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode));
}

struct judging {
    struct report report;
    struct summary *summary;
    struct result *result;
    enum evidence gate;
    bool is_short;
};

static void take(struct judging *j, const char *dut, const struct gcncheck_vector *v,
                 const struct gcncheck_answer *a)
{
    if (v->row_count > LANES)
        BUG("a vector of more rows than lanes");
    vector_results(v, a, dut, j->gate, j->result);
    for (u32 i = 0; i < v->row_count; i++)
        j->is_short |=
            !summary_add(j->summary, &j->result[i]) || !report_result(&j->report, &j->result[i]);
}

static enum status judge_all(struct judging *j, struct vector_reader *rd, struct err *e)
{
    struct vector_record r;
    const struct gcncheck_vector *v;
    const struct gcncheck_answer *a;
    enum status st;
    while ((st = vector_reader_next(rd, &r, &v, &a, e)) == ST_OK && v) {
        if (!a)
            return err_set(e, ST_INPUT, "%.*s has no answer: gcncheck record makes a recording",
                           v->id.len, v->id.at);
        take(j, vector_reader_head(rd)->dut, v, a);
    }
    return st;
}

static int judge(struct opts *o, struct judging *j, struct vector_reader *rd)
{
    struct err e = { .text = "" };
    char line[1024];
    enum status st = judge_all(j, rd, &e);
    struct report_end end = { .broken = st == ST_OK ? NULL : e.text };
    bool is_written = report_close(&j->report, &end);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    if (j->is_short || !is_written)
        return cmd_error(o, EXIT_STOPPED, "out of memory, or the output cannot be written");
    summary_sort(j->summary);
    if (!o->quiet)
        fprintf(stderr, "%s\n", summary_line(j->summary, line, sizeof line));
    return j->summary->count[TALLY_WRONG] ? EXIT_DIFFERENCES : EXIT_CLEAN;
}

int vectors_replay(struct opts *o)
{
    struct judging j = { .gate = evidence_named(o->gate),
                         .summary = summary_new(),
                         .result = calloc(LANES, sizeof *j.result) };
    struct vector_reader *rd = NULL;
    struct err e = { .text = "" };
    const struct report_format *format = report_format_find(o->format, true);
    enum status st = j.summary && j.result ? ST_OK : err_memory(&e);
    if (st == ST_OK && !format)
        st = err_set(&e, ST_INPUT, "--format %.40s: not one that results are streamed in",
                     o->format);
    if (st == ST_OK && o->dut_is_given)
        st = err_set(&e, ST_INPUT, "--dut: a recording says what its DUT answered");
    if (st == ST_OK)
        st = vector_reader_open(&rd, o->arg[0], &e);
    if (st == ST_OK && !report_open(&j.report, format, stdout))
        st = err_memory(&e);
    int code = st == ST_OK ? judge(o, &j, rd) : cmd_fail(o, st, &e);
    vector_reader_close(rd);
    summary_free(j.summary);
    free(j.result);
    return code;
}
