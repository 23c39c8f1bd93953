/* Dispatches on the oracle: the state that waves begin with, and the work-groups of a grid, one
 * after the other. What the hardware leaves undefined is filled with values that depend on the
 * place and on the wave, so that a program that relies on it is seen. */
#include "harness/vgpu/core/internal.h"

#include "harness/codeobj/user_data.h"
#include "oracle/exec/schedule.h"
#include "oracle/insn/insn.h"

#include <inttypes.h>

/* A grid under way. */
struct grid {
    struct vgpu *v;
    struct vgpu_job *job;
    const struct vgpu_sh *sh;
    u64 looked;              /* when others could call in last */
    const u32 *group;        /* under way */
    u32 full[3], partial[3]; /* threads of a work-group */
    u32 first[3], end[3];    /* work-groups */
    u64 pgm;
    u32 rsrc1, rsrc2;
    u32 lds_bytes;
    bool has_partial;
};

static u32 reg(const struct vgpu_sh *sh, u32 offset)
{
    return sh->reg[offset - SH_FIRST];
}

static bool is_set(const struct vgpu_sh *sh, u32 offset)
{
    return sh->is_set[offset - SH_FIRST];
}

static u32 vgprs_of(u32 rsrc1)
{
    return (bits32(rsrc1, 0, 6) + 1) * 4;
}

/* With VCC, FLAT_SCRATCH and XNACK_MASK, which are the last six. */
static u32 sgprs_of(u32 rsrc1)
{
    return (bits32(rsrc1, 6, 4) / 2 + 1) * 16;
}

/* ---- what must have been set: not user data, of which drivers leave out what a program does not read ---- */

static bool check_set(const struct grid *g, u32 initiator, struct err *why)
{
    static const u32 needed[] = { SH_NUM_THREAD_X, SH_NUM_THREAD_X + 1, SH_NUM_THREAD_X + 2,
                                  SH_PGM_LO,       SH_PGM_HI,           SH_PGM_RSRC1,
                                  SH_PGM_RSRC2 };
    static const u32 start[] = { SH_START_X, SH_START_X + 1, SH_START_X + 2 };
    u32 missing = 0;
    for (u32 i = 0; i < COUNT_OF(needed) && !missing; i++)
        missing = is_set(g->sh, needed[i]) ? 0 : needed[i];
    for (u32 i = 0; i < COUNT_OF(start) && !missing && !(initiator & PM4_FORCE_START_AT_000); i++)
        missing = is_set(g->sh, start[i]) ? 0 : start[i];
    if (!missing)
        return true;
    char name[40];
    struct text t;
    u32 mask;
    text_init(&t, name, sizeof name);
    pm4_sh_reg(g->v->cfg.chip->gen, missing, &mask, &t);
    err_set(why, ST_INPUT, "dispatch: %s has not been set in this submission", name);
    return false;
}

/* Whether any compute unit may take work. */
static bool has_cus(const struct grid *g)
{
    static const u32 masks[] = { SH_STATIC_THREAD_MGMT_SE0, SH_STATIC_THREAD_MGMT_SE1,
                                 SH_STATIC_THREAD_MGMT_SE2, SH_STATIC_THREAD_MGMT_SE3,
                                 SH_STATIC_THREAD_MGMT_SE4, SH_STATIC_THREAD_MGMT_SE5,
                                 SH_STATIC_THREAD_MGMT_SE6, SH_STATIC_THREAD_MGMT_SE7 };
    const struct vgpu_chip *chip = g->v->cfg.chip;
    for (u32 se = 0; se < chip->engines; se++)
        if (!is_set(g->sh, masks[se]) || reg(g->sh, masks[se]) & mask32(chip->cus))
            return true;
    return false;
}

/* Waves that a compute unit takes: each of its four SIMDs has 256 VGPRs a lane. */
static u32 waves_room(const struct grid *g)
{
    return VGPRS / vgprs_of(g->rsrc1) * 4;
}

static bool check_resources(const struct grid *g, struct err *why)
{
    u32 threads = 1, user = bits32(g->rsrc2, 1, 5);
    for (u32 i = 0; i < 3; i++)
        threads = g->full[i] && g->full[i] <= 1024 ? threads * g->full[i] : 0;
    if (threads == 0 || threads > GROUP_WAVES_MAX * LANES)
        err_set(why, ST_INPUT, "dispatch: a work-group of %u x %u x %u threads", g->full[0],
                g->full[1], g->full[2]);
    else if (sgprs_of(g->rsrc1) > 112)
        err_set(why, ST_INPUT, "dispatch: PGM_RSRC1 = 0x%08x: no such number of SGPRs", g->rsrc1);
    else if (g->rsrc1 & 1 << 20)
        err_set(why, ST_INPUT, "dispatch: PGM_RSRC1 asks for privileged mode");
    else if (user > USER_SGPRS)
        err_set(why, ST_INPUT, "dispatch: PGM_RSRC2 = 0x%08x: %u user SGPRs", g->rsrc2, user);
    else if (g->rsrc2 & 1 << 6)
        err_set(why, ST_INPUT, "dispatch: PGM_RSRC2 says that there is a trap handler");
    else if (waves_room(g) < (threads + LANES - 1) / LANES && (g->job->fate = FATE_VGPRS))
        err_set(why, ST_INPUT, "dispatch: no compute unit has room for %u waves of %u VGPRs",
                (threads + LANES - 1) / LANES, vgprs_of(g->rsrc1));
    else if (g->lds_bytes > isa_lds_max(g->v->isa.target))
        err_set(why, ST_INPUT, "dispatch: %u bytes of LDS", g->lds_bytes);
    else if (!has_cus(g))
        err_set(why, ST_INPUT, "dispatch: STATIC_THREAD_MGMT leaves no compute unit");
    else
        return true;
    return false;
}

/* ---- memory and code ---- */

/* The mapping in which `n` bytes at a shader's address lie, and where in it. Addresses have 48 bits
 * with a sign: drivers leave out what stands above them. */
static const struct vgpu_mapping *mapping_at(const struct vgpu *v, u64 addr, u32 n, u64 *at)
{
    u64 va = sext64(addr, 48);
    const struct vgpu_mapping *a = vgpu_vm_find(v->windows_file, va);
    *at = a ? va - a->va : 0;
    return a && *at < a->size && n <= a->size - *at ? a : NULL;
}

static struct mem_window window_of(struct vgpu *v, const struct vgpu_mapping *a, u64 base)
{
    return (struct mem_window){ .base = base,
                                .size = a->size,
                                .bytes = vgpu_bo_bytes(v, a->bo) + a->offset,
                                .read_only = !(a->flags & AMDGPU_VM_PAGE_WRITEABLE) };
}

/* A window for what a wave of a queue's touches first; the oldest of them makes room. */
static u32 fetch_window(void *ctx, struct memory *mem, u64 addr, u32 n)
{
    struct vgpu *v = ctx;
    u64 at;
    const struct vgpu_mapping *a = mapping_at(v, addr, n, &at);
    if (!a || !a->bo)
        return ~0u;
    u32 index = mem->count < WINDOWS_MAX ? mem->count++ : v->windows_next++ % WINDOWS_MAX;
    mem->window[index] = window_of(v, a, addr - at);
    return index;
}

/* What has no window: addresses without their upper bits, and pages without memory (PRT), of which
 * reads give 0 and what is written is nowhere. */
static u32 fetch_rest(void *ctx, struct memory *mem, u64 addr, u32 n)
{
    struct vgpu *v = ctx;
    u64 at;
    const struct vgpu_mapping *a = mapping_at(v, addr, n, &at);
    if (!a || (a->bo ? addr == sext64(addr, 48) : n > sizeof v->nothing))
        return ~0u;
    if (a->bo) {
        mem->window[mem->count] = window_of(v, a, addr - at);
        return mem->count;
    }
    memset(v->nothing, 0, n);
    mem->window[mem->count] = (struct mem_window){ .base = addr, .bytes = v->nothing };
    return mem->count;
}

/* Windows for what the submission may touch, once for all its dispatches; neighbours in the heap
 * that are neighbours in the address space are one. A queue has far more than it touches. */
static bool map_windows(struct vgpu *v, const struct vgpu_job *job, struct err *why)
{
    struct machine *m = v->machine;
    u64 wanted = job->is_queue ? 1ull << 63 | job->file->map_version : job->number;
    if (v->windows_of == wanted)
        return true;
    v->windows_of = job->is_queue ? wanted : 0;
    m->mem.count = 0;
    m->mem.fetch = job->is_queue ? fetch_window : fetch_rest;
    m->mem.fetch_ctx = v;
    v->windows_file = job->file;
    for (u32 i = 0; !job->is_queue && i < job->file->map_count; i++) {
        const struct vgpu_mapping *a = &job->file->map[i];
        if (!a->bo || !vgpu_list_has(&job->list, a->bo) || !(a->flags & AMDGPU_VM_PAGE_READABLE))
            continue;
        u8 *bytes = vgpu_bo_bytes(v, a->bo) + a->offset;
        bool read_only = !(a->flags & AMDGPU_VM_PAGE_WRITEABLE);
        struct mem_window *last = m->mem.count ? &m->mem.window[m->mem.count - 1] : NULL;
        if (last && last->base + last->size == a->va && last->bytes + last->size == bytes &&
            last->read_only == read_only)
            last->size += a->size;
        else if (machine_window(m, a->va, bytes, a->size, read_only, why) != ST_OK)
            return false;
    }
    v->windows_of = wanted;
    return true;
}

static u32 block_dw(const struct vgpu_icache *c, u32 block)
{
    u32 left = c->dw - block * CODE_BLOCK;
    return left < CODE_BLOCK ? left : CODE_BLOCK;
}

/* Fetches the blocks that an instruction at `at` may stand in. Code that is unmapped while it runs
 * cannot be had. */
static bool bring(void *ctx, u32 at)
{
    struct vgpu *v = ctx;
    struct vgpu_icache *c = &v->icache;
    u32 last = at + INSN_DW_MAX - 1 < c->dw ? at + INSN_DW_MAX - 1 : c->dw - 1;
    for (u32 block = at / CODE_BLOCK; block <= last / CODE_BLOCK; block++) {
        if (c->has[block])
            continue;
        if (!c->is_valid)
            return false;
        memcpy(v->machine->code + block * CODE_BLOCK, c->from + block * CODE_BLOCK,
               block_dw(c, block) * sizeof *c->from);
        c->has[block] = true;
    }
    return true;
}

/* A dword of the program is another one now, and so are instructions that reach into it. */
static void replace_dword(struct machine *m, u32 at, u32 dword)
{
    u32 before = at < INSN_DW_MAX - 1 ? at : INSN_DW_MAX - 1;
    m->code[at] = dword;
    memset(m->ready + at - before, 0, before + 1);
}

/* What was fetched from the same range is brought up to date, so that what has not changed need not be
 * decoded again. `by_block`: all near a change is decoded again. */
static void refresh(const struct vgpu_icache *c, struct machine *m, bool by_block)
{
    for (u32 block = 0; block * CODE_BLOCK < c->dw; block++) {
        u32 at = block * CODE_BLOCK, dw = block_dw(c, block);
        if (!c->has[block] || memcmp(m->code + at, c->from + at, dw * sizeof *c->from) == 0)
            continue;
        for (u32 i = at; i < at + dw; i++)
            if (by_block || m->code[i] != c->from[i])
                replace_dword(m, i, c->from[i]);
    }
}

/* Looks at what stands around the entry, unless the instruction cache still holds it: then that is
 * what is executed, whatever memory holds by now. */
static bool fetch_code(struct vgpu *v, const struct vgpu_job *job, u64 pgm, struct err *why)
{
    struct vgpu_icache *c = &v->icache;
    const struct vgpu_mapping *a = vgpu_vm_find(job->file, pgm);
    if (!a || !a->bo || !(a->flags & AMDGPU_VM_PAGE_EXECUTABLE) ||
        !vgpu_list_has(&job->list, a->bo)) {
        err_set(why, ST_INPUT, "dispatch: no executable memory at PGM 0x%" PRIx64, pgm);
        return false;
    }
    u64 base = a->va, dw = a->size / 4, at = (pgm - base) / 4;
    if (dw > CODE_WINDOW) {
        u64 skip = at < CODE_WINDOW / 4 ? 0 : at - CODE_WINDOW / 4;
        base += skip * 4;
        dw = dw - skip < CODE_WINDOW ? dw - skip : CODE_WINDOW;
    }
    if (c->is_valid && c->file == job->file && pgm - c->base < c->dw * 4ull)
        return true;
    const u8 *bytes = vgpu_bo_bytes(v, a->bo) + a->offset + (base - a->va);
    c->from = (const u32 *)(const void *)bytes;
    if (c->file == job->file && c->base == base && c->dw == dw && v->machine->code_dw == dw) {
        refresh(c, v->machine, v->cfg.executed != NULL); /* who counts what has been decoded */
        c->is_valid = true;
        return true;
    }
    memset(c->has, 0, sizeof c->has);
    v->machine->bring = bring;
    v->machine->bring_ctx = v;
    c->is_valid = machine_load(v->machine, NULL, (u32)dw, base, why) == ST_OK;
    c->file = job->file;
    c->base = base;
    c->dw = (u32)dw;
    return c->is_valid;
}

/* ---- the state of a wave ---- */

/* A register's lanes get multiples of (seed ^ register << 8 ^ lane): that of the lane's bits is the same
 * for all registers. */
static void lay_garbage(struct wave *w, u32 vgprs, u32 seed)
{
    const u32 factor = 0x85ebca6b;
    u32 of_lane[LANES];
    for (u32 i = 0; i < SGPRS; i++)
        w->sgpr[i] = (seed ^ i) * 0x9e3779b1u;
    w->scc = seed & 1;
    w->sgpr[127] = 0;
    for (u32 lane = 0; lane < LANES; lane++)
        of_lane[lane] = (seed % LANES ^ lane) * factor;
    for (u32 first = 0; first < wave_vgprs(w); first += VGPRS)
        for (u32 i = first; i < first + vgprs; i++) {
            u32 of_register = (seed / LANES * LANES ^ i << 8) * factor;
            for (u32 lane = 0; lane < LANES; lane++)
                w->vgpr[i][lane] = of_register + of_lane[lane];
        }
}

/* Bytes of private memory that a wave has. */
static u32 scratch_wave(const struct grid *g)
{
    return bits32(reg(g->sh, SH_TMPRING_SIZE), 12, 13) * 1024;
}

/* The address of a trap handler where it is a register: none may run. */
static void clear_handler(struct wave *w)
{
    enum { TBA_LO = 108, TMA_HI = 111 };
    for (u32 i = TBA_LO; i <= TMA_HI; i++)
        w->sgpr[i] = 0;
}

static void set_sgprs(const struct grid *g, struct wave *w, const u32 group[3], u32 waves)
{
    u32 user = bits32(g->rsrc2, 1, 5), at = user;
    for (u32 i = 0; i < user; i++)
        if (is_set(g->sh, SH_USER_DATA_0 + i))
            w->sgpr[i] = reg(g->sh, SH_USER_DATA_0 + i);
    for (u32 i = 0; i < 3; i++)
        if (g->rsrc2 & 1u << (7 + i))
            w->sgpr[at++] = group[i];
    if (g->rsrc2 & 1 << 10) /* what would be appended in order is the wave's number */
        w->sgpr[at++] = (w->id == 0 ? 1u << 31 : 0) | w->id << 6 | waves;
    if (g->rsrc2 & 1) /* work-groups run in turns, and have the same */
        w->sgpr[at] = w->id * scratch_wave(g);
}

static u32 initial_mode(const struct grid *g)
{
    return bits32(g->rsrc1, 12, 8) | bits32(g->rsrc1, 21, 1) << MODE_DX10_CLAMP |
           bits32(g->rsrc1, 23, 1) << MODE_IEEE | bits32(g->rsrc1, 22, 1) << MODE_DEBUG |
           bits32(g->rsrc2, 24, 7) << MODE_EXCP_EN | bits32(g->rsrc2, 13, 2) << (MODE_EXCP_EN + 7) |
           bits32(g->rsrc1, 26, 1) << MODE_FP16_OVFL;
}

/* s_sendmsg of an interrupt: M0 says what of. */
static void interrupt(void *arg, struct wave *w)
{
    const struct vgpu_job *job = arg;
    job->interrupt(job->interrupt_arg, bits32(w->sgpr[CODE_M0], 0, 24));
}

/* Resets the machine. Of VGPRs only those are zeroed that may hold something and get no garbage: all others
 * have been found to be zero behind the last work-group. Which those are is told as an allocation, which
 * goes again. */
static void reset(struct vgpu *v, u32 waves, u32 vgprs, u32 lds_bytes)
{
    struct machine *m = v->machine;
    u32 most = vgprs;
    for (u32 i = 0; i < waves; i++)
        most = v->vgprs_used[i] > most ? v->vgprs_used[i] : most;
    m->allocated.vgprs = most > vgprs ? most : 1;
    machine_reset(m, waves, lds_bytes);
    m->allocated.vgprs = 0;
    for (u32 i = 0; i < waves; i++) {
        m->wave[i]->allocated = m->allocated;
        v->vgprs_used[i] = VGPRS;
    }
}

static void start_group(struct grid *g, const u32 group[3])
{
    struct machine *m = g->v->machine;
    u32 size[3], vgprs = vgprs_of(g->rsrc1);
    for (u32 i = 0; i < 3; i++)
        size[i] = g->has_partial && g->partial[i] && group[i] + 1 == g->end[i] ? g->partial[i]
                                                                               : g->full[i];
    u32 waves = (size[0] * size[1] * size[2] + LANES - 1) / LANES;
    reset(g->v, waves, vgprs, g->lds_bytes);
    for (u32 i = 0; i < g->lds_bytes; i++)
        m->lds->bytes[i] = (u8)(i * 0x9du ^ 0x5a);
    for (u32 i = 0; i < waves; i++) {
        struct wave *w = m->wave[i];
        lay_garbage(w, vgprs, (u32)g->v->stats.waves++ << 16 | 0x1234);
        if (isa_target_has(g->v->isa.target, FEATUREBIT_TRAP_SGPRS))
            clear_handler(w);
        set_sgprs(g, w, group, waves);
        wave_set_items(w, size, i, bits32(g->rsrc2, 11, 2));
        w->mode = initial_mode(g);
        wave_mode_changed(w);
        w->pc = g->pgm;
        w->stop_at_fault = g->job->is_queue;
        w->interrupt = g->job->interrupt ? interrupt : NULL;
        w->interrupt_arg = g->job;
    }
}

/* Whether rows are all 0: the first is, and each is as the one before it, which memcmp sees faster than a
 * loop does. Every dispatch looks at most of the file. */
static bool are_zero(const u32 (*row)[LANES], u32 rows)
{
    static const u32 zero[LANES];
    return rows == 0 || (memcmp(row[0], zero, sizeof zero) == 0 &&
                         memcmp(row[0], row[1], (rows - 1) * sizeof zero) == 0);
}

/* Registers beyond the allocation have been zero since the reset. */
static bool stayed_inside(const struct grid *g, const struct wave *w)
{
    u32 own = vgprs_of(g->rsrc1);
    for (u32 first = 0; first < wave_vgprs(w); first += VGPRS)
        if (!are_zero(&w->vgpr[first + own], VGPRS - own))
            return false;
    return true;
}

/* Now and then others may call in, who may be waited for; what they unmap is gone. False if memory
 * cannot be had any more. */
static bool look_up(struct grid *g)
{
    enum { EVERY_NS = 2000000 };
    struct vgpu *v = g->v;
    struct err e = { .text = "" };
    if (!g->job->is_queue || !v->cfg.wait)
        return true;
    u64 now = vgpu_now_ns();
    if (now - g->looked < EVERY_NS)
        return true;
    v->is_busy = true;
    v->cfg.wait(v->cfg.wait_ctx, now);
    v->is_busy = false;
    if (v->cfg.wake)
        v->cfg.wake(v->cfg.wait_ctx);
    g->looked = vgpu_now_ns();
    return !v->is_lost && *g->job->is_wanted && map_windows(v, g->job, &e);
}

static void run_slice(struct grid *g, struct wave *w, u64 count)
{
    struct machine *m = g->v->machine;
    if (!g->v->cfg.trace)
        g->v->engine.exec->run(m, w, count);
    for (u64 n = 0; g->v->cfg.trace && n < count && w->stop == STOP_NONE; n++)
        vgpu_trace_step(g->v, w, g->group);
}

static enum stop run_some(void *ctx, u32 index, struct wave *w, u64 limit)
{
    enum { SLICE = 1 << 14 };
    struct grid *g = ctx;
    (void)index;
    for (u64 left = limit; left && w->stop == STOP_NONE;) {
        u64 n = left < SLICE ? left : SLICE;
        run_slice(g, w, n);
        left -= n;
        if (!look_up(g))
            w->stop = STOP_LIMIT;
    }
    return w->stop;
}

static u8 fate_of(const struct machine *m, const struct wave *w, enum stop stop)
{
    u64 at = (w->stop_pc - m->base) / 4;
    bool is_trap = at < m->code_dw && (m->code[at] & 0xffff00ff) == 0xbf920002; /* s_trap 2 */
    switch (stop) {
    case STOP_END: return FATE_DONE;
    case STOP_PC:
    case STOP_FAULT: return FATE_FAULT;
    case STOP_ILLEGAL: return FATE_ILLEGAL;
    case STOP_UNMODELLED: return is_trap ? FATE_TRAP : FATE_ILLEGAL;
    default: return FATE_HANG;
    }
}

static bool run_group(struct grid *g, const u32 group[3], struct err *why)
{
    struct vgpu *v = g->v;
    struct machine *m = v->machine;
    struct schedule order = { .kind = SCHEDULE_ORDER, .run = run_some, .ctx = g };
    u32 who = 0;
    g->group = group;
    start_group(g, group);
    u64 start = vgpu_now_ns();
    enum stop stop = schedule_run(m, &order, v->cfg.max_steps, &who);
    v->stats.oracle_ns += vgpu_now_ns() - start;
    v->stats.groups++;
    for (u32 i = 0; i < m->waves; i++) {
        const struct wave *w = m->wave[i];
        v->stats.instructions += w->steps;
        if (w->faulted)
            vgpu_error(v, "VM fault at 0x%" PRIx64 ", work-group %u %u %u, wave %u", w->fault_addr,
                       group[0], group[1], group[2], i);
        if (stop == STOP_END && !stayed_inside(g, w)) {
            g->job->fate = FATE_ILLEGAL;
            err_set(why, ST_INPUT, "dispatch: wave %u wrote VGPRs beyond the %u that it has", i,
                    vgprs_of(g->rsrc1));
            return false;
        }
        if (stop == STOP_END)
            v->vgprs_used[i] = (u16)vgprs_of(g->rsrc1);
    }
    const struct wave *w = m->wave[who];
    g->job->fate = fate_of(m, w, stop);
    g->job->fault_addr = stop == STOP_PC ? w->pc : w->fault_addr;
    if (stop == STOP_END)
        return true;
    err_set(why, ST_INPUT, "wave %u of work-group %u %u %u at 0x%" PRIx64 ": %s", who, group[0],
            group[1], group[2], w->stop_pc, w->why[0] ? w->why : machine_stop_text(stop));
    return false;
}

/* Work-groups in each direction; with thread dimensions the last may be a partial one. */
static void lay_grid(struct grid *g, const u32 dim[3], u32 initiator)
{
    bool is_threads = initiator & PM4_USE_THREAD_DIMENSIONS;
    g->has_partial = is_threads || initiator & PM4_PARTIAL_TG_EN;
    for (u32 i = 0; i < 3; i++) {
        u32 threads = reg(g->sh, SH_NUM_THREAD_X + i);
        g->full[i] = threads & 0xffff;
        g->partial[i] = is_threads && g->full[i] ? dim[i] % g->full[i] : threads >> 16;
        g->first[i] = initiator & PM4_FORCE_START_AT_000 ? 0 : reg(g->sh, SH_START_X + i);
        g->end[i] = is_threads && g->full[i] ? (dim[i] + g->full[i] - 1) / g->full[i] : dim[i];
    }
}

/* The opcodes that no dispatch before has executed, to the log. */
static void log_opcodes(struct vgpu *v)
{
    const struct machine *m = v->machine;
    char text[4000];
    struct text t;
    text_init(&t, text, sizeof text);
    for (u32 i = 0; i < m->code_dw; i++) {
        u32 op = m->ready[i] ? m->prepared[i].insn.op : OP_NONE;
        if (op == OP_NONE || v->has_executed[op])
            continue;
        v->has_executed[op] = true;
        text_add(&t, " %s", isa_rows[op].name);
    }
    if (text[0])
        vgpu_log(v, "  first executed here:%s", text);
}

static bool run_grid(struct grid *g, struct err *why)
{
    u32 at[3];
    for (at[2] = g->first[2]; at[2] < g->end[2]; at[2]++)
        for (at[1] = g->first[1]; at[1] < g->end[1]; at[1]++)
            for (at[0] = g->first[0]; at[0] < g->end[0]; at[0]++)
                if (!run_group(g, at, why) || (g->job->is_queue && !look_up(g)))
                    return false;
    return true;
}

bool vgpu_dispatch(struct vgpu *v, struct vgpu_job *job, const struct vgpu_sh *sh, const u32 dim[3],
                   u32 initiator, struct err *why)
{
    struct grid g = { .v = v,
                      .job = job,
                      .sh = sh,
                      .pgm = (u64)reg(sh, SH_PGM_LO) << 8 | (u64)reg(sh, SH_PGM_HI) << 40,
                      .rsrc1 = reg(sh, SH_PGM_RSRC1),
                      .rsrc2 = reg(sh, SH_PGM_RSRC2) };
    g.pgm = sext64(g.pgm, 48);
    g.lds_bytes = bits32(g.rsrc2, 15, 9) * isa_lds_granule(v->isa.target);
    job->fate = FATE_REFUSED;
    if (!(initiator & PM4_COMPUTE_SHADER_EN))
        return true; /* nothing is started */
    g.looked = job->is_queue ? vgpu_now_ns() : 0;
    lay_grid(&g, dim, initiator);
    if (!check_set(&g, initiator, why) || !check_resources(&g, why) || !map_windows(v, job, why) ||
        !fetch_code(v, job, g.pgm, why))
        return false;
    bool is_ok = run_grid(&g, why);
    if (v->cfg.log)
        log_opcodes(v);
    if (v->cfg.executed)
        v->cfg.executed(v->machine, v->cfg.executed_ctx);
    return is_ok;
}
