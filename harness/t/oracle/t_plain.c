/* What is prepared the short way is legal, and as prepare has it: instructions of every row and form with
 * operands at random and modifiers here and there. And most of what is plain is taken. */
#include "oracle/insn/plain.h"

#include "harness/t/lib/machine.h"

enum { ROUNDS = 300, KINDS = 5 };

static const char *const processors[] = { "gfx701", "gfx803", "gfx900", "gfx906", "gfx908" };
static struct plain_table table;
static struct rng rng;

static bool same_operand(const struct xop *a, const struct xop *b)
{
    return a->fetch32 == b->fetch32 && a->store32 == b->store32 && a->konst == b->konst &&
           a->code == b->code && a->dw == b->dw && a->is_const == b->is_const &&
           a->direct == b->direct && a->kind == b->kind && a->type == b->type &&
           a->shift == b->shift && a->mask == b->mask && a->sign == b->sign && a->keep == b->keep &&
           a->flip == b->flip && a->shift_hi == b->shift_hi && a->part == b->part;
}

static bool same(const struct xinsn *a, const struct xinsn *b)
{
    bool equal = a->ops == b->ops && !memcmp(&a->insn, &b->insn, sizeof a->insn) &&
                 a->clamp == b->clamp && a->omod == b->omod && a->dst_sel == b->dst_sel &&
                 a->dst_unused == b->dst_unused && a->offset == b->offset &&
                 a->offset1 == b->offset1 && a->space == b->space && a->into_lds == b->into_lds &&
                 a->is_atomic == b->is_atomic;
    for (u32 i = 0; i < SLOT_COUNT; i++)
        equal &= same_operand(&a->opnd[i], &b->opnd[i]);
    return equal;
}

/* Operands at random, the literal among them; modifiers of VOP3 in one of three; any bit in one of five. */
static bool draw(isa_op op, enum isa_form form, struct insn *in)
{
    const u64 modifiers = 0xf80000000000ff00;
    u32 dw[INSN_DW_MAX];
    insn_start(&isa, op, form, in);
    for (const struct isa_operand *o = isa_rows[op].operand; o->kind != K_NONE; o++)
        if (o->field != FLD_lit && insn_has(in, (enum isa_field)o->field))
            insn_set(in, (enum isa_field)o->field,
                     form == FORM_LIT && rng_one_in(&rng, 2) ? (u32)CODE_LIT : (u32)rng_u64(&rng));
    if (form == FORM_E64 && rng_one_in(&rng, 3))
        in->word ^= rng_u64(&rng) & rng_u64(&rng) & modifiers;
    if (rng_one_in(&rng, 5))
        in->word ^= 1ull << rng_below(&rng, 64);
    in->lit = (u32)rng_u64(&rng);
    u32 n = insn_encode(in, dw);
    return insn_decode(&isa, dw, n, in, NULL);
}

struct tally {
    u32 plain, legal, wrong;
    char first[64]; /* that is wrong */
};

static void try(const struct insn *in, const struct plain_form *f, struct tally *t)
{
    struct xinsn a, b;
    bool plain = engine.operand->prepare_plain(&a, in, &table, f);
    bool legal = insn_printable(&isa, in, NULL) == ST_OK;
    t->plain += plain;
    t->legal += legal && in->form < PLAIN_FORMS;
    if (!plain)
        return;
    if (legal)
        engine.operand->prepare(&b, in);
    if ((!legal || !same(&a, &b)) && !t->wrong++)
        insn_print(&isa, in, t->first, sizeof t->first);
}

static void test_processor(const char *mcpu)
{
    struct err e = { .text = "" };
    struct tally t = { .wrong = 0 };
    memset(&table, 0, sizeof table);
    if (isa_open(&isa, mcpu, &e) != ST_OK)
        bail("%s", e.text);
    for (isa_op op = 1; op < isa_op_count; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            for (u32 i = 0; isa_has(&isa, op) && i < ROUNDS; i++) {
                struct insn in;
                if (isa_forms((enum gen)isa.target->gen, &isa_rows[op]) >> form & 1 &&
                    draw(op, (enum isa_form)form, &in))
                    try(&in, plain_find(&table, &isa, &in), &t);
            }
    ok(t.wrong == 0,
       "%s: %u of %u legal instructions are prepared the short way, %u of them wrong %s", mcpu,
       t.plain, t.legal, t.wrong, t.first);
    ok(t.plain > t.legal / 2 && t.plain < t.legal, "%s: most are", mcpu);
    ok(table.count < PLAIN_MAX, "%s: there is room for the %u forms", mcpu, table.count);
}

static const struct {
    const char *text;
    bool plain;
} known[] = {
    { "v_add_f32_e32 v0, v1, v2", true },
    { "v_add_f32_e32 v0, 1.0, v2", true },
    { "v_mad_f32 v255, -v1, |s101|, 0.5 clamp", true },
    { "v_addc_co_u32_e32 v0, vcc, v1, v2, vcc", true },
    { "v_cmp_lt_f64_e64 s[100:101], v[0:1], v[254:255]", true },
    { "v_madmk_f32 v0, v1, 0x12345, v2", true },
    { "v_writelane_b32 v1, s2, 63", true },
    { "s_add_u32 s0, s1, 0x12345678", true },
    { "s_mov_b64 exec, -1", true },
    { "s_waitcnt 0", true },
    { "s_branch 5", true },
    { "v_add_f32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PAD src0_sel:DWORD "
      "src1_sel:DWORD",
      false },
    { "v_add_f32_dpp v0, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf", false },
    { "v_pk_add_f16 v0, v1, v2", false },
    { "v_mov_b32_e32 v0, src_lds_direct", false },
    { "ds_read_b32 v0, v1", false },
    { "s_load_dword s0, s[2:3], 0x0", false },
    { "s_endpgm", true },
    { "s_barrier", false },
};

static void test_known(void)
{
    struct err e = { .text = "" };
    struct xinsn x;
    memset(&table, 0, sizeof table);
    if (isa_open(&isa, "gfx900", &e) != ST_OK)
        bail("%s", e.text);
    for (u32 i = 0; i < COUNT_OF(known); i++) {
        struct insn in;
        if (insn_parse(&isa, known[i].text, &in, &e) != ST_OK)
            bail("%s: %s", known[i].text, e.text);
        bool plain = engine.operand->prepare_plain(&x, &in, &table, plain_find(&table, &isa, &in));
        ok(plain == known[i].plain, "%s: %s", known[i].text,
           known[i].plain ? "plain" : "not plain");
    }
}

/* A form that is wrong in one respect is noticed. */
static void test_planted(void)
{
    static const char *const what[KINDS] = { "another register", "another slot", "another type",
                                             "a modifier more", "another direction" };
    const u64 omod = 1ull << 59; /* integers have none */
    struct err e = { .text = "" };
    struct insn in, modified;
    if (insn_parse(&isa, "v_bfe_u32 v0, v1, v2, v3", &in, &e) != ST_OK ||
        insn_parse(&isa, "v_bfe_u32 v0, v1, v2, v3", &modified, &e) != ST_OK)
        bail("%s", e.text);
    modified.word |= omod;
    for (u32 i = 0; i < KINDS; i++) {
        struct tally t = { .wrong = 0 };
        struct plain_form f = *plain_find(&table, &isa, &in);
        f.operand[1].first = (u16)(f.operand[1].first + (i == 0));
        f.operand[1].slot = i == 1 ? SLOT_S2 : f.operand[1].slot;
        f.operand[1].type = i == 2 ? T_F16 : f.operand[1].type;
        f.modifiers |= i == 3 ? omod : 0;
        f.operand[1].dir = i == 4 ? DIR_RW : f.operand[1].dir;
        try(i == 3 ? &modified : &in, &f, &t);
        ok(t.plain == 1 && t.wrong == 1, "planted: %s is noticed", what[i]);
    }
}

int main(void)
{
    machine_must_open(&(struct machine_cfg){ .waves_max = 1 });
    rng_seed(&rng, 11);
    for (u32 i = 0; i < COUNT_OF(processors); i++)
        test_processor(processors[i]);
    test_known();
    test_planted();
    machine_close(m);
    return done();
}
