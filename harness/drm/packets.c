/* The packets of a submission. */
#include "harness/drm/internal.h"

/* Adds a packet; a planted fault may change it. */
static void add(struct drm_packets *p, u32 op, const u32 *body, u32 count)
{
    const struct drm_plant *plant = p->s->plant;
    bool is_it = plant && plant->op == op;
    if (is_it && plant->kind == DRM_PLANT_DROP)
        return;
    u32 *to = p->to + p->dw;
    to[0] = PM4_HEADER(op, count) | PM4_COMPUTE;
    memcpy(to + 1, body, count * sizeof *body);
    if (is_it && plant->kind == DRM_PLANT_DW && plant->dw < count)
        to[1 + plant->dw] ^= plant->bits;
    p->dw += count + 1;
}

#define ADD(p, op, ...) add(p, op, (const u32[]){ __VA_ARGS__ }, sizeof((u32[]){ __VA_ARGS__ }) / 4)

/* Guide, "compute_pgm_rsrc1": granules of 4 VGPRs, and all SGPRs. MODE is the prologue's business. */
static u32 rsrc1(const struct drm_packets *p, const struct drm_launch *l)
{
    u32 sgprs = pm4_generation(p->s->d.chip->gen)->all_sgprs;
    u32 vgprs = (l->vgprs + 3) / 4 - 1, float_mode = 0xc0, dx10 = 1, ieee = 1;
    return vgprs | sgprs << 6 | float_mode << 12 | dx10 << 21 | ieee << 23;
}

enum { ANY_CODE = PM4_ICACHE_INV, ANY_DATA = PM4_KCACHE_INV | PM4_TCL1_INV };

static void acquire(struct drm_packets *p, u32 coher)
{
    ADD(p, PM4_ACQUIRE_MEM, coher, ~0u, 0xff, 0, 0, 10);
}

void drm_packets_start(struct drm_packets *p, const struct drm_session *s, u32 *to)
{
    const u32 all = ~0u;
    *p = (struct drm_packets){ .s = s, .to = to };
    acquire(p, ANY_CODE | ANY_DATA | PM4_TC_INV | PM4_TC_WB);
    ADD(p, PM4_SET_SH_REG, SH_RESOURCE_LIMITS, 0, all, all, 0, all, all); /* SE0 to SE3 */
    if (s->d.chip->engines > 4)
        ADD(p, PM4_SET_SH_REG, SH_STATIC_THREAD_MGMT_SE4, all, all, all, all);
}

/* Through L2, and the next packet waits. */
void drm_packets_copy(struct drm_packets *p, u64 to, u64 from, u32 bytes)
{
    const u32 control = 1u << 31 | 3u << 29 | 3u << 20;
    ADD(p, PM4_DMA_DATA, control, (u32)from, (u32)(from >> 32), (u32)to, (u32)(to >> 32), bytes);
}

void drm_packets_zero(struct drm_packets *p, u64 to, u32 bytes)
{
    const u32 control = 1u << 31 | 2u << 29 | 3u << 20;
    ADD(p, PM4_DMA_DATA, control, 0, 0, (u32)to, (u32)(to >> 32), bytes);
}

/* Registers that hold what they should are left alone. */
void drm_packets_dispatch(struct drm_packets *p, const struct drm_launch *l)
{
    const struct drm_launch *old = p->has_last ? &p->last : NULL;
    u32 lds = drm_plant_is(p->s->plant, "no-lds") ? 0 : (l->lds + 511) / 512;
    if (!old || l->threads != old->threads)
        ADD(p, PM4_SET_SH_REG, SH_NUM_THREAD_X, l->threads, 1, 1);
    if (!old || l->pgm != old->pgm)
        ADD(p, PM4_SET_SH_REG, SH_PGM_LO, (u32)(l->pgm >> 8), (u32)(l->pgm >> 40));
    if (!old || l->vgprs != old->vgprs || l->lds != old->lds)
        ADD(p, PM4_SET_SH_REG, SH_PGM_RSRC1, rsrc1(p, l), 3u << 1 | lds << 15);
    ADD(p, PM4_SET_SH_REG, SH_USER_DATA_0, (u32)l->in_va, (u32)(l->in_va >> 32), l->stride);
    ADD(p, PM4_DISPATCH_DIRECT, 1, 1, 1, PM4_COMPUTE_SHADER_EN | PM4_FORCE_START_AT_000);
    p->last = *l;
    p->has_last = true;
}

void drm_packets_wait(struct drm_packets *p, bool and_caches)
{
    ADD(p, PM4_EVENT_WRITE, PM4_EVENT_CS_PARTIAL_FLUSH | 4u << 8);
    if (and_caches)
        acquire(p, ANY_DATA);
}

void drm_packets_end(struct drm_packets *p, u64 fence_va, u32 fence)
{
    enum { IB_ALIGN_DW = 8 };
    u32 event = PM4_EVENT_CACHE_FLUSH_AND_INV_TS | 5u << 8 | 1u << 15 | 1u << 17;
    const u32 body[] = { event, 1u << 29, (u32)fence_va, (u32)(fence_va >> 32), fence, 0, 0 };
    bool is_long = drm_plant_is(p->s->plant, "release-of-gfx9");
    ADD(p, PM4_EVENT_WRITE, PM4_EVENT_CS_PARTIAL_FLUSH | 4u << 8);
    add(p, PM4_RELEASE_MEM, body,
        pm4_least(is_long ? GEN_GFX9 : p->s->d.chip->gen, PM4_RELEASE_MEM));
    while (p->dw % IB_ALIGN_DW)
        p->to[p->dw++] = PM4_FILL;
}
