#include "harness/probe/probe.h"

#include "harness/dut/dut.h"
#include "harness/dut/job.h"
#include "harness/io/clock.h"
#include "oracle/doubt/doubt.h"
#include "oracle/insn/insn.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    POINT_JOBS = 4,  /* of a probe: 256 points */
    SWEEP_JOBS = 64, /* of a sweep: 65,536 */
    SWEEP_REGS = 16, /* operands of a lane in one job */
    SWEEP_TO = 16,
    SWEEP_FROM = 32, /* their registers */
    JOBS_MAX = SWEEP_JOBS,
    EDGES = 16,
    INPUTS = 6,    /* v1 to v6 */
    SHOWN = 8,     /* points in which an answer is otherwise */
    HWREG_TO = 40, /* the scalar register that shows where a wave has run */
    MEM_BYTES = 4096,
    LDS_BYTES = 256,
    DUTS_MAX = 32,
    READINGS_MAX = 64,
    CODE_DW = 256
};

#define MEM_AT 0x2000000000ull
#define FAR    0x80000000ull

enum values { VALUES_F32, VALUES_F16, VALUES_F64, VALUES_U32, VALUES_LANES };

struct probe {
    const char *ids, *text;
    u32 question, mode;
    u8 values, results;
    bool is_sweep;
};

static const char *const titles[PROBE_QUESTIONS + 1] = {
#define QUESTION(n, title) [n] = title,
#define PROBE(...)
#define SWEEP(...)
#include "harness/probe/question.def"
#undef QUESTION
#undef PROBE
#undef SWEEP
};

static const struct probe probes[] = {
#define QUESTION(n, title)
#define PROBE(n, ids, values, mode, results, text) \
    { ids, text, n, mode, VALUES_##values, results, false },
#define SWEEP(n, ids, values, text) { ids, text, n, 0x3f0, VALUES_##values, 1, true },
#include "harness/probe/question.def"
#undef QUESTION
#undef PROBE
#undef SWEEP
};

/* What is asked of every DUT: jobs, and room for the answers of one. */
struct asked {
    const struct probe *p;
    u32 count; /* jobs */
    struct jobbuf *jb[JOBS_MAX];
    struct gcncheck_job job[JOBS_MAX];
    u32 code[CODE_DW];
    u32 dw;
};

struct prober {
    const struct probe_cfg *cfg;
    struct isa isa;
    struct dut *dut, *model;
    struct {
        const struct erratum *entry;
        struct dut *dut;
    } reading[READINGS_MAX]; /* models that read an entry otherwise; opened when needed */
    u32 readings;
    struct doubt_table table;
    struct asked ask;
    u32 cus_seen[32]; /* a bit for each compute unit of 1024 */
};

/* ---- questions to jobs ---- */

static const u32 edge_f32[EDGES] = { 0x00000000, 0x80000000, 0x3f800000, 0xbf800000,
                                     0x00000001, 0x80000001, 0x007fffff, 0x00800000,
                                     0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00001,
                                     0xffc00002, 0x7f800003, 0xff800004, 0x3effffff };
static const u32 edge_f16[EDGES] = {
    0x0000, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x8001, 0x03ff, 0x0400,
    0x7bff, 0x7c00, 0xfc00, 0x7e01, 0xfe02, 0x7c03, 0x1401, 0x3bff
};
static const u32 edge_u32[EDGES] = { 0x00000000, 0x00000001, 0x000000ff, 0x00000100,
                                     0x7fffffff, 0x80000000, 0xffffffff, 0x7f7f7f7f,
                                     0x80808080, 0xff00ff00, 0x00ff00ff, 0x01020304,
                                     0xfffe0001, 0x12345678, 0xdeadbeef, 0x3f800000 };
static const u64 edge_f64[EDGES] = { 0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000,
                                     0xbff0000000000000, 0x0000000000000001, 0x8000000000000001,
                                     0x000fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
                                     0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001,
                                     0xfff8000000000002, 0x7ff0000000000003, 0x3c90000000000001,
                                     0x0170000000000000 };

/* Which edge the `input`-th operand of a point is: two in all combinations, the others drawn. */
static u32 edge_of(u32 point, u32 input)
{
    if (input < 2)
        return input ? point / EDGES % EDGES : point % EDGES;
    return (u32)(hash_mix(point, input) % EDGES);
}

static u32 value_of(enum values v, u32 point, u32 input)
{
    u32 at = edge_of(point, input);
    switch (v) {
    case VALUES_F16: return edge_f16[at] | edge_f16[(at * 7 + point / EDGES + 3) % EDGES] << 16;
    case VALUES_U32: return edge_u32[at];
    case VALUES_F64:
        at = edge_of(point, (input - 1) / 2); /* v2 on, in pairs */
        return (u32)(edge_f64[at] >> (input % 2 ? 0 : 32));
    case VALUES_LANES: return input ? edge_f32[at] : point % LANES * 4;
    default: return edge_f32[at];
    }
}

/* The operand of a sweep: of F16 each is there, of F32 the upper half is, with a lower one that is
 * drawn. */
static u32 operand_of(const struct probe *p, u32 index)
{
    return p->values == VALUES_F16 ? index
                                   : index << 16 | (u32)(hash_mix(index, p->question) & 0xffff);
}

static void fill_memory(struct jobbuf *jb)
{
    static const u64 at[] = { MEM_AT, MEM_AT - FAR, MEM_AT + FAR };
    for (u32 i = 0; i < COUNT_OF(at); i++) {
        u8 *bytes = job_window(jb, at[i], MEM_BYTES, NULL);
        for (u32 dw = 0; bytes && dw < MEM_BYTES / 4; dw++) {
            u32 v = dw + (i == 0 ? 0x1000000 : i == 1 ? 0 : 0x2000000);
            memcpy(bytes + dw * 4, &v, sizeof v);
        }
    }
}

static void fill_scalars(struct jobbuf *jb, u32 mode)
{
    const u32 s[][2] = { { 4, (u32)MEM_AT }, { 5, (u32)(MEM_AT >> 32) },
                         { 8, (u32)MEM_AT }, { 9, (u32)(MEM_AT >> 32) },
                         { 10, 64 },         { 11, 0x00027fac } };
    for (u32 i = 0; i < COUNT_OF(s); i++)
        *job_set(jb, 0, s[i][0]) = s[i][1];
    *job_set(jb, 0, GCNCHECK_MODE) = mode;
    job_set_defaults(jb, 0);
}

static void fill_points(struct jobbuf *jb, const struct probe *p, u32 job)
{
    u32 regs = p->question == 14 ? 11 : INPUTS + 1;
    for (u32 v = 0; v <= regs; v++) {
        u32 *to = job_set(jb, 0, GCNCHECK_V0 + v);
        for (u32 lane = 0; lane < LANES; lane++)
            to[lane] =
                v ? value_of((enum values)p->values, job * LANES + lane, v - 1) : 0xd0d0d000 + lane;
    }
    u32 lds[LDS_BYTES / 4];
    for (u32 i = 0; i < COUNT_OF(lds); i++)
        lds[i] = value_of(VALUES_F32, job * LANES + i, 0);
    job_lds(jb, LDS_BYTES, (const u8 *)lds);
    for (u32 v = 0; v < p->results; v++)
        job_get(jb, 0, GCNCHECK_V0 + v);
    job_get(jb, 0, GCNCHECK_VCC_LO);
    job_get(jb, 0, GCNCHECK_VCC_HI);
}

static void fill_sweep(struct jobbuf *jb, const struct probe *p, u32 job)
{
    for (u32 i = 0; i < SWEEP_REGS; i++) {
        u32 *to = job_set(jb, 0, GCNCHECK_V0 + SWEEP_FROM + i);
        for (u32 lane = 0; lane < LANES; lane++)
            to[lane] = operand_of(p, (job * SWEEP_REGS + i) * LANES + lane);
        job_get(jb, 0, GCNCHECK_V0 + SWEEP_TO + i);
    }
}

/* The program; ST_INPUT if the processor lacks an instruction of it, or what the entries are about. */
static enum status assemble(struct prober *pr, const struct probe *p, struct err *e)
{
    char text[4096];
    struct text t;
    if (!errata_are_about(p->ids, (enum gen)pr->isa.target->gen))
        return err_set(e, ST_INPUT, "%s: about other processors", p->ids);
    text_init(&t, text, sizeof text);
    text_add(&t, "s_getreg_b32 s%d, hwreg(HW_REG_HW_ID)\n", HWREG_TO);
    for (u32 i = 0; p->is_sweep && i < SWEEP_REGS; i++)
        text_add(&t, "%s v%u, v%u\n", p->text, SWEEP_TO + i, SWEEP_FROM + i);
    if (!p->is_sweep)
        text_add(&t, "%s\n", p->text);
    text_add(&t, "s_endpgm\n");
    return insn_parse_program(&pr->isa, text, pr->ask.code, CODE_DW, &pr->ask.dw, e);
}

static enum status prepare(struct prober *pr, const struct probe *p, struct err *e)
{
    struct asked *a = &pr->ask;
    a->p = p;
    a->count = p->is_sweep ? SWEEP_JOBS : POINT_JOBS;
    for (u32 i = 0; i < a->count; i++) {
        struct jobbuf *jb = a->jb[i] ? a->jb[i] : (a->jb[i] = jobbuf_new());
        if (!jb)
            return err_memory(e);
        jobbuf_reset(jb, pr->isa.target->mcpu);
        job_code(jb, a->code, a->dw, PC_DEFAULT);
        fill_scalars(jb, p->mode);
        if (p->is_sweep) {
            fill_sweep(jb, p, i);
        } else {
            fill_points(jb, p, i);
            fill_memory(jb);
        }
        job_get(jb, 0, HWREG_TO); /* last, so that it is no part of the answer */
    }
    return ST_OK;
}

/* ---- answers ---- */

/* Dwords of one job's answer, that of HW_ID not among them. */
static u32 answer_dw(const struct asked *a)
{
    return a->p->is_sweep ? SWEEP_REGS * LANES : (u32)a->p->results * LANES + 2;
}

/* Runs the jobs anew and copies the answers; *refused: why the DUT does not take them. */
static enum status answer(struct prober *pr, struct dut *d, u32 *to, char refused[64],
                          struct err *e)
{
    struct asked *a = &pr->ask;
    u32 dw = answer_dw(a);
    refused[0] = '\0';
    for (u32 i = 0; i < a->count; i++) {
        struct gcncheck_job *job = job_ready(a->jb[i]);
        if (!job)
            return err_memory(e);
        /* The windows are the device's to write: each repetition starts from the same. */
        for (u32 w = 0; w < job->window_count; w++)
            for (u32 k = 0; k < MEM_BYTES / 4; k++) {
                u32 v = k + (w == 0 ? 0x1000000 : w == 1 ? 0 : 0x2000000);
                memcpy(job->windows[w].bytes + k * 4, &v, sizeof v);
            }
        for (u32 k = 0; k < job->lds_size / 4; k++) {
            u32 v = value_of(VALUES_F32, i * LANES + k, 0);
            memcpy(job->lds + k * 4, &v, sizeof v);
        }
        a->job[i] = *job;
    }
    enum status st = dut_run(d, a->job, a->count, e);
    for (u32 i = 0; i < a->count && st == ST_OK; i++) {
        if (a->job[i].outcome != OUT_DONE) {
            snprintf(refused, 64, "%s", a->job[i].reason);
            break;
        }
        memcpy(to + (size_t)i * dw, a->job[i].out, dw * sizeof *to);
        u32 cu = bits32(a->job[i].out[dw], 8, 10);
        if (d == pr->dut)
            pr->cus_seen[cu / 32] |= 1u << cu % 32;
    }
    return st;
}

static u64 digest(const u32 *at, size_t dw)
{
    u64 h = 1;
    for (size_t i = 0; i < dw; i++)
        h = hash_mix(h, at[i]);
    return h;
}

/* The model that reads an entry otherwise; NULL if it cannot be had. */
static struct dut *reading_of(struct prober *pr, const struct erratum *entry)
{
    char spec[64];
    struct err e;
    struct dut_cfg cfg = { .mcpu = pr->cfg->mcpu };
    for (u32 i = 0; i < pr->readings; i++)
        if (pr->reading[i].entry == entry)
            return pr->reading[i].dut;
    if (pr->readings == READINGS_MAX)
        return NULL;
    struct text t;
    text_init(&t, spec, sizeof spec);
    text_add(&t, "doubt:%s", entry->id);
    pr->reading[pr->readings].entry = entry;
    if (dut_open(spec, &cfg, &pr->reading[pr->readings].dut, &e) != ST_OK)
        pr->reading[pr->readings].dut = NULL;
    return pr->reading[pr->readings++].dut;
}

/* Readings that may change what an instruction of the program does. */
static u64 readings_here(struct prober *pr)
{
    const struct asked *a = &pr->ask;
    struct insn in;
    u64 bits = 0;
    for (u32 at = 0; at < a->dw; at += in.dw) {
        insn_decode(&pr->isa, &a->code[at], a->dw - at, &in, NULL);
        bits |= pr->table.of_op[in.op];
    }
    return bits;
}

/* The entry whose other reading gives this answer, or NULL. */
static enum status find_reading(struct prober *pr, const u32 *got, u32 *room, size_t dw,
                                const struct erratum **found, struct err *e)
{
    char refused[64];
    *found = NULL;
    for (u64 bits = readings_here(pr); bits && !*found; bits &= bits - 1) {
        const struct erratum *entry = doubt_entry(ctz64(bits));
        struct dut *d = reading_of(pr, entry);
        enum status st = d ? answer(pr, d, room, refused, e) : ST_OK;
        if (st != ST_OK)
            return st;
        if (d && !refused[0] && memcmp(got, room, dw * sizeof *got) == 0)
            *found = entry;
    }
    return ST_OK;
}

/* ---- the file ---- */

/* The program on one line, with what stands around the question left out. */
static void put_text(FILE *to, const struct probe *p)
{
    for (const char *c = p->text; *c; c++)
        fputs(*c == '\n' ? "; " : (char[]){ *c, '\0' }, to);
    if (p->is_sweep)
        fprintf(to, " (%s operands)", p->values == VALUES_F16 ? "all" : "65536 of 2^32");
    if (p->mode != 0x3f0)
        fprintf(to, " MODE 0x%x", p->mode);
}

static void put_point(FILE *to, const struct asked *a, size_t at, u32 got, u32 want)
{
    u32 dw = answer_dw(a), job = (u32)(at / dw), in = (u32)(at % dw), lane = in % LANES;
    fprintf(to, "  ");
    if (a->p->is_sweep)
        fprintf(to, "%08x", operand_of(a->p, job * dw + in));
    else if (in < a->p->results * LANES)
        for (u32 i = 0; i < INPUTS; i++)
            fprintf(to, "v%u=%08x ", i + 1,
                    value_of((enum values)a->p->values, job * LANES + lane, i));
    if (a->p->is_sweep)
        fprintf(to, " gives %08x, on the model %08x\n", got, want);
    else if (in < a->p->results * LANES)
        fprintf(to, "v%u gets %08x, on the model %08x\n", in / LANES, got, want);
    else
        fprintf(to, "points %u on: vcc_%s gets %08x, on the model %08x\n", job * LANES,
                in % LANES ? "hi" : "lo", got, want);
}

/* The points that are otherwise, the first few of them. */
static void put_points(FILE *to, const struct asked *a, const u32 *got, const u32 *want, size_t dw)
{
    u32 shown = 0;
    for (size_t i = 0; i < dw && shown < SHOWN; i++)
        if (got[i] != want[i]) {
            put_point(to, a, i, got[i], want[i]);
            shown++;
        }
}

/* How far results are apart at most, as numbers of their format. */
static u32 furthest(const u32 *got, const u32 *want, size_t dw)
{
    u32 most = 0;
    for (size_t i = 0; i < dw; i++) {
        u32 d = got[i] > want[i] ? got[i] - want[i] : want[i] - got[i];
        most = d > most ? d : most;
    }
    return most;
}

static enum status report(struct prober *pr, u32 *got, u32 *want, u32 *room, size_t dw,
                          u32 repetitions, struct probe_tally *tally, struct err *e)
{
    FILE *to = pr->cfg->out;
    const struct probe *p = pr->ask.p;
    const struct erratum *entry = NULL;
    size_t differ = 0;
    for (size_t i = 0; i < dw; i++)
        differ += got[i] != want[i];
    enum status st = differ ? find_reading(pr, got, room, dw, &entry, e) : ST_OK;
    if (st != ST_OK)
        return st;
    tally->as_model += differ == 0;
    tally->other += entry != NULL;
    tally->neither += differ && !entry;
    tally->unsteady += repetitions < PROBE_REPETITIONS;
    fprintf(to, "answer %u | %s | ", p->question, p->ids);
    put_text(to, p);
    if (!differ)
        fprintf(to, " | as the model");
    else if (entry)
        fprintf(to, " | other reading of %s", entry->id);
    else
        fprintf(to, " | neither: %zu of %zu results", differ, dw);
    if (differ && p->is_sweep)
        fprintf(to, ", %u apart at most", furthest(got, want, dw));
    fprintf(to, " | %016" PRIx64, digest(got, dw));
    if (repetitions < PROBE_REPETITIONS)
        fprintf(to, " | UNSTEADY: repetition %u is otherwise", repetitions + 1);
    fprintf(to, "\n");
    put_points(to, &pr->ask, got, want, dw);
    return ST_OK;
}

/* One entry of the table, all repetitions. */
static enum status ask(struct prober *pr, const struct probe *p, struct probe_tally *tally,
                       struct err *e)
{
    struct err why = { .text = "" };
    char refused[64] = "";
    tally->asked++;
    if (assemble(pr, p, &why) != ST_OK) {
        tally->refused++;
        return ST_OK; /* not on this processor */
    }
    enum status st = prepare(pr, p, e);
    size_t dw = (size_t)answer_dw(&pr->ask) * pr->ask.count;
    u32 *all = st == ST_OK ? calloc(3 * dw, sizeof *all) : NULL, repetitions = 0;
    if (st == ST_OK && !all)
        st = err_memory(e);
    if (st == ST_OK)
        st = answer(pr, pr->model, all + dw, refused, e);
    if (st == ST_OK && !refused[0])
        st = answer(pr, pr->dut, all, refused, e);
    for (bool same = true;
         st == ST_OK && !refused[0] && same && ++repetitions < PROBE_REPETITIONS;) {
        st = answer(pr, pr->dut, all + 2 * dw, refused, e);
        same = memcmp(all, all + 2 * dw, dw * sizeof *all) == 0;
        if (!same)
            break;
    }
    if (st == ST_OK && refused[0]) {
        tally->refused++;
        fprintf(pr->cfg->out, "answer %u | %s | ", p->question, p->ids);
        put_text(pr->cfg->out, p);
        fprintf(pr->cfg->out, " | refused: %s\n", refused);
    } else if (st == ST_OK) {
        st = report(pr, all, all + dw, all + 2 * dw, dw, repetitions, tally, e);
    }
    free(all);
    return st;
}

static enum status open_all(struct prober *pr, struct err *e)
{
    struct dut_cfg cfg = { .mcpu = pr->cfg->mcpu };
    enum status st = isa_open_modelled(&pr->isa, pr->cfg->mcpu, e);
    if (st == ST_OK)
        st = dut_open(pr->cfg->dut, &cfg, &pr->dut, e);
    if (st == ST_OK)
        st = dut_open("model", &cfg, &pr->model, e);
    doubt_table_fill(&pr->table);
    return st;
}

static void close_all(struct prober *pr)
{
    dut_close(pr->dut);
    dut_close(pr->model);
    for (u32 i = 0; i < pr->readings; i++)
        dut_close(pr->reading[i].dut);
    for (u32 i = 0; i < JOBS_MAX; i++)
        jobbuf_free(pr->ask.jb[i]);
    free(pr);
}

enum status probe_run(const struct probe_cfg *cfg, struct probe_tally *tally, struct err *e)
{
    struct prober *pr = calloc(1, sizeof *pr);
    if (!pr)
        return err_memory(e);
    pr->cfg = cfg;
    u64 end = clock_ms() + (cfg->time_limit_ms ? cfg->time_limit_ms : ~0ull >> 1);
    enum status st = open_all(pr, e);
    if (st == ST_OK)
        fprintf(cfg->out,
                "gcncheck probe 1\ngcncheck %s\nprocessor %s\ndevice %s\nrepetitions %d\n",
                cfg->version, cfg->mcpu, pr->dut->name, PROBE_REPETITIONS);
    for (u32 i = 0; i < PROBE_QUESTIONS; i++)
        tally[i] = (struct probe_tally){ .title = titles[i + 1] };
    for (u32 i = 0; i < COUNT_OF(probes) && st == ST_OK; i++) {
        u32 n = probes[i].question;
        if (i == 0 || probes[i - 1].question != n)
            fprintf(cfg->out, "question %u: %s%s\n", n, titles[n],
                    clock_ms() >= end ? ": not asked, the time is up" : "");
        if (clock_ms() < end)
            st = ask(pr, &probes[i], &tally[n - 1], e);
    }
    u32 cus = 0;
    for (u32 i = 0; i < COUNT_OF(pr->cus_seen); i++)
        cus += popcount32(pr->cus_seen[i]);
    if (st == ST_OK)
        fprintf(cfg->out, "compute units %u\nend\n", cus);
    close_all(pr);
    return st;
}
