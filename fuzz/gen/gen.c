/* From a seed to a stream: how many instructions, in which order. */
#include "fuzz/gen/internal.h"

#include "oracle/base/hash.h"
#include "oracle/isa/op.h"
#include "oracle/state/state.h"

const struct gen_cfg gen_cfg_default = {
    .seed = 1, .insns_min = 40, .insns_max = 80, .waves_max = STREAM_WAVES_MAX, .features = GEN_ALL
};

enum { STEPS_MAX = 100000, TRIES_MAX = 1000 };

enum status gen_open(struct generator *g, const struct isa *isa, const struct gen_cfg *cfg,
                     struct err *e)
{
    memset(g, 0, offsetof(struct generator, choices));
    g->isa = g->target = isa;
    g->cfg = *cfg;
    g->cfg.forms = NULL;
    g->cfg.steer = NULL;
    gen_open_common(g);
    if (cfg->insns_min < 1 || cfg->insns_min > cfg->insns_max || cfg->insns_max > GEN_INSNS_MAX)
        return err_set(e, ST_INPUT, "%u to %u instructions: must be 1 to %d", cfg->insns_min,
                       cfg->insns_max, GEN_INSNS_MAX);
    if (cfg->waves_max < 1 || cfg->waves_max > STREAM_WAVES_MAX)
        return err_set(e, ST_INPUT, "%u waves: must be 1 to %d", cfg->waves_max, STREAM_WAVES_MAX);
    if (!gen_choose(g, cfg->forms))
        return err_set(e, ST_INPUT, "no opcode is left to generate");
    gen_note_around(g);
    gen_note_m0(g);
    if (cfg->steer)
        gen_weigh(g, cfg->steer);
    return ST_OK;
}

/* ---- drawing ---- */

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
    if (gen_has(d, OP_s_cselect_b32, FORM_BASE) &&
        gen_draw_insn(d, OP_s_cselect_b32, FORM_BASE, &in))
        gen_emit(d, &in);
}

/* An instruction of this opcode. Where it is asked what was not seen yet, several are drawn and the one
 * that shows the most of that is taken. False if it cannot be drawn here. */
static bool draw_best(struct draw *d, isa_op op, struct insn *in)
{
    const struct gen_choices *c = d->g->is_steered ? &d->g->choices : NULL;
    u32 best = 0;
    if (!gen_draw_insn(d, op, gen_draw_form(d, op), in))
        return false;
    gen_swap_fields(d, in);
    if (!c || !c->seen)
        return true;
    best = cover_gain(c->seen, in);
    for (u32 i = 1; i < c->candidates; i++) {
        struct insn other;
        if (!gen_draw_insn(d, op, gen_draw_form(d, op), &other))
            continue;
        u32 gain = cover_gain(c->seen, &other);
        if (gain > best) {
            best = gain;
            *in = other;
        }
    }
    return true;
}

/* One instruction of this opcode, or the block it opens. */
static bool draw_one(struct draw *d, isa_op op)
{
    struct insn in;
    bool drawn;
    if (!gen_has_room(d)) /* not every sequence asks by itself */
        return false;
    if (gen_draw_by_m0(d, op, &drawn) || gen_draw_around(d, op, &drawn))
        return drawn;
    if (isa_rows[op].flags & FLAG_BRANCH && isa_flow(&isa_rows[op]) != FLOW_TRAP)
        return gen_open_block(d, op);
    if (isa_rows[op].flags & FLAG_BARRIER)
        return gen_draw_barrier(d);
    if (!draw_best(d, op, &in))
        return false;
    bool memory = isa_memory(&isa_rows[op]) != MEMORY_NONE;
    if (!(memory ? gen_emit_memory(d, &in) : gen_emit(d, &in)))
        return false;
    if (writes_scc_only(&isa_rows[op]) && rng_one_in(&d->rng, 2))
        draw_select(d);
    return true;
}

/* EXEC must not stay at nothing for the rest of the stream. */
static void restore_exec(struct draw *d)
{
    struct insn in = gen_start(d, OP_s_mov_b64, FORM_BASE);
    insn_set(&in, FLD_sdst, CODE_EXEC);
    insn_set(&in, FLD_ssrc0, rng_one_in(&d->rng, 2) ? d->r.some_exec : 193u); /* or -1 */
    if (gen_may(d, GEN_EXEC) && gen_has(d, OP_s_mov_b64, FORM_BASE))
        gen_emit(d, &in);
}

/* A load whose address is computed from data: v_and_b32 keeps it inside the read-only window. */
static bool draw_computed(struct draw *d)
{
    struct insn in = gen_start(d, OP_v_and_b32, FORM_LIT);
    if (!gen_may(d, GEN_VMEM) || !gen_has(d, OP_v_and_b32, FORM_LIT) ||
        !gen_has(d, OP_global_load_dword, FORM_BASE))
        return false;
    const struct addr_reg *a = &d->r.addr[ADDR_RO_OFFSET];
    if (a->shift)
        return false;
    insn_set(&in, FLD_src0, CODE_LIT);
    in.lit = 2044;
    insn_set(&in, FLD_src1, gen_draw_vgpr(d, T_U32, 1));
    insn_set(&in, FLD_vdst, d->r.vtemp);
    if (!gen_emit(d, &in))
        return false;
    in = gen_start(d, OP_global_load_dword, FORM_BASE);
    insn_set(&in, FLD_vdst, gen_draw_vgpr(d, T_U32, 1));
    insn_set(&in, FLD_addr, d->r.vtemp);
    insn_set(&in, FLD_saddr, a->base);
    insn_set(&in, FLD_offset, (u32)(a->bias + (i32)rng_below(&d->rng, 256) * 4));
    return gen_emit(d, &in);
}

/* What comes next. `due`: the focus, at last. *seen: how often that was drawn. */
static void draw_next(struct draw *d, bool due, u32 *seen)
{
    isa_op focus = d->s->focus;
    bool ok;
    gen_close_blocks(d, false);
    if (d->gene && d->gene->kind == GENE_OP) {
        ok = gen_gene_fits(d) && draw_one(d, d->gene->op);
    } else if (due || rng_one_in(&d->rng, d->focus_one_in)) {
        ok = draw_one(d, focus);
        *seen += ok;
    } else if (rng_one_in(&d->rng, 10)) {
        ok = gen_open_block(d, OP_NONE);
    } else if (d->s->waves > 1 && rng_one_in(&d->rng, 10)) {
        ok = gen_draw_barrier(d);
    } else if (rng_one_in(&d->rng, 48)) {
        ok = draw_computed(d);
    } else {
        ok = draw_one(d, gen_draw_op(d));
    }
    if (d->depth == 0 && rng_one_in(&d->rng, 10))
        restore_exec(d);
    d->drawn += ok;
}

static void draw_body(struct draw *d)
{
    const struct recipe *r = d->recipe;
    isa_op focus = d->s->focus;
    u32 first = rng_below(&d->rng, d->wanted), seen = 0;
    for (u32 i = 0; r && i < r->gene_count; i++) {
        d->gene = &r->gene[i];
        memcpy(d->rng.s, d->gene->at, sizeof d->rng.s);
        draw_next(d, d->gene->kind == GENE_FOCUS, &seen);
    }
    d->gene = NULL;
    for (u32 tries = 0; !r && d->drawn < d->wanted && tries < d->wanted * 4; tries++) {
        bool due = d->drawn >= first && !seen;
        if (d->note)
            gen_note_gene(d, due);
        draw_next(d, due, &seen);
    }
    gen_close_blocks(d, true);
    if (!seen && !(isa_rows[focus].flags & FLAG_BRANCH))
        draw_one(d, focus);
}

/* ---- streams ---- */

/* Whether the generator has any opcode of a class. */
static bool has_class(const struct draw *d, enum gen_class cl)
{
    return d->g->ring_at[cl] != d->g->ring_at[cl + 1];
}

/* What few streams have, unless it is what they are about. */
static void choose_rare(struct draw *d)
{
    struct reg_plan *r = &d->r;
    const struct isa_row *focus = &isa_rows[d->s->focus];
    bool rare = rng_one_in(&d->rng, 16);
    r->has_matrix = has_class(d, CL_MATRIX) && (rare || isa_unit(focus) == UNIT_MATRIX);
    rare = rng_one_in(&d->rng, 32);
    r->has_sync = has_class(d, CL_SYNC) && (rare || focus->flags & FLAG_GDS_ONLY);
    rare = rng_one_in(&d->rng, 24);
    r->has_exports = has_class(d, CL_EXPORT) && (rare || isa_unit(focus) == UNIT_EXPORT);
    rare = rng_one_in(&d->rng, 3);
    r->has_samplers = has_class(d, CL_SAMPLE) && r->has_images && (rare || gen_is_sampled(focus));
    u32 most = r->has_exports ? 1 : r->has_matrix ? MATRIX_WAVES : d->s->waves;
    d->s->waves = (u16)(d->s->waves < most ? d->s->waves : most);
}

static void choose_shape(struct draw *d)
{
    struct stream *s = d->s;
    const struct gen_cfg *c = &d->g->cfg;
    d->wanted = c->insns_min + rng_below(&d->rng, c->insns_max - c->insns_min + 1);
    bool meet = s->focus == OP_s_barrier || isa_rows[s->focus].flags & FLAG_GDS_ONLY;
    bool waves = gen_may(d, GEN_WAVES) && rng_one_in(&d->rng, meet ? 2 : 8);
    s->waves = (u16)(waves ? 2 + rng_below(&d->rng, c->waves_max - 1) : 1);
    bool rare = rng_one_in(&d->rng, 16);
    d->r.has_scratch =
        gen_may(d, GEN_SCRATCH) && (rare || isa_memory(&isa_rows[s->focus]) == MEMORY_SCRATCH);
    const struct isa_row *focus = &isa_rows[s->focus];
    rare = rng_one_in(&d->rng, 8);
    d->r.has_scalar = gen_may(d, GEN_SMEM_STORE) && (rare || gen_is_scalar_store(focus));
    rare = rng_one_in(&d->rng, 8);
    bool buffer = gen_feature_of(focus) & GEN_BUFFER;
    d->r.has_buffers = gen_may(d, GEN_BUFFER) && (rare || buffer);
    rare = rng_one_in(&d->rng, 12);
    d->r.has_images = gen_may(d, GEN_IMAGE) && (rare || isa_memory(focus) == MEMORY_IMAGE);
    choose_rare(d);
    u32 most = d->g->features_any >> FEATUREBIT_SMALL_LDS & 1 ? 3 : 4;
    u32 large = rng_below(&d->rng, 16), shift = large == 0 ? most : large == 1 ? 2 : 0;
    /* What few other streams have is drawn more often in those about it. */
    bool alone = gen_feature_of(focus) & (GEN_BUFFER | GEN_IMAGE | GEN_SMEM_STORE | GEN_SCRATCH);
    d->focus_one_in = alone ? 3 : 6;
    d->lds_region = (u32)LDS_REGION_MIN << (s->waves > 1 ? 0 : shift);
    s->lds_size = gen_may(d, GEN_LDS) ? d->lds_region * s->waves : 0;
    d->weight = 1;
}

/* As gen_encode. */
static enum status finish(struct draw *d)
{
    struct stream *s = d->s;
    struct insn end = gen_start(d, OP_s_endpgm, FORM_BASE);
    struct rule_need need;
    if (d->wrote_scalar && gen_has(d, OP_s_dcache_wb, FORM_BASE)) {
        struct insn wb = gen_start(d, OP_s_dcache_wb, FORM_BASE);
        gen_must_emit(d, &wb);
    }
    if (rule_need(&d->st, &end, &need)) {
        struct insn wait = gen_start(d, OP_s_waitcnt, FORM_BASE);
        insn_set(&wait, FLD_simm16, rule_waitcnt(gen_generation(d), need.vmcnt, need.lgkmcnt));
        d->prog->insn[d->prog->count++] =
            (struct prog_insn){ wait, PROG_NO_TARGET, PROG_NO_TARGET };
        d->steps++;
    }
    d->prog->insn[d->prog->count++] = (struct prog_insn){ end, PROG_NO_TARGET, PROG_NO_TARGET };
    s->max_steps = d->steps + 1;
    enum status st = gen_encode(d);
    if (st != ST_OK)
        return st;
    if (s->code_dw == 0 || s->max_steps > STEPS_MAX)
        BUG("a stream is too long");
    return ST_OK;
}

/* What a stream makes use of: for those who filter. */
static void note_features(struct draw *d)
{
    u32 f = d->s->features;
    for (u32 i = 0; i < d->prog->count; i++) {
        const struct insn *in = &d->prog->insn[i].in;
        f |= d->g->feature[in->op];
        f |= in->form == FORM_SDWA ? GEN_SDWA : in->form == FORM_DPP ? GEN_DPP : 0u;
        if (d->prog->insn[i].target != PROG_NO_TARGET && d->prog->insn[i].target <= (i32)i)
            f |= GEN_LOOP;
    }
    d->s->features = f | (d->s->waves > 1 ? GEN_WAVES : 0u);
}

/* What stands for the processor in the seed of a stream. */
static u64 hash_processors(const struct generator *g)
{
    u64 all = g->cfg.common_count ? 0 : hash_text(g->isa->target->mcpu);
    for (u32 i = 0; i < g->cfg.common_count; i++)
        all += hash_mix(hash_text(g->cfg.common[i]->target->mcpu), 1); /* in any order */
    return all;
}

/* Nothing is drawn yet. */
static void clear_draw(struct draw *d, const struct generator *g, struct stream *s,
                       struct prog *prog)
{
    memset(d, 0, offsetof(struct draw, st));
    d->g = g;
    d->s = s;
    d->prog = prog;
}

/* Shape and roles of registers. */
static void start_draw(struct draw *d, u64 seed)
{
    rng_seed(&d->rng, seed);
    choose_shape(d);
    gen_draw_plan(d);
}

/* One try. `form`: the focus is in this one; -1: in any. Either of a recipe and a note of one may be
 * given. ST_INPUT: what came out is not valid on all processors. */
static enum status try_stream(const struct generator *g, i32 form, u64 seed, struct stream *s,
                              const struct recipe *recipe, struct recipe *note)
{
    struct prog prog;
    struct draw d;
    clear_draw(&d, g, s, &prog);
    d.focus_form = (i8)form;
    d.recipe = recipe;
    d.note = note;
    s->features = s->set_count = s->value_dw = s->window_count = 0;
    memset(s->written, 0, sizeof s->written);
    prog.count = 0;
    gen_start_rules(&d);
    start_draw(&d, seed);
    gen_plan_folds(&d);
    gen_draw_state(&d);
    gen_set_values(&d);
    draw_body(&d);
    enum status st = finish(&d);
    note_features(&d);
    return st;
}

static void start_stream(const struct generator *g, isa_op focus, struct stream *s)
{
    s->mcpu = g->target->target->mcpu;
    s->seed = s->number = 0;
    s->focus = (u16)focus;
    s->pc = PC_DEFAULT;
    s->poison = 1;
}

static void note_start(struct recipe *r, u64 seed, isa_op focus, i32 form)
{
    *r = (struct recipe){ .seed = seed,
                          .focus = (u16)focus,
                          .form = form < 0 ? (u8)GENE_ANY_FORM : (u8)form };
}

static enum status draw_stream(const struct generator *g, isa_op focus, i32 form, u64 number,
                               struct stream *s, struct recipe *note)
{
    u64 who = hash_mix(hash_processors(g), hash_text(isa_rows[focus].name));
    if (form >= 0)
        who = hash_mix(who, (u32)form);
    u64 seed = hash_mix(hash_mix(g->cfg.seed, who), number);
    start_stream(g, focus, s);
    s->seed = g->cfg.seed;
    s->number = number;
    for (u32 i = 0;; i++) {
        u64 mixed = i ? hash_mix(seed, i) : seed;
        if (note)
            note_start(note, mixed, focus, form);
        enum status st = try_stream(g, form, mixed, s, NULL, note);
        if (st != ST_INPUT)
            return st;
        if (i == TRIES_MAX)
            BUG("no stream is valid on all processors");
    }
}

enum status recipe_stream(const struct generator *g, const struct recipe *r, struct stream *s)
{
    i32 form = r->form == GENE_ANY_FORM ? -1 : (i32)r->form;
    start_stream(g, r->focus, s);
    for (u32 i = 0;; i++) {
        enum status st = try_stream(g, form, i ? hash_mix(r->seed, i) : r->seed, s, r, NULL);
        if (st != ST_INPUT)
            return st;
        if (i == TRIES_MAX)
            BUG("no stream is valid on all processors");
    }
}

u32 recipe_list_reads(const struct generator *g, const struct recipe *r, struct stream *s,
                      struct recipe_value reads[RECIPE_READS_MAX])
{
    struct prog prog;
    if (recipe_stream(g, r, s) != ST_OK ||
        prog_decode(&prog, g->target, s->code, s->code_dw, NULL) != ST_OK)
        return 0;
    /* The roles of registers are drawn again, as they were for the stream. */
    struct draw d;
    clear_draw(&d, g, s, &prog);
    d.focus_form = -1;
    d.recipe = r;
    start_draw(&d, r->seed);
    return gen_list_reads(&d, reads);
}

enum status gen_stream_of(const struct generator *g, isa_op focus, u64 number, struct stream *s)
{
    return draw_stream(g, focus, -1, number, s, NULL);
}

enum status gen_stream_in(const struct generator *g, isa_op focus, enum isa_form form, u64 number,
                          struct stream *s)
{
    return draw_stream(g, focus, (i32)form, number, s, NULL);
}

static enum status draw_index(const struct generator *g, u64 index, struct stream *s,
                              struct recipe *note)
{
    isa_op focus;
    enum isa_form form;
    if (g->is_steered && gen_weighed_focus(g, index, &focus, &form))
        return draw_stream(g, focus, (i32)form, index, s, note);
    return draw_stream(g, g->op[index % g->op_count], -1, index / g->op_count, s, note);
}

bool recipe_note(const struct generator *g, u64 index, struct stream *s, struct recipe *r)
{
    draw_index(g, index, s, r); /* of one processor: nothing can fail */
    return r->gene_count <= RECIPE_GENES_MAX;
}

enum status gen_stream(const struct generator *g, u64 index, struct stream *s)
{
    return draw_index(g, index, s, NULL);
}
