/* What streams have: every opcode that the model executes on a processor, but for those in the
 * table of what is left out (fuzz/gen/left_out.def), and those are few and say why. Streams with
 * all of them are legal, end, and stay inside their windows. */
#include "fuzz/cover/tally.h"
#include "fuzz/gen/gen.h"
#include "harness/dut/model.h"
#include "harness/finding/stream_job.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/rule/rule.h"

#include <stdlib.h>

enum { ROUNDS = 4 /* streams that turn around each opcode */, LEFT_OUT_MAX = 10 };

struct drawing {
    const char *mcpu;
    struct isa isa;
    struct generator *g;
    struct stream *s;
    struct jobbuf *jb;
    struct model *mo;
    struct tally *tally;
};

/* Every instruction is legal, its text means it, and so is their sequence. */
static bool is_legal(struct drawing *b, struct err *e)
{
    const struct stream *s = b->s;
    struct rule_program p = { .code = s->code, .dw = s->code_dw, .pc = s->pc };
    struct insn in, again;
    for (u32 at = 0; at < s->code_dw; at += in.dw) {
        struct err why = { .text = "" };
        char text[160];
        if (!insn_decode(&b->isa, s->code + at, s->code_dw - at, &in, e))
            return false;
        insn_print(&b->isa, &in, text, sizeof text);
        enum status st = insn_legal(&b->isa, &in, &why);
        bool branches = isa_flow_target(insn_row(&in)) == TARGET_DISTANCE;
        if (st == ST_OK && !branches)
            st = insn_parse(&b->isa, text, &again, &why);
        if (st == ST_OK && !branches && (again.word != in.word || again.op != in.op))
            st = err_set(&why, ST_INPUT, "its text means another instruction");
        if (st != ST_OK) {
            err_set(e, ST_INPUT, "%.100s: %.120s", text, why.text);
            return false;
        }
    }
    return rule_check(&b->isa, &p, e) == ST_OK;
}

static bool runs(struct drawing *b, struct err *e)
{
    struct gcncheck_job *job = stream_job_build(b->s, b->jb);
    if (model_run(b->mo, job, e) != ST_OK)
        return false;
    if (job->outcome != GCNCHECK_DONE)
        return err_set(e, ST_INPUT, "outcome %u: %s", job->outcome, job->reason) == ST_OK;
    for (u32 i = 0; i < job->waves; i++)
        if (b->mo->m->wave[i]->faulted)
            return err_set(e, ST_INPUT, "wave %u accesses 0x%llx", i,
                           (unsigned long long)b->mo->m->wave[i]->fault_addr) == ST_OK;
    return true;
}

static void test_streams(struct drawing *b)
{
    u32 bad = 0;
    for (u64 i = 0; i < (u64)ROUNDS * b->g->op_count; i++) {
        struct err e = { .text = "" };
        gen_stream(b->g, i, b->s);
        if ((!is_legal(b, &e) || !runs(b, &e)) && bad++ < 12)
            diag("stream %llu (%s): %s", (unsigned long long)i, isa_rows[b->s->focus].name, e.text);
        tally_code(b->tally, &b->isa, b->s->code, b->s->code_dw);
    }
    is_u64(0, bad, "%s: %u streams are legal and end inside their windows", b->mcpu,
           ROUNDS * b->g->op_count);
}

static bool is_drawn(const struct tally *c, u32 op)
{
    for (u32 form = 0; form < FORM_COUNT; form++)
        if (c->form[op][form])
            return true;
    return false;
}

static void test_opcodes(struct drawing *b)
{
    u32 modelled = 0, never = 0, left_out = 0, both = 0;
    u64 packed = 0, insns = b->tally->insns;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        if (!isa_has(&b->isa, op) || !isa_modelled(op))
            continue;
        bool drawn = is_drawn(b->tally, op), out = gen_left_out(op) != NULL;
        modelled++;
        left_out += out;
        both += drawn && out;
        if (!drawn && !out && never++ < 20)
            diag("%s: never: %s", b->mcpu, isa_rows[op].name);
        packed += isa_rows[op].enc == ENC_VOP3P ? b->tally->form[op][FORM_BASE] : 0;
    }
    is_u64(0, never, "%s: of %u modelled opcodes all are drawn", b->mcpu, modelled - left_out);
    ok(left_out && left_out <= LEFT_OUT_MAX, "%s: but for %u that are left out", b->mcpu, left_out);
    is_u64(0, both, "%s: none of those is drawn", b->mcpu);
    ok(packed * 100 > insns * 2, "%s: %.2f %% packed instructions", b->mcpu,
       (double)packed * 100 / (double)insns);
}

/* A reason is a sentence, and what it is about is modelled somewhere. */
static void test_reasons(void)
{
    u32 bad = 0;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
        bad += gen_left_out(op) && (strlen(gen_left_out(op)) < 20 || !isa_modelled(op));
    is_u64(0, bad, "what is left out is modelled, and has a reason");
}

static void test_processor(const char *mcpu)
{
    struct err e = { .text = "" };
    struct drawing b = { .mcpu = mcpu,
                         .g = calloc(1, sizeof *b.g),
                         .s = calloc(1, sizeof *b.s),
                         .tally = calloc(1, sizeof *b.tally),
                         .jb = jobbuf_new() };
    if (!b.g || !b.s || !b.tally || !b.jb || isa_open(&b.isa, mcpu, &e) ||
        model_open(&b.mo, mcpu, "host", NULL, &e) || gen_open(b.g, &b.isa, &gen_cfg_default, &e))
        bail("%s: %s", mcpu, e.text);
    test_streams(&b);
    test_opcodes(&b);
    free(b.g);
    free(b.s);
    free(b.tally);
    jobbuf_free(b.jb);
    model_close(b.mo);
}

int main(int argc, char **argv)
{
    static const char *const mcpu[] = { "gfx900", "gfx906", "gfx908" };
    test_reasons();
    for (u32 i = 0; i < COUNT_OF(mcpu); i++)
        if (argc < 2 || !strcmp(argv[1], mcpu[i]))
            test_processor(mcpu[i]);
    return done();
}
