#include "oracle/state/state.h"

#include "oracle/insn/insn.h"

#include <stdarg.h>
#include <stdio.h>

u32 wave_vgprs(const struct wave *w)
{
    bool acc = w->isa && isa_target_has(w->isa->target, FEATUREBIT_MAI);
    return acc ? VGPR_ROWS : VGPRS;
}

/* Of both files: the second begins at row VGPRS. */
static void zero_vgprs(struct wave *w)
{
    u32 count = allocated_reach(&w->allocated);
    for (u32 first = 0; first < wave_vgprs(w); first += VGPRS)
        memset(w->vgpr[first], 0, count * sizeof w->vgpr[0]);
}

void wave_reset(struct wave *w)
{
    memset(w->sgpr, 0, sizeof w->sgpr);
    zero_vgprs(w);
    w->scc = w->status = w->trapsts = 0;
    w->mode = MODE_DEFAULT;
    pair_set(&w->sgpr[126], ~0ull);
    w->pc = PC_DEFAULT;
    w->steps = 0;
    w->stop = STOP_NONE;
    w->why[0] = '\0';
    w->faulted = false;
    w->shared_base = WAVE_SHARED_BASE;
    w->private_base = WAVE_PRIVATE_BASE;
    w->scratch_base = 0;
    w->tba = 0;
    w->interrupt = NULL;
    w->in_group = false;
    wave_mode_changed(w);
}

/* Bits of MODE that mean something. ERRATA(STATE-C08): the manual gives EXCP_EN seven bits in one
 * place and nine in others. */
u32 wave_mode_bits(const struct wave *w)
{
    bool ovfl = !w->isa || isa_target_has(w->isa->target, FEATUREBIT_FP16_OVFL);
    return 0xff1fffffu | (u32)ovfl << MODE_FP16_OVFL;
}

static struct fp_env env_of_mode(u32 mode, u32 round, u32 denorm)
{
    return (struct fp_env){
        .round = (u8)(mode >> round & 3),
        .flush_in = !(mode >> denorm & 1),
        .flush_out = !(mode >> (denorm + 1) & 1),
        .ieee = mode >> MODE_IEEE & 1,
        .dx10_clamp = mode >> MODE_DX10_CLAMP & 1,
        .fp16_ovfl = mode >> MODE_FP16_OVFL & 1,
    };
}

void wave_set_items(struct wave *w, const u32 size[3], u32 index, u32 ids)
{
    u32 items = size[0] * size[1] * size[2], first = index * LANES;
    u32 lanes = first >= items ? 0 : items - first < LANES ? items - first : LANES;
    pair_set(&w->sgpr[126], mask64(lanes));
    if (lanes == 0)
        return;
    u32 x = first % size[0], y = first / size[0] % size[1], z = first / size[0] / size[1];
    for (u32 lane = 0; lane < lanes; lane++) {
        w->vgpr[0][lane] = x;
        if (ids > 0)
            w->vgpr[1][lane] = y;
        if (ids > 1)
            w->vgpr[2][lane] = z;
        if (++x < size[0])
            continue;
        x = 0;
        z += y + 1 == size[1];
        y = y + 1 == size[1] ? 0 : y + 1;
    }
}

void wave_mode_changed(struct wave *w)
{
    u32 mode = w->mode & wave_mode_bits(w);
    w->f32 = env_of_mode(mode, MODE_ROUND_32, MODE_DENORM_32);
    w->f64 = env_of_mode(mode, MODE_ROUND_64, MODE_DENORM_64);
    bool wants_trap = w->mode >> MODE_EXCP_EN & TRAPSTS_EXCP || w->mode >> MODE_DEBUG & 1;
    bool in_handler = w->status >> STATUS_PRIV & 1;
    bool can_index = !w->isa || isa_target_has(w->isa->target, FEATUREBIT_GPR_INDEXING);
    w->special = (mode >> MODE_VSKIP & 1 ? SPECIAL_VSKIP : 0u) |
                 (can_index && mode >> MODE_GPR_IDX_EN & 1 ? SPECIAL_INDEX : 0u) |
                 (wave_tba(w) && wants_trap && !in_handler ? SPECIAL_TRAP : 0u);
}

u32 wave_status(const struct wave *w)
{
    return w->scc | w->status | (u32)(wave_tba(w) != 0) << STATUS_TRAP_EN |
           (u32)(wave_exec(w) == 0) << STATUS_EXECZ | (u32)(wave_vcc(w) == 0) << STATUS_VCCZ |
           (u32)w->in_group << STATUS_IN_TG | 1u << STATUS_VALID;
}

void wave_unmodelled(struct wave *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(w->why, sizeof w->why, fmt, ap);
    va_end(ap);
    w->stop = STOP_UNMODELLED;
}

void wave_trap(struct wave *w, u64 pc, u32 rewind, u32 id)
{
    const u32 ttmp[2] = { (u32)pc, (u32)(pc >> 32 & 0xffff) | id << 16 | rewind << 25 };
    u32 first = insn_first_ttmp((enum gen)w->isa->target->gen);
    wlog_reg(w, first, &w->sgpr[first], 2);
    memcpy(&w->sgpr[first], ttmp, sizeof ttmp);
    wlog_reg(w, PLACE_STATUS, &w->status, 1);
    w->status |= 1u << STATUS_PRIV;
    w->pc = wave_tba(w);
    wave_mode_changed(w);
}

u64 wave_scalar_special64(const struct wave *w, u32 code)
{
    switch (code) {
    case 235: return w->shared_base;
    case 236: return w->shared_base | 0xffffffff;
    case 237: return w->private_base;
    case 238: return w->private_base | 0xffffffff;
    case CODE_VCCZ: return wave_vcc(w) == 0;
    case CODE_EXECZ: return wave_exec(w) == 0;
    case CODE_SCC: return w->scc;
    default: return 0;
    }
}

/* ERRATA(STATE-U08): whether a 32-bit read of an aperture sees its upper or its lower half is
 * doubtful on gfx9. */
u32 wave_scalar_special(const struct wave *w, u32 code)
{
    u64 v = wave_scalar_special64(w, code);
    return code >= 235 && code <= 238 ? (u32)(v >> 32) : (u32)v;
}

/* The dword behind a place; NULL for PC and TBA, which are 64 bits wide, and for places that do not
 * exist. */
static u32 *place_dword(struct wave *w, u32 place, u32 lane)
{
    if (place < SGPRS)
        return &w->sgpr[place];
    if (place >= PLACE_V0 && place < PLACE_SCC)
        return &w->vgpr[place - PLACE_V0][lane % LANES];
    switch (place) {
    case PLACE_SCC: return &w->scc;
    case PLACE_MODE: return &w->mode;
    case PLACE_STATUS: return &w->status;
    case PLACE_TRAPSTS: return &w->trapsts;
    default: return NULL;
    }
}

u32 wave_get(const struct wave *w, u32 place, u32 lane)
{
    if (place == PLACE_PC_LO)
        return (u32)w->pc;
    if (place == PLACE_PC_HI)
        return (u32)(w->pc >> 32);
    if (place == PLACE_TBA_LO)
        return (u32)wave_tba(w);
    if (place == PLACE_TBA_HI)
        return (u32)(wave_tba(w) >> 32);
    if (place == PLACE_STATUS)
        return wave_status(w);
    struct wave *same = (struct wave *)(uintptr_t)w; /* read only below */
    const u32 *p = place_dword(same, place, lane);
    return p ? *p : 0;
}

static void tba_set(struct wave *w, u64 tba)
{
    if (w->isa && isa_target_has(w->isa->target, FEATUREBIT_TRAP_SGPRS))
        pair_set(&w->sgpr[CODE_TRAP], tba);
    else
        w->tba = tba;
}

void wave_set(struct wave *w, u32 place, u32 lane, u32 value)
{
    u32 *p = place_dword(w, place, lane);
    if (place == PLACE_PC_LO)
        w->pc = (w->pc >> 32 << 32) | value;
    else if (place == PLACE_PC_HI)
        w->pc = (u32)w->pc | (u64)value << 32;
    else if (place == PLACE_TBA_LO)
        tba_set(w, (wave_tba(w) >> 32 << 32) | value);
    else if (place == PLACE_TBA_HI)
        tba_set(w, (u32)wave_tba(w) | (u64)value << 32);
    else if (place == PLACE_MODE)
        w->mode = value & (wave_mode_bits(w) | ~(1u << MODE_FP16_OVFL));
    else if (p)
        *p = place == PLACE_SCC ? value & 1 : place == PLACE_STATUS ? value & STATUS_STORED : value;
    if (place == PLACE_MODE || place == PLACE_STATUS || place >= PLACE_TBA_LO ||
        place - CODE_TRAP < 2)
        wave_mode_changed(w);
}

void wlog_put(struct wlog *log, const struct wave *w, u32 place, u64 addr, const void *old,
              u32 size)
{
    u32 bytes = place >= PLACE_MEM ? size : size * 4;
    u32 dw = (bytes + 3) / 4;
    if (log->count == log->cap || dw > log->data_cap - log->used) {
        log->full = true;
        return;
    }
    struct wlog_entry *e = &log->entry[log->count++];
    *e = (struct wlog_entry){ .addr = addr,
                              .at = log->used,
                              .size = size,
                              .step = (u32)w->steps,
                              .place = (u16)place,
                              .wave = (u16)w->id };
    memcpy(&log->data[log->used], old, bytes);
    log->used += dw;
    u32 row = place - PLACE_V0;
    if (log->rows && row < VGPR_ROWS)
        log->rows[w->id][row / 64] |= 1ull << row % 64;
}

void wlog_empty(struct wlog *log, u32 waves)
{
    log->count = log->used = 0;
    log->full = false;
    if (log->rows)
        memset(log->rows, 0, waves * sizeof *log->rows);
}

void wave_raise(struct wave *w, u32 flags)
{
    w->raised |= flags;
    if ((w->trapsts & flags) == flags)
        return;
    wlog_reg(w, PLACE_TRAPSTS, &w->trapsts, 1);
    w->trapsts |= flags;
}

static void undo_one(const struct wlog *log, const struct wlog_entry *e, struct wave *w)
{
    const u32 *old = &log->data[e->at];
    if (e->place == PLACE_MEM) {
        u8 *p = mem_at(w->mem, e->addr, e->size, true);
        if (p)
            memcpy(p, old, e->size);
    } else if (e->place == PLACE_LDS) {
        memcpy(&w->lds->bytes[e->addr], old, e->size);
    } else if (e->place == PLACE_GDS) {
        memcpy(&w->gds->bytes[e->addr], old, e->size);
    } else if (e->place >= PLACE_V0 && e->place < PLACE_SCC) {
        u32 row = e->place - PLACE_V0;
        memcpy(w->vgpr[row], old, sizeof w->vgpr[0]);
        if (log->rows)
            log->rows[e->wave][row / 64] &= ~(1ull << row % 64);
    } else {
        for (u32 i = 0; i < e->size; i++)
            wave_set(w, e->place + i, 0, old[i]);
    }
}

void wlog_undo(struct wlog *log, struct wave *const *waves)
{
    if (log->full)
        BUG("undo of a write log that lost entries");
    while (log->count > 0) {
        const struct wlog_entry *e = &log->entry[--log->count];
        undo_one(log, e, waves[e->wave]);
    }
    log->used = 0;
}

static bool holds(const struct mem_window *win, u64 addr, u32 n)
{
    return addr >= win->base && n <= win->size && addr - win->base <= win->size - n;
}

u8 *mem_at(struct memory *mem, u64 addr, u32 n, bool write)
{
    if (mem->hint >= mem->count || !holds(&mem->window[mem->hint], addr, n)) {
        u32 i = 0;
        while (i < mem->count && !holds(&mem->window[i], addr, n))
            i++;
        if (i == mem->count)
            i = mem->fetch ? mem->fetch(mem->fetch_ctx, mem, addr, n) : ~0u;
        if (i == ~0u)
            return NULL;
        mem->hint = i;
    }
    const struct mem_window *win = &mem->window[mem->hint];
    return write && win->read_only ? NULL : win->bytes + (addr - win->base);
}
