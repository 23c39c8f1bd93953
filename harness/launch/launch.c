#include "harness/launch/internal.h"

#include "harness/io/file.h"
#include "oracle/exec/delay.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    USER_SGPRS = 16,
    KERNARG_ALIGN = 16,     /* a kernarg of less than a dword is loaded as one */
    LDS_GRANULE = 512,      /* LDS is allocated in 128 dwords */
    SCRATCH_GRANULE = 1024, /* scratch of a wave */
    DYNAMIC_STACK =
        16384, /* bytes for a work-item beyond the fixed size, where the size is not known */
    GPU_SCRATCH_MAX = 1 << 30
};

/* --- setting up --- */

/* hsa_kernel_dispatch_packet_t of the HSA runtime specification. */
static void make_packet(struct dispatch *d)
{
    const struct launch *l = d->l;
    struct {
        u16 header, setup, workgroup[3], reserved0;
        u32 grid[3], private_size, group_size;
        u64 kernel_object, kernarg_address, reserved2, completion_signal;
    } p = {
        .header = 2 | 1 << 8 | 2 << 9 |
                  2 << 11, /* kernel dispatch, barrier, acquire and release: system */
        .setup = (u16)launch_dims(l),
        .workgroup = { (u16)l->workgroup[0], (u16)l->workgroup[1], (u16)l->workgroup[2] },
        .grid = { l->grid[0], l->grid[1], l->grid[2] },
        .private_size = d->private_size,
        .group_size = d->ka.lds_size,
        .kernel_object = d->k->desc_address,
        .kernarg_address = GPU_KERNARG_ADDRESS,
    };
    _Static_assert(sizeof p == PACKET_BYTES, "the packet has no padding");
    memcpy(d->packet, &p, sizeof p);
}

static u64 round_up(u64 v, u64 unit)
{
    return (v + unit - 1) / unit * unit;
}

/* Sizes of LDS and scratch, both within what the model can hold. */
static enum status size_memory(struct dispatch *d, struct err *e)
{
    const struct kernel_meta *m = d->k->meta;
    const struct launch *l = d->l;
    u64 items = (u64)l->workgroup[0] * l->workgroup[1] * l->workgroup[2];
    u64 lds = round_up(d->ka.lds_size, LDS_GRANULE);
    if (lds > LDS_MAX)
        return err_set(e, ST_INPUT, "kernel %.60s needs %u bytes of LDS, there are %d", m->name,
                       d->ka.lds_size, LDS_MAX);
    if (m->wave_size != LANES)
        return err_set(e, ST_INPUT, "kernel %.60s has waves of %u lanes, not %d", m->name,
                       m->wave_size, LANES);
    if (items > MAX_GROUP_WAVES * LANES)
        return err_set(e, ST_INPUT, "work-group of %" PRIu64 " work-items: %d are possible", items,
                       MAX_GROUP_WAVES * LANES);
    u64 fixed = d->k->desc.private_segment_fixed_size;
    u64 private = m->private_size > fixed ? m->private_size : fixed;
    private = round_up(private + (m->uses_dynamic_stack ? DYNAMIC_STACK : 0), 4);
    d->scratch_wave = round_up(private * LANES, SCRATCH_GRANULE);
    d->scratch_size = d->scratch_wave * ((items + LANES - 1) / LANES);
    if (d->scratch_size > GPU_SCRATCH_MAX)
        return err_set(e, ST_INPUT,
                       "kernel %.60s needs %" PRIu64 " bytes of scratch for a work-item", m->name,
                       private);
    d->private_size = (u32) private;
    d->lds_size = (u32)lds;
    for (u32 i = 0; i < 3; i++)
        d->groups[i] = (l->grid[i] + l->workgroup[i] - 1) / l->workgroup[i];
    return ST_OK;
}

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
        return err_set(e, ST_WORLD, "out of memory");
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

static enum status map_memory(struct group_runner *g, struct err *e)
{
    struct dispatch *d = g->d;
    const struct codeobj *co = d->co;
    enum status st = ST_OK;
    for (u32 i = 0; st == ST_OK && i < d->l->arg_count; i++)
        if (launch_arg_is_buffer(&d->l->args[i]))
            st = add_window(g, d->ka.addresses[i], d->l->args[i].bytes, d->l->args[i].size, false,
                            e);
    for (u32 i = 0; st == ST_OK && i < co->segment_count; i++) {
        const struct codeobj_segment *s = &co->segments[i];
        st = add_window(g, co->base + s->vaddr, co->image + (s->vaddr - co->image_lo), s->size,
                        !s->is_writable, e);
    }
    if (st == ST_OK)
        st = add_window(g, GPU_KERNARG_ADDRESS, d->ka.bytes, round_up(d->ka.size, KERNARG_ALIGN),
                        true, e);
    if (st == ST_OK)
        st = add_window(g, GPU_DESCRIPTORS, d->ka.descriptors,
                        (u64)d->ka.descriptor_count * DESCRIPTOR_BYTES, true, e);
    if (st == ST_OK)
        st = add_window(g, GPU_PACKET_ADDRESS, d->packet, PACKET_BYTES, true, e);
    if (st == ST_OK)
        st = add_window(g, GPU_SCRATCH_BASE, g->scratch, d->scratch_size, false, e);
    if (st == ST_OK)
        st = host_map(d->host, g->m, e);
    return st;
}

/* --- registers --- */

/* Where the next initial SGPR goes; those beyond `end` are not written. */
struct sgpr_out {
    struct wave *w;
    u32 at, end;
};

static void put_sgpr(struct sgpr_out *o, bool is_enabled, u32 v)
{
    if (is_enabled && o->at < o->end)
        o->w->sgpr[o->at++] = v;
}

static void put_pair(struct sgpr_out *o, bool is_enabled, u64 v)
{
    put_sgpr(o, is_enabled, (u32)v);
    put_sgpr(o, is_enabled, (u32)(v >> 32));
}

/* V# of the scratch of a work-group: swizzled in dwords over 64 lanes, thread id added, no range
 * check. Vega ISA, table "Buffer Resource Descriptor". */
static void put_scratch_buffer(struct sgpr_out *o, bool is_enabled, u64 size)
{
    u32 dst_sel = 4 | 5 << 3 | 6 << 6 | 7 << 9;
    u32 uint = 4, data_32 = 4, index_stride_64 = 3, add_tid = 1;
    put_pair(o, is_enabled, GPU_SCRATCH_BASE | 1ull << 63);
    put_sgpr(o, is_enabled, (u32)size);
    put_sgpr(o, is_enabled,
             dst_sel | uint << 12 | data_32 << 15 | index_stride_64 << 21 | add_tid << 23);
}

/* Guide, table "SGPR Register Set Up Order". */
static void set_sgprs(const struct dispatch *d, struct wave *w, const u32 group[3], u32 index,
                      u32 waves)
{
    const struct kernel_desc *k = &d->k->desc;
    struct sgpr_out o = { .w = w, .at = 0, .end = USER_SGPRS };
    put_scratch_buffer(&o, k->enable_sgpr_private_segment_buffer, d->scratch_size);
    put_pair(&o, k->enable_sgpr_dispatch_ptr, GPU_PACKET_ADDRESS);
    put_pair(&o, k->enable_sgpr_queue_ptr, GPU_QUEUE_ADDRESS);
    put_pair(&o, k->enable_sgpr_kernarg_segment_ptr, GPU_KERNARG_ADDRESS);
    put_pair(&o, k->enable_sgpr_dispatch_id, 0);
    put_pair(&o, k->enable_sgpr_flat_scratch_init, GPU_SCRATCH_BASE);
    put_sgpr(&o, k->enable_sgpr_private_segment_size, d->private_size);
    o = (struct sgpr_out){ .w = w, .at = k->user_sgpr_count, .end = SGPRS };
    for (u32 i = 0; i < 3; i++)
        put_sgpr(&o, k->enable_sgpr_workgroup_id[i], group[i]);
    put_sgpr(&o, k->enable_sgpr_workgroup_info, (index == 0 ? 1u << 31 : 0) | waves);
    put_sgpr(&o, k->enable_private_segment, (u32)(index * d->scratch_wave));
}

/* Work-item ids, x fastest; a partial work-group is packed as if it were a smaller one. EXEC covers
 * those that exist. Guide, table "VGPR Register Set Up Order for Unpacked Work-Item ID Method". */
static void set_vgprs(const struct dispatch *d, struct wave *w, const u32 size[3], u32 index)
{
    u32 ids = d->k->desc.enable_vgpr_workitem_id;
    u32 items = size[0] * size[1] * size[2];
    u64 exec = 0;
    for (u32 lane = 0; lane < LANES; lane++) {
        u32 n = index * LANES + lane;
        if (n >= items)
            break;
        exec |= 1ull << lane;
        w->vgpr[0][lane] = n % size[0];
        if (ids > 0)
            w->vgpr[1][lane] = n / size[0] % size[1];
        if (ids > 1)
            w->vgpr[2][lane] = n / size[0] / size[1];
    }
    pair_set(&w->sgpr[126], exec);
}

static u32 initial_mode(const struct kernel_desc *k)
{
    return k->float_round_mode_32 | k->float_round_mode_16_64 << 2 | k->float_denorm_mode_32 << 4 |
           k->float_denorm_mode_16_64 << 6 | (u32)k->enable_dx10_clamp << MODE_DX10_CLAMP |
           (u32)k->enable_ieee_mode << MODE_IEEE | k->enable_exceptions << MODE_EXCP_EN |
           (u32)k->fp16_ovfl << MODE_FP16_OVFL;
}

void runner_start(struct group_runner *g, const u32 group[3])
{
    const struct dispatch *d = g->d;
    u32 size[3];
    for (u32 i = 0; i < 3; i++) {
        u32 left = d->l->grid[i] - group[i] * d->l->workgroup[i];
        size[i] = left < d->l->workgroup[i] ? left : d->l->workgroup[i];
    }
    u32 waves = (size[0] * size[1] * size[2] + LANES - 1) / LANES;
    machine_reset(g->m, waves, d->lds_size);
    for (u32 i = 0; i < waves; i++) {
        struct wave *w = g->m->wave[i];
        set_sgprs(d, w, group, i, waves);
        set_vgprs(d, w, size, i);
        w->mode = initial_mode(&d->k->desc);
        wave_mode_changed(w);
        w->pc = d->k->entry_address;
        w->stop_at_fault = true;
        host_attach(d->host, w);
    }
}

/* --- machines --- */

enum { TRACE_ENTRIES = 1024 };

enum status runner_open(struct group_runner *g, struct dispatch *d, u32 log_dw,
                        pthread_mutex_t *shared, struct err *e)
{
    const u32 *size = d->l->workgroup;
    struct machine_cfg cfg = { .waves_max = (size[0] * size[1] * size[2] + LANES - 1) / LANES,
                               .log_entries = log_dw ? TRACE_ENTRIES : 0,
                               .log_dw = log_dw };
    *g = (struct group_runner){ .d = d, .scratch = calloc(1, d->scratch_size + 1) };
    enum status st = g->scratch ? ST_OK : err_set(e, ST_WORLD, "out of memory");
    if (st == ST_OK && d->cfg->check_hazards && !(g->watch = watch_open()))
        st = err_set(e, ST_WORLD, "out of memory");
    if (st == ST_OK)
        st = machine_open(&g->m, &d->isa, &d->engine, &cfg, e);
    if (st == ST_OK && d->cfg->delay)
        st = delay_open(g->m, e);
    if (st == ST_OK)
        st = load_code(g, e);
    if (st == ST_OK)
        st = map_memory(g, e);
    for (u32 i = 0; st == ST_OK && i < GWS_RESOURCES; i++)
        if (d->l->gws_ready >> i & 1)
            g->m->gws->resource[i] =
                (struct gws_resource){ .ready = true, .counter = d->l->gws_count[i] };
    if (st == ST_OK)
        g->m->shared = shared;
    else
        runner_close(g);
    return st;
}

void runner_share(struct group_runner *g, const struct group_runner *other)
{
    watch_close(g->watch);
    g->watch = other->watch;
    machine_share(g->m, other->m);
}

void runner_close(struct group_runner *g)
{
    machine_close(g->m);
    watch_close(g->watch);
    free(g->scratch);
    *g = (struct group_runner){ 0 };
}

/* Whether any dword that decodes as an instruction addresses GDS or rings the host's doorbell, or
 * the code has formats for printf. */
static bool code_needs_order(const struct dispatch *d)
{
    const struct codeobj *co = d->co;
    if (d->host && co->printf_count)
        return true;
    for (u32 i = 0; i < co->segment_count; i++) {
        const struct codeobj_segment *s = &co->segments[i];
        for (u64 at = 0; s->is_executable && at + 4 <= s->size;) {
            u32 dw[INSN_DW_MAX];
            struct insn in;
            u64 left = s->size - at;
            memcpy(dw, co->image + (s->vaddr - co->image_lo) + at,
                   left < sizeof dw ? left : sizeof dw);
            bool good = insn_decode(
                &d->isa, dw, left / 4 < INSN_DW_MAX ? (u32)(left / 4) : INSN_DW_MAX, &in, NULL);
            if (good && (insn_get(&in, FLD_gds) || (d->host && in.op == OP_s_sendmsg)))
                return true;
            at += in.dw * 4u;
        }
    }
    return false;
}

u64 dispatch_groups(const struct dispatch *d)
{
    return (u64)d->groups[0] * d->groups[1] * d->groups[2];
}

void dispatch_group(const struct dispatch *d, u64 index, u32 group[3])
{
    group[0] = (u32)(index % d->groups[0]);
    group[1] = (u32)(index / d->groups[0] % d->groups[1]);
    group[2] = (u32)(index / d->groups[0] / d->groups[1]);
}

/* --- variables of the code object --- */

/* The bytes of a global variable in the image. */
static enum status find_global(const struct dispatch *d, const struct launch_arg *a, u8 **bytes,
                               struct err *e)
{
    const struct codeobj *co = d->co;
    struct codeobj_symbol s;
    char managed[CODEOBJ_NAME_MAX];
    enum status st = ST_OK;
    snprintf(managed, sizeof managed, "%s.managed", a->symbol);
    if (!codeobj_symbol(co, managed, &s) && !codeobj_symbol(co, a->symbol, &s))
        st = err_set(e, ST_INPUT, "global %.100s: the code object has no such symbol", a->symbol);
    else if ((s.size && a->size > s.size) || s.vaddr - co->image_lo > co->image_size ||
             a->size > co->image_size - (s.vaddr - co->image_lo))
        st = err_set(e, ST_INPUT, "global %.60s: has %" PRIu64 " bytes, not %" PRIu64, a->symbol,
                     s.size, a->size);
    else
        *bytes = co->image + (s.vaddr - co->image_lo);
    if (st != ST_OK)
        file_error(e, d->l->file, a->line);
    return st;
}

/* Writes the variables that launch.txt gives values; all of them must be there. */
static enum status put_globals(struct dispatch *d, struct err *e)
{
    for (u32 i = 0; i < d->l->arg_count; i++) {
        const struct launch_arg *a = &d->l->args[i];
        u8 *bytes = NULL;
        if (!a->symbol)
            continue;
        enum status st = find_global(d, a, &bytes, e);
        if (st != ST_OK)
            return st;
        if (a->kind != LARG_OUT)
            memcpy(bytes, a->bytes, a->size);
    }
    return ST_OK;
}

static void get_globals(struct dispatch *d)
{
    for (u32 i = 0; i < d->l->arg_count; i++) {
        const struct launch_arg *a = &d->l->args[i];
        struct err e;
        u8 *bytes = NULL;
        if (a->symbol && find_global(d, a, &bytes, &e) == ST_OK)
            memcpy(a->bytes, bytes, a->size);
    }
}

/* --- the launch --- */

static enum status prepare(struct dispatch *d, struct err *e)
{
    enum status st = size_memory(d, e);
    u32 printf_at = host_printf_offset(d->co, d->k->meta);
    if (printf_at)
        memcpy(d->ka.bytes + printf_at, &(u64){ GPU_PRINTF_ADDRESS }, sizeof(u64));
    if (st == ST_OK)
        st = host_open(&d->host, d->co, d->k->meta, d->cfg->out, e);
    if (st == ST_OK)
        st = isa_open_modelled(&d->isa, d->co->target.cpu->plain, e);
    if (d->co->target.sramecc == SETTING_ON)
        d->isa.ecc = ECC_ON;
    else if (d->co->target.sramecc == SETTING_OFF)
        d->isa.ecc = ECC_OFF;
    if (st == ST_OK)
        st = engine_open(&d->engine, d->cfg->engine, e);
    if (st == ST_OK && d->cfg->break_at)
        st = break_parse(d, d->cfg->break_at, e);
    if (st == ST_OK) {
        if (d->cfg->delay)
            d->engine.exec = &exec_ops_delayed;
        make_packet(d);
        d->is_ordered = code_needs_order(d);
    }
    return st;
}

static enum status run_kernel(const struct codeobj *co, const struct codeobj_kernel *k,
                              struct launch *l, const struct launch_cfg *cfg,
                              struct launch_result *r, struct err *e)
{
    *r = (struct launch_result){ 0 };
    struct dispatch *d = calloc(1, sizeof *d);
    if (!d)
        return err_set(e, ST_WORLD, "out of memory");
    d->co = co;
    d->k = k;
    d->l = l;
    d->cfg = cfg;
    enum status st = kernarg_build(k, l, &d->ka, e);
    if (st == ST_OK)
        st = put_globals(d, e);
    if (st == ST_OK) {
        st = prepare(d, e);
        if (st == ST_OK)
            st = run_groups(d, r, e);
        if (st != ST_OK)
            file_error(e, co->file, 0);
        get_globals(d);
    }
    host_close(d->host);
    kernarg_close(&d->ka);
    free(d);
    return st;
}

/* The kernel that LLVM makes to call the constructors of global variables; whoever loads the code
 * runs it with one work-item. */
static const char init_kernel[] = "amdgcn.device.init";

static bool has_kernel(const struct codeobj *co, const char *name)
{
    for (u32 i = 0; i < co->kernel_count; i++)
        if (strcmp(co->kernels[i].name, name) == 0)
            return true;
    return false;
}

enum status launch_run(const struct codeobj *co, const struct codeobj_kernel *k, struct launch *l,
                       const struct launch_cfg *cfg, struct launch_result *r, struct err *e)
{
    struct codeobj_kernel init;
    struct launch once = { .file = l->file, .grid = { 1, 1, 1 }, .workgroup = { 1, 1, 1 } };
    struct launch_cfg quiet = *cfg;
    quiet.trace = false;
    quiet.break_at = NULL;
    if (has_kernel(co, init_kernel) && strcmp(k->meta->name, init_kernel) != 0) {
        enum status st = codeobj_kernel(co, init_kernel, &init, e);
        if (st == ST_OK)
            st = run_kernel(co, &init, &once, &quiet, r, e);
        if (st != ST_OK || !r->has_ended)
            return st;
    }
    return run_kernel(co, k, l, cfg, r, e);
}
