/* Streams for several processors: on each they are legal and end, they start from the same state, are
 * the same instructions, and end in the same state. That holds the table of what features touch
 * (oracle/isa/target.def) to what the model does. That a difference would be seen is shown by giving
 * M0, which limits LDS on one of them, a small value before each access. A lack of memory is told, and never taken for a
 * program that is not valid on all, in whose place another would be drawn. */
#include "fuzz/gen/gen.h"
#include "harness/dut/model.h"
#include "harness/finding/stream_job.h"
#include "harness/t/lib/short_memory.h"
#include "harness/t/lib/tap_test.h"
#include "oracle/insn/same.h"
#include "oracle/isa/op.h"
#include "oracle/rule/rule.h"

#include <stdio.h>
#include <stdlib.h>

/* A processor of the list. */
struct side {
    struct isa isa;
    struct generator g;
    struct generator turned; /* the same with the list from its end */
    struct stream s;
    struct jobbuf *jb;
    struct model *mo;
    struct gcncheck_job *job;
    u8 seen[OPS_MAX]; /* forms of each opcode that streams had, bits */
};

static struct side *open_side(const char *mcpu)
{
    struct err e = { .text = "" };
    struct side *d = calloc(1, sizeof *d);
    if (!d || !(d->jb = jobbuf_new()) || isa_open(&d->isa, mcpu, &e) ||
        model_open(&d->mo, mcpu, "ref", NULL, &e))
        bail("%s: %s", mcpu, e.text);
    return d;
}

static void close_side(struct side *d)
{
    jobbuf_free(d->jb);
    model_close(d->mo);
    free(d);
}

static void open_generators(struct side *d, struct side *const *all, u32 count)
{
    struct gen_cfg cfg = gen_cfg_default, turned = gen_cfg_default;
    struct err e = { .text = "" };
    cfg.common_count = turned.common_count = count;
    for (u32 i = 0; i < count; i++)
        cfg.common[i] = turned.common[count - 1 - i] = &all[i]->isa;
    if (gen_open(&d->g, &d->isa, &cfg, &e) || gen_open(&d->turned, &d->isa, &turned, &e))
        bail("%s", e.text);
}

/* Every instruction is legal, and so is their sequence. */
static bool is_legal(const struct side *d, struct err *e)
{
    struct rule_program p = { .code = d->s.code, .dw = d->s.code_dw, .pc = d->s.pc };
    struct insn in;
    for (u32 at = 0; at < d->s.code_dw; at += in.dw)
        if (!insn_decode(&d->isa, d->s.code + at, d->s.code_dw - at, &in, e) ||
            insn_legal(&d->isa, &in, e) != ST_OK)
            return false;
    return rule_check(&d->isa, &p, e) == ST_OK;
}

/* The same rows, forms and operands, whatever their names; waits may be for fewer. */
static bool has_same_text(const struct side *a, const struct side *b, struct err *e)
{
    struct insn x, y;
    char tx[160], ty[160];
    u32 i = 0, k = 0;
    for (; i < a->s.code_dw && k < b->s.code_dw; i += x.dw, k += y.dw) {
        if (!insn_decode(&a->isa, a->s.code + i, a->s.code_dw - i, &x, e) ||
            !insn_decode(&b->isa, b->s.code + k, b->s.code_dw - k, &y, e))
            return false;
        insn_print(&a->isa, &x, tx, sizeof tx);
        insn_print(&b->isa, &y, ty, sizeof ty);
        bool same = x.op == y.op && x.form == y.form;
        for (const struct isa_operand *o = insn_row(&x)->operand; same && o->kind != K_NONE; o++)
            same = insn_code(&x, o) == insn_code(&y, o) || o->kind == K_WAITCNT;
        if (!same)
            return err_set(e, ST_INPUT, "%.100s is not %.100s", tx, ty) == ST_OK;
    }
    return i == a->s.code_dw && k == b->s.code_dw;
}

static bool has_same_start(const struct stream *a, const struct stream *b)
{
    return a->waves == b->waves && a->focus == b->focus && a->features == b->features &&
           a->max_steps == b->max_steps && a->set_count == b->set_count &&
           a->value_dw == b->value_dw && a->window_count == b->window_count &&
           a->lds_size == b->lds_size &&
           memcmp(a->set, b->set, a->set_count * sizeof *a->set) == 0 &&
           memcmp(a->values, b->values, a->value_dw * sizeof *a->values) == 0 &&
           memcmp(a->lds, b->lds, a->lds_size) == 0;
}

static bool runs(struct side *d, struct err *e)
{
    d->job = stream_job_build(&d->s, d->jb);
    if (!d->job || model_run(d->mo, d->job, e) != ST_OK)
        return false;
    if (d->job->outcome != GCNCHECK_DONE)
        return err_set(e, ST_INPUT, "outcome %u: %s", d->job->outcome, d->job->reason) == ST_OK;
    return true;
}

static bool is_same_wave(const struct wave *a, const struct wave *b, struct err *e)
{
    for (u32 i = 0; i < SGPRS; i++)
        if (a->sgpr[i] != b->sgpr[i] && !(i >= CODE_TRAP && i <= CODE_TTMP_LAST))
            return err_set(e, ST_INPUT, "scalar register %u: 0x%x and 0x%x", i, a->sgpr[i],
                           b->sgpr[i]) == ST_OK;
    for (u32 v = 0; v < VGPRS; v++)
        if (memcmp(a->vgpr[v], b->vgpr[v], sizeof a->vgpr[v]) != 0)
            return err_set(e, ST_INPUT, "v%u", v) == ST_OK;
    if (a->scc != b->scc || a->mode != b->mode || a->trapsts != b->trapsts || a->steps != b->steps)
        return err_set(e, ST_INPUT, "scc, mode, trapsts or steps") == ST_OK;
    return true;
}

static bool has_same_end(const struct side *a, const struct side *b, struct err *e)
{
    for (u32 i = 0; i < a->s.waves; i++)
        if (!is_same_wave(a->mo->m->wave[i], b->mo->m->wave[i], e))
            return false;
    for (u32 i = 0; i < a->s.window_count; i++)
        if (memcmp(a->job->windows[i].bytes, b->job->windows[i].bytes, a->s.window[i].size) != 0)
            return err_set(e, ST_INPUT, "memory") == ST_OK;
    if (a->s.lds_size && memcmp(a->job->lds, b->job->lds, a->s.lds_size) != 0)
        return err_set(e, ST_INPUT, "LDS") == ST_OK;
    return true;
}

static bool is_common(struct side *a, struct side *b, struct err *e)
{
    return is_legal(a, e) && is_legal(b, e) && has_same_text(a, b, e) &&
           (has_same_start(&a->s, &b->s) || err_set(e, ST_INPUT, "other starts") == ST_OK) &&
           runs(a, e) && runs(b, e) && has_same_end(a, b, e);
}

static void note_forms(struct side *d)
{
    struct err e;
    struct insn in;
    for (u32 at = 0; at < d->s.code_dw; at += in.dw) {
        if (!insn_decode(&d->isa, d->s.code + at, d->s.code_dw - at, &in, &e))
            bail("%s", e.text);
        d->seen[in.op] |= (u8)(1u << in.form);
    }
}

/* Forms that are said to be drawn, and are in no stream, be it about them. */
static u32 count_missing(struct side *d)
{
    enum { TRIES = 32 };
    u32 missing = 0;
    for (u32 i = 0; i < d->g.op_count; i++)
        for (u32 form = 0, op = d->g.op[i]; form < FORM_COUNT; form++) {
            u32 bit = d->g.forms[op] & 1u << form;
            for (u32 n = 0; n < TRIES && bit & ~d->seen[op]; n++) {
                gen_stream_in(&d->g, (isa_op)op, (enum isa_form)form, n, &d->s);
                note_forms(d);
            }
            if (bit & ~d->seen[op] && missing++ < 8)
                diag("%s in form %u", isa_rows[op].name, form);
        }
    return missing;
}

/* What is to lift the limit that M0 is sets a small one. */
static void limit_lds(struct side *d)
{
    struct err e;
    struct insn in;
    for (u32 at = 0; at < d->s.code_dw; at += in.dw) {
        if (!insn_decode(&d->isa, d->s.code + at, d->s.code_dw - at, &in, &e))
            bail("%s", e.text);
        if (in.op == OP_s_mov_b32 && insn_get(&in, FLD_sdst) == CODE_M0 &&
            insn_get(&in, FLD_ssrc0) == CODE_INT_MINUS_1) {
            insn_set(&in, FLD_ssrc0, CODE_INT_0 + 16);
            insn_encode(&in, d->s.code + at);
        }
    }
}

/* Streams with such a limit whose end is another where it counts. */
static u32 count_planted(struct side *a, struct side *b, u32 streams)
{
    u32 seen = 0;
    for (u32 i = 0; i < streams; i++) {
        struct err e;
        gen_stream(&a->g, i, &a->s);
        gen_stream(&b->g, i, &b->s);
        limit_lds(a);
        limit_lds(b);
        seen += runs(a, &e) && runs(b, &e) && !has_same_end(a, b, &e);
    }
    return seen;
}

static bool is_drawn(const struct side *d, const char *name)
{
    isa_op op = isa_find(&d->isa, name, strlen(name));
    for (u32 i = 0; i < d->g.op_count; i++)
        if (d->g.op[i] == op)
            return op != OP_NONE;
    return false;
}

/* Names of one list, ended by NULL: what is the same on all of them, and what is not. */
struct list {
    const char *mcpu[4];
    const char *drawn[12], *not_drawn[8]; /* as the first calls them */
    u32 least;                            /* opcodes */
    bool limited;                         /* M0 limits LDS on some of them only */
};

/* With so many streams that turn around each opcode. */
static void test_list(const struct list *l, u32 rounds)
{
    struct side *side[4];
    struct err e = { .text = "" };
    char all[64] = "";
    u32 count = 0, bad = 0, turned = 0;
    for (; count < COUNT_OF(l->mcpu) && l->mcpu[count]; count++) {
        side[count] = open_side(l->mcpu[count]);
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", count ? "," : "",
                 l->mcpu[count]);
    }
    for (u32 i = 0; i < count; i++)
        open_generators(side[i], side, count);
    ok(side[0]->g.op_count >= l->least, "%s: %u opcodes, at least %u", all, side[0]->g.op_count,
       l->least);
    for (u32 i = 0; i < COUNT_OF(l->drawn) && l->drawn[i]; i++)
        ok(is_drawn(side[0], l->drawn[i]), "%s: %s is the same", all, l->drawn[i]);
    for (u32 i = 0; i < COUNT_OF(l->not_drawn) && l->not_drawn[i]; i++)
        ok(!is_drawn(side[0], l->not_drawn[i]), "%s: %s is not", all, l->not_drawn[i]);
    u32 streams = rounds * side[0]->g.op_count;
    for (u32 i = 0; i < streams; i++) {
        gen_stream(&side[0]->g, i, &side[0]->s);
        note_forms(side[0]);
        for (u32 k = 1; k < count; k++) {
            gen_stream(&side[k]->g, i, &side[k]->s);
            if (!is_common(side[0], side[k], &e) && bad++ < 8)
                diag("%s and %s, stream %u (%s): %s", l->mcpu[0], l->mcpu[k], i,
                     isa_rows[side[0]->s.focus].name, e.text);
        }
        gen_stream(&side[0]->turned, i, &side[1]->s);
        turned += stream_hash(&side[0]->s) != stream_hash(&side[1]->s);
    }
    is_u64(0, bad, "%s: %u streams are the same and end alike", all, streams);
    is_u64(0, turned, "%s: in whatever order they are named", all);
    is_u64(0, count_missing(side[0]), "%s: every form comes", all);
    if (l->limited)
        ok(count_planted(side[0], side[1], 400) > 20, "%s: another end is seen", all);
    for (u32 i = 0; i < count; i++)
        close_side(side[i]);
}

/* Every allocation of a stream fails once: it is told, or nothing was needed, and the stream the same. */
static void test_memory(void)
{
    enum { STREAMS = 20, ALLOCATIONS_MAX = 10000 };
    struct side *side[2] = { open_side("gfx803"), open_side("gfx900") };
    u32 told = 0, silent = 0;
    open_generators(side[0], side, COUNT_OF(side));
    for (u32 i = 0; i < STREAMS; i++) {
        gen_stream(&side[0]->g, i, &side[0]->s);
        u64 hash = stream_hash(&side[0]->s);
        for (u64 n = 1; n < ALLOCATIONS_MAX; n++) {
            fail_memory(n);
            enum status st = gen_stream(&side[0]->g, i, &side[1]->s);
            bool failed = memory_failed();
            told += failed && st == ST_WORLD;
            silent += failed ? st != ST_WORLD : st != ST_OK || stream_hash(&side[1]->s) != hash;
            if (!failed)
                break;
        }
    }
    ok(told >= 2 * 4 * STREAMS, "%u failed allocations are told",
       told); /* of each check at least 4 */
    is_u64(0, silent, "and none is taken for something else");
    close_side(side[0]);
    close_side(side[1]);
}

int main(int argc, char **argv)
{
    static const struct list lists[] = {
        { { "gfx803", "gfx900" },
          { "v_xor_b32", "v_add_f16", "ds_add_u32", "buffer_load_dword", "flat_load_dword",
            "s_load_dwordx4", "v_addc_u32", "v_mad_f16", "v_interp_p1_f32", "ds_append",
            "s_movrels_b32", "ds_gws_barrier" },
          { "image_load", "ds_swizzle_b32", "ds_ordered_count", "s_trap" },
          400,
          true },
        { { "gfx600", "gfx701" },
          { "v_xor_b32", "buffer_load_dword", "ds_add_u32", "image_load", "s_buffer_load_dword",
            "v_mac_legacy_f32", "v_readlane_b32", "s_load_dword" },
          { "flat_load_dword", "v_floor_f64", "ds_ordered_count" },
          700,
          false },
        { { "gfx602", "gfx700", "gfx803", "gfx900" },
          { "s_and_b64", "s_getpc_b64", "v_xor_b32", "ds_add_u32", "buffer_load_dword" },
          { "s_load_dword", "s_dcache_inv", "v_readlane_b32", "image_load" },
          400,
          false },
        { { "gfx801", "gfx810", "gfx805" },
          { "ds_add_u32", "v_mad_f16" },
          { "image_load" },
          700,
          false },
        { { "gfx900", "gfx908", "gfx906" },
          { "image_load", "global_load_dword", "v_pk_add_f16", "v_interp_p1_f32" },
          { "v_mad_mix_f32", "global_load_short_d16", "ds_read_u8_d16" },
          900,
          false },
    };
    u32 rounds = argc > 1 ? (u32)strtoul(argv[1], NULL, 10) : 1;
    for (u32 i = 0; i < COUNT_OF(lists); i++)
        test_list(&lists[i], rounds);
    test_memory();
    return done();
}
