/* The host engine gives the same bits and the same exceptions as the ref engine: every row that it
 * has a version of, in every rounding x denormal x IEEE mode, over crosses of edge values, with all
 * lanes on and with half. */
#include "oracle/exec.h"
#include "reports/tap.h"

#include <stdlib.h>

static const u32 edge[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00800001, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0xc0400000, 0x3f000000,
    0x34000000, 0x7f7fffff, 0xff7fffff, 0x7f000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345,
    0x7f800001, 0xffbfffff, 0x4b7fffff, 0x4b800001, 0x20000000, 0xa0000001, 0x1f800000, 0x5f800000,
};

struct pair {
    struct engine ref, host;
    struct machine *a, *b;
};

/* Both machines get the same operands in v1..v3 and the same old v0. */
static void fill(struct pair *p, struct rng *r, u32 mode, u64 exec)
{
    struct machine *m[2] = { p->a, p->b };
    u32 value[4][LANES];
    for (u32 v = 0; v < 4; v++)
        for (u32 lane = 0; lane < LANES; lane++)
            value[v][lane] =
                rng_one_in(r, 4) ? (u32)rng_u64(r) : edge[rng_below(r, COUNT_OF(edge))];
    for (u32 i = 0; i < 2; i++) {
        struct wave *w = m[i]->wave[0];
        for (u32 v = 0; v < 4; v++)
            memcpy(w->vgpr[v], value[v], sizeof value[v]);
        w->mode = mode;
        wave_mode_changed(w);
        w->trapsts = 0;
        w->pc = PC_DEFAULT;
        w->stop = STOP_NONE;
        pair_set(&w->sgpr[CODE_EXEC], exec);
    }
}

static void set_sources(struct insn *in)
{
    for (const struct isa_operand *o = insn_row(in)->operand; o->kind != K_NONE; o++) {
        u32 v = o->dir & DIR_W ? 0 : 1 + o->slot - SLOT_S0;
        if (o->kind == K_LIT)
            insn_set(in, FLD_lit, 0x3fc00001);
        else
            insn_set(in, (enum isa_field)o->field, o->kind == K_SRC ? CODE_VGPR + v : v);
    }
}

static u32 compare_op(struct pair *p, const struct isa *isa, enum isa_op op, u32 rounds)
{
    struct insn in;
    u32 code[INSN_DW_MAX], bad = 0;
    struct rng r;
    enum isa_form form = isa_rows[op].forms == F_LIT ? FORM_LIT : FORM_E64;
    insn_start(isa, op, form, &in);
    set_sources(&in);
    u32 dw = insn_encode(&in, code);
    machine_load(p->a, code, dw, PC_DEFAULT, NULL);
    machine_load(p->b, code, dw, PC_DEFAULT, NULL);
    rng_seed(&r, op);
    for (u32 n = 0; n < rounds; n++) {
        u32 mode = (n & 3) | (n >> 2 & 3) << MODE_DENORM_32 | (n >> 4 & 1) << MODE_IEEE |
                   1u << MODE_DX10_CLAMP;
        fill(p, &r, mode, n >> 5 & 1 ? 0xaaaaaaaaaaaaaaaau : ~0ull);
        machine_step(p->a, p->a->wave[0]);
        machine_step(p->b, p->b->wave[0]);
        bad += memcmp(p->a->wave[0]->vgpr, p->b->wave[0]->vgpr, sizeof p->a->wave[0]->vgpr) != 0 ||
               p->a->wave[0]->trapsts != p->b->wave[0]->trapsts;
    }
    return bad;
}

int main(int argc, char **argv)
{
    u32 rounds = argc > 1 ? (u32)strtoul(argv[1], NULL, 10) : 2048;
    static struct isa isa;
    static struct pair p;
    struct machine_cfg cfg = { .waves_max = 1 };
    struct err e = { .text = "" };
    if (isa_open(&isa, "gfx900", &e) || engine_open(&p.ref, "ref", &e) ||
        engine_open(&p.host, "host", &e) || machine_open(&p.a, &isa, &p.ref, &cfg, &e) ||
        machine_open(&p.b, &isa, &p.host, &cfg, &e))
        bail("%s", e.text);
    u32 rows = 0;
    for (u32 op = 1; op < OP_COUNT; op++)
        rows += p.ref.sem[op] != p.host.sem[op];
    if (rows == 0)
        skip_all("this CPU has no AVX2 and FMA: host is ref");
    plan(rows);
    for (u32 op = 1; op < OP_COUNT; op++)
        if (p.ref.sem[op] != p.host.sem[op])
            is_u64(0, compare_op(&p, &isa, (enum isa_op)op, rounds), "%s: waves that differ of %u",
                   isa_rows[op].name, rounds);
    machine_close(p.a);
    machine_close(p.b);
    return done();
}
