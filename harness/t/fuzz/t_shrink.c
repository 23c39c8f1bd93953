/* The shrinker on planted failures whose smallest program is known beforehand, and the low numbers
 * that registers get. */
#include "fuzz/gen/gen.h"
#include "fuzz/prog/prog.h"
#include "fuzz/shrink/shrink.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/exec/exec.h"
#include "oracle/isa/op.h"
#include "oracle/rule/rule.h"

#include <stdio.h>
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

/* A loop body that is run more than once. */
static bool second_round(struct plant *p, const struct stream *s)
{
    if (!load_machine(p, s))
        return false;
    struct wave *w = p->m->wave[0];
    for (u32 i = 0; i < s->max_steps && w->stop == STOP_NONE; i++) {
        const struct xinsn *x = machine_fetch(p->m, w);
        bool branches = x && x->insn.op == OP_s_cbranch_scc1;
        u64 pc = w->pc;
        machine_step(p->m, w);
        if (branches && w->pc <= pc)
            return true;
    }
    return false;
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

/* ---- low register numbers ---- */

enum { TAG = 0x1000 };

/* An instruction whose registers are high, one that reads its result (or none), and what they are
 * when runs have moved down: vector and accumulation registers to 0 and up, in the order of their
 * numbers; scalar runs to the first free place of the same remainder modulo four. */
static const struct numbered {
    const char *mcpu, *text, *reader;
    const char *want_text, *want_reader;
} numbered[] = {
    { "gfx900", "buffer_load_dword v200, v[100:101], s[88:91], s70 idxen offen",
      "v_mov_b32_e32 v210, v200", "buffer_load_dword v2, v[0:1], s[4:7], s2 idxen offen",
      "v_mov_b32_e32 v3, v2" },
    { "gfx900", "buffer_load_dwordx2 v[200:201], off, s[88:91], s70", "v_mov_b32_e32 v210, v201",
      "buffer_load_dwordx2 v[0:1], off, s[4:7], s2", "v_mov_b32_e32 v2, v1" },
    { "gfx900", "buffer_atomic_add v200, v100, s[88:91], s71 offen glc", "v_mov_b32_e32 v210, v200",
      "buffer_atomic_add v1, v0, s[4:7], s3 offen glc", "v_mov_b32_e32 v2, v1" },
    /* v101 is of the address, though the row's type is of one register (whose number is what is
     * printed) and nothing else names it. */
    { "gfx900", "image_load v[200:203], v[100:103], s[80:87] dmask:0xf unorm",
      "v_mov_b32_e32 v210, v203", "image_load v[4:7], v0, s[0:7] dmask:0xf unorm",
      "v_mov_b32_e32 v8, v7" },
    { "gfx900", "image_sample v[200:202], v[100:103], s[80:87], s[92:95] dmask:0x7",
      "v_mov_b32_e32 v210, v202", "image_sample v[4:6], v0, s[0:7], s[8:11] dmask:0x7",
      "v_mov_b32_e32 v7, v6" },
    { "gfx900", "global_atomic_add v200, v[100:101], v150, off glc", "v_mov_b32_e32 v210, v200",
      "global_atomic_add v3, v[0:1], v2, off glc", "v_mov_b32_e32 v4, v3" },
    { "gfx900", "ds_add_rtn_u32 v200, v100, v150", "v_mov_b32_e32 v210, v200",
      "ds_add_rtn_u32 v2, v0, v1", "v_mov_b32_e32 v3, v2" },
    { "gfx900", "global_load_dword v200, v100, s[82:83]", "v_mov_b32_e32 v210, v200",
      "global_load_dword v1, v0, s[2:3]", "v_mov_b32_e32 v2, v1" },
    { "gfx900", "scratch_load_dword v200, off, s83", "v_mov_b32_e32 v210, v200",
      "scratch_load_dword v0, off, s3", "v_mov_b32_e32 v1, v0" },
    { "gfx900", "scratch_load_dword v200, v100, off", "v_mov_b32_e32 v210, v200",
      "scratch_load_dword v1, v0, off", "v_mov_b32_e32 v2, v1" },
    { "gfx900", "exp mrt0 v200, v210, v220, v100", NULL, "exp mrt0 v1, v2, v3, v0", NULL },
    { "gfx900", "exp mrt0 v200, v200, v100, v100 compr", NULL, "exp mrt0 v1, v1, v0, v0 compr",
      NULL },
    { "gfx908", "v_mfma_f32_4x4x1f32 a[200:203], v100, a101, a[220:223]",
      "v_accvgpr_read_b32 v150, a203", "v_mfma_f32_4x4x1f32 a[1:4], v0, a0, a[5:8]",
      "v_accvgpr_read_b32 v1, a4" },
    { "gfx908", "v_mfma_f32_4x4x1f32 a[200:203], a101, v100, a[200:203]",
      "v_accvgpr_read_b32 v150, a200", "v_mfma_f32_4x4x1f32 a[1:4], a0, v0, a[1:4]",
      "v_accvgpr_read_b32 v1, a1" },
};

/* What numbered_reads asks for; the row's, set by test_numbered. */
struct wanted {
    struct plant plant;
    struct insn insn, reader; /* reader.op is OP_NONE if there is none */
};

/* Registers of an operand of which the test knows the value: of an image's address one between
 * others is not set. */
static u32 tagged_dw(const struct insn *in, const struct isa_operand *o)
{
    bool is_there = isa_kind_is_register((enum isa_kind)o->kind) && o->dir & DIR_R &&
                    insn_operand_there(in, o) && !insn_operand_off(in, o);
    return !is_there ? 0 : o->kind == K_IADDR ? 4 : insn_operand_dw(in, o);
}

static bool is_tagged(const struct isa_operand *o, u32 k)
{
    return o->kind != K_IADDR || k != 1;
}

/* The reader follows, and reads what the instruction writes, in the same place of the tuple. */
static bool is_read(const struct wanted *t, const struct insn *in, const struct prog *p)
{
    const struct isa_operand *d = insn_row(in)->operand, *s = insn_row(&t->reader)->operand + 1;
    u32 at = find_op(p, in->op, 0), reader = find_op(p, t->reader.op, at);
    if (t->reader.op == OP_NONE)
        return true;
    return reader < p->count && insn_operand_there(in, d) &&
           insn_get(in, FLD_glc) == insn_get(&t->insn, FLD_glc) &&
           insn_code(&p->insn[reader].in, s) - insn_code(in, d) ==
               insn_code(&t->reader, s) - insn_code(&t->insn, d);
}

/* The instruction is reached, and every register that it reads has the value that the one at this
 * place of the high ones had. */
static bool numbered_reads(struct plant *p, const struct stream *s)
{
    const struct wanted *t = (const struct wanted *)p; /* plant comes first */
    if (!load_machine(p, s))
        return false;
    struct wave *w = p->m->wave[0];
    const struct xinsn *x = machine_fetch(p->m, w);
    for (u32 i = 0; i < s->max_steps && x && x->insn.op != t->insn.op; i++) {
        machine_step(p->m, w);
        x = w->stop == STOP_NONE ? machine_fetch(p->m, w) : NULL;
    }
    if (!x || !is_read(t, &x->insn, &p->prog))
        return false;
    for (const struct isa_operand *o = insn_row(&t->insn)->operand; o->kind != K_NONE; o++) {
        u32 dw = tagged_dw(&t->insn, o), high = insn_code(&t->insn, o);
        if (dw && tagged_dw(&x->insn, o) != dw)
            return false;
        for (u32 k = 0; k < dw; k++)
            if (is_tagged(o, k) && wave_get(w, insn_code(&x->insn, o) + k, 0) != TAG + high + k)
                return false;
    }
    return true;
}

static void add_tag(struct stream *s, u32 place)
{
    u32 values = place >= CODE_VGPR ? LANES : 1;
    for (u32 i = 0; i < s->set_count; i++)
        if (s->set[i].place == place)
            return;
    s->set[s->set_count++] = (struct stream_set){ .place = (u16)place, .at = s->value_dw };
    for (u32 i = 0; i < values; i++)
        s->values[s->value_dw++] = TAG + place;
}

static void make_numbered(const struct numbered *row, struct wanted *t, struct stream *s)
{
    static const char waits[] = "s_waitcnt vmcnt(0) lgkmcnt(0)\n s_nop 15\n s_nop 15\n";
    char text[512];
    struct err e = { .text = "" };
    memset(s, 0, sizeof *s);
    *s = (struct stream){ .mcpu = row->mcpu, .waves = 1, .max_steps = 100, .pc = PC_DEFAULT };
    snprintf(text, sizeof text, "v_mov_b32 v240, v241\n %s\n %s %s\n s_endpgm", row->text, waits,
             row->reader ? row->reader : "");
    t->reader = (struct insn){ .op = OP_NONE };
    if (insn_parse_program(t->plant.isa, text, s->code, STREAM_DW_MAX, &s->code_dw, &e) ||
        insn_parse(t->plant.isa, row->text, &t->insn, &e) ||
        (row->reader && insn_parse(t->plant.isa, row->reader, &t->reader, &e)))
        bail("%s: %s", text, e.text);
    for (const struct isa_operand *o = insn_row(&t->insn)->operand; o->kind != K_NONE; o++)
        for (u32 k = 0; k < tagged_dw(&t->insn, o); k++)
            if (is_tagged(o, k))
                add_tag(s, insn_code(&t->insn, o) + k);
}

static void is_text_of(const struct plant *p, isa_op op, const char *want)
{
    char text[160] = "";
    u32 at = find_op(&p->prog, op, 0);
    if (at < p->prog.count)
        insn_print(p->isa, &p->prog.insn[at].in, text, sizeof text);
    is_str(want, text, "low numbers in %s", want);
}

static void test_numbered(struct isa *isa, struct engine *eng, struct stream *s)
{
    struct machine_cfg cfg = { .waves_max = 1 };
    struct wanted *t = calloc(1, sizeof *t);
    if (!t)
        bail("out of memory");
    for (u32 i = 0; i < COUNT_OF(numbered); i++) {
        const struct numbered *row = &numbered[i];
        struct err e = { .text = "" };
        t->plant = (struct plant){ .isa = isa, .fails = numbered_reads };
        if (isa_open(isa, row->mcpu, &e) || engine_open(eng, "ref", &e) ||
            machine_open(&t->plant.m, isa, eng, &cfg, &e))
            bail("%s", e.text);
        make_numbered(row, t, s);
        ok(asked(&t->plant, s), "%s", row->text);
        if (shrink_stream(isa, s, NULL, asked, t, NULL, &e))
            bail("%s", e.text);
        ok(asked(&t->plant, s), "and it reads the same when it is small");
        is_text_of(&t->plant, t->insn.op, row->want_text);
        if (row->reader)
            is_text_of(&t->plant, t->reader.op, row->want_reader);
        machine_close(t->plant.m);
    }
    free(t);
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
    test_numbered(isa, &eng, s);
    free(p);
    free(s);
    free(g);
    free(isa);
    return done();
}
