/* The roles of registers. */
#include "fuzz/gen/internal.h"

#include "oracle/state/state.h"

static void plan_scalars(struct draw *d)
{
    enum { LIMIT = 102, LAST = (LIMIT - SDATA_REGS) / 4 };
    struct reg_plan *r = &d->r;
    u32 reserved = 40 + (r->has_scalar ? 12u : 0u) + (r->has_buffers ? 12u : 0u) +
                   (r->has_images ? 16u : 0u) + (r->has_samplers ? 4u : 0u),
        below = reserved / 4;
    r->sdata = (u8)(rng_below(&d->rng, LAST + 1) * 4);
    if (isa_memory(&isa_rows[d->s->focus]) != MEMORY_NONE && rng_one_in(&d->rng, 2))
        r->sdata = 0; /* what it names is moved to s0 (ready.c) */
    if (r->sdata < reserved && r->sdata + SDATA_REGS + reserved > LIMIT)
        r->sdata = (u8)((below + rng_below(&d->rng, LAST - below + 1)) * 4);
    u32 first = r->sdata >= reserved ? 0 : r->sdata + SDATA_REGS;
    u32 room = (r->sdata >= reserved ? r->sdata : LIMIT) - first - reserved;
    u32 at = first + rng_below(&d->rng, room / 2 + 1) * 2;
    for (u32 i = 0; i < DEPTH_MAX; i++, at += 6) {
        r->save[i] = (u8)at;
        r->link[i] = (u8)(at + 2);
        r->jump[i] = (u8)(at + 4);
    }
    for (u32 i = 0; i < 2; i++, at += 4) {
        r->smem[i] = (u8)at;
        r->gbase[i] = (u8)(at + 2);
    }
    r->some_exec = (u8)at;
    at += 2;
    for (u32 i = 0; i < DEPTH_MAX; i++)
        r->count[i] = (u8)at++;
    r->smoff = (u8)at++;
    r->sscratch = (u8)at++;
    r->slds = (u8)at++;
    r->sbuf = (u8)((at + 3) & ~3u);
    at = r->sbuf + 4u;
    if (r->has_scalar) {
        r->scalar_buf = (u8)at;
        r->scalar = (u8)(at + 4);
        r->scalar_up = (u8)(at + 6);
        r->scalar_unit = (u8)(at + 8);
        at += 12;
    }
    if (r->has_buffers) {
        r->buffer[RES_RO] = (u8)at;
        r->buffer[RES_RW] = (u8)(at + 4);
        r->bsoffset = (u8)(at + 8);
        at += 12;
    }
    for (u32 i = 0; r->has_images && i < RESOURCES; i++, at += 8)
        r->image[i] = (u8)at;
    r->sampler = (u8)at;
}

static struct addr_reg *plan_addr(struct draw *d, u32 i, enum area area, bool wide, u32 *at)
{
    struct addr_reg *a = &d->r.addr[i];
    *a = (struct addr_reg){
        .reg = (u8)*at, .area = (u8)area, .wide = wide, .own = area != AREA_RO, .range = ADDR_RANGE
    };
    *at += wide ? 2 : 1;
    return a;
}

/* One register per wave, each naming another wave's region, so that after a barrier a wave reads
 * what another one wrote. A single wave has registers whose lanes collide or lie outside
 * instead. */
static void plan_lds(struct draw *d, u32 *at)
{
    u32 n = d->s->waves > 1 ? d->s->waves : 3;
    for (u32 i = 0; i < n; i++) {
        struct addr_reg *a = plan_addr(d, ADDR_LDS + i, AREA_LDS, false, at);
        a->range = d->lds_region - LANE_BYTES;
        a->epoch = (u8)(d->s->waves > 1 ? i : 0);
        a->own = d->s->waves > 1 || i != 1;
        a->outside =
            d->s->waves == 1 && i == 2 && gen_may(d, GEN_LDS_OUTSIDE) && rng_one_in(&d->rng, 6);
    }
    d->r.lds_addrs = n;
}

/* How far below the memory a FLAT address stands: the instruction's offset makes up for it. */
static i32 draw_flat_bias(struct draw *d)
{
    i32 bias = (i32)rng_below(&d->rng, BIAS_MAX);
    return gen_has_flat_offset(d) ? bias : 0;
}

/* Registers that only some streams have, from `at` on; returns how many. */
static u32 plan_rare(struct draw *d, u32 at)
{
    struct reg_plan *r = &d->r;
    u32 first = at;
    r->vsample = (u8)at;
    at += r->has_samplers ? SAMPLE_REGS : 0;
    r->vmatrix = (u8)at;
    at += r->has_matrix ? MATRIX_PARTS : 0;
    r->vcount = (u8)at;
    at += r->has_sync ? SYNC_REGS : 0;
    if (r->has_matrix)
        r->acc = (u8)rng_below(&d->rng, VGPRS - MATRIX_ACCS + 1);
    return at - first;
}

static void plan_vectors(struct draw *d)
{
    struct reg_plan *r = &d->r;
    enum { USUAL = VINT_REGS + VFLT_REGS + VDBL_REGS + 20 + COORDS };
    u32 high = gen_has_addr64(d) ? 1 : 0; /* upper halves of addresses, behind the offsets */
    u32 where = rng_below(&d->rng, 4), rare = plan_rare(d, 0);
    u32 last = VGPRS - USUAL - rare - high * RESOURCES;
    u32 at = where == 0 ? 0 : where == 1 ? last : rng_below(&d->rng, last + 1);
    at += plan_rare(d, at);
    bool swap = rng_one_in(&d->rng, 2);
    r->vint = (u8)(swap ? at + VFLT_REGS : at);
    r->vflt = (u8)(swap ? at : at + VINT_REGS);
    at += VINT_REGS + VFLT_REGS;
    r->vdbl = (u8)at;
    at += VDBL_REGS;
    r->vtemp = (u8)at++;
    r->vfold = (u8)at++;
    r->vkept = (u8)at++;
    plan_addr(d, ADDR_RW, AREA_RW, true, &at)->bias = draw_flat_bias(d);
    plan_addr(d, ADDR_RW_BIASED, AREA_RW, true, &at)->bias =
        (i32)rng_below(&d->rng, 4096 + BIAS_MAX) - 4096;
    plan_addr(d, ADDR_RO, AREA_RO, true, &at)->bias = draw_flat_bias(d);
    for (u32 i = 0; i < 2; i++) {
        struct addr_reg *a = plan_addr(d, ADDR_RW_OFFSET + i, i ? AREA_RO : AREA_RW, false, &at);
        a->bias = (i32)rng_below(&d->rng, 4096 + BIAS_MAX) - 4096;
        a->shift = rng_one_in(&d->rng, 2) ? 0 : rng_below(&d->rng, 1u << 30);
        a->base = r->gbase[i];
    }
    r->vscratch = (u8)at++;
    r->scratch_bias = (i32)rng_below(&d->rng, 4000);
    for (u32 i = 0; i < RESOURCES; i++, at += 2 + high)
        r->vbuffer[i] = (u8)at;
    r->vimage = (u8)at;
    at += COORDS;
    plan_lds(d, &at);
}

/* The first base is used with immediates of 21 bits signed, the second with a scalar offset. */
static void plan_smem(struct draw *d)
{
    d->r.smem_bias = rng_one_in(&d->rng, 2) ? 0 : ((i32)rng_below(&d->rng, 500000) - 250000) * 4;
    if (!gen_target_has(d, FEATUREBIT_NEGATIVE_SMEM)) /* 20 bits */
        d->r.smem_bias = d->r.smem_bias < 0 ? 0 : d->r.smem_bias / 2 & ~3;
    if (gen_target_has(d, FEATUREBIT_DWORD_OFFSETS)) /* 8 bits, but for literals */
        d->r.smem_bias &= 508;
    d->r.smoff_value =
        (rng_one_in(&d->rng, 2) ? rng_below(&d->rng, 256) : rng_below(&d->rng, 1u << 28)) * 4;
    d->r.scalar_unit_value = (u8)rng_below(&d->rng, 8);
    d->r.scalar_low = rng_one_in(&d->rng, 4) ? (u8)rng_below(&d->rng, 4) : 0;
    d->r.scalar_bias = rng_one_in(&d->rng, 2) ? 0 : rng_below(&d->rng, SCALAR_BYTES / 4) * 4;
    d->r.scalar_stride = rng_one_in(&d->rng, 2) ? 0 : (u8)(4 + rng_below(&d->rng, 8) * 4);
    d->r.scalar_end = rng_below(&d->rng, SCALAR_BYTES / 4 + 1) * 4;
    if (d->r.scalar_stride)
        d->r.scalar_end -= d->r.scalar_end % d->r.scalar_stride;
}

void gen_draw_plan(struct draw *d)
{
    plan_scalars(d);
    plan_vectors(d);
    plan_smem(d);
    if (d->r.has_buffers)
        gen_plan_buffers(d);
    if (d->r.has_images)
        gen_plan_images(d);
    if (d->r.has_sync)
        gen_plan_sync(d);
}
