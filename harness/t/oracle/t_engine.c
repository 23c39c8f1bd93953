/* The host engine gives the same bits and the same exceptions as the ref engine, for every row that
 * it has a version of and in every rounding x denormal x IEEE x DX10_CLAMP mode: crosses of edge
 * operands, and random ones with all lanes on and with some, with output modifiers and without.
 *
 *     t_engine [ROUNDS]      random waves per row (default 2048) */
#include "harness/t/fp/fp_values.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/exec/exec.h"

#include <stdlib.h>

static const struct fv_fmt f32 = { "f32", 23, 8 }, f64 = { "f64", 52, 11 };

enum {
    SOURCES = 4, /* S0 S1 S2, and D of a row that reads it */
    MODES = 64,
    REG_D = 0,
    REG_S = 4 /* S0 here, the others each two registers on */
};

struct pair {
    struct engine ref, host;
    struct machine *a, *b;
};

/* A row under test: where its operands stand. */
struct subject {
    isa_op op;
    const struct fv_fmt *format;
    u32 sources; /* in registers */
    u32 reg[SOURCES];
};

/* Mode n of 64: the fields of f32 and f64 differ, so that one taken for the other shows. */
static u32 mode_of(u32 n)
{
    u32 round = n & 3, denorm = n >> 2 & 3;
    return (round ^ 1) << MODE_ROUND_32 | round << MODE_ROUND_64 | (denorm ^ 3) << MODE_DENORM_32 |
           denorm << MODE_DENORM_64 | (n >> 4 & 1) << MODE_IEEE | (n >> 5 & 1) << MODE_DX10_CLAMP;
}

static void set_lane(struct wave *w, u32 reg, u32 lane, u64 v, const struct fv_fmt *f)
{
    w->vgpr[reg][lane] = (u32)v;
    if (f == &f64)
        w->vgpr[reg + 1][lane] = (u32)(v >> 32);
}

static void start(struct wave *w, u32 mode, u64 exec)
{
    w->mode = mode;
    wave_mode_changed(w);
    w->trapsts = 0;
    w->pc = PC_DEFAULT;
    w->stop = STOP_NONE;
    pair_set(&w->sgpr[CODE_EXEC], exec);
}

/* One wave on both engines; whether they agree. */
static bool agree(struct pair *p, const struct subject *s, const u64 (*value)[LANES], u32 mode,
                  u64 exec)
{
    struct machine *m[2] = { p->a, p->b };
    for (u32 i = 0; i < 2; i++) {
        struct wave *w = m[i]->wave[0];
        for (u32 lane = 0; lane < LANES; lane++) {
            set_lane(w, REG_D, lane, 0x5555555512345678u + lane, &f64);
            for (u32 k = 0; k < s->sources; k++)
                set_lane(w, s->reg[k], lane, value[k][lane], s->format);
        }
        start(w, mode, exec);
        machine_step(m[i], w);
    }
    return memcmp(p->a->wave[0]->vgpr, p->b->wave[0]->vgpr, sizeof p->a->wave[0]->vgpr) == 0 &&
           p->a->wave[0]->trapsts == p->b->wave[0]->trapsts;
}

/* The first edges, which are the most telling, in every combination. */
static u32 edge_cross(struct pair *p, const struct subject *s, u64 *waves)
{
    u64 edge[FV_EDGES_MAX], value[SOURCES][LANES];
    u32 all = (u32)fv_edges(s->format, edge), n = s->sources > 2 ? 26 : all, total = 1, bad = 0;
    for (u32 k = 0; k < s->sources; k++)
        total *= n;
    for (u32 at = 0; at < total; at += LANES) {
        for (u32 lane = 0; lane < LANES; lane++)
            for (u32 k = 0, i = (at + lane) % total; k < s->sources; k++, i /= n)
                value[k][lane] = edge[i % n];
        for (u32 mode = 0; mode < MODES; mode++, ++*waves)
            bad += !agree(p, s, (const u64(*)[LANES])value, mode_of(mode), ~0ull);
    }
    return bad;
}

static u32 randoms(struct pair *p, const struct subject *s, u32 rounds)
{
    u64 value[SOURCES][LANES];
    struct rng r;
    u32 bad = 0;
    rng_seed(&r, s->op);
    for (u32 n = 0; n < rounds; n++) {
        bool with_nan = n & 256;
        for (u32 k = 0; k < s->sources; k++)
            for (u32 lane = 0; lane < LANES; lane++)
                do
                    value[k][lane] = fv_random(s->format, &r);
                while (!with_nan && fv_is_nan(s->format, value[k][lane]));
        u64 exec[4] = { ~0ull, 0xaaaaaaaaaaaaaaaau, rng_u64(&r), 1ull << rng_below(&r, LANES) };
        bad += !agree(p, s, (const u64(*)[LANES])value, mode_of(n), exec[n >> 6 & 3]);
    }
    return bad;
}

/* The instruction with its operands in registers of their own. */
static void make(const struct isa *isa, isa_op op, struct subject *s, struct insn *in)
{
    enum isa_form form = isa_rows[op].forms == F_LIT ? FORM_LIT : FORM_E64;
    *s = (struct subject){ .op = op };
    insn_start(isa, op, form, in);
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        u32 reg = o->dir & DIR_W ? (u32)REG_D : REG_S + 2 * ((u32)o->slot - SLOT_S0);
        s->format = o->type == T_F64 ? &f64 : &f32;
        if (o->kind == K_LIT)
            insn_set(in, FLD_lit, 0x3fc00001);
        else
            insn_set(in, (enum isa_field)o->field, o->kind == K_SRC ? CODE_VGPR + reg : reg);
        if (o->kind != K_LIT && o->dir & DIR_R)
            s->reg[s->sources++] = reg;
    }
}

static void load(struct pair *p, const struct insn *in)
{
    u32 code[INSN_DW_MAX], dw = insn_encode(in, code);
    struct err e = { .text = "" };
    if (machine_load(p->a, code, dw, PC_DEFAULT, &e) ||
        machine_load(p->b, code, dw, PC_DEFAULT, &e))
        bail("%s", e.text);
}

static void compare_op(struct pair *p, const struct isa *isa, isa_op op, u32 rounds)
{
    struct subject s;
    struct insn in;
    u64 waves = 0;
    make(isa, op, &s, &in);
    load(p, &in);
    u32 bad = edge_cross(p, &s, &waves);
    is_u64(0, bad, "%s: edges in all modes, waves that differ of %llu", isa_rows[op].name,
           (unsigned long long)waves);
    bad = randoms(p, &s, rounds);
    if (insn_has(&in, FLD_clamp)) {
        insn_set(&in, FLD_clamp, 1);
        load(p, &in);
        bad += randoms(p, &s, rounds);
        insn_set(&in, FLD_omod, 2);
        load(p, &in);
        bad += randoms(p, &s, rounds);
    }
    is_u64(0, bad, "%s: random operands, waves that differ of %u", isa_rows[op].name, rounds);
}

/* The rows of a processor that none before it had and that the engines execute differently. */
static u32 rows_of(const struct pair *p, const struct isa *isa, u8 *taken, u16 *op)
{
    u32 count = 0;
    for (u32 i = 1; i < isa_op_count; i++) {
        if (!isa_has(isa, i) || taken[i] || p->ref.sem[i] == p->host.sem[i])
            continue;
        taken[i] = 1;
        op[count++] = (u16)i;
    }
    return count;
}

static void compare_rows(struct pair *p, const struct isa *isa, const u16 *op, u32 count,
                         u32 rounds)
{
    struct machine_cfg cfg = { .waves_max = 1 };
    struct err e = { .text = "" };
    if (machine_open(&p->a, isa, &p->ref, &cfg, &e) || machine_open(&p->b, isa, &p->host, &cfg, &e))
        bail("%s", e.text);
    machine_reset(p->a, 1, 0);
    machine_reset(p->b, 1, 0);
    for (u32 i = 0; i < count; i++)
        compare_op(p, isa, op[i], rounds);
    machine_close(p->a);
    machine_close(p->b);
}

int main(int argc, char **argv)
{
    static const char *const mcpu[] = { "gfx900", "gfx908", "gfx803", "gfx701", "gfx600" };
    enum { MCPUS = COUNT_OF(mcpu) };
    u32 rounds = argc > 1 ? (u32)strtoul(argv[1], NULL, 10) : 2048;
    static struct isa isa[MCPUS];
    static struct pair p;
    static u8 taken[OPS_MAX];
    static u16 op[MCPUS][OPS_MAX];
    u32 count[MCPUS], rows = 0;
    struct err e = { .text = "" };
    if (engine_open(&p.ref, "ref", &e) || engine_open(&p.host, "host", &e))
        bail("%s", e.text);
    for (u32 i = 0; i < MCPUS; i++) {
        if (isa_open(&isa[i], mcpu[i], &e))
            bail("%s", e.text);
        rows += count[i] = rows_of(&p, &isa[i], taken, op[i]);
    }
    if (rows == 0)
        skip_all("this CPU has no AVX2 and FMA: host is ref");
    plan(rows * 2);
    for (u32 i = 0; i < MCPUS; i++)
        compare_rows(&p, &isa[i], op[i], count[i], rounds);
    return done();
}
