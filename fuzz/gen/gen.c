/* From a seed to a stream: which opcodes, how many, in which order. */
#include "fuzz/gen/internal.h"

#include "oracle/base/hash.h"
#include "oracle/isa/op.h"
#include "oracle/state/state.h"

#include <stdlib.h>

const struct gen_cfg gen_cfg_default = {
    .seed = 1, .insns_min = 30, .insns_max = 60, .waves_max = STREAM_WAVES_MAX, .features = GEN_ALL
};

enum { RING_POINTS = 8, INSNS_LIMIT = 200, STEPS_MAX = 100000 };

/* ---- which opcodes and forms ---- */

static bool has_carry_in(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->kind == K_MASK && o->dir == DIR_R)
            return true;
    return false;
}

u32 gen_forms(const struct isa *isa, isa_op op)
{
    const struct isa_row *row = &isa_rows[op];
    if (!isa_has(isa, op) || !isa_modelled(op) || row->flags & FLAG_AVOID)
        return 0;
    u32 forms = row->forms & (F_BASE | F_LIT | F_E64 | F_SDWA | F_DPP);
    if (row->enc == ENC_VOP2 &&
        has_carry_in(row)) /* vcc and a literal are one scalar source too many */
        forms &= ~(u32)F_LIT;
    if (row->operand[0].kind == K_NONE) /* v_nop: nothing tells its forms apart */
        forms &= F_BASE;
    return forms;
}

/* The features without which an opcode is not drawn. */
static u32 feature_of(const struct isa_row *row, isa_op op)
{
    if (row->flags & FLAG_BRANCH)
        return op == OP_s_call_b64 || op == OP_s_swappc_b64 || op == OP_s_setpc_b64 ? GEN_CALL
                                                                                    : GEN_BRANCH;
    if (row->flags & FLAG_WR_EXEC)
        return GEN_EXEC;
    if (op == OP_s_getreg_b32 || op == OP_s_set_gpr_idx_idx || op == OP_s_set_gpr_idx_mode ||
        row->flags & FLAG_WR_MODE)
        return GEN_MODE;
    if (op == OP_s_movrels_b32 || op == OP_s_movrels_b64)
        return GEN_M0;
    switch (row->enc) {
    case ENC_SMEM: return row_is_scalar_store(row) ? GEN_SMEM_STORE : GEN_SMEM;
    case ENC_DS: return row_is_lds_by_m0(row) ? GEN_LDS | GEN_M0 : GEN_LDS;
    case ENC_FLAT:
    case ENC_GLOBAL: return GEN_VMEM;
    case ENC_SCRATCH: return GEN_SCRATCH;
    case ENC_MUBUF:
    case ENC_MTBUF: return row->operand[0].kind == K_NONE ? 0 : GEN_BUFFER;
    case ENC_MIMG: return GEN_IMAGE;
    default: return 0;
    }
}

/* The ring an opcode stands on; -1: it is not drawn among others. */
static i32 class_of(const struct isa_row *row, isa_op op)
{
    if (row->flags & (FLAG_BRANCH | FLAG_END | FLAG_BARRIER))
        return -1;
    if (op == OP_v_mad_i64_i32) /* nobody knows its carry: only in streams of its own */
        return -1;
    if (op == OP_s_set_gpr_idx_off || op == OP_s_set_gpr_idx_idx || op == OP_s_set_gpr_idx_mode)
        return -1; /* with s_set_gpr_idx_on only */
    switch (row->enc) {
    case ENC_SOP1:
    case ENC_SOP2:
    case ENC_SOPC: return CL_SALU;
    case ENC_SOPK: return feature_of(row, op) == GEN_MODE ? CL_CONTROL : CL_SALU;
    case ENC_SOPP: return CL_CONTROL;
    case ENC_VOP1:
    case ENC_VOP2: return CL_VOP12;
    case ENC_VOPC: return CL_VOPC;
    case ENC_VOP3A:
    case ENC_VOP3B: return CL_VOP3;
    case ENC_SMEM: return row_is_scalar_store(row) ? CL_SMEM_STORE : CL_SMEM;
    case ENC_DS: return CL_LDS;
    case ENC_FLAT:
    case ENC_GLOBAL:
    case ENC_SCRATCH: return CL_VMEM;
    case ENC_MUBUF:
    case ENC_MTBUF: return row->operand[0].kind == K_NONE ? -1 : CL_BUFFER;
    case ENC_MIMG: return CL_IMAGE;
    default: return -1;
    }
}

static void sort_ring(struct gen_point *p, u32 n)
{
    for (u32 gap = n / 2; gap; gap /= 2) {
        for (u32 i = gap; i < n; i++) {
            struct gen_point t = p[i];
            u32 k = i;
            for (; k >= gap && p[k - gap].hash > t.hash; k -= gap)
                p[k] = p[k - gap];
            p[k] = t;
        }
    }
}

static void fill_rings(struct generator *g)
{
    u32 at = 0;
    for (u32 cl = 0; cl < GEN_CLASSES; cl++) {
        g->ring_at[cl] = at;
        for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
            if (!g->forms[op] || class_of(&isa_rows[op], op) != (i32)cl)
                continue;
            for (u32 i = 0; i < RING_POINTS; i++)
                g->ring[at++] =
                    (struct gen_point){ (u32)hash_mix(hash_text(isa_rows[op].name), i), (u16)op };
        }
        sort_ring(&g->ring[g->ring_at[cl]], at - g->ring_at[cl]);
    }
    g->ring_at[GEN_CLASSES] = at;
}

/* Features that cannot be had with the opcodes allowed. */
static void reduce_features(struct generator *g)
{
    if (!g->forms[OP_s_waitcnt])
        g->cfg.features &= ~(u32)(GEN_SMEM | GEN_VMEM | GEN_LDS | GEN_SCRATCH | GEN_BUFFER |
                                  GEN_IMAGE | GEN_SMEM_STORE);
    if (!g->forms[OP_s_barrier])
        g->cfg.features &= ~(u32)GEN_WAVES;
    if (g->cfg.waves_max < 2)
        g->cfg.features &= ~(u32)GEN_WAVES;
}

static int by_name(const void *a, const void *b)
{
    const u16 *x = a, *y = b;
    return strcmp(isa_rows[*x].name, isa_rows[*y].name);
}

static void choose_ops(struct generator *g, const u8 *allowed)
{
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        u32 forms = gen_forms(g->isa, op);
        g->forms[op] = (u8)(allowed ? forms & allowed[op] : forms);
    }
    reduce_features(g);
    g->op_count = 0;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
        const struct isa_row *row = &isa_rows[op];
        if (!(g->cfg.features & GEN_SDWA))
            g->forms[op] &= (u8)~F_SDWA;
        if (!(g->cfg.features & GEN_DPP))
            g->forms[op] &= (u8)~F_DPP;
        u32 feature = feature_of(row, op);
        bool helper = op == OP_s_mov_b64; /* needed by others whatever the features are */
        if (feature & ~g->cfg.features && !helper)
            g->forms[op] = 0;
        if (g->forms[op] && !(row->flags & FLAG_END))
            g->op[g->op_count++] = (u16)op;
    }
    /* Where a row stands must not decide which stream a number means. */
    qsort(g->op, g->op_count, sizeof g->op[0], by_name);
}

enum status gen_open(struct generator *g, const struct isa *isa, const struct gen_cfg *cfg,
                     struct err *e)
{
    *g = (struct generator){ .isa = isa, .cfg = *cfg };
    g->cfg.forms = NULL;
    if (cfg->insns_min < 1 || cfg->insns_min > cfg->insns_max || cfg->insns_max > INSNS_LIMIT)
        return err_set(e, ST_INPUT, "%u to %u instructions: must be 1 to %d", cfg->insns_min,
                       cfg->insns_max, INSNS_LIMIT);
    if (cfg->waves_max < 1 || cfg->waves_max > STREAM_WAVES_MAX)
        return err_set(e, ST_INPUT, "%u waves: must be 1 to %d", cfg->waves_max, STREAM_WAVES_MAX);
    choose_ops(g, cfg->forms);
    fill_rings(g);
    if (g->ring_at[GEN_CLASSES] == 0)
        return err_set(e, ST_INPUT, "no opcode is left to generate");
    return ST_OK;
}

/* ---- drawing ---- */

static isa_op draw_of_class(struct draw *d, u32 cl)
{
    const struct generator *g = d->g;
    u32 lo = g->ring_at[cl], hi = g->ring_at[cl + 1], end = hi, x = (u32)rng_u64(&d->rng);
    if (lo == hi)
        return OP_NONE;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (g->ring[mid].hash < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return g->ring[lo == end ? g->ring_at[cl] : lo].op;
}

isa_op draw_op(struct draw *d)
{
    static const u8 share[32] = { CL_SALU,  CL_SALU,   CL_SALU,  CL_SALU,  CL_SALU,  CL_SALU,
                                  CL_SALU,  CL_VOP12,  CL_VOP12, CL_VOP12, CL_VOP12, CL_VOP12,
                                  CL_VOP12, CL_VOP12,  CL_VOP12, CL_VOPC,  CL_VOPC,  CL_VOPC,
                                  CL_VOP3,  CL_VOP3,   CL_VOP3,  CL_VOP3,  CL_VOP3,  CL_VOP3,
                                  CL_SMEM,  CL_LDS,    CL_LDS,   CL_LDS,   CL_VMEM,  CL_VMEM,
                                  CL_VMEM,  CL_CONTROL };
    for (u32 i = 0; i < 64; i++) {
        u32 cl = share[rng_below(&d->rng, 32)];
        if (cl == CL_SMEM && d->r.has_scalar && rng_one_in(&d->rng, 2))
            cl = CL_SMEM_STORE;
        if (cl == CL_VMEM && d->r.has_buffers && rng_one_in(&d->rng, 2))
            cl = CL_BUFFER;
        if (cl == CL_VMEM && d->r.has_images && rng_one_in(&d->rng, 2))
            cl = CL_IMAGE;
        isa_op op = draw_of_class(d, cl);
        if (op != OP_NONE)
            return op;
    }
    return d->g->ring[rng_below(&d->rng, d->g->ring_at[GEN_CLASSES])].op;
}

enum isa_form draw_form(struct draw *d, isa_op op)
{
    u32 forms = d->g->forms[op], n = popcount32(forms), k = rng_below(&d->rng, n);
    while (k--)
        forms &= forms - 1;
    return (enum isa_form)ctz32(forms);
}

static bool writes_scc_only(const struct isa_row *row)
{
    for (const struct isa_operand *o = row->operand; o->kind != K_NONE; o++)
        if (o->dir & DIR_W)
            return false;
    return row->flags & FLAG_WR_SCC;
}

/* SCC is soon overwritten: a select keeps what a compare found out. */
static void draw_select(struct draw *d)
{
    struct insn in;
    if (draw_has(d, OP_s_cselect_b32, FORM_BASE) && draw_insn(d, OP_s_cselect_b32, FORM_BASE, &in))
        draw_emit(d, &in);
}

/* One instruction of this opcode, or the block it opens. */
static bool draw_one(struct draw *d, isa_op op)
{
    struct insn in;
    bool drawn;
    if (draw_by_m0(d, op, &drawn))
        return drawn;
    if (isa_rows[op].flags & FLAG_BRANCH)
        return draw_open_block(d, op);
    if (isa_rows[op].flags & FLAG_BARRIER)
        return draw_barrier(d);
    if (!draw_insn(d, op, draw_form(d, op), &in) || !draw_emit(d, &in))
        return false;
    if (writes_scc_only(&isa_rows[op]) && rng_one_in(&d->rng, 2))
        draw_select(d);
    return true;
}

/* EXEC must not stay at nothing for the rest of the stream. */
static void restore_exec(struct draw *d)
{
    struct insn in = draw_start(d, OP_s_mov_b64, FORM_BASE);
    insn_set(&in, FLD_sdst, CODE_EXEC);
    insn_set(&in, FLD_ssrc0, rng_one_in(&d->rng, 2) ? d->r.some_exec : 193u); /* or -1 */
    if (draw_may(d, GEN_EXEC) && draw_has(d, OP_s_mov_b64, FORM_BASE))
        draw_emit(d, &in);
}

/* A load whose address is computed from data: v_and_b32 keeps it inside the read-only window. */
static bool draw_computed(struct draw *d)
{
    struct insn in = draw_start(d, OP_v_and_b32, FORM_LIT);
    if (!draw_may(d, GEN_VMEM) || !draw_has(d, OP_v_and_b32, FORM_LIT) ||
        !draw_has(d, OP_global_load_dword, FORM_BASE))
        return false;
    const struct addr_reg *a = &d->r.addr[ADDR_RO_OFFSET];
    if (a->shift)
        return false;
    insn_set(&in, FLD_src0, CODE_LIT);
    in.lit = 2044;
    insn_set(&in, FLD_src1, draw_vgpr(d, T_U32, 1));
    insn_set(&in, FLD_vdst, d->r.vtemp);
    if (!draw_emit(d, &in))
        return false;
    in = draw_start(d, OP_global_load_dword, FORM_BASE);
    insn_set(&in, FLD_vdst, draw_vgpr(d, T_U32, 1));
    insn_set(&in, FLD_addr, d->r.vtemp);
    insn_set(&in, FLD_saddr, a->base);
    insn_set(&in, FLD_offset, (u32)(a->bias + (i32)rng_below(&d->rng, 256) * 4));
    return draw_emit(d, &in);
}

static void draw_body(struct draw *d)
{
    isa_op focus = d->s->focus;
    u32 first = rng_below(&d->rng, d->wanted), seen = 0;
    for (u32 tries = 0; d->drawn < d->wanted && tries < d->wanted * 4; tries++) {
        bool due = d->drawn >= first && !seen;
        bool ok;
        draw_close_blocks(d, false);
        if (due || rng_one_in(&d->rng, 6)) {
            ok = draw_one(d, focus);
            seen += ok;
        } else if (rng_one_in(&d->rng, 10)) {
            ok = draw_open_block(d, OP_NONE);
        } else if (d->s->waves > 1 && rng_one_in(&d->rng, 10)) {
            ok = draw_barrier(d);
        } else if (rng_one_in(&d->rng, 48)) {
            ok = draw_computed(d);
        } else {
            ok = draw_one(d, draw_op(d));
        }
        if (d->depth == 0 && rng_one_in(&d->rng, 10))
            restore_exec(d);
        d->drawn += ok;
    }
    draw_close_blocks(d, true);
    if (!seen && !(isa_rows[focus].flags & FLAG_BRANCH))
        draw_one(d, focus);
}

/* ---- streams ---- */

static void choose_shape(struct draw *d)
{
    struct stream *s = d->s;
    const struct gen_cfg *c = &d->g->cfg;
    d->wanted = c->insns_min + rng_below(&d->rng, c->insns_max - c->insns_min + 1);
    bool waves = draw_may(d, GEN_WAVES) && rng_one_in(&d->rng, s->focus == OP_s_barrier ? 2 : 8);
    s->waves = (u16)(waves ? 2 + rng_below(&d->rng, c->waves_max - 1) : 1);
    u32 large = rng_below(&d->rng, 16), shift = large == 0 ? 4 : large == 1 ? 2 : 0;
    d->lds_region = (u32)LDS_REGION_MIN << (s->waves > 1 ? 0 : shift);
    s->lds_size = draw_may(d, GEN_LDS) ? d->lds_region * s->waves : 0;
    bool rare = rng_one_in(&d->rng, 16);
    d->r.has_scratch = draw_may(d, GEN_SCRATCH) && (rare || isa_rows[s->focus].enc == ENC_SCRATCH);
    const struct isa_row *focus = &isa_rows[s->focus];
    rare = rng_one_in(&d->rng, 8);
    d->r.has_scalar = draw_may(d, GEN_SMEM_STORE) && (rare || row_is_scalar_store(focus));
    rare = rng_one_in(&d->rng, 8);
    bool buffer = feature_of(focus, s->focus) == GEN_BUFFER;
    d->r.has_buffers = draw_may(d, GEN_BUFFER) && (rare || buffer);
    rare = rng_one_in(&d->rng, 12);
    d->r.has_images = draw_may(d, GEN_IMAGE) && (rare || focus->enc == ENC_MIMG);
    d->weight = 1;
}

static void finish(struct draw *d)
{
    struct stream *s = d->s;
    struct insn end = draw_start(d, OP_s_endpgm, FORM_BASE);
    struct rule_need need;
    if (d->wrote_scalar && draw_has(d, OP_s_dcache_wb, FORM_BASE)) {
        struct insn wb = draw_start(d, OP_s_dcache_wb, FORM_BASE);
        draw_must_emit(d, &wb);
    }
    if (rule_need(&d->st, &end, &need)) {
        struct insn wait = draw_start(d, OP_s_waitcnt, FORM_BASE);
        insn_set(&wait, FLD_simm16, rule_waitcnt(need.vmcnt, need.lgkmcnt));
        d->prog->insn[d->prog->count++] =
            (struct prog_insn){ wait, PROG_NO_TARGET, PROG_NO_TARGET };
        d->steps++;
    }
    d->prog->insn[d->prog->count++] = (struct prog_insn){ end, PROG_NO_TARGET, PROG_NO_TARGET };
    s->max_steps = d->steps + 1;
    s->code_dw = prog_encode(d->prog, s->code, STREAM_DW_MAX, NULL);
    if (s->code_dw == 0 || s->max_steps > STEPS_MAX)
        BUG("a stream is too long");
}

/* What a stream makes use of: for those who filter. */
static void note_features(struct draw *d)
{
    u32 f = d->s->features;
    for (u32 i = 0; i < d->prog->count; i++) {
        const struct insn *in = &d->prog->insn[i].in;
        f |= feature_of(insn_row(in), in->op);
        f |= in->form == FORM_SDWA ? GEN_SDWA : in->form == FORM_DPP ? GEN_DPP : 0u;
        if (d->prog->insn[i].target != PROG_NO_TARGET && d->prog->insn[i].target <= (i32)i)
            f |= GEN_LOOP;
    }
    d->s->features = f | (d->s->waves > 1 ? GEN_WAVES : 0u);
}

void gen_stream_of(const struct generator *g, isa_op focus, u64 number, struct stream *s)
{
    struct prog prog;
    struct draw d = { .g = g, .s = s, .prog = &prog };
    u64 who = hash_mix(hash_text(g->isa->target->mcpu), hash_text(isa_rows[focus].name));
    rng_seed(&d.rng, hash_mix(hash_mix(g->cfg.seed, who), number));
    s->mcpu = g->isa->target->mcpu;
    s->seed = g->cfg.seed;
    s->number = number;
    s->focus = (u16)focus;
    s->features = s->set_count = s->value_dw = s->window_count = 0;
    s->pc = PC_DEFAULT;
    s->poison = 1;
    prog.count = 0;
    rule_start(&d.st);
    choose_shape(&d);
    draw_plan(&d);
    draw_state(&d);
    draw_body(&d);
    finish(&d);
    note_features(&d);
}

void gen_stream(const struct generator *g, u64 index, struct stream *s)
{
    gen_stream_of(g, g->op[index % g->op_count], index / g->op_count, s);
}

/* ---- reading streams ---- */

static u64 hash_bytes(u64 h, const void *bytes, size_t n)
{
    const u8 *p = bytes;
    for (size_t i = 0; i < n; i += 8) {
        u64 v = 0;
        memcpy(&v, p + i, n - i < 8 ? n - i : 8);
        h = (h ^ v) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
    }
    return hash_mix(h, n);
}

u64 stream_hash(const struct stream *s)
{
    u64 h = hash_mix(hash_text(s->mcpu), s->pc);
    h = hash_mix(h, s->poison ^ (u64)s->waves << 32 ^ (u64)s->lds_size << 40);
    h = hash_bytes(h, s->code, s->code_dw * sizeof s->code[0]);
    for (u32 i = 0; i < s->set_count; i++)
        h = hash_mix(h, s->set[i].wave ^ (u64)s->set[i].place << 16 ^ (u64)s->set[i].at << 32);
    h = hash_bytes(h, s->values, s->value_dw * sizeof s->values[0]);
    for (u32 i = 0; i < s->window_count; i++)
        h = hash_bytes(hash_mix(h, s->window[i].address), s->window[i].bytes, s->window[i].size);
    return hash_bytes(h, s->lds, s->lds_size);
}

u32 *stream_value(struct stream *s, u32 wave, u32 place)
{
    for (u32 i = 0; i < s->set_count; i++)
        if (s->set[i].wave == wave && s->set[i].place == place)
            return &s->values[s->set[i].at];
    return NULL;
}
