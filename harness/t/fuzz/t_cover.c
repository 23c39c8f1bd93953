/* Coverage: which pairs are legal, what is counted, and that streams are steered by it. */
#include "fuzz/cover/cover.h"
#include "harness/coverage/coverage.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/isa/op.h"

#include <stdio.h>
#include <stdlib.h>

struct bench {
    struct isa isa;
    struct cover_model model;
    struct cover_seen seen;
    struct generator *g;
    struct stream *s;
    struct wave *w;
};

static void open_bench(struct bench *b, const char *mcpu)
{
    struct err e = { .text = "" };
    *b = (struct bench){ .g = calloc(1, sizeof *b->g),
                         .s = calloc(1, sizeof *b->s),
                         .w = aligned_alloc(64, (sizeof *b->w + 63) / 64 * 64) };
    if (!b->g || !b->s || !b->w || isa_open(&b->isa, mcpu, &e) ||
        coverage_open_model(&b->model, &b->isa, &e) || cover_seen_open(&b->seen, &b->model, &e) ||
        gen_open(b->g, &b->isa, &gen_cfg_default, &e))
        bail("%s: %s", mcpu, e.text);
}

static void close_bench(struct bench *b)
{
    cover_seen_close(&b->seen);
    cover_close(&b->model);
    free(b->g);
    free(b->s);
    free(b->w);
}

static const struct cover_kind *kind(const struct bench *b, isa_op op, enum isa_form form)
{
    const struct cover_kind *k = cover_kind_of(&b->model, op, form);
    if (!k)
        bail("no kind of %s", isa_rows[op].name);
    return k;
}

/* The level of this name; COVER_LEVELS_MAX if the kind has none. */
static u32 level(const struct bench *b, const struct cover_kind *k, const char *name)
{
    for (u32 i = 0; i < k->levels; i++) {
        char text[96];
        struct text t;
        text_init(&t, text, sizeof text);
        cover_add_text(&b->model, k, i, &t);
        if (strcmp(text, name) == 0)
            return i;
    }
    return COVER_LEVELS_MAX;
}

static bool has(const struct bench *b, const struct cover_kind *k, const char *name)
{
    return level(b, k, name) < COVER_LEVELS_MAX;
}

static bool is_pair(const struct bench *b, const struct cover_kind *k, const char *x, const char *y)
{
    u32 i = level(b, k, x), j = level(b, k, y);
    if (i == COVER_LEVELS_MAX || j == COVER_LEVELS_MAX)
        bail("%s has not both %s and %s", isa_rows[k->op].name, x, y);
    return cover_is_pair(&b->model, k, i < j ? i : j, i < j ? j : i);
}

static bool is_seen(const struct bench *b, const struct cover_kind *k, const char *x, const char *y)
{
    u32 i = level(b, k, x), j = level(b, k, y);
    return is_pair(b, k, x, y) && cover_has_pair(&b->seen, k, i < j ? i : j, i < j ? j : i);
}

/* ---- what is legal: Vega ISA, chapters 6 and 13 ---- */

static void test_legal(const struct bench *b)
{
    const struct cover_kind *e64 = kind(b, OP_v_add_f32, FORM_E64),
                            *e32 = kind(b, OP_v_add_f32, FORM_BASE),
                            *lit = kind(b, OP_v_add_f32, FORM_LIT),
                            *sdwa = kind(b, OP_v_add_u32, FORM_SDWA),
                            *and = kind(b, OP_v_and_b32, FORM_E64),
                            *scalar = kind(b, OP_s_add_u32, FORM_BASE),
                            *load = kind(b, OP_global_load_dword, FORM_BASE);
    ok(is_pair(b, e64, "src0=sgpr", "src1=sgpr"), "one scalar register twice is legal");
    ok(!is_pair(b, e64, "src0=sgpr", "src1=vcc"), "two scalar registers are one too many");
    ok(is_pair(b, e64, "src0=sgpr", "src1=inline-float"), "a constant beside one is legal");
    ok(!has(b, e64, "src0=literal") && !has(b, e32, "src0=literal"),
       "no literal but in its own form");
    ok(!has(b, e32, "src1=sgpr") && !has(b, e32, "neg[0]=1") && has(b, e32, "src0=m0"),
       "e32: any first source, a vector register as second, no modifiers");
    ok(!has(b, lit, "src0=vgpr"), "where the literal has one place, that is no choice");
    ok(has(b, e64, "omod=3") && has(b, e64, "clamp=1") && has(b, e64, "neg[1]=1"),
       "floats have signs and an output multiplier");
    ok(!has(b, and, "omod=1") && !has(b, and, "neg[0]=1") && !has(b, and, "round32=1"),
       "bits have none of that");
    ok(has(b, sdwa, "src0_sel=WORD_1") && has(b, sdwa, "dst_unused=UNUSED_PRESERVE") &&
           has(b, sdwa, "src0_sext=1"),
       "SDWA selects and extends");
    ok(has(b, e64, "round32=3") && has(b, e64, "denorm32=0") && !has(b, e64, "round64=1"),
       "f32 depends on its own part of MODE");
    ok(has(b, e64, "lanes=none") && !has(b, scalar, "lanes=none"), "the scalar ALU has no lanes");
    ok(has(b, scalar, "ssrc0-value=min") && has(b, e64, "src0-value=-inf"),
       "values are of the operand's type");
    ok(!is_pair(b, e64, "src0=inline-float", "src0-value=+inf") &&
           is_pair(b, e64, "src0=inline-float", "src0-value=-normal") &&
           is_pair(b, e64, "src0=inline-int", "src0-value=+subnormal"),
       "a constant has the values that it can have");
    ok(!is_pair(b, e64, "src0=inline-float", "src0=sgpr") &&
           !is_pair(b, e64, "drawn=yes", "drawn=yes") == false,
       "levels of one factor are no pair, but having been drawn counts");
    ok(is_pair(b, load, "saddr=off", "offset=below") && is_pair(b, load, "saddr=sgpr", "glc=1"),
       "addresses and offsets are factors of memory");
}

/* Nothing that is drawn lies outside the denominator. */
static void test_drawn_is_legal(struct bench *b, u32 streams)
{
    u64 outside = 0, pairs = 0;
    for (u32 i = 0; i < streams; i++) {
        struct insn in;
        gen_stream(b->g, i, b->s);
        for (u32 at = 0; at < b->s->code_dw; at += in.dw) {
            struct cover_bits bits;
            if (!insn_decode(&b->isa, b->s->code + at, b->s->code_dw - at, &in, NULL))
                bail("a stream does not decode");
            const struct cover_kind *k = cover_kind_of(&b->model, in.op, (enum isa_form)in.form);
            if (!k && !(insn_row(&in)->flags & FLAG_END))
                bail("%s has no kind", insn_row(&in)->name);
            if (!k)
                continue;
            cover_levels(&b->model, k, &in, &bits);
            for (u32 x = 0; x < k->levels; x++)
                for (u32 y = x + 1; y < k->levels; y++) {
                    if (!(bits.w[x / 64] >> x % 64 & 1) || !(bits.w[y / 64] >> y % 64 & 1))
                        continue;
                    pairs++;
                    if (cover_is_pair(&b->model, k, x, y) || outside++ >= 5)
                        continue;
                    char text[200];
                    struct text t;
                    text_init(&t, text, sizeof text);
                    cover_add_text(&b->model, k, x, &t);
                    text_add(&t, " with ");
                    cover_add_text(&b->model, k, y, &t);
                    diag("%s: %s", isa_rows[in.op].name, text);
                }
        }
    }
    is_u64(0, outside, "%s: %llu pairs that were drawn are legal", b->isa.target->mcpu,
           (unsigned long long)pairs);
}

/* ---- counting ---- */

static struct insn parse(const struct bench *b, const char *text)
{
    struct insn in;
    struct err e = { .text = "" };
    if (insn_parse(&b->isa, text, &in, &e))
        bail("%s", e.text);
    return in;
}

static void test_instruction(struct bench *b)
{
    struct insn in = parse(b, "v_add_f32_e64 v0, v1, -s2 mul:2");
    const struct cover_kind *k = kind(b, OP_v_add_f32, FORM_E64);
    u32 fixed = k->fixed;
    cover_seen_clear(&b->seen);
    u32 gain = cover_gain(&b->seen, &in);
    cover_insn(&b->seen, &in);
    is_u64(1 + fixed * (fixed - 1) / 2, cover_kind_seen(&b->seen, k),
           "an instruction has one level of each factor, and all their pairs");
    ok(is_seen(b, k, "src0=vgpr", "src1=sgpr") && is_seen(b, k, "neg[1]=1", "omod=1") &&
           !is_seen(b, k, "neg[0]=1", "omod=1"),
       "those that it has");
    ok(gain > 0 && cover_gain(&b->seen, &in) == 0, "what was seen is no gain any more");
    struct insn other = parse(b, "v_add_f32_e64 v9, v8, -s7 mul:2");
    is_u64(0, cover_gain(&b->seen, &other), "other registers are the same levels");
    other = parse(b, "v_add_f32_e64 v9, v8, -s7 mul:4");
    ok(cover_gain(&b->seen, &other) > 0, "another modifier is a gain");
    is_u64(cover_kind_seen(&b->seen, k), cover_total_seen(&b->seen), "of no other kind");
}

static void test_step(struct bench *b)
{
    struct insn in = parse(b, "v_add_f32_e64 v0, v1, s2");
    const struct cover_kind *k = kind(b, OP_v_add_f32, FORM_E64);
    cover_seen_clear(&b->seen);
    memset(b->w, 0, sizeof *b->w);
    b->w->isa = &b->isa;
    b->w->mode = MODE_DEFAULT | 2 << MODE_ROUND_32;
    b->w->sgpr[126] = 1u << 3 | 1u << 5;
    b->w->sgpr[2] = 0x80000000;
    b->w->vgpr[1][3] = 0xff800000;
    b->w->vgpr[1][4] = 0x7fc00000;
    b->w->vgpr[1][5] = 1;
    cover_step(&b->seen, b->w, &in);
    ok(is_seen(b, k, "lanes=some", "round32=2"), "lanes and MODE");
    ok(is_seen(b, k, "src0-value=-inf", "src1-value=-0") &&
           is_seen(b, k, "src0-value=+subnormal", "src1-value=-0"),
       "the values of each lane that is on");
    ok(!is_seen(b, k, "src0-value=qnan", "src1-value=-0") &&
           !is_seen(b, k, "src0-value=+0", "src1-value=-0"),
       "and of no other");
    ok(is_seen(b, k, "src1=sgpr", "src0-value=-inf") && is_seen(b, k, "ieee=1", "src0-value=-inf"),
       "beside what the instruction is");
    in = parse(b, "v_add_f32_sdwa v0, v1, v1 dst_sel:DWORD src0_sel:DWORD src1_sel:DWORD");
    is_u64(0, b->seen.drawn[kind(b, OP_v_add_f32, FORM_E64) - b->model.kind],
           "a step is not an instruction of a program");
}

static void test_values(struct bench *b)
{
    static const struct {
        u32 bits;
        const char *name;
    } row[] = { { 0, "+0" },
                { 0x80000000, "-0" },
                { 0x007fffff, "+subnormal" },
                { 0x80000001, "-subnormal" },
                { 0x00800000, "+normal" },
                { 0xff7fffff, "-normal" },
                { 0x7f800000, "+inf" },
                { 0xff800000, "-inf" },
                { 0xffc00000, "qnan" },
                { 0x7f800001, "snan" } };
    struct insn in = parse(b, "v_add_f32_e64 v0, v1, v2");
    const struct cover_kind *k = kind(b, OP_v_add_f32, FORM_E64);
    u32 wrong = 0;
    for (u32 i = 0; i < COUNT_OF(row); i++) {
        cover_seen_clear(&b->seen);
        b->w->sgpr[126] = 1;
        b->w->vgpr[1][0] = row[i].bits;
        cover_step(&b->seen, b->w, &in);
        for (u32 n = 0; n < COUNT_OF(row); n++) {
            char name[32];
            snprintf(name, sizeof name, "src0-value=%s", row[n].name);
            wrong += is_seen(b, k, "lanes=one", name) != (n == i);
        }
    }
    is_u64(0, wrong, "ten sorts of f32, each by itself");
}

static void test_merge(struct bench *b)
{
    struct cover_seen other;
    struct err e;
    if (cover_seen_open(&other, &b->model, &e))
        bail("%s", e.text);
    cover_seen_clear(&b->seen);
    gen_stream(b->g, 1, b->s);
    cover_code(&b->seen, b->s->code, b->s->code_dw);
    gen_stream(b->g, 2, b->s);
    cover_code(&other, b->s->code, b->s->code_dw);
    u64 first = cover_total_seen(&b->seen), second = cover_total_seen(&other);
    u64 insns = b->seen.insns + other.insns;
    cover_merge(&b->seen, &other);
    u64 both = cover_total_seen(&b->seen);
    ok(both > first && both > second && both < first + second, "counts add up, pairs once");
    is_u64(insns, b->seen.insns, "and so do instructions");
    cover_merge(&b->seen, &other);
    is_u64(both, cover_total_seen(&b->seen), "what was seen twice is seen");
    cover_seen_close(&other);
}

/* ---- steering ---- */

static u64 pairs_of(struct bench *b, struct gen_steer *steer, u32 streams, u32 *focused)
{
    struct gen_cfg cfg = gen_cfg_default;
    struct err e = { .text = "" };
    cfg.steer = steer;
    *focused = 0;
    cover_seen_clear(&b->seen);
    if (gen_open(b->g, &b->isa, &cfg, &e))
        bail("%s", e.text);
    for (u32 i = 0; i < streams; i++) {
        gen_stream(b->g, i, b->s);
        *focused += b->s->focus == OP_v_mad_f32;
        cover_code(&b->seen, b->s->code, b->s->code_dw);
    }
    return cover_total_seen(&b->seen);
}

static void set_weights(struct gen_steer *steer, u32 weight)
{
    for (u32 op = 0; op < OPS_MAX; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            steer->focus[op][form] = steer->drawn[op][form] = weight;
}

static void test_steering(struct bench *b)
{
    enum { STREAMS = 300 };
    struct gen_steer *steer = calloc(1, sizeof *steer);
    u32 focused;
    if (!steer)
        bail("no memory");
    steer->candidates = 1;
    set_weights(steer, 1);
    u64 plain = pairs_of(b, steer, STREAMS, &focused);
    steer->candidates = 12;
    steer->seen = &b->seen;
    u64 steered = pairs_of(b, steer, STREAMS, &focused);
    ok(steered * 10 > plain * 12, "%u streams made of what is missing: %llu pairs, else %llu",
       STREAMS, (unsigned long long)steered, (unsigned long long)plain);
    set_weights(steer, 0);
    steer->focus[OP_v_mad_f32][FORM_E64] = 1;
    steer->drawn[OP_v_mad_f32][FORM_E64] = steer->drawn[OP_v_and_b32][FORM_E64] = 1;
    pairs_of(b, steer, 20, &focused);
    is_u64(20, focused, "streams turn around what has a weight");
    u64 mad = b->seen.drawn[kind(b, OP_v_mad_f32, FORM_E64) - b->model.kind],
        and = b->seen.drawn[kind(b, OP_v_and_b32, FORM_E64) - b->model.kind],
        add = b->seen.drawn[kind(b, OP_v_sub_f32, FORM_E64) - b->model.kind];
    ok(mad > 100 && and > 100 && add == 0, "and draw nothing else among others");
    set_weights(steer, 1);
    for (u32 form = 0; form < FORM_COUNT; form++)
        steer->focus[OP_v_mad_f32][form] = 300;
    pairs_of(b, steer, STREAMS, &focused);
    ok(focused > STREAMS / 10 && focused < STREAMS / 4,
       "a weight of 300 among some 2000 is that share: %u of %u", focused, STREAMS);
    free(steer);
}

int main(void)
{
    static const char *const others[] = { "gfx906", "gfx908", "gfx803" };
    struct bench b;
    open_bench(&b, "gfx900");
    diag("%u kinds, %llu pairs", b.model.kind_count, (unsigned long long)b.model.pairs);
    test_legal(&b);
    test_drawn_is_legal(&b, 3000);
    test_instruction(&b);
    test_step(&b);
    test_values(&b);
    test_merge(&b);
    test_steering(&b);
    close_bench(&b);
    for (u32 i = 0; i < COUNT_OF(others); i++) {
        open_bench(&b, others[i]);
        test_drawn_is_legal(&b, 1500);
        close_bench(&b);
    }
    return done();
}
