/* What does this DUT implement? One opcode and form at a time, as step cases out of random programs
 * whose focus it is. Whatever else stands in such a program - waits, addresses, a call's return -
 * runs on the model alone. */
#include "harness/campaign/internal.h"
#include "oracle/isa/op.h"

#include <stdlib.h>

/* Programs tried before an opcode x form counts as not implemented: some operands may be missing, and
 * a program may be without it. Asked twice in vain, a DUT does not have it. */
enum { TRIES = 40, REFUSALS = 4 };

/* Forms that may hang before the DUT is asked no further: each costs its time limit. */
enum { HANGS_MAX = 8 };

struct probe {
    struct executor *x;
    const struct isa *isa;
    struct generator *gen;
    struct stream *stream;
    struct jobbuf *job;
    cause_fn *fn;
    void *arg;
    bool is_fatal;         /* the form under test ended the DUT */
    bool is_hang;          /* by not answering */
    bool is_alive;         /* some form did not */
    u32 hangs;             /* forms that hung */
    struct judgement last; /* of the last form that ended the DUT */
};

static bool ends_the_dut(const struct judgement *j)
{
    return j->verdict == JUDGED_WRONG && j->what == DIFF_OUTCOME &&
           (j->outcome == OUT_CRASH || j->outcome == OUT_HANG || j->outcome == OUT_NONSENSE);
}

/* Hands on what ends the DUT; a wrong result is for the streams to find. */
static void on_cause(void *arg, const struct cause *cause)
{
    struct probe *p = arg;
    if (!ends_the_dut(&cause->j))
        return;
    p->is_fatal = true;
    p->is_hang |= cause->j.outcome == OUT_HANG;
    p->last = cause->j;
    p->fn(p->arg, cause);
}

/* Step cases of one opcode and form. */
static enum status ask_steps(struct probe *p, isa_op op, u32 form, u64 number, struct explained *ex,
                             struct err *e)
{
    struct explain_cfg xc = {
        .steps_only = true, .only_op = (u16)op, .only_form = (u8)form, .fn = on_cause, .arg = p
    };
    if (gen_stream_of(p->gen, op, number, p->stream) != ST_OK)
        return err_memory(e);
    p->stream->poison = 1;
    return compare_explain(p->x->compare, stream_job_build(p->stream, p->job), &xc, ex, e);
}

static enum status ask_program(struct probe *p, isa_op op, const struct gcncheck_job *start,
                               struct explained *ex, struct err *e)
{
    struct subject s = { .start = start };
    enum status st = start ? compare_run(p->x->compare, &s, 1, e) : err_memory(e);
    *ex = (struct explained){ .steps = 1,
                              .unsupported = s.j.verdict == JUDGED_UNSUPPORTED || s.j.refused };
    if (st == ST_OK && ends_the_dut(&s.j))
        on_cause(p, &(struct cause){
                        .tier = TIER_STEP, .insn = { .op = (u16)op }, .start = s.start, .j = s.j });
    return st;
}

/* Global wave sync has no step case: a program of what the opcode needs and nothing else. */
static enum status ask_sync(struct probe *p, isa_op op, u64 number, struct explained *ex,
                            struct err *e)
{
    const struct gen_cfg usual = p->gen->cfg;
    p->gen->cfg.insns_min = p->gen->cfg.insns_max = 1;
    p->gen->cfg.features &= GEN_LDS | GEN_M0 | GEN_EXEC | GEN_SYNC;
    enum status st = gen_stream_of(p->gen, op, number, p->stream);
    p->gen->cfg = usual;
    if (st != ST_OK)
        return err_memory(e);
    p->stream->poison = 1;
    return ask_program(p, op, stream_job_build(p->stream, p->job), ex, e);
}

/* A barrier has none either. */
static enum status ask_barrier(struct probe *p, const char *mcpu, isa_op op, struct explained *ex,
                               struct err *e)
{
    static const u32 code[] = { 0xbf8a0000, 0xbf810000 };
    jobbuf_reset(p->job, mcpu);
    job_code(p->job, code, COUNT_OF(code), PC_DEFAULT);
    job_set_defaults(p->job, 0);
    return ask_program(p, op, job_ready(p->job), ex, e);
}

/* Whether the DUT executes the opcode in this form, right or wrong. *asked: some program had it. */
static enum status probe_form(struct probe *p, const char *mcpu, isa_op op, u32 form, bool *has,
                              bool *asked, struct err *e)
{
    enum status st = ST_OK;
    u8 forms = p->gen->forms[op];
    *has = *asked = p->is_fatal = p->is_hang = false;
    if (isa_rows[op].flags & FLAG_END) { /* campaign_check_end has asked */
        *has = *asked = true;
        return ST_OK;
    }
    p->gen->forms[op] = (u8)(1u << form);
    for (u32 n = 0, refusals = 0;
         n < TRIES && refusals < REFUSALS && !*has && !p->is_fatal && st == ST_OK; n++) {
        struct explained ex = { 0 };
        st = isa_rows[op].flags & FLAG_BARRIER    ? ask_barrier(p, mcpu, op, &ex, e)
             : isa_rows[op].flags & FLAG_GDS_ONLY ? ask_sync(p, op, n, &ex, e)
                                                  : ask_steps(p, op, form, n, &ex, e);
        *has = ex.steps > ex.unsupported;
        *asked |= ex.steps > 0;
        refusals += ex.steps > 0;
    }
    p->gen->forms[op] = forms;
    return st;
}

/* All forms of one opcode. */
static enum status probe_op(struct probe *p, const struct campaign_cfg *cfg, isa_op op,
                            struct campaign_result *r, struct err *e)
{
    enum status st = ST_OK;
    for (u32 form = 0; form < FORM_COUNT && st == ST_OK; form++) {
        bool has, asked;
        if (!(gen_forms(p->isa, op) >> form & 1))
            continue;
        if (p->hangs == HANGS_MAX || (cfg->stop && *cfg->stop)) {
            r->forms_unasked++;
            continue;
        }
        st = probe_form(p, cfg->mcpu, op, form, &has, &asked, e);
        if (st == ST_OK && !asked && !r->forms_unmade++)
            r->unmade = (struct insn){ .op = (u16)op, .form = form & 7u };
        r->forms_fatal += p->is_fatal;
        p->hangs += p->is_hang;
        p->is_alive |= !p->is_fatal;
        if (st == ST_OK && has && !p->is_fatal)
            r->supported[op] |= (u8)(1u << form);
    }
    return st;
}

/* A device that ends in each of these, whatever the form, has nothing that is worth asking for. */
static const u16 simplest[] = { OP_s_nop, OP_s_mov_b32, OP_v_mov_b32, OP_s_add_u32, OP_v_add_u32 };

static bool is_simplest(u32 op)
{
    for (u32 i = 0; i < COUNT_OF(simplest); i++)
        if (simplest[i] == op)
            return true;
    return false;
}

static enum status probe_all(struct probe *p, const struct campaign_cfg *cfg,
                             struct campaign_result *r, struct err *e)
{
    struct gen_cfg gc = gen_cfg_default;
    gc.insns_min = 4;
    gc.insns_max = 12;
    gc.waves_max = 1;
    gc.features = executor_features(p->x);
    enum status st = gen_open(p->gen, p->isa, &gc, e);
    for (u32 i = 0; i < COUNT_OF(simplest) && st == ST_OK; i++)
        st = probe_op(p, cfg, simplest[i], r, e);
    if (st == ST_OK && r->forms_fatal && !p->is_alive)
        return err_set(e, ST_WORLD, "the DUT ends in every instruction it is asked for: %s (%s)",
                       dut_outcome_name(p->last.outcome), p->last.reason);
    for (u32 op = 1; op < isa_op_count && st == ST_OK; op++)
        if (!is_simplest(op))
            st = probe_op(p, cfg, op, r, e);
    return st;
}

static void count_forms(const struct isa *isa, struct campaign_result *r)
{
    for (u32 op = 1; op < isa_op_count; op++) {
        u32 all = gen_forms(isa, op), has = r->supported[op];
        r->ops += all != 0;
        r->ops_done += has != 0;
        r->forms += popcount32(all & ((1u << FORM_COUNT) - 1));
        r->forms_done += popcount32(has & ((1u << FORM_COUNT) - 1));
    }
}

enum status campaign_probe(struct executor *x, const struct isa *isa,
                           const struct campaign_cfg *cfg, cause_fn *fn, void *arg,
                           struct campaign_result *r, struct err *e)
{
    struct probe p = { .x = x, .isa = isa, .fn = fn, .arg = arg };
    enum status st = ST_OK;
    if (campaign_is_exact(cfg)) {
        for (u32 op = 1; op < isa_op_count; op++)
            r->supported[op] = (u8)gen_forms(isa, op);
        count_forms(isa, r);
        return ST_OK;
    }
    p.gen = calloc(1, sizeof *p.gen);
    p.stream = calloc(1, sizeof *p.stream);
    p.job = jobbuf_new();
    if (!p.gen || !p.stream || !p.job)
        st = err_memory(e);
    if (st == ST_OK)
        st = probe_all(&p, cfg, r, e);
    count_forms(isa, r);
    free(p.gen);
    free(p.stream);
    jobbuf_free(p.job);
    return st;
}

enum status campaign_check_end(const struct executor *x, const char *mcpu, struct err *e)
{
    static const u32 end = 0xbf810000;
    struct jobbuf *jb = jobbuf_new();
    struct subject s = { .all = false };
    enum status st = jb ? ST_OK : err_memory(e);
    bool is_lost = true;
    for (u32 n = 0; n < 2 && st == ST_OK && is_lost; n++) { /* once may be bad luck */
        jobbuf_reset(jb, mcpu);
        job_code(jb, &end, 1, PC_DEFAULT);
        job_set_defaults(jb, 0);
        s = (struct subject){ .start = job_ready(jb) };
        st = compare_run(x->compare, &s, 1, e);
        is_lost = ends_the_dut(&s.j);
    }
    jobbuf_free(jb);
    if (st != ST_OK)
        return st;
    if (is_lost)
        return err_set(e, ST_WORLD,
                       "the DUT cannot run even a program of nothing but s_endpgm: %s (%s)",
                       dut_outcome_name(s.j.outcome), s.j.reason);
    if (s.j.verdict == JUDGED_UNSUPPORTED)
        return err_set(e, ST_INPUT,
                       "the DUT does not implement s_endpgm, with which every program ends");
    return ST_OK;
}

static void ignore_cause(void *arg, const struct cause *cause)
{
    (void)arg;
    (void)cause;
}

enum status campaign_ask(struct executor *x, const char *mcpu, const char *dut, u8 forms[OPS_MAX],
                         struct err *e)
{
    struct campaign_cfg cfg = { .mcpu = mcpu, .dut = dut };
    struct campaign_result *r = calloc(1, sizeof *r);
    enum status st = r ? campaign_check_end(x, mcpu, e) : err_memory(e);
    if (st == ST_OK)
        st = campaign_probe(x, compare_isa(x->compare), &cfg, ignore_cause, NULL, r, e);
    if (st == ST_OK)
        memcpy(forms, r->supported, OPS_MAX);
    free(r);
    return st;
}
