/* A dispatch: sizes, packet, variables; and one run of it. */
#include "harness/launch/internal.h"

#include "harness/io/file.h"
#include "harness/launch/turns.h"
#include "harness/vgpu/vgpu.h"
#include "oracle/exec/delay.h"
#include "oracle/exec/weak.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    SCRATCH_GRANULE = 1024, /* scratch of a wave */
    STACK_GUARD = 1024,     /* bytes of a work-item that are not there, behind its private memory */
    DYNAMIC_STACK = 16384,  /* bytes of a work-item beyond the fixed size, where it is not known */
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
        .workgroup = { (u16)l->now.workgroup[0], (u16)l->now.workgroup[1],
                       (u16)l->now.workgroup[2] },
        .grid = { l->now.grid[0], l->now.grid[1], l->now.grid[2] },
        .private_size = d->private_size,
        .group_size = d->ka.lds_size,
        .kernel_object = d->k->desc_address,
        .kernarg_address = GPU_KERNARG_ADDRESS,
    };
    _Static_assert(sizeof p == PACKET_BYTES, "the packet has no padding");
    memcpy(d->packet, &p, sizeof p);
}

/* What kernels for gfx8 read of their queue: the upper halves of the apertures' addresses. */
static void make_queue(struct dispatch *d)
{
    enum { SHARED_APERTURE_HI = 0x40, PRIVATE_APERTURE_HI = 0x44 };
    u32 shared = (u32)(WAVE_SHARED_BASE >> 32), private = (u32)(WAVE_PRIVATE_BASE >> 32);
    memcpy(d->queue + SHARED_APERTURE_HI, &shared, sizeof shared);
    memcpy(d->queue + PRIVATE_APERTURE_HI, &private, sizeof private);
}

/* --- what the code says of all work-groups --- */

static void look_at(struct dispatch *d, const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    d->is_ordered |= insn_get(in, FLD_gds) || (d->host && isa_is_message(row));
    d->has_atomics |= row->flags & FLAG_ATOMIC && isa_memory(row) != MEMORY_LDS;
    d->has_calls |= isa_flow_calls(row);
}

/* Whether any dword that decodes as an instruction addresses GDS or rings the host's doorbell, or
 * the code has formats for printf; whether any reads and writes memory as one, or calls. */
static void look_at_code(struct dispatch *d)
{
    const struct codeobj *co = d->co;
    d->is_ordered = d->host && co->printf_count;
    for (u32 i = 0; i < co->segment_count; i++) {
        const struct codeobj_segment *s = &co->segments[i];
        for (u64 at = 0; s->is_executable && at + 4 <= s->size;) {
            u32 dw[INSN_DW_MAX];
            struct insn in;
            u64 left = s->size - at;
            memcpy(dw, co->image + (s->vaddr - co->image_lo) + at,
                   left < sizeof dw ? left : sizeof dw);
            if (insn_decode(&d->isa, dw, left / 4 < INSN_DW_MAX ? (u32)(left / 4) : INSN_DW_MAX,
                            &in, NULL))
                look_at(d, &in);
            if (d->is_ordered && d->has_atomics && d->has_calls)
                return;
            at += in.dw * 4u;
        }
    }
}

/* Sizes of LDS and scratch, both within what the model can hold. */
static enum status size_memory(struct dispatch *d, struct err *e)
{
    const struct kernel_meta *m = d->k->meta;
    const struct launch *l = d->l;
    u64 items = (u64)l->now.workgroup[0] * l->now.workgroup[1] * l->now.workgroup[2];
    u64 lds = launch_round_up(d->ka.lds_size, isa_lds_granule(d->isa.target));
    u32 most = isa_lds_max(d->isa.target);
    if (lds > most)
        return err_set(e, ST_INPUT, "kernel %.60s needs %u bytes of LDS, there are %u", m->name,
                       d->ka.lds_size, most);
    if (m->wave_size != LANES)
        return err_set(e, ST_INPUT, "kernel %.60s has waves of %u lanes, not %d", m->name,
                       m->wave_size, LANES);
    if (items > MAX_GROUP_WAVES * LANES)
        return err_set(e, ST_INPUT, "work-group of %" PRIu64 " work-items: %d are possible", items,
                       MAX_GROUP_WAVES * LANES);
    u64 fixed = d->k->desc.private_segment_fixed_size;
    u64 private = m->private_size > fixed ? m->private_size : fixed;
    private = launch_round_up(private + (m->uses_dynamic_stack ? DYNAMIC_STACK : 0), 4);
    u32 waves = (u32)((items + LANES - 1) / LANES);
    bool apart = d->cfg->check_memory && private && d->has_calls &&
                 d->l->arg_count + waves <= WINDOWS_MAX / 2;
    d->scratch_guard = apart ? STACK_GUARD * LANES : 0;
    d->scratch_wave = launch_round_up(private * LANES, SCRATCH_GRANULE) + d->scratch_guard;
    d->scratch_size = d->scratch_wave * waves;
    if (d->scratch_size > GPU_SCRATCH_MAX)
        return err_set(e, ST_INPUT,
                       "kernel %.60s needs %" PRIu64 " bytes of scratch for a work-item", m->name,
                       private);
    d->private_size = (u32) private;
    d->lds_size = d->cfg->check_memory ? d->ka.lds_size : (u32)lds;
    for (u32 i = 0; i < 3; i++)
        d->groups[i] = (l->now.grid[i] + l->now.workgroup[i] - 1) / l->now.workgroup[i];
    return ST_OK;
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

void dispatch_get_globals(struct dispatch *d)
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

enum {
    CUS_UNKNOWN = 64,  /* of a processor that is no chip of chip.def */
    WEAK_RESIDENT = 16 /* work-groups that take turns under weak memory */
};

static u32 count_cus(const struct dispatch *d)
{
    const struct vgpu_chip *chip = vgpu_chip_find(d->isa.target->mcpu);
    return chip ? chip->engines * chip->cus : CUS_UNKNOWN;
}

static enum status open_weak(struct dispatch *d, struct err *e)
{
    struct weak_cfg cfg = { .seed = d->cfg->weak_seed,
                            .cus = d->cus,
                            .private_base = GPU_SCRATCH_BASE,
                            .private_size = d->scratch_size };
    d->engine.exec = &exec_ops_weak;
    return weak_open(&d->weak, &cfg, e);
}

static enum status prepare(struct dispatch *d, struct err *e)
{
    enum status st = isa_open_modelled(&d->isa, d->co->target.cpu->plain, e);
    u32 printf_at = host_printf_offset(d->co, d->k->meta);
    if (printf_at)
        memcpy(d->ka.bytes + printf_at, &(u64){ GPU_PRINTF_ADDRESS }, sizeof(u64));
    if (st == ST_OK)
        st = host_open(&d->host, d->co, d->k->meta, d->cfg->out, e);
    if (st == ST_OK)
        look_at_code(d);
    if (st == ST_OK)
        st = size_memory(d, e);
    if (d->co->target.sramecc == SETTING_ON)
        d->isa.ecc = ECC_ON;
    else if (d->co->target.sramecc == SETTING_OFF)
        d->isa.ecc = ECC_OFF;
    if (st == ST_OK)
        st = engine_open(&d->engine, d->cfg->engine, e);
    if (st == ST_OK && d->cfg->change_engine)
        d->cfg->change_engine(d->cfg->change_ctx, &d->engine);
    if (st == ST_OK && d->cfg->ulp_seed && !(d->approximate = calloc(1, sizeof *d->approximate)))
        st = err_memory(e);
    if (st == ST_OK && d->approximate)
        approximate_open(d->approximate, &d->engine, d->cfg->ulp_seed);
    if (st == ST_OK && d->cfg->break_at)
        st = where_parse_break(d, d->cfg->break_at, e);
    if (st == ST_OK) {
        d->cus = count_cus(d);
        if (d->cfg->delay)
            d->engine.exec = &exec_ops_delayed;
        if (d->cfg->weak)
            st = open_weak(d, e);
        make_packet(d);
        make_queue(d);
        d->resident = d->cfg->resident ? d->cfg->resident : resident_limit(d);
        if (d->weak && !d->cfg->resident && d->resident > WEAK_RESIDENT)
            d->resident = WEAK_RESIDENT;
    }
    return st;
}

enum status dispatch_open(struct dispatch **out, const struct codeobj *co,
                          const struct codeobj_kernel *k, struct launch *l,
                          const struct launch_cfg *cfg, struct err *e)
{
    struct dispatch *d = *out = calloc(1, sizeof *d);
    if (!d)
        return err_memory(e);
    d->co = co;
    d->k = k;
    d->l = l;
    d->cfg = cfg;
    enum status st = kernarg_build(k, l, isa_target_find(co->target.cpu->plain), &d->ka, e);
    if (st == ST_OK)
        st = put_globals(d, e);
    if (st != ST_OK)
        return st;
    st = prepare(d, e);
    if (st != ST_OK)
        file_error(e, co->file, 0);
    return st;
}

void dispatch_close(struct dispatch *d)
{
    if (!d)
        return;
    host_close(d->host);
    weak_close(d->weak);
    turns_close(d->turns);
    hazard_watch_close(d->watch);
    race_close(d->races);
    heap_close(d->heap);
    free(d->approximate);
    kernarg_close(&d->ka);
    free(d);
}

/* In the order of turns that the configuration gives. */
static enum status run_turns(struct dispatch *d, struct launch_result *r, struct err *e)
{
    struct turns_run *list = NULL;
    u32 count = 0;
    enum status st = turns_parse(d->cfg->turns, &list, &count, e);
    if (st == ST_OK)
        st = turns_open(&d->turns, d, e);
    if (st == ST_OK) {
        turns_follow(d->turns, list, count);
        st = launch_run_groups(d, r, e);
    }
    if (st == ST_OK)
        st = turns_check(d->turns, e);
    free(list);
    return st;
}

/* Calls that nobody waits for; and nothing runs behind a program's exit. */
static void finish_calls(struct rpc *rpc, struct launch_result *r)
{
    const char *why;
    int status;
    while (rpc_serve(rpc))
        ;
    if (!rpc_has_ended(rpc, &status, &why))
        return;
    r->has_ended = false;
    snprintf(r->why, sizeof r->why, "%s", why ? why : "exit");
}

/* With check_memory: whether all that nobody sets are registers and LDS, and which of it waves use can be seen
 * as they run. */
static bool can_look(const struct dispatch *d)
{
    const struct launch_cfg *cfg = d->cfg;
    bool plain = !launch_is_followed(d) && !cfg->delay && !cfg->turns && !cfg->rpc && !d->host;
    for (u32 i = 0; i < d->l->arg_count; i++)
        plain &= d->l->args[i].kind != LARG_TMP;
    return plain && cfg->check_memory && !d->poisons && d->scratch_size == 0 &&
           d->isa.target->gen == GEN_GFX9;
}

static enum status start_looking(struct dispatch *d, struct err *e)
{
    d->looks = can_look(d);
    return d->looks ? runner_find_unset(d, e) : ST_OK;
}

enum status dispatch_run_once(const struct codeobj *co, const struct codeobj_kernel *k,
                              struct launch *l, const struct launch_cfg *cfg, bool poisons,
                              struct launch_result *r, struct err *e)
{
    struct dispatch *d;
    *r = (struct launch_result){ 0 };
    enum status st = dispatch_open(&d, co, k, l, cfg, e);
    if (st == ST_OK) {
        d->poisons = poisons;
        if (cfg->check_hazards && !(d->watch = hazard_watch_open()))
            st = err_memory(e);
        if (st == ST_OK && cfg->check_races)
            st = race_open(&d->races, d, e);
        if (st == ST_OK && cfg->check_memory && !poisons)
            st = heap_open(&d->heap, co, e);
        if (st == ST_OK)
            st = start_looking(d, e);
        if (st == ST_OK)
            st = cfg->turns ? run_turns(d, r, e) : launch_run_groups(d, r, e);
        if (st == ST_OK && cfg->rpc)
            finish_calls(cfg->rpc, r);
        if (st == ST_OK && d->races)
            st = race_finish(d->races, &r->races, e);
        if (st == ST_OK && d->heap)
            st = heap_finish(d, r->has_ended, &r->misuses, e);
        r->violations = d->watch ? hazard_watch_violations(d->watch) : 0;
        r->lanes = d->lanes;
        r->uses_set = d->looks && !d->in_doubt;
        if (st != ST_OK)
            file_error(e, co->file, 0);
        dispatch_get_globals(d);
    }
    dispatch_close(d);
    return st;
}
