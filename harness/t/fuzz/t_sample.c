/* Streams with samplers and with global wave sync. All of what a sampler can say is said, on surfaces
 * with levels and layers; every stream ends on the model; and no coordinate is so near to an edge or
 * a middle of a texel of any level that another precision than the model's would take another one.
 * The fields are read here by the manual's tables, not by the generator's names. */
#include "fuzz/gen/gen.h"
#include "harness/dut/model.h"
#include "harness/finding/stream_job.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/isa/op.h"
#include "oracle/state/state.h"

#include <math.h>
#include <stdlib.h>

enum { TRIES = 40, SEEN_MAX = 128 };

struct bench {
    struct isa isa;
    struct generator g;
    struct stream s;
    struct jobbuf *jb;
    struct model *mo;
    u32 seen[SEEN_MAX]; /* instructions by what they show */
    u32 places, near;
    struct {
        u32 value;
        bool is_known;
    } sgpr[SGPRS]; /* of the first wave, where the walk through its stream stands */
};

/* What an instruction may show; those with several values have that many places from there on. */
enum seen {
    CLAMP_X = 0,
    CLAMP_Y = 8,
    CLAMP_Z = 16,
    COMPARE = 24,
    BORDER = 32,
    MAG = 35,
    MIN = 37,
    Z = 39,
    MIP = 42,
    BLEND = 45,
    ORDER = 48,
    TYPE = 54, /* from 8 on */
    LEVELS = 60,
    FIRST_LEVEL = 64,
    FIRST_LAYER,
    LOWEST,
    MOST,
    BIAS_UP,
    BIAS_DOWN,
    CUT,
    PRECLAMP,
    UNNORMALIZED_BY_BOTH,
    UNNORMALIZED_BY_SAMPLER,
    UNNORMALIZED_BY_INSTRUCTION,
    SHORT,
    HALVES,
    NO_LAYER,
    OVERLAPS,
    LONG_ROWS,
    ODD_SIZE,
    SEEN_COUNT
};

static bool is_sampled(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->field == FLD_ssamp)
            return true;
    return false;
}

/* ---- scalar registers: resources and samplers are there from the start, or copied to others ---- */

static void start_sgprs(struct bench *b)
{
    for (u32 i = 0; i < SGPRS; i++) {
        const u32 *v = stream_value(&b->s, 0, i);
        b->sgpr[i].is_known = v != NULL;
        b->sgpr[i].value = v ? *v : 0;
    }
}

static void note_move(struct bench *b, const struct insn *in)
{
    bool single = in->op == OP_s_mov_b32;
    if (!single && in->op != OP_s_mov_b64)
        return;
    u32 to = insn_get(in, FLD_sdst), from = insn_get(in, FLD_ssrc0), count = single ? 1 : 2;
    for (u32 i = 0; i < count && to + i < SGPRS; i++) {
        bool copied = from + i < SGPRS, literal = single && in->form == FORM_LIT;
        b->sgpr[to + i].is_known = copied ? b->sgpr[from + i].is_known : literal;
        b->sgpr[to + i].value = copied ? b->sgpr[from + i].value : in->lit;
    }
}

static bool words_of(struct bench *b, u32 first, u32 count, u32 *word)
{
    for (u32 i = 0; i < count; i++) {
        if (!b->sgpr[first + i].is_known)
            return false;
        word[i] = b->sgpr[first + i].value;
    }
    return true;
}

static u32 field(u32 word, u32 lsb, u32 width)
{
    return word >> lsb & ((1u << width) - 1);
}

/* ---- what is shown ---- */

static void note_sampler(struct bench *b, const struct insn *in, const u32 s[4], u32 axes)
{
    static const u8 clamp[3] = { CLAMP_X, CLAMP_Y, CLAMP_Z };
    u32 *seen = b->seen, unorm = insn_get(in, FLD_unorm), forced = field(s[0], 15, 1);
    for (u32 i = 0; i < axes; i++)
        seen[clamp[i] + field(s[0], i * 3, 3)]++;
    if (insn_row(in)->flags & FLAG_REFERENCE)
        seen[COMPARE + field(s[0], 12, 3)]++;
    seen[BORDER + field(s[3], 30, 2)]++;
    seen[MAG + field(s[2], 20, 1)]++;
    seen[MIN + field(s[2], 22, 1)]++;
    seen[Z + field(s[2], 24, 2)]++;
    seen[MIP + field(s[2], 26, 2)]++;
    seen[BLEND + field(s[0], 29, 2)]++;
    seen[LOWEST] += field(s[1], 0, 12) != 0;
    seen[MOST] += field(s[1], 12, 12) < 0x400;
    seen[BIAS_UP] += field(s[2], 0, 14) && !field(s[2], 13, 1);
    seen[BIAS_DOWN] += field(s[2], 13, 1);
    seen[CUT] += field(s[0], 27, 1);
    seen[PRECLAMP] += field(s[2], 28, 1);
    seen[UNNORMALIZED_BY_BOTH] += unorm && forced;
    seen[UNNORMALIZED_BY_SAMPLER] += !unorm && forced;
    seen[UNNORMALIZED_BY_INSTRUCTION] += unorm && !forced;
}

static void note_surface(struct bench *b, const struct insn *in, const u32 r[8])
{
    u32 *seen = b->seen, first = field(r[3], 12, 4), type = r[3] >> 28;
    u32 width = field(r[2], 0, 14) + 1;
    bool layers = type == 11 || type == 12 || type == 13;
    seen[ORDER + (r[4] >> 29)]++;
    seen[TYPE + type - 8]++;
    seen[LEVELS + field(r[3], 16, 4) - first]++;
    seen[FIRST_LEVEL] += first != 0;
    seen[FIRST_LAYER] += field(r[5], 0, 13) != 0;
    seen[SHORT] += insn_get(in, FLD_a16);
    seen[HALVES] += insn_get(in, FLD_d16);
    seen[NO_LAYER] += layers && !insn_get(in, FLD_da);
    seen[LONG_ROWS] += r[5] >> 28 && width > 64;
    seen[ODD_SIZE] += (width & (width - 1)) != 0;
}

/* ---- coordinates ---- */

static double number_of(u32 v, bool half)
{
    u32 bits = half ? 10 : 23, exp = half ? v >> 10 & 31 : v >> 23 & 255, bias = half ? 15 : 127;
    double m = (double)(v & ((1u << bits) - 1)) / (double)(1u << bits);
    double f = exp ? ldexp(1 + m, (int)exp - (int)bias) : ldexp(m, 1 - (int)bias);
    return (half ? v >> 15 & 1 : v >> 31) ? -f : f;
}

/* Less than a 128th of a texel from where another texel begins, for a filter or without one. */
static bool is_near(double place)
{
    double part = fabs(place * 2 - floor(place * 2 + 0.5)) / 2;
    return part < 1.0 / 128;
}

/* The first register of coordinates. */
static u32 coords_of(const struct insn *in, u32 axes)
{
    u64 flags = insn_row(in)->flags;
    u32 each = insn_get(in, FLD_a16) ? (axes + 1) / 2 : axes, at = insn_get(in, FLD_vaddr);
    at += (flags & FLAG_OFFSETS ? 1u : 0u) + (flags & FLAG_BIAS ? 1u : 0u) +
          (flags & FLAG_REFERENCE ? 1u : 0u);
    return at + (flags & FLAG_GRADIENT ? 2 * each : 0);
}

static void check_places(struct bench *b, const struct insn *in, const u32 r[8], u32 axes,
                         bool texels)
{
    bool half = insn_get(in, FLD_a16), cube = r[3] >> 28 == 11;
    u32 first = field(r[3], 12, 4), last = field(r[3], 16, 4), levels = last - first + 1;
    if (last < first)
        bail("a surface whose last level is %u, and its first %u", last, first);
    const u32 size[3] = { field(r[2], 0, 14) + 1, field(r[2], 14, 14) + 1, field(r[4], 0, 13) + 1 };
    for (u32 i = 0; i < axes; i++) {
        u32 reg = coords_of(in, axes) + (half ? i / 2 : i);
        const u32 *v = stream_value(&b->s, 0, PLACE_V0 + reg);
        for (u32 at = 0; v && at < LANES * levels; at++) {
            u32 level = at / LANES, wide = size[i] >> (first + level);
            double c = number_of(half ? v[at % LANES] >> i % 2 * 16 : v[at % LANES], half);
            double place = (cube ? c - 1 : c) * (texels ? 1 : wide ? wide : 1);
            b->places++;
            b->near += is_near(place);
        }
    }
}

static void look_at(struct bench *b, const struct insn *in)
{
    u32 s[4], r[8], overlap = insn_get(in, FLD_vdata);
    if (!words_of(b, insn_get(in, FLD_srsrc) * 4, 8, r) ||
        !words_of(b, insn_get(in, FLD_ssamp) * 4, 4, s))
        return;
    u32 type = r[3] >> 28, axes = type == 8 || type == 12 ? 1 : type == 10 ? 3 : 2;
    u32 at = insn_get(in, FLD_vaddr);
    note_sampler(b, in, s, axes);
    note_surface(b, in, r);
    if (at < overlap + 4 && overlap < at + 13) { /* copies of coordinates */
        b->seen[OVERLAPS]++;
        return;
    }
    check_places(b, in, r, axes, field(s[0], 15, 1) || insn_get(in, FLD_unorm));
}

static u32 look_through(struct bench *b, isa_op op)
{
    u32 found = 0;
    start_sgprs(b);
    for (u32 at = 0; at < b->s.code_dw;) {
        struct insn in;
        if (!insn_decode(&b->isa, b->s.code + at, b->s.code_dw - at, &in, NULL))
            return 0;
        note_move(b, &in);
        if (is_sampled(insn_row(&in)))
            look_at(b, &in);
        found += in.op == op;
        at += in.dw;
    }
    return found;
}

static bool ends(struct bench *b, struct err *e)
{
    struct gcncheck_job *job = stream_job_build(&b->s, b->jb);
    if (model_run(b->mo, job, e) != ST_OK)
        return false;
    if (job->outcome != GCNCHECK_DONE)
        err_set(e, ST_INPUT, "outcome %u: %s", job->outcome, job->reason);
    return job->outcome == GCNCHECK_DONE;
}

/* Streams of all opcodes that `takes` wants. Returns how many opcodes there are. */
static u32 run_all(struct bench *b, bool (*takes)(const struct isa_row *row), u32 *waves)
{
    u32 ops = 0, bad = 0, missing = 0;
    for (u32 i = 0; i < b->g.op_count; i++) {
        isa_op op = b->g.op[i];
        u32 found = 0;
        if (!takes(&isa_rows[op]))
            continue;
        for (u32 k = 0; k < TRIES; k++) {
            struct err e = { .text = "" };
            gen_stream_of(&b->g, op, k, &b->s);
            found += look_through(b, op) != 0;
            *waves += b->s.waves > 1;
            if (!ends(b, &e) && bad++ < 5)
                diag("%s, stream %u: %s", isa_rows[op].name, k, e.text);
        }
        if (found < TRIES * 3 / 4) {
            diag("%s: in %u of %d streams", isa_rows[op].name, found, TRIES);
            missing++;
        }
        ops++;
    }
    is_u64(0, bad, "every stream of %u opcodes ends on the model", ops);
    is_u64(0, missing, "and has its opcode");
    return ops;
}

static bool takes_sync(const struct isa_row *row)
{
    return row->flags & FLAG_GDS_ONLY;
}

static void test_processor(struct bench *b, const char *mcpu)
{
    struct err e = { .text = "" };
    struct gen_cfg cfg = gen_cfg_default;
    u32 waves = 0, never = 0;
    memset(b->seen, 0, sizeof b->seen);
    b->places = b->near = 0;
    if (isa_open_modelled(&b->isa, mcpu, &e) != ST_OK ||
        gen_open(&b->g, &b->isa, &cfg, &e) != ST_OK ||
        model_open(&b->mo, mcpu, "ref", NULL, &e) != ST_OK)
        bail("%s", e.text);
    ok(run_all(b, is_sampled, &waves) > 60, "%s: samplers", mcpu);
    for (u32 i = 0; i < SEEN_COUNT; i++)
        if (b->seen[i] < 10) {
            diag("number %u: in %u instructions", i, b->seen[i]);
            never++;
        }
    is_u64(0, never, "all of what a sampler and its surface can say, at least ten times");
    ok(b->places > 100000, "%u coordinates of a lane at a level", b->places);
    is_u64(0, b->near, "none of them near to where texels change");
    waves = 0;
    is_u64(6, run_all(b, takes_sync, &waves), "global wave sync");
    ok(waves > TRIES, "%u streams of several waves", waves);
    model_close(b->mo);
}

int main(void)
{
    struct bench *b = calloc(1, sizeof *b);
    if (!b || !(b->jb = jobbuf_new()))
        bail("out of memory");
    ok(is_near(3.5 + 1.0 / 200) && is_near(2 - 1.0 / 200) && !is_near(2.125),
       "what is near is told apart");
    test_processor(b, "gfx900");
    test_processor(b, "gfx908");
    jobbuf_free(b->jb);
    free(b);
    return done();
}
