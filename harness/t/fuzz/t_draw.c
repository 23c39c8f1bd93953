/* What streams have: every opcode that the model executes on a processor, but for those in the
 * table of what is left out (fuzz/gen/left_out.def), and those are few and say why. Streams with
 * all of them are legal, end, and stay inside their windows. */
#include "fuzz/cover/tally.h"
#include "fuzz/gen/gen.h"
#include "harness/dut/model.h"
#include "harness/finding/stream_job.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/isa/op.h"
#include "oracle/rule/rule.h"
#include "oracle/state/effects.h"

#include <stdlib.h>

enum {
    NOWHERE = ~0u >> 1,
    ROUNDS = 4 /* streams that turn around each opcode */,
    LEFT_OUT_MAX = 10
};

/* What chance alone would rarely make. Which bugs it shows: rare.sh. */
enum rare {
    COMPARES_WITH_ITSELF,
    COMPARES_WITH_NAN, /* as a literal */
    SCALES,
    SWIZZLE_ROTATES,
    SWIZZLE_FFT,
    RESOURCE_CHANGES, /* a word of it, in the program */
    RARE_COUNT
};
static const char *const rare_names[RARE_COUNT] = {
    "a vector compare of a register with itself",
    "a vector compare with a literal NaN",
    "a result that is scaled",
    "ds_swizzle_b32 that rotates",
    "ds_swizzle_b32 in the order of an FFT",
    "a resource or sampler of which a word is new",
};

struct drawing {
    const char *mcpu;
    struct isa isa;
    struct generator *g;
    struct stream *s;
    struct jobbuf *jb;
    struct model *mo;
    struct tally *tally;
    u32 rare[RARE_COUNT];
    bool is_word[SGPRS]; /* the register was given a literal, in the program up to here */
    u32 clock;           /* the first of two registers with what a clock has said, or NOWHERE */
    u32 clocks;
};

static bool is_nan(const struct insn *in, const struct isa_operand *o)
{
    u32 v = in->lit;
    bool is_float = isa_types[o->type].class == CLASS_FLOAT;
    u32 dw = isa_types[o->type].dwords;
    bool half = isa_type_is_short((enum isa_type)o->type);
    return is_float && (half     ? (v & 0x7fff) > 0x7c00
                        : dw > 1 ? (v & 0x7fffffff) > 0x7ff00000
                                 : (v & 0x7fffffff) > 0x7f800000);
}

static void note_compare(struct drawing *b, const struct insn *in)
{
    const struct isa_operand *s[2] = { NULL, NULL };
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++)
        if (o->slot == SLOT_S0 || o->slot == SLOT_S1)
            s[o->slot - SLOT_S0] = o;
    u32 code = insn_code(in, s[0]);
    b->rare[COMPARES_WITH_ITSELF] += code >= CODE_VGPR && code == insn_code(in, s[1]);
    b->rare[COMPARES_WITH_NAN] += code == CODE_LIT && is_nan(in, s[0]);
}

/* Whether a word of the resource that a field names was given in the program. */
static bool has_new_word(const struct drawing *b, const struct insn *in, enum isa_field field,
                         u32 words)
{
    bool is_new = false;
    for (u32 i = 0; i < words && insn_has(in, field); i++)
        is_new |= b->is_word[insn_get(in, field) * 4 + i];
    return is_new;
}

static void note_rare(struct drawing *b, const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    u32 offset = insn_get(in, FLD_offset);
    if (row->enc == ENC_VOPC)
        note_compare(b, in);
    b->rare[SCALES] += row->enc != ENC_VOP3P && insn_has(in, FLD_omod) && insn_get(in, FLD_omod);
    b->rare[SWIZZLE_ROTATES] += in->op == OP_ds_swizzle_b32 && offset >> 13 == 6;
    b->rare[SWIZZLE_FFT] += in->op == OP_ds_swizzle_b32 && offset >> 13 == 7;
    b->rare[RESOURCE_CHANGES] +=
        has_new_word(b, in, FLD_srsrc, 4) || has_new_word(b, in, FLD_ssamp, 4);
    if (in->op == OP_s_mov_b32 || in->op == OP_s_mov_b64)
        for (u32 i = 0; i < (in->op == OP_s_mov_b32 ? 1u : 2u); i++)
            b->is_word[insn_get(in, FLD_sdst) + i] = in->form == FORM_LIT;
}

/* Whether the instruction asks for what a clock has said, which no two devices agree on. */
static bool reads_clock(struct drawing *b, const struct insn *in)
{
    struct effects fx;
    bool reads = false;
    effects_of(in, &fx);
    for (u32 i = 0; i < fx.count; i++) {
        bool is_it = fx.e[i].place < b->clock + 2 && b->clock < fx.e[i].place + (u32)fx.e[i].dw;
        reads |= is_it && fx.e[i].dir & DIR_R;
    }
    if (in->op == OP_s_memtime || in->op == OP_s_memrealtime) {
        b->clock = insn_get(in, FLD_sdata);
        b->clocks++;
    } else if (in->op == OP_s_mov_b64 && insn_get(in, FLD_sdst) == b->clock) {
        b->clock = NOWHERE;
    }
    return reads;
}

/* Every instruction is legal, its text means it, and so is their sequence. */
static bool is_legal(struct drawing *b, struct err *e)
{
    const struct stream *s = b->s;
    struct rule_program p = { .code = s->code, .dw = s->code_dw, .pc = s->pc };
    struct insn in, again;
    memset(b->is_word, 0, sizeof b->is_word);
    b->clock = NOWHERE;
    for (u32 at = 0; at < s->code_dw; at += in.dw) {
        struct err why = { .text = "" };
        char text[160];
        if (!insn_decode(&b->isa, s->code + at, s->code_dw - at, &in, e))
            return false;
        note_rare(b, &in);
        insn_print(&b->isa, &in, text, sizeof text);
        enum status st = insn_legal(&b->isa, &in, &why);
        bool branches = isa_flow_target(insn_row(&in)) == TARGET_DISTANCE;
        if (st == ST_OK && !branches)
            st = insn_parse(&b->isa, text, &again, &why);
        if (st == ST_OK && !branches && (again.word != in.word || again.op != in.op))
            st = err_set(&why, ST_INPUT, "its text means another instruction");
        if (st == ST_OK && reads_clock(b, &in))
            st = err_set(&why, ST_INPUT, "reads what a clock has said");
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
    ok(b->clocks > 2, "%s: %u times a clock is asked", b->mcpu, b->clocks);
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

static void test_rare(const struct drawing *b)
{
    for (u32 i = 0; i < RARE_COUNT; i++)
        ok(b->rare[i] > 2, "%s: %u times %s", b->mcpu, b->rare[i], rare_names[i]);
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
    test_rare(&b);
    free(b.g);
    free(b.s);
    free(b.tally);
    jobbuf_free(b.jb);
    model_close(b.mo);
}

/* Memory lies where the kernel lets cards of the generation map any. */
static void test_addresses(const char *mcpu, u32 bits)
{
    enum { STREAMS = 300 };
    struct err e = { .text = "" };
    struct isa isa;
    struct generator *g = calloc(1, sizeof *g);
    struct stream *s = calloc(1, sizeof *s);
    u64 last = 0;
    if (!g || !s || isa_open(&isa, mcpu, &e) || gen_open(g, &isa, &gen_cfg_default, &e))
        bail("%s: %s", mcpu, e.text);
    for (u64 i = 0; i < STREAMS; i++) {
        gen_stream(g, i, s);
        for (u32 w = 0; w < s->window_count; w++) {
            if (s->window[w].address == EXPORTS_BASE) /* no memory: how exports are shown */
                continue;
            u64 end = s->window[w].address + s->window[w].size - 1;
            last = end > last ? end : last;
        }
    }
    is_u64(bits, 64 - (u32)clz64(last), "%s: bits of the last address", mcpu);
    free(g);
    free(s);
}

int main(int argc, char **argv)
{
    static const char *const mcpu[] = { "gfx900", "gfx906", "gfx908" };
    test_reasons();
    test_addresses("gfx701", 36);
    test_addresses("gfx803", 36);
    test_addresses("gfx900", 47);
    for (u32 i = 0; i < COUNT_OF(mcpu); i++)
        if (argc < 2 || !strcmp(argv[1], mcpu[i]))
            test_processor(mcpu[i]);
    return done();
}
