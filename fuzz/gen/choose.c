/* Which opcodes and forms a generator draws, and drawing one of them. */
#include "fuzz/gen/internal.h"

#include "oracle/base/hash.h"
#include "oracle/isa/op.h"

#include <stdlib.h>

enum { RING_POINTS = 8 };

/* ---- which opcodes and forms ---- */

const char *gen_left_out(isa_op op)
{
    static const struct {
        u16 op;
        const char *why;
    } left_out[] = {
#define LEFT_OUT(op, why) { OP_##op, why },
#include "fuzz/gen/left_out.def"
#undef LEFT_OUT
    };
    for (u32 i = 0; i < COUNT_OF(left_out); i++)
        if (left_out[i].op == op)
            return left_out[i].why;
    return NULL;
}

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
    if (!isa_has(isa, op) || !isa_modelled(op) || gen_left_out(op))
        return 0;
    u32 forms = isa_forms((enum gen)isa->target->gen, row) & (row->forms | F_LIT);
    forms &= F_BASE | F_LIT | F_E64 | F_SDWA | F_DPP;
    if (row->enc == ENC_VOP2 &&
        has_carry_in(row)) /* vcc and a literal are one scalar source too many */
        forms &= ~(u32)F_LIT;
    if (row->operand[0].kind == K_NONE) /* v_nop: its forms do the same */
        forms &= F_BASE;
    return forms;
}

/* Of rows that are issued to units of their own, or that other waves take notice of. */
static u32 feature_of_unit(const struct isa_row *row)
{
    if (row->flags & FLAG_GDS_ONLY)
        return GEN_LDS | GEN_M0 | GEN_EXEC | GEN_SYNC;
    switch (isa_unit(row)) {
    case UNIT_MATRIX: return GEN_MATRIX;
    case UNIT_EXPORT: return GEN_EXPORT;
    default: return gen_is_interpolation(row) ? GEN_LDS | GEN_M0 : 0;
    }
}

/* Without registers of an address its data is in LDS, where M0 says. */
static u32 feature_of_buffer(const struct isa_row *row)
{
    return isa_operand_of_kind(row, K_BADDR) ? GEN_BUFFER : GEN_BUFFER | GEN_LDS | GEN_M0;
}

u32 gen_feature_of(const struct isa_row *row)
{
    u32 feature = feature_of_unit(row);
    if (feature)
        return feature;
    if (row->flags & FLAG_BRANCH)
        return isa_flow_calls(row) || isa_flow(row) == FLOW_SETPC ? GEN_CALL : GEN_BRANCH;
    if (row->flags & FLAG_WR_EXEC)
        return GEN_EXEC;
    if (isa_operand_of_kind(row, K_HWREG) || isa_m0(row) == M0_INDEX || row->flags & FLAG_WR_MODE)
        return GEN_MODE;
    if (isa_m0(row) == M0_SOURCE || isa_m0(row) == M0_DEST || isa_m0(row) == M0_MESSAGE)
        return GEN_M0;
    switch (isa_memory(row)) {
    case MEMORY_SCALAR: return gen_is_scalar_store(row) ? GEN_SMEM_STORE : GEN_SMEM;
    case MEMORY_LDS: return gen_is_lds_by_m0(row) ? GEN_LDS | GEN_M0 : GEN_LDS;
    case MEMORY_FLAT:
    case MEMORY_GLOBAL: return GEN_VMEM;
    case MEMORY_SCRATCH: return GEN_SCRATCH;
    case MEMORY_BUFFER: return row->operand[0].kind == K_NONE ? 0 : feature_of_buffer(row);
    case MEMORY_IMAGE:
        return row->flags & FLAG_IMAGE_INFO && gen_is_sampled(row) ? GEN_IMAGE | GEN_EXEC
                                                                   : GEN_IMAGE;
    default: return 0;
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

/* Where in the ring of a class each part of the hashes begins: of a search two thirds are done so. */
static void part_ring(struct generator *g, u32 cl)
{
    u32 first = g->ring_at[cl], count = g->ring_at[cl + 1] - first, at = 0;
    for (u32 part = 0; part < GEN_RING_PARTS; part++) {
        while (at < count && g->ring[first + at].hash >> 24 < part)
            at++;
        g->ring_part[cl][part] = (u16)at;
    }
    g->ring_part[cl][GEN_RING_PARTS] = (u16)count;
}
_Static_assert(GEN_RING_PARTS == 1 << (32 - 24), "the upper bits of a hash say which part");

static void fill_rings(struct generator *g)
{
    u32 at = 0;
    for (u32 cl = 0; cl < GEN_CLASSES; cl++) {
        g->ring_at[cl] = at;
        for (u32 op = OP_NONE + 1; op < isa_op_count; op++) {
            if (!g->forms[op] || gen_class_of(&isa_rows[op]) != (i32)cl)
                continue;
            for (u32 i = 0; i < RING_POINTS; i++)
                g->ring[at++] =
                    (struct gen_point){ (u32)hash_mix(hash_text(isa_rows[op].name), i), (u16)op };
        }
        sort_ring(&g->ring[g->ring_at[cl]], at - g->ring_at[cl]);
    }
    g->ring_at[GEN_CLASSES] = at;
    for (u32 cl = 0; cl < GEN_CLASSES; cl++)
        part_ring(g, cl);
}

/* Features that cannot be had with the opcodes allowed. */
static void reduce_features(struct generator *g)
{
    if (!g->forms[OP_s_waitcnt])
        g->cfg.features &= ~(u32)(GEN_SMEM | GEN_VMEM | GEN_LDS | GEN_SCRATCH | GEN_BUFFER |
                                  GEN_IMAGE | GEN_SMEM_STORE | GEN_EXPORT | GEN_SYNC);
    if (!g->forms[OP_s_barrier])
        g->cfg.features &= ~(u32)GEN_WAVES;
    bool lifts = (g->features_any ^ g->features_all) >> FEATUREBIT_LDS_LIMIT & 1;
    if (lifts && !(g->forms[OP_s_mov_b32] & F_BASE)) /* the limit that M0 is */
        g->cfg.features &= ~(u32)GEN_M0;
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
        for (u32 form = 0; form < FORM_COUNT; form++)
            if (!gen_is_common(&g->cfg, op, (enum isa_form)form))
                forms &= ~(1u << form);
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
        u32 feature = g->feature[op] = gen_feature_of(row);
        bool helper = op == OP_s_mov_b64; /* needed by others whatever the features are */
        if (feature & ~g->cfg.features && !helper)
            g->forms[op] = 0;
        if (g->forms[op] && !(row->flags & FLAG_END))
            g->op[g->op_count++] = (u16)op;
    }
    /* Where a row stands must not decide which stream a number means. */
    qsort(g->op, g->op_count, sizeof g->op[0], by_name);
}

bool gen_choose(struct generator *g, const u8 *allowed)
{
    choose_ops(g, allowed);
    fill_rings(g);
    return g->ring_at[GEN_CLASSES] != 0;
}

/* ---- drawing one ---- */

static isa_op draw_of_class(struct draw *d, u32 cl)
{
    const struct generator *g = d->g;
    u32 first = g->ring_at[cl], end = g->ring_at[cl + 1], x = (u32)rng_u64(&d->rng);
    u32 lo = first + g->ring_part[cl][x >> 24], hi = first + g->ring_part[cl][(x >> 24) + 1];
    if (first == end)
        return OP_NONE;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (g->ring[mid].hash < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return g->ring[lo == end ? first : lo].op;
}

isa_op gen_draw_op(struct draw *d)
{
    if (d->g->is_steered)
        return gen_weighed_op(d);
    for (u32 i = 0; i < 64; i++) {
        u32 cl = gen_draw_class(d);
        isa_op op = draw_of_class(d, cl);
        if (op != OP_NONE)
            return op;
    }
    return d->g->ring[rng_below(&d->rng, d->g->ring_at[GEN_CLASSES])].op;
}

enum isa_form gen_draw_form(struct draw *d, isa_op op)
{
    const struct gene *gene = d->gene;
    if (gene && gene->kind == GENE_OP && gene->op == op && gene->form < FORM_COUNT &&
        gen_has(d, op, (enum isa_form)gene->form))
        return (enum isa_form)gene->form;
    if (op == d->s->focus && d->focus_form >= 0)
        return (enum isa_form)d->focus_form;
    if (d->g->is_steered)
        return gen_weighed_form(d, op);
    u32 forms = d->g->forms[op], n = popcount32(forms), k = rng_below(&d->rng, n);
    while (k--)
        forms &= forms - 1;
    return (enum isa_form)ctz32(forms);
}
