/* What runs one work-group after the other: a machine with code, memory and scratch, and the
 * registers that a work-group starts with. */
#include "harness/launch/internal.h"

#include "harness/codeobj/user_data.h"
#include "oracle/exec/delay.h"
#include "oracle/exec/weak.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    KERNARG_ALIGN = 16 /* a kernarg of less than a dword is loaded as one */
};

/* --- code and memory --- */

/* Loads the executable segments as the program. Between them lies nothing that decodes. */
static enum status load_code(struct group_runner *g, struct err *e)
{
    const struct dispatch *d = g->d;
    const struct codeobj *co = d->co;
    u64 lo = UINT64_MAX, hi = 0;
    for (u32 i = 0; i < co->segment_count; i++) {
        const struct codeobj_segment *s = &co->segments[i];
        if (!s->is_executable)
            continue;
        lo = s->vaddr < lo ? s->vaddr : lo;
        hi = s->vaddr + s->size;
    }
    u64 entry = d->k->entry_address - co->base;
    lo += (entry - lo) & 3;
    u32 dw = (u32)((hi - lo) / 4);
    u32 *code = calloc(dw, sizeof *code);
    if (!code)
        return err_memory(e);
    memcpy(code, co->image + (lo - co->image_lo), (size_t)dw * 4);
    enum status st = machine_load(g->m, code, dw, co->base + lo, e);
    free(code);
    return st;
}

static enum status add_window(struct group_runner *g, u64 address, void *bytes, u64 size,
                              bool read_only, struct err *e)
{
    return size ? machine_window(g->m, address, bytes, size, read_only, e) : ST_OK;
}

/* In one piece, or with guards between waves. */
static enum status map_scratch(struct group_runner *g, struct err *e)
{
    const struct dispatch *d = g->d;
    u64 step = d->scratch_guard ? d->scratch_wave : d->scratch_size;
    enum status st = ST_OK;
    for (u64 at = 0; st == ST_OK && at < d->scratch_size; at += step)
        st = add_window(g, GPU_SCRATCH_BASE + at, g->scratch + at, step - d->scratch_guard, false,
                        e);
    return st;
}

static enum status map_memory(struct group_runner *g, struct err *e)
{
    struct dispatch *d = g->d;
    const struct codeobj *co = d->co;
    enum status st = ST_OK;
    for (u32 i = 0; st == ST_OK && i < d->l->arg_count; i++)
        if (launch_arg_is_buffer(&d->l->args[i]))
            st = add_window(g, d->ka.addresses[i], d->l->args[i].bytes, d->l->args[i].size,
                            d->cfg->check_memory && d->l->args[i].kind == LARG_BUF, e);
    for (u32 i = 0; st == ST_OK && i < co->segment_count; i++) {
        const struct codeobj_segment *s = &co->segments[i];
        st = add_window(g, co->base + s->vaddr, co->image + (s->vaddr - co->image_lo), s->size,
                        !s->is_writable, e);
    }
    if (st == ST_OK)
        st = add_window(g, GPU_KERNARG_ADDRESS, d->ka.bytes,
                        launch_round_up(d->ka.size, KERNARG_ALIGN), true, e);
    if (st == ST_OK)
        st = add_window(g, GPU_DESCRIPTORS, d->ka.descriptors,
                        (u64)d->ka.descriptor_count * DESCRIPTOR_BYTES, true, e);
    if (st == ST_OK)
        st = add_window(g, GPU_PACKET_ADDRESS, d->packet, PACKET_BYTES, true, e);
    if (st == ST_OK && !isa_target_has(d->isa.target, FEATUREBIT_APERTURE_REGISTERS))
        st = add_window(g, GPU_QUEUE_ADDRESS, d->queue, QUEUE_BYTES, true, e);
    if (st == ST_OK)
        st = map_scratch(g, e);
    if (st == ST_OK)
        st = host_map(d->host, g->m, e);
    if (st == ST_OK)
        st = rpc_map(d->cfg->rpc, g->m, e);
    return st;
}

/* --- registers --- */

/* V# of the scratch of a work-group: swizzled in dwords over 64 lanes, thread id added, no range
 * check. Vega ISA, table "Buffer Resource Descriptor". */
static void scratch_buffer(const struct wave *w, u64 size, u32 v[4])
{
    u32 dst_sel = 4 | 5 << 3 | 6 << 6 | 7 << 9;
    u32 uint = 4, data_32 = 4, index_stride_64 = 3, add_tid = 1;
    bool sized = isa_target_has(w->isa->target, FEATUREBIT_ELEMENT_SIZE);
    pair_set(v, GPU_SCRATCH_BASE | 1ull << 63);
    v[2] = (u32)size;
    v[3] = dst_sel | uint << 12 | data_32 << 15 | (u32)sized << 19 | index_stride_64 << 21 |
           add_tid << 23;
}

/* Where private memory begins; on gfx8 how far behind the driver's base, and how many bytes a lane
 * has. Guide, section "Flat Scratch". */
static u64 flat_scratch(struct wave *w, u32 private_size)
{
    bool sized = isa_target_has(w->isa->target, FEATUREBIT_SIZED_SCRATCH);
    if (sized)
        w->scratch_base = GPU_SCRATCH_BASE;
    return sized ? (u64)private_size << 32 : GPU_SCRATCH_BASE;
}

/* Guide, table "SGPR Register Set Up Order". */
static void set_sgprs(const struct dispatch *d, struct wave *w, const u32 group[3], u32 index,
                      u32 waves)
{
    const struct kernel_desc *k = &d->k->desc;
    u32 user[USER_KINDS][USER_DWORDS_MAX] = { { 0 } }, at = k->user_sgpr_count;
    scratch_buffer(w, d->scratch_size, user[USER_PRIVATE_SEGMENT_BUFFER]);
    pair_set(user[USER_DISPATCH_PTR], GPU_PACKET_ADDRESS);
    pair_set(user[USER_QUEUE_PTR], GPU_QUEUE_ADDRESS);
    pair_set(user[USER_KERNARG_SEGMENT_PTR], GPU_KERNARG_ADDRESS);
    pair_set(user[USER_FLAT_SCRATCH_INIT], flat_scratch(w, d->private_size));
    user[USER_PRIVATE_SEGMENT_SIZE][0] = d->private_size;
    user_data_fill(k->user_data, user, w->sgpr);
    for (u32 i = 0; i < 3; i++)
        if (k->enable_sgpr_workgroup_id[i])
            w->sgpr[at++] = group[i];
    if (k->enable_sgpr_workgroup_info)
        w->sgpr[at++] = (index == 0 ? 1u << 31 : 0) | waves;
    if (k->enable_private_segment)
        w->sgpr[at++] = (u32)(index * d->scratch_wave);
}

/* What poison_group changes, but for what the dispatcher sets: that is the same whatever was there
 * before. */
enum status runner_find_unset(struct dispatch *d, struct err *e)
{
    static const u32 none[3] = { 0 };
    struct wave *w = aligned_alloc(_Alignof(struct wave), 2 * sizeof *w);
    if (!w)
        return err_memory(e);
    for (u32 i = 0; i < 2; i++) {
        w[i].isa = &d->isa;
        for (u32 r = 0; r <= CODE_SGPR_LAST; r++)
            w[i].sgpr[r] = i - 1;
        set_sgprs(d, &w[i], none, 0, 1);
    }
    for (u32 p = 0; p < PLACE_COUNT; p++)
        d->unset[p] = p <= CODE_SGPR_LAST ? w[0].sgpr[p] != w[1].sgpr[p]
                                          : p == CODE_VCC || p == CODE_VCC + 1u || p == CODE_M0 ||
                                                p == PLACE_SCC || (p >= PLACE_V0 && p < PLACE_A0);
    free(w);
    return ST_OK;
}

static u32 initial_mode(const struct kernel_desc *k)
{
    return k->float_round_mode_32 | k->float_round_mode_16_64 << 2 | k->float_denorm_mode_32 << 4 |
           k->float_denorm_mode_16_64 << 6 | (u32)k->enable_dx10_clamp << MODE_DX10_CLAMP |
           (u32)k->enable_ieee_mode << MODE_IEEE | k->enable_exceptions << MODE_EXCP_EN |
           (u32)k->fp16_ovfl << MODE_FP16_OVFL;
}

/* Differs from register to register. */
static u32 poison_word(u32 place)
{
    return (u32)hash_mix(POISON_BYTE, place) | 1u << 31;
}

static void poison_group(struct group_runner *g)
{
    struct machine *m = g->m;
    u32 vgprs = allocated_reach(&m->allocated);
    memset(m->lds->bytes, POISON_BYTE, m->lds->size);
    memset(g->scratch, POISON_BYTE, g->d->scratch_size);
    for (u32 i = 0; i < m->waves; i++) {
        struct wave *w = m->wave[i];
        for (u32 r = 0; r <= CODE_SGPR_LAST; r++)
            w->sgpr[r] = poison_word(r);
        for (u32 r = 0; r < 2; r++)
            w->sgpr[CODE_VCC + r] = poison_word(CODE_VCC + r);
        w->sgpr[CODE_M0] = poison_word(CODE_M0);
        w->scc = 1;
        for (u32 r = 0; r < vgprs; r++) {
            u32 word = poison_word(PLACE_V0 + r);
            for (u32 lane = 0; lane < LANES; lane++)
                w->vgpr[r][lane] = word;
        }
    }
}

void runner_start(struct group_runner *g, const u32 group[3])
{
    const struct dispatch *d = g->d;
    u32 size[3]; /* a partial work-group is packed as if it were a smaller one */
    for (u32 i = 0; i < 3; i++) {
        u32 left = d->l->now.grid[i] - group[i] * d->l->now.workgroup[i];
        size[i] = left < d->l->now.workgroup[i] ? left : d->l->now.workgroup[i];
    }
    u32 waves = (size[0] * size[1] * size[2] + LANES - 1) / LANES;
    machine_reset(g->m, waves, d->lds_size);
    if (d->poisons)
        poison_group(g);
    for (u32 i = 0; i < waves; i++) {
        struct wave *w = g->m->wave[i];
        set_sgprs(d, w, group, i, waves);
        wave_set_items(w, size, i, d->k->desc.enable_vgpr_workitem_id);
        w->mode = initial_mode(&d->k->desc);
        wave_mode_changed(w);
        w->pc = d->k->entry_address;
        w->stop_at_fault = true;
        w->stop_outside_lds = d->cfg->check_memory;
        host_attach(d->host, w);
        approximate_attach(d->approximate, w);
    }
    if (g->defined)
        defined_start(g->defined, g->m, d->unset, d->k->desc.enable_vgpr_workitem_id + 1u);
}

/* --- machines --- */

enum { TRACE_ENTRIES = 1024, TRACE_LOG_DW = 1 << 16 };

/* Beside `other`, which has the program; NULL: alone. */
static enum status open_runner(struct group_runner *g, struct dispatch *d,
                               const struct group_runner *other, pthread_mutex_t *shared,
                               struct err *e)
{
    u32 log_dw = d->cfg->trace ? TRACE_LOG_DW : 0;
    const u32 *size = d->l->now.workgroup;
    struct machine_cfg cfg = { .waves_max = (size[0] * size[1] * size[2] + LANES - 1) / LANES,
                               .log_entries = log_dw ? TRACE_ENTRIES : 0,
                               .log_dw = log_dw };
    *g = (struct group_runner){ .d = d, .scratch = calloc(1, d->scratch_size + 1) };
    enum status st = g->scratch ? ST_OK : err_memory(e);
    if (st == ST_OK && d->watch && !(g->rules = calloc(cfg.waves_max, sizeof *g->rules)))
        st = err_memory(e);
    if (st == ST_OK && d->cfg->debug && !(g->trails = calloc(cfg.waves_max, sizeof *g->trails)))
        st = err_memory(e);
    if (st == ST_OK)
        st = machine_open(&g->m, &d->isa, &d->engine, &cfg, e);
    if (st == ST_OK && d->cfg->delay)
        st = delay_open(g->m, e);
    if (st == ST_OK && d->weak)
        st = weak_join(d->weak, g->m, e);
    if (st == ST_OK && other)
        machine_share(g->m, other->m);
    else if (st == ST_OK)
        st = load_code(g, e);
    if (st == ST_OK)
        st = map_memory(g, e);
    for (u32 i = 0; st == ST_OK && !other && i < GWS_RESOURCES; i++)
        if (d->l->now.gws_ready >> i & 1)
            g->m->gws->resource[i] =
                (struct gws_resource){ .ready = true, .counter = d->l->now.gws_count[i] };
    if (st == ST_OK && d->races)
        st = race_add(g, e);
    if (st == ST_OK && d->heap)
        st = heap_add(g, e);
    if (st == ST_OK && d->looks)
        st = defined_open(&g->defined, g->m, e);
    if (st == ST_OK) {
        g->m->allocated =
            (struct allocated){ d->k->desc.vgprs, d->k->desc.sgprs, d->l->now.any_index };
        g->m->private = (struct private_memory){ GPU_SCRATCH_BASE, d->scratch_wave, g->scratch };
    }
    if (st == ST_OK)
        g->m->shared = shared;
    else
        runner_close(g);
    return st;
}

enum status runner_open(struct group_runner *g, struct dispatch *d, pthread_mutex_t *shared,
                        struct err *e)
{
    return open_runner(g, d, NULL, shared, e);
}

enum status runner_open_beside(struct group_runner *g, const struct group_runner *other,
                               struct err *e)
{
    return open_runner(g, other->d, other, other->m->shared, e);
}

void runner_close(struct group_runner *g)
{
    if (g->twin)
        runner_close(g->twin);
    free(g->twin);
    race_remove(g);
    free(g->origins);
    free(g->heap);
    defined_close(g->defined);
    machine_close(g->m);
    free(g->rules);
    free(g->trails);
    free(g->scratch);
    *g = (struct group_runner){ 0 };
}
