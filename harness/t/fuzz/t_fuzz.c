/* The generator: 20,000 streams are legal, end, stay inside their windows, are the same again, and
 * show every opcode in every form. */
#include "fuzz/cover/tally.h"
#include "fuzz/gen/gen.h"
#include "harness/dut/model.h"
#include "harness/finding/stream_job.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/isa/op.h"
#include "oracle/rule/rule.h"
#include "oracle/state/effects.h"

#include <stdlib.h>
#include <time.h>

#define STREAMS 20000

struct bench {
    struct isa isa;
    struct generator *g;
    struct stream *s;
    struct jobbuf *jb;
    struct model *mo;
    struct tally *tally;
    u64 *hash;
    u64 insns, steps, waves, outside, loops;
    u32 several, features;
};

/* Every instruction decodes and is legal, and so is their sequence. */
static bool is_legal(struct bench *b, struct err *e)
{
    const struct stream *s = b->s;
    struct rule_program p = { .code = s->code, .dw = s->code_dw, .pc = s->pc };
    for (u32 at = 0; at < s->code_dw;) {
        struct insn in;
        char text[160];
        struct err why = { .text = "" };
        if (!insn_decode(&b->isa, s->code + at, s->code_dw - at, &in, e))
            return false;
        if (insn_legal(&b->isa, &in, &why)) {
            insn_print(&b->isa, &in, text, sizeof text);
            err_set(e, ST_INPUT, "%.100s: %.120s", text, why.text);
            return false;
        }
        at += in.dw;
        b->insns++;
    }
    return rule_check(&b->isa, &p, e) == ST_OK;
}

/* Ends within its bound, and no access leaves the windows. */
static bool runs(struct bench *b, struct err *e)
{
    struct gcncheck_job *job = stream_job_build(b->s, b->jb);
    if (model_run(b->mo, job, e) != ST_OK)
        return false;
    if (job->outcome != GCNCHECK_DONE) {
        err_set(e, ST_INPUT, "outcome %u: %s", job->outcome, job->reason);
        return false;
    }
    for (u32 i = 0; i < job->waves; i++) {
        const struct wave *w = b->mo->m->wave[i];
        b->steps += w->steps;
        if (w->faulted) {
            err_set(e, ST_INPUT, "wave %u accesses 0x%llx", i, (unsigned long long)w->fault_addr);
            return false;
        }
    }
    b->waves += job->waves;
    return true;
}

/* Whether a stream says of the places that its code may write, and of no other, that it writes them. */
static bool says_what_it_writes(struct bench *b)
{
    u64 written[STREAM_PLACE_WORDS] = { 0 };
    struct effects fx;
    struct insn in;
    for (u32 at = 0; at < b->s->code_dw; at += in.dw) {
        insn_decode(&b->isa, b->s->code + at, b->s->code_dw - at, &in, NULL);
        effects_written(&in, &fx);
        for (u32 i = 0; i < fx.count; i++)
            for (u32 n = 0; fx.e[i].dir & DIR_W && n < fx.e[i].dw; n++)
                written[(fx.e[i].place + n) / 64] |= 1ull << (fx.e[i].place + n) % 64;
    }
    return memcmp(written, b->s->written, sizeof written) == 0;
}

/* The last stream's last instruction becomes one that writes a register of which it says nothing. */
static bool notices_a_write(struct bench *b)
{
    u32 place = 0;
    while (b->s->written[0] >> place & 1)
        place++;
    b->s->code[b->s->code_dw - 1] = 0xbe800080 | place << 16; /* s_mov_b32 of 0 */
    return place <= CODE_SGPR_LAST && !says_what_it_writes(b);
}

/* Windows that reach into the upper half of the 48 bits that an address has, where it counts as
 * negative. */
static u32 count_high(const struct stream *s)
{
    u32 n = 0;
    for (u32 i = 0; i < s->window_count; i++)
        n += s->window[i].address + s->window[i].size > 1ull << 47;
    return n;
}

/* One stream in about 40,000 draws an address at the very top. */
static void test_top(struct bench *b)
{
    static const u32 numbers[] = { 28619, 35191, 48693 };
    u32 high = 0;
    for (u32 i = 0; i < COUNT_OF(numbers); i++) {
        gen_stream(b->g, numbers[i], b->s);
        high += count_high(b->s);
    }
    is_u64(0, high, "nor does one that is drawn at its top leave it");
}

static void test_streams(struct bench *b)
{
    u32 illegal = 0, stuck = 0, untrue = 0, high = 0;
    for (u32 i = 0; i < STREAMS; i++) {
        struct err e = { .text = "" };
        gen_stream(b->g, i, b->s);
        b->hash[i] = stream_hash(b->s);
        if (!is_legal(b, &e)) {
            if (illegal++ < 5)
                diag("stream %u (%s): %s", i, isa_rows[b->s->focus].name, e.text);
        } else if (!runs(b, &e) && stuck++ < 5) {
            diag("stream %u (%s): %s", i, isa_rows[b->s->focus].name, e.text);
        }
        b->outside += (b->s->features & GEN_LDS_OUTSIDE) != 0;
        b->several += b->s->waves > 1;
        b->features |= b->s->features;
        tally_code(b->tally, &b->isa, b->s->code, b->s->code_dw);
        untrue += !says_what_it_writes(b);
        high += count_high(b->s);
    }
    is_u64(0, untrue, "every stream says what it writes");
    ok(notices_a_write(b), "planted: a write that it does not say is noticed");
    is_u64(0, illegal, "every stream is legal");
    is_u64(0, stuck, "every stream ends within its bound and inside its windows");
    is_u64(0, high, "every window lies in the lower half of all addresses");
    test_top(b);
    diag("%.1f instructions, %.1f steps a wave, %.2f waves, %llu streams with LDS accesses outside",
         (double)b->insns / STREAMS, (double)b->steps / (double)b->waves,
         (double)b->waves / STREAMS, (unsigned long long)b->outside);
}

static void test_again(struct bench *b)
{
    u32 differ = 0;
    u64 all = 0;
    for (u32 i = STREAMS; i-- > 0;) {
        gen_stream(b->g, i, b->s);
        differ += stream_hash(b->s) != b->hash[i];
    }
    is_u64(0, differ, "the same streams in reverse order");
    for (u32 i = 0; i < STREAMS; i++)
        all = hash_mix(all, b->hash[i]);
    diag("hash of all, to be compared between compilers: %016llx", (unsigned long long)all);
}

/* Opcodes x forms that the generator knows and that never came. */
static u32 gaps(const struct bench *b)
{
    u32 n = 0;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        u32 forms = gen_forms(&b->isa, op);
        for (u32 form = 0; form < FORM_COUNT; form++)
            if (forms >> form & 1 && !b->tally->form[op][form] && n++ < 8)
                diag("never: %s, %s", isa_rows[op].name, isa_form_names[form]);
    }
    return n;
}

static void test_coverage(struct bench *b)
{
    is_u64(0, gaps(b), "every opcode appears in every form");
    is_u64(STREAMS, b->tally->streams, "every stream was counted");
    is_u64(b->insns, b->tally->insns, "every instruction was counted");
    is_hex(GEN_ALL & ~GEN_MATRIX, b->features, "every feature that there is, is made use of");
    ok(b->several > STREAMS / 20, "%u streams of several waves", b->several);
    u64 twice = b->tally->form[OP_v_add_f32][FORM_BASE] * 2;
    tally_merge(b->tally, b->tally);
    is_u64(twice, b->tally->form[OP_v_add_f32][FORM_BASE], "tallies add up");
}

/* Whether every opcode of the stream's program is allowed, or s_endpgm. */
static bool keeps_to(const struct bench *b, const u8 *forms)
{
    struct insn in;
    for (u32 at = 0; at < b->s->code_dw; at += in.dw) {
        if (!insn_decode(&b->isa, b->s->code + at, b->s->code_dw - at, &in, NULL))
            return false;
        if (in.op != OP_s_endpgm && !(forms[in.op] >> in.form & 1))
            return false;
    }
    return true;
}

static void open_or_bail(struct bench *b, struct generator *g, const struct gen_cfg *cfg)
{
    struct err e = { .text = "" };
    if (gen_open(g, &b->isa, cfg, &e))
        bail("%s", e.text);
}

/* A DUT with a few opcodes gets streams of those only. */
static void test_partial(struct bench *b, const char *name, const u16 *op, u32 n)
{
    u8 forms[OPS_MAX] = { 0 };
    struct gen_cfg cfg = gen_cfg_default;
    struct generator *g = calloc(1, sizeof *g);
    u32 stray = 0, bad = 0;
    if (!g)
        bail("out of memory");
    for (u32 i = 0; i < n; i++)
        forms[op[i]] = F_BASE;
    cfg.forms = forms;
    open_or_bail(b, g, &cfg);
    is_u64(n, g->op_count, "%s: the focus goes over its opcodes", name);
    for (u32 i = 0; i < 1000; i++) {
        struct err e = { .text = "" };
        gen_stream(g, i, b->s);
        stray += !keeps_to(b, forms);
        if (!is_legal(b, &e) || !runs(b, &e)) {
            diag("stream %u: %s", i, e.text);
            bad++;
        }
    }
    is_u64(0, stray, "%s: no other opcode or form", name);
    is_u64(0, bad, "%s: legal, and they end", name);
    free(g);
}

static void test_partials(struct bench *b)
{
    static const u16 vector[] = { OP_v_add_u32, OP_v_and_b32, OP_v_cmp_lt_u32, OP_v_mov_b32 };
    static const u16 scalar[] = { OP_s_add_u32, OP_s_cbranch_scc1, OP_s_cmp_lt_u32 };
    static const u16 memory[] = { OP_v_add_u32,    OP_global_load_dword, OP_global_store_dword,
                                  OP_ds_write_b32, OP_ds_read_b32,       OP_s_waitcnt };
    test_partial(b, "four vector opcodes", vector, COUNT_OF(vector));
    test_partial(b, "scalar opcodes", scalar, COUNT_OF(scalar));
    test_partial(b, "memory, no s_nop", memory, COUNT_OF(memory));
}

/* The first instruction of an opcode; false if the stream has none. */
static bool find_insn(const struct bench *b, isa_op op, struct insn *in)
{
    for (u32 at = 0; at < b->s->code_dw; at += in->dw) {
        if (!insn_decode(&b->isa, b->s->code + at, b->s->code_dw - at, in, NULL))
            return false;
        if (in->op == op)
            return true;
    }
    return false;
}

/* The resource that it names, as the stream sets it. */
static bool resource_of(struct bench *b, const struct insn *in, u32 word[4])
{
    for (u32 i = 0; i < 4; i++) {
        const u32 *v = stream_value(b->s, 0, insn_get(in, FLD_srsrc) * 4 + i);
        if (!v)
            return false;
        word[i] = *v;
    }
    return true;
}

/* What descriptors say is told apart by what streams do. */
static void test_resources(struct bench *b)
{
    enum { RAW, STRUCTURED, SWIZZLED, WITH_LANE, INDEX, OFFSET, BOTH, NEITHER, KINDS, TRIES = 600 };
    u32 kind[KINDS] = { 0 }, type[16] = { 0 }, formats = 0, least = TRIES;
    u64 format[16] = { 0 };
    for (u32 i = 0; i < TRIES; i++) {
        struct insn in;
        u32 w[4];
        gen_stream_of(b->g, OP_buffer_load_dword, i, b->s);
        if (find_insn(b, OP_buffer_load_dword, &in) && resource_of(b, &in, w)) {
            kind[w[1] >> 16 & 0x3fff ? STRUCTURED : RAW]++;
            kind[SWIZZLED] += w[1] >> 31;
            kind[WITH_LANE] += w[3] >> 23 & 1;
            kind[INDEX + (insn_get(&in, FLD_idxen)   ? (insn_get(&in, FLD_offen) ? 2 : 0)
                          : insn_get(&in, FLD_offen) ? 1
                                                     : 3)]++;
        }
        gen_stream_of(b->g, OP_image_load, i, b->s);
        if (find_insn(b, OP_image_load, &in) && resource_of(b, &in, w)) {
            type[w[3] >> 28]++;
            format[w[1] >> 26 & 15] |= 1ull << (w[1] >> 20 & 63);
        }
    }
    for (u32 i = 0; i < KINDS; i++)
        least = kind[i] < least ? kind[i] : least;
    ok(least >= 10, "every kind of buffer and of address, of the rarest %u in %u", least, TRIES);
    least = TRIES;
    for (u32 i = 8; i < 14; i++)
        least = type[i] < least ? type[i] : least;
    ok(least >= 40, "every type of image, of the rarest %u in %u", least, TRIES);
    for (u32 i = 0; i < 16; i++)
        formats += popcount64(format[i]);
    ok(formats >= 50, "%u formats of images", formats);
}

/* Without a feature nothing of it is seen. */
static void test_features(struct bench *b)
{
    struct generator *g = calloc(1, sizeof *g);
    u32 seen = 0;
    if (!g)
        bail("out of memory");
    for (u32 bit = 0; 1u << bit < GEN_ALL; bit++) {
        struct gen_cfg cfg = gen_cfg_default;
        cfg.features &= ~(1u << bit);
        open_or_bail(b, g, &cfg);
        for (u32 i = 0; i < 300; i++) {
            struct err e = { .text = "" };
            gen_stream(g, i * 7, b->s);
            if (b->s->features >> bit & 1 || !is_legal(b, &e) || !runs(b, &e)) {
                diag("feature %u, stream %u: %s", bit, i * 7, e.text);
                seen++;
            }
        }
    }
    is_u64(0, seen, "a feature that is not allowed is not made use of");
    free(g);
}

/* An opcode less changes the streams in which it appeared; the others, and all seeds, stay. */
static void test_stability(struct bench *b)
{
    u8 forms[OPS_MAX];
    struct gen_cfg cfg = gen_cfg_default;
    struct generator *g = calloc(1, sizeof *g);
    u32 same = 0, without = 0;
    if (!g)
        bail("out of memory");
    memset(forms, 0xff, sizeof forms);
    forms[OP_v_bcnt_u32_b32] = 0;
    cfg.forms = forms;
    open_or_bail(b, g, &cfg);
    for (u64 i = 0; i < 1000; i++) {
        gen_stream_of(b->g, OP_v_add_u32, i, b->s);
        u64 hash = stream_hash(b->s);
        bool clean = keeps_to(b, forms);
        gen_stream_of(g, OP_v_add_u32, i, b->s);
        without += clean;
        same += clean && stream_hash(b->s) == hash;
    }
    ok(without > 700, "most streams do without an opcode (%u of 1000)", without);
    ok(same * 10 > without * 9, "which then are the same when it does not exist (%u)", same);
    free(g);
}

/* Of 500 streams of this length, those that are illegal or do not run. */
static u32 bad_of_length(struct bench *b, struct generator *g, u32 length, struct err *e)
{
    struct gen_cfg cfg = gen_cfg_default;
    u32 bad = 0;
    cfg.insns_min = cfg.insns_max = length;
    open_or_bail(b, g, &cfg);
    for (u32 i = 0; i < 500; i++) {
        gen_stream(g, i, b->s);
        bad += !is_legal(b, e) || !runs(b, e);
    }
    return bad;
}

static void test_length(struct bench *b)
{
    struct gen_cfg cfg = gen_cfg_default;
    struct generator *g = calloc(1, sizeof *g);
    struct err e = { .text = "" };
    if (!g)
        bail("out of memory");
    u32 bad = bad_of_length(b, g, 200, &e);
    is_u64(0, bad, "the longest streams: %s", e.text);
    bad += bad_of_length(b, g, 1, &e);
    is_u64(0, bad, "the shortest streams: %s", e.text);
    cfg.insns_min = 1;
    cfg.insns_max = 201;
    is_u64(ST_INPUT, gen_open(g, &b->isa, &cfg, &e), "too long: %s", e.text);
    cfg = gen_cfg_default;
    cfg.waves_max = 5;
    is_u64(ST_INPUT, gen_open(g, &b->isa, &cfg, &e), "too many waves: %s", e.text);
    static const u8 none[OPS_MAX];
    cfg = gen_cfg_default;
    cfg.forms = none;
    is_u64(ST_INPUT, gen_open(g, &b->isa, &cfg, &e), "nothing to generate: %s", e.text);
    free(g);
}

static void test_speed(struct bench *b)
{
    struct timespec t0, t1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
    for (u32 i = 0; i < STREAMS; i++)
        gen_stream(b->g, i, b->s);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
    double t = (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) / 1e9;
    diag("%.0f streams a second on one core", STREAMS / t);
}

int main(void)
{
    struct bench b = { 0 };
    struct err e = { .text = "" };
    b.g = calloc(1, sizeof *b.g);
    b.s = calloc(1, sizeof *b.s);
    b.hash = calloc(STREAMS, sizeof *b.hash);
    b.tally = calloc(1, sizeof *b.tally);
    b.jb = jobbuf_new();
    if (isa_open(&b.isa, "gfx900", &e) || !b.g || !b.s || !b.hash || !b.tally || !b.jb ||
        model_open(&b.mo, "gfx900", "ref", NULL, &e))
        bail("cannot start: %s", e.text);
    if (gen_open(b.g, &b.isa, &gen_cfg_default, &e))
        bail("%s", e.text);
    test_streams(&b);
    test_coverage(&b);
    test_again(&b);
    test_partials(&b);
    test_resources(&b);
    test_features(&b);
    test_stability(&b);
    test_length(&b);
    test_speed(&b);
    free(b.g);
    free(b.s);
    free(b.hash);
    free(b.tally);
    jobbuf_free(b.jb);
    model_close(b.mo);
    return done();
}
