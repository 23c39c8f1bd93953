/* The shrinker on planted failures whose smallest program is known beforehand. */
#include "fuzz/gen/gen.h"
#include "fuzz/prog/prog.h"
#include "fuzz/shrink/shrink.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/exec/exec.h"
#include "oracle/isa/op.h"
#include "oracle/rule/rule.h"

#include <stdlib.h>

struct plant;
typedef bool fails_fn(struct plant *p, const struct stream *s); /* whether the failure shows */

struct plant {
    fails_fn *fails;
    const struct isa *isa;
    struct machine *m;
    struct prog prog; /* of the stream asked about */
    u32 invalid;      /* candidates that were not valid programs */
};

static bool asked(void *ctx, const struct stream *s)
{
    struct plant *p = ctx;
    struct rule_program rp = { .code = s->code, .dw = s->code_dw, .pc = s->pc };
    bool valid = rule_check(p->isa, &rp, NULL) == ST_OK &&
                 prog_decode(&p->prog, p->isa, s->code, s->code_dw, NULL) == ST_OK;
    for (u32 i = 0; valid && i < p->prog.count; i++)
        valid = insn_legal(p->isa, &p->prog.insn[i].in, NULL) == ST_OK;
    p->invalid += !valid;
    return valid && p->fails(p, s);
}

static u32 find_op(const struct prog *p, isa_op op, u32 from)
{
    while (from < p->count && p->insn[from].in.op != op)
        from++;
    return from;
}

/* A DS load or store. */
static u32 find_lds(const struct prog *p, u32 flag, u32 from)
{
    while (from < p->count && !(insn_row(&p->insn[from].in)->flags & flag &&
                                insn_row(&p->insn[from].in)->enc == ENC_DS))
        from++;
    return from;
}

static u64 pair_of(const struct stream *s, u32 wave, u32 place)
{
    u64 v = 0;
    for (u32 i = 0; i < s->set_count; i++)
        if (s->set[i].wave == wave && (s->set[i].place == place || s->set[i].place == place + 1))
            v |= (u64)s->values[s->set[i].at] << (s->set[i].place == place ? 0 : 32);
    return v;
}

static bool op_with_lane(struct plant *p, const struct stream *s)
{
    return find_op(&p->prog, OP_v_mul_lo_u32, 0) < p->prog.count &&
           pair_of(s, 0, CODE_EXEC) >> 5 & 1;
}

static bool mode_then_add(struct plant *p, const struct stream *s)
{
    u32 a = find_op(&p->prog, OP_s_setreg_imm32_b32, 0), b = find_op(&p->prog, OP_s_setreg_b32, 0);
    (void)s;
    return find_op(&p->prog, OP_v_add_f32, a < b ? a : b) < p->prog.count;
}

static bool lds_exchange(struct plant *p, const struct stream *s)
{
    u32 n = p->prog.count, at = find_lds(&p->prog, FLAG_STORE, 0);
    at = at < n ? find_op(&p->prog, OP_s_barrier, at) : n;
    return at < n && find_lds(&p->prog, FLAG_LOAD, at) < n && s->waves >= 2;
}

static bool scc_over_branch(struct plant *p, const struct stream *s)
{
    u32 at = find_op(&p->prog, OP_s_add_u32, 0);
    (void)s;
    return at < p->prog.count && find_op(&p->prog, OP_s_cbranch_scc1, at) < p->prog.count;
}

/* v_readlane that takes its lane from what a compare before it wrote. */
static bool compare_selects(struct plant *p, const struct stream *s)
{
    (void)s;
    for (u32 i = 0; i < p->prog.count; i++) {
        const struct insn *in = &p->prog.insn[i].in;
        if (in->op != OP_v_readlane_b32 || insn_get(in, FLD_src1) >= 102)
            continue;
        for (u32 k = i; k-- > 0 && !(insn_row(&p->prog.insn[k].in)->flags & FLAG_BRANCH);) {
            const struct insn *c = &p->prog.insn[k].in;
            bool compare = insn_row(c)->enc == ENC_VOPC && c->form == FORM_E64;
            if (compare && (insn_get(c, FLD_sdst) & ~1u) == (insn_get(in, FLD_src1) & ~1u))
                return true;
        }
    }
    return false;
}

/* A loop body that is run more than once. */
static bool second_round(struct plant *p, const struct stream *s)
{
    (void)s;
    for (u32 i = 0; i < p->prog.count; i++) {
        const struct prog_insn *pi = &p->prog.insn[i];
        if (pi->in.op == OP_s_cbranch_scc1 && pi->target <= (i32)i)
            return true;
    }
    return false;
}

/* Also in loops, of which nothing else need stay. */
static bool compare_then_branch(struct plant *p, const struct stream *s)
{
    u32 at = find_op(&p->prog, OP_s_cmp_lg_u32, 0);
    (void)s;
    return at < p->prog.count && find_op(&p->prog, OP_s_cbranch_scc1, at) < p->prog.count;
}

static bool call_returns(struct plant *p, const struct stream *s)
{
    u32 at = find_op(&p->prog, OP_s_call_b64, 0), n = p->prog.count;
    (void)s;
    if (at >= n)
        return false;
    u32 back = find_op(&p->prog, OP_s_setpc_b64, (u32)p->prog.insn[at].target);
    return back < n &&
           insn_get(&p->prog.insn[back].in, FLD_ssrc0) == insn_get(&p->prog.insn[at].in, FLD_sdst);
}

/* Over at least one instruction. */
static bool computed_jump(struct plant *p, const struct stream *s)
{
    (void)s;
    for (u32 i = 0; i < p->prog.count; i++) {
        const struct prog_insn *pi = &p->prog.insn[i];
        if (pi->origin >= 0 && p->prog.insn[i + 2].in.op == OP_s_setpc_b64 &&
            pi->target > (i32)i + 3)
            return true;
    }
    return false;
}

static void print_program(const struct plant *p, const struct stream *s)
{
    for (u32 at = 0; at < s->code_dw;) {
        struct insn in;
        char text[160];
        insn_decode(p->isa, s->code + at, s->code_dw - at, &in, NULL);
        insn_print(p->isa, &in, text, sizeof text);
        diag("  %s", text);
        at += in.dw;
    }
}

static bool load_machine(struct plant *p, const struct stream *s)
{
    struct stream *own =
        (struct stream *)(uintptr_t)s; /* windows are only read from where nothing is stored */
    struct err e = { .text = "" };
    p->m->mem.count = 0;
    machine_reset(p->m, 1, s->lds_size);
    memcpy(p->m->lds->bytes, s->lds, s->lds_size);
    for (u32 i = 0; i < s->window_count; i++)
        if (machine_window(p->m, s->window[i].address, own->window[i].bytes, s->window[i].size,
                           true, &e))
            return false;
    for (u32 i = 0; i < s->set_count; i++)
        for (u32 lane = 0; s->set[i].wave == 0 &&
                           lane < (s->set[i].place >= 256 && s->set[i].place < 768 ? 64u : 1u);
             lane++)
            wave_set(p->m->wave[0], s->set[i].place, lane, s->values[s->set[i].at + lane]);
    return machine_load(p->m, s->code, s->code_dw, s->pc, &e) == ST_OK;
}

/* v_add3_u32 is executed with lane 5 on and a negative first operand in it, which was so from the
 * start. */
static bool add3_of_negative(struct plant *p, const struct stream *s)
{
    if (s->waves != 1 || !load_machine(p, s))
        return false;
    struct wave *w = p->m->wave[0];
    struct stream *own = (struct stream *)(uintptr_t)s; /* only read */
    for (u32 i = 0; i < s->max_steps && w->stop == STOP_NONE; i++) {
        const struct xinsn *x = machine_fetch(p->m, w);
        u32 code = x && x->insn.op == OP_v_add3_u32 ? x->opnd[SLOT_S0].code : 0;
        const u32 *start = code >= 256 ? stream_value(own, 0, code) : NULL;
        if (start && wave_exec(w) >> 5 & start[5] >> 31 & wave_get(w, code, 5) >> 31)
            return true;
        machine_step(p->m, w);
    }
    return false;
}

static const struct planted {
    const char *name;
    fails_fn *fails;
    u16 focus;
    u32 insns; /* of the smallest program, s_endpgm not counted */
    u64 exec;  /* of the smallest program; ~0: does not matter */
} planted[] = {
    { "an opcode with lane 5 on", op_with_lane, OP_v_mul_lo_u32, 1, 1 << 5 },
    { "MODE is changed before v_add_f32", mode_then_add, OP_s_setreg_imm32_b32, 2, ~0ull },
    { "MODE is changed before v_add_f32, again", mode_then_add, OP_s_setreg_b32, 2, ~0ull },
    { "a wave reads what another wrote to LDS", lds_exchange, OP_s_barrier, 5, ~0ull },
    { "SCC decides a branch", scc_over_branch, OP_s_cbranch_scc1, 2, ~0ull },
    { "a compare selects a lane, four wait states later", compare_selects, OP_v_readlane_b32, 3,
      ~0ull },
    { "a loop goes round", second_round, OP_v_add_u32, 4, ~0ull },
    { "a loop's branch without its loop", compare_then_branch, OP_v_add_u32, 2, ~0ull },
    { "a call returns", call_returns, OP_s_call_b64, 3, ~0ull },
    { "a computed jump over an instruction", computed_jump, OP_s_setpc_b64, 5, ~0ull },
    { "v_add3_u32 of a negative number in lane 5", add3_of_negative, OP_v_add3_u32, 1, 1 << 5 },
};

struct found {
    u32 streams, failing, small, valid, calls, calls_max;
};

/* Streams of the focus until a few failed. */
static void shrink_some(struct plant *p, const struct generator *g, const struct planted *t,
                        struct stream *s, struct found *f)
{
    for (u64 i = 0; i < 4000 && f->failing < 12; i++) {
        struct shrink_stats st;
        struct err e = { .text = "" };
        gen_stream_of(g, t->focus, i, s);
        f->streams++;
        p->invalid = 0;
        if (!asked(p, s))
            continue;
        f->failing++;
        if (shrink_stream(p->isa, s, NULL, asked, p, &st, &e))
            bail("%s", e.text);
        bool lanes = t->exec == ~0ull || pair_of(s, 0, CODE_EXEC) == t->exec;
        f->small += st.insns_after == t->insns && st.complete && lanes;
        f->valid += p->invalid == 0 && asked(p, s);
        f->calls += st.calls;
        f->calls_max = st.calls > f->calls_max ? st.calls : f->calls_max;
        if (st.insns_after != t->insns || !lanes)
            print_program(p, s);
    }
}

/* Of add3_of_negative nothing stays but EXEC and one bit. */
static void test_values(struct plant *p, const struct generator *g, struct stream *s)
{
    u32 bits = 0;
    for (u64 i = 0; i < 100; i++) {
        gen_stream_of(g, OP_v_add3_u32, i, s);
        p->fails = add3_of_negative;
        if (!asked(p, s))
            continue;
        shrink_stream(p->isa, s, NULL, asked, p, NULL, NULL);
        break;
    }
    for (u32 i = 0; i < s->value_dw; i++)
        bits += popcount32(s->values[i]);
    is_u64(2, bits, "one bit of data and one of EXEC are left");
    is_u64(3, s->set_count, "in one vector register and the two halves of EXEC");
    is_u64(0, s->window_count + s->lds_size, "and no memory");
}

/* A limit on the calls is kept, and what is there then still fails. */
static void test_limit(struct plant *p, const struct generator *g, struct stream *s)
{
    struct shrink_cfg cfg = { .max_calls = 7 };
    struct shrink_stats st = { 0 };
    p->fails = op_with_lane;
    for (u64 i = 0; i < 100; i++) {
        gen_stream_of(g, OP_v_mul_lo_u32, i, s);
        if (asked(p, s))
            break;
    }
    shrink_stream(p->isa, s, &cfg, asked, p, &st, NULL);
    is_u64(7, st.calls, "no more calls than allowed");
    ok(!st.complete, "which is said");
    ok(asked(p, s), "and the stream still fails");
}

/* A program that cannot be followed is refused and left as it was. */
static void test_refused(struct plant *p, const struct generator *g, struct stream *s)
{
    struct err e = { .text = "" };
    gen_stream_of(g, OP_v_mul_lo_u32, 0, s);
    s->code[0] = 0xbf820000u | 0xfff0; /* s_branch far back */
    u64 hash = stream_hash(s);
    is_u64(ST_INPUT, shrink_stream(p->isa, s, NULL, asked, p, NULL, &e),
           "a program that cannot be followed");
    ok(e.text[0] != 0, "why: %s", e.text);
    is_hex(hash, stream_hash(s), "it is unchanged");
}

int main(void)
{
    struct isa *isa = calloc(1, sizeof *isa);
    struct engine eng;
    struct err e = { .text = "" };
    struct generator *g = calloc(1, sizeof *g);
    struct stream *s = calloc(1, sizeof *s);
    struct plant *p = calloc(1, sizeof *p);
    struct machine_cfg cfg = { .waves_max = 4 };
    if (!isa || !g || !s || !p || isa_open(isa, "gfx900", &e) || engine_open(&eng, "ref", &e) ||
        machine_open(&p->m, isa, &eng, &cfg, &e) || gen_open(g, isa, &gen_cfg_default, &e))
        bail("cannot start: %s", e.text);
    p->isa = isa;
    for (u32 i = 0; i < COUNT_OF(planted); i++) {
        struct found f = { 0 };
        p->fails = planted[i].fails;
        shrink_some(p, g, &planted[i], s, &f);
        ok(f.failing == 12, "%s: found in %u streams", planted[i].name, f.streams);
        is_u64(f.failing, f.small, "%s: %u instructions", planted[i].name, planted[i].insns);
        is_u64(f.failing, f.valid, "%s: only valid programs were asked about", planted[i].name);
        diag("%u calls on average, %u at most", f.calls / (f.failing + !f.failing), f.calls_max);
    }
    test_values(p, g, s);
    test_limit(p, g, s);
    test_refused(p, g, s);
    machine_close(p->m);
    free(p);
    free(s);
    free(g);
    free(isa);
    return done();
}
