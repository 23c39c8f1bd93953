/* Recipes: those noted of streams make the same streams; any bytes make a valid one; mutated ones
 * stay valid; and the checks see what is planted. */
#include "fuzz/mutate/mutate.h"
#include "harness/dut/model.h"
#include "harness/finding/stream_job.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/isa/op.h"
#include "oracle/rule/rule.h"

#include <stdlib.h>

enum { STREAMS = 3000, RANDOM = 2000, CHAINS = 80, LINKS = 60, PLANTED = 300 };

struct bench {
    struct isa isa;
    struct generator g;
    struct stream s, again;
    struct recipe r, other;
    struct jobbuf *jb;
    struct model *mo;
    u8 bytes[MUTATE_BYTES_MAX], bytes_again[MUTATE_BYTES_MAX];
};

/* Every instruction decodes and is legal, and so is their sequence; it ends, inside its windows. */
static bool is_valid(struct bench *b, const struct stream *s, struct err *e)
{
    struct rule_program p = { .code = s->code, .dw = s->code_dw, .pc = s->pc };
    struct insn in;
    for (u32 at = 0; at < s->code_dw; at += in.dw)
        if (!insn_decode(&b->isa, s->code + at, s->code_dw - at, &in, e) ||
            insn_legal(&b->isa, &in, e) != ST_OK)
            return false;
    if (rule_check(&b->isa, &p, e) != ST_OK)
        return false;
    struct gcncheck_job *job = stream_job_build(s, b->jb);
    if (model_run(b->mo, job, e) != ST_OK)
        return false;
    if (job->outcome != GCNCHECK_DONE) {
        err_set(e, ST_INPUT, "outcome %u: %.100s", job->outcome, job->reason);
        return false;
    }
    for (u32 i = 0; i < job->waves; i++)
        if (b->mo->m->wave[i]->faulted) {
            err_set(e, ST_INPUT, "an access outside the windows");
            return false;
        }
    return true;
}

/* The recipe's stream, from its bytes, is the one in b->s; its bytes are its bytes again. */
static bool comes_back(struct bench *b)
{
    size_t size = mutate_encode(&b->r, b->bytes);
    mutate_decode(&b->g, b->bytes, size, &b->other);
    size_t size_again = mutate_encode(&b->other, b->bytes_again);
    recipe_stream(&b->g, &b->other, &b->again);
    b->again.poison = b->s.poison;
    return size == size_again && !memcmp(b->bytes, b->bytes_again, size) &&
           stream_hash(&b->s) == stream_hash(&b->again);
}

static void test_round_trip(struct bench *b)
{
    u32 lost = 0, unlike = 0, changed = 0;
    for (u32 i = 0; i < STREAMS; i++) {
        if (!recipe_note(&b->g, i, &b->s, &b->r)) {
            unlike++;
            continue;
        }
        gen_stream(&b->g, i, &b->again);
        unlike += stream_hash(&b->s) != stream_hash(&b->again);
        lost += !comes_back(b);
        b->r.gene[b->r.gene_count / 2].at[0] ^= 1;
        recipe_stream(&b->g, &b->r, &b->again);
        changed += stream_hash(&b->s) != stream_hash(&b->again);
    }
    is_u64(0, unlike, "noting a stream's recipe does not change it");
    is_u64(0, lost, "streams become bytes and the same streams again");
    ok(changed > STREAMS * 9 / 10, "planted: a bit of the random numbers shows in %u", changed);
}

static void test_any_bytes(struct bench *b)
{
    struct rng rng;
    u32 bad = 0, lost = 0, genes = 0;
    rng_seed(&rng, 7);
    for (u32 i = 0; i < RANDOM; i++) {
        struct err e = { .text = "" };
        size_t size = rng_below(&rng, i % 3 ? 4000 : 40);
        for (size_t k = 0; k < size; k++)
            b->bytes[k] = (u8)rng_u64(&rng);
        mutate_decode(&b->g, b->bytes, size, &b->r);
        recipe_stream(&b->g, &b->r, &b->s);
        genes += b->r.gene_count;
        if (!is_valid(b, &b->s, &e) && bad++ < 5)
            diag("bytes %u: %s", i, e.text);
        lost += !comes_back(b);
    }
    is_u64(0, bad, "any bytes make a valid stream");
    is_u64(0, lost, "which becomes the same stream again");
    ok(genes > RANDOM * 10, "%u genes in them", genes);
}

/* How many mutated streams of the chains are not valid; *hash is of all. */
static u32 run_chains(struct bench *b, bool check, u64 *hash, u32 *different)
{
    struct rng rng;
    u32 bad = 0;
    u64 last = 0;
    rng_seed(&rng, 11);
    for (u32 i = 0; i < CHAINS; i++) {
        recipe_note(&b->g, i * 37, &b->s, &b->other);
        recipe_note(&b->g, i * 41 + 5, &b->s, &b->r);
        for (u32 k = 0; k < LINKS; k++) {
            struct err e = { .text = "" };
            mutate_recipe(&b->g, &rng, &b->other, &b->again, &b->r);
            recipe_stream(&b->g, &b->r, &b->s);
            u64 now = stream_hash(&b->s);
            *different += now != last;
            *hash = hash_mix(*hash, last = now);
            if (check && !is_valid(b, &b->s, &e) && bad++ < 5)
                diag("chain %u, %u: %s", i, k, e.text);
        }
    }
    return bad;
}

static void test_mutation(struct bench *b)
{
    u64 first = 0, second = 0;
    u32 different = 0, again = 0;
    is_u64(0, run_chains(b, true, &first, &different), "every mutated stream is valid");
    run_chains(b, false, &second, &again);
    is_hex(first, second, "the same random numbers make the same mutations");
    ok(different > CHAINS * LINKS * 3 / 4, "%u of %d mutations change the stream", different,
       CHAINS * LINKS);
}

/* No wait: the check that finds nothing wrong above finds that, but where it was none that is needed. */
static void test_planted(struct bench *b)
{
    u32 seen = 0, planted = 0;
    for (u32 i = 0; i < PLANTED; i++) {
        struct err e = { .text = "" };
        struct insn in;
        bool is_changed = false;
        recipe_note(&b->g, i, &b->s, &b->r);
        for (u32 at = 0; at < b->s.code_dw; at += in.dw)
            if (insn_decode(&b->isa, b->s.code + at, b->s.code_dw - at, &in, NULL) &&
                in.op == OP_s_waitcnt) {
                b->s.code[at] = 0xbf800000; /* s_nop 0 */
                is_changed = true;
            }
        planted += is_changed;
        seen += is_changed && !is_valid(b, &b->s, &e);
    }
    ok(planted > PLANTED / 2 && seen > planted * 9 / 10,
       "planted: of %u streams without waits %u are seen", planted, seen);
}

/* What a gene asks for stands in the program. */
static void test_gene(struct bench *b)
{
    struct rng rng;
    struct insn in;
    u32 found = 0;
    rng_seed(&rng, 3);
    recipe_note(&b->g, 0, &b->s, &b->r);
    b->r.gene_count = 1;
    b->r.gene[0] = (struct gene){ .kind = GENE_OP, .form = FORM_E64, .op = OP_v_add_f32 };
    memcpy(b->r.gene[0].at, rng.s, sizeof rng.s);
    b->r.value_count = 1;
    b->r.value[0] = (struct recipe_value){ .lane = GENE_ALL_LANES, .value = 0x12345678 };
    recipe_repair(&b->g, &b->r);
    recipe_stream(&b->g, &b->r, &b->s);
    for (u32 at = 0; at < b->s.code_dw; at += in.dw)
        if (insn_decode(&b->isa, b->s.code + at, b->s.code_dw - at, &in, NULL))
            found += in.op == OP_v_add_f32 && in.form == FORM_E64;
    ok(found > 0, "a gene's opcode stands in the program, in its form");
    found = 0;
    for (u32 i = 0; i < b->s.value_dw; i++)
        found += b->s.values[i] == 0x12345678;
    ok(found >= LANES, "a recipe's value stands in all lanes");
}

/* Every digit of every register that is read takes every value, and nothing else changes. */
static void test_walk(struct bench *b)
{
    struct mutate_walk walk;
    u32 met[16] = { 0 }, bad = 0, others = 0, valid = 0;
    recipe_note(&b->g, 7, &b->s, &b->r);
    u32 steps = mutate_walk_start(&b->g, &b->r, &b->again, &walk);
    is_u64(walk.count * 8 * 16, steps, "a walk has 16 values for 8 digits of %u registers",
           walk.count);
    ok(walk.count > 4, "of several registers");
    for (u32 i = 0; i < steps; i++) {
        struct recipe next = b->r;
        mutate_walk_step(&walk, i, &next);
        u32 value = next.value[0].value, old = walk.reads[i / 128].value;
        others += next.value_count != b->r.value_count + 1 || next.gene_count != b->r.gene_count;
        met[value >> 28] += (value ^ old) << 4 == 0;
        bad += popcount32((value ^ old) & 0x11111111) > 1;
    }
    for (u32 i = 0; i < 16; i++)
        bad += met[i] < walk.count;
    is_u64(0, bad + others, "every upper digit is set to each value, and alone");
    for (u32 i = 0; i < steps; i += 37) {
        struct err e = { .text = "" };
        struct recipe next = b->r;
        mutate_walk_step(&walk, i, &next);
        recipe_stream(&b->g, &next, &b->s);
        valid += is_valid(b, &b->s, &e);
    }
    is_u64((steps + 36) / 37, valid, "what comes of it is valid");
}

int main(void)
{
    struct err e = { .text = "" };
    struct bench *b = calloc(1, sizeof *b);
    plan(16);
    if (!b || !(b->jb = jobbuf_new()))
        bail("no memory");
    if (isa_open_modelled(&b->isa, "gfx900", &e) != ST_OK ||
        gen_open(&b->g, &b->isa, &gen_cfg_default, &e) != ST_OK ||
        model_open(&b->mo, "gfx900", "ref", NULL, &e) != ST_OK)
        bail("%s", e.text);
    test_round_trip(b);
    test_any_bytes(b);
    test_mutation(b);
    test_planted(b);
    test_gene(b);
    test_walk(b);
    model_close(b->mo);
    jobbuf_free(b->jb);
    free(b);
    return done();
}
