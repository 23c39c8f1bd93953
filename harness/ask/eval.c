#include "harness/ask/eval.h"

#include <stdlib.h>

enum { MEM_TOTAL = 1 << 20, STEPS_MAX = 100000, LOG_ENTRIES = 1 << 15, LOG_DW = 1 << 21 };

struct eval {
    struct isa isa;
    struct engine engine;
    struct machine *m;
    u32 mark;              /* log entries of the given values; those of the code follow */
    u64 code_end;          /* bytes */
    u32 seen[PLACE_COUNT]; /* index + 1 of the first log entry of a place in this run */
    u32 mem_used;          /* bytes of mem_now and mem_old */
    u8 *mem_now, *mem_old;
    u8 *lds_old;
};

enum status eval_open(struct eval **out, const char *mcpu, const char *engine, struct err *e)
{
    struct eval *ev = calloc(1, sizeof *ev);
    if (!ev)
        return err_memory(e);
    struct machine_cfg cfg = { .waves_max = 1, .log_entries = LOG_ENTRIES, .log_dw = LOG_DW };
    enum status st = isa_open_modelled(&ev->isa, mcpu, e);
    if (st == ST_OK)
        st = engine_open(&ev->engine, engine, e);
    if (st == ST_OK)
        st = machine_open(&ev->m, &ev->isa, &ev->engine, &cfg, e);
    if (st == ST_OK) {
        ev->mem_now = calloc(3, MEM_TOTAL);
        if (!ev->mem_now)
            st = err_memory(e);
    }
    if (st != ST_OK) {
        eval_close(ev);
        return st;
    }
    ev->mem_old = ev->mem_now + MEM_TOTAL;
    ev->lds_old = ev->mem_old + MEM_TOTAL;
    machine_reset(ev->m, 1, isa_lds_max(ev->isa.target));
    *out = ev;
    return ST_OK;
}

void eval_close(struct eval *ev)
{
    if (!ev)
        return;
    machine_close(ev->m);
    free(ev->mem_now);
    free(ev);
}

const struct isa *eval_isa(const struct eval *ev)
{
    return &ev->isa;
}

void eval_reset(struct eval *ev)
{
    struct machine *m = ev->m;
    struct wave *w = m->wave[0];
    m->mem.count = 0; /* so that undo leaves the old windows alone */
    if (m->log.full)
        machine_reset(m, 1, isa_lds_max(ev->isa.target));
    else
        wlog_undo(&m->log, m->wave);
    w->pc = PC_DEFAULT;
    w->steps = 0;
    w->stop = STOP_NONE;
    w->why[0] = '\0';
    w->faulted = false;
    ev->mem_used = 0;
    ev->mark = 0;
}

enum status eval_place(const struct eval *ev, const char *name, size_t len, struct place_range *p,
                       const char **why)
{
    bool has_acc = isa_target_has(ev->isa.target, FEATUREBIT_MAI);
    if (place_parse((enum gen)ev->isa.target->gen, name, len, p, why) != ST_OK) {
        if (!*why)
            *why = "no such place";
        return ST_INPUT;
    }
    if (place_is_vector(p->place) && p->place >= PLACE_A0 && !has_acc)
        *why = "no such register";
    else if (place_is_pc(p->place))
        *why = "cannot be set";
    return *why ? ST_INPUT : ST_OK;
}

static void set_vector(struct wave *w, const struct place_range *p, u32 i, const u32 value[LANES])
{
    u32 *reg = w->vgpr[p->place + i - PLACE_V0];
    wlog_reg(w, p->place + i, reg, LANES);
    if (p->lane < 0)
        memcpy(reg, value, LANES * sizeof *reg);
    else
        reg[p->lane] = value[p->lane];
}

void eval_set(struct eval *ev, const struct place_range *p, const struct eval_value *value)
{
    struct wave *w = ev->m->wave[0];
    for (u32 i = 0; i < p->dw; i++) {
        if (place_is_vector(p->place)) {
            set_vector(w, p, i, value->dw[i]);
            continue;
        }
        u32 old = wave_get(w, p->place + i, 0);
        wlog_reg(w, p->place + i, &old, 1);
        wave_set(w, p->place + i, 0, value->dw[i][0]);
    }
}

enum status eval_set_lds(struct eval *ev, u64 offset, const u8 *bytes, u32 n, struct err *e)
{
    struct wave *w = ev->m->wave[0];
    u32 size = isa_lds_max(ev->isa.target);
    if (offset > size || n > size - offset)
        return err_set(e, ST_INPUT, "lds bytes at %llu lie outside %u KiB",
                       (unsigned long long)offset, size / 1024);
    wlog_put(&ev->m->log, w, PLACE_LDS, offset, &w->lds->bytes[offset], n);
    memcpy(&w->lds->bytes[offset], bytes, n);
    return ST_OK;
}

enum status eval_set_mem(struct eval *ev, u64 addr, const u8 *bytes, u32 n, struct err *e)
{
    if (n > MEM_TOTAL - ev->mem_used)
        return err_set(e, ST_INPUT, "more than %d bytes of memory", MEM_TOTAL);
    u8 *p = ev->mem_now + ev->mem_used;
    memcpy(p, bytes, n);
    enum status st = machine_window(ev->m, addr, p, n, false, e);
    if (st == ST_OK)
        ev->mem_used += n;
    return st;
}

static enum status refuse(const struct eval *ev, const struct wave *w, enum stop stop,
                          struct err *e)
{
    unsigned long long at = (unsigned long long)(w->stop_pc - ev->m->base);
    if (stop == STOP_NONE)
        return err_set(e, ST_WORLD, "no end after %d instructions", STEPS_MAX);
    return err_set(e, ST_WORLD, "byte %llu of the code: %s", at,
                   w->why[0] ? w->why : machine_stop_text(stop));
}

enum status eval_run(struct eval *ev, const u32 *code, u32 dw, struct err *e)
{
    struct wave *w = ev->m->wave[0];
    enum status st = machine_load(ev->m, code, dw, PC_DEFAULT, e);
    if (st != ST_OK)
        return st;
    memcpy(ev->mem_old, ev->mem_now, ev->mem_used);
    ev->mark = ev->m->log.count;
    ev->code_end = PC_DEFAULT + dw * 4ull;
    enum stop stop = STOP_NONE;
    for (u32 n = 0; stop == STOP_NONE && n < STEPS_MAX; n += 64) {
        stop = ev->engine.exec->run(ev->m, w, 64);
        if (stop == STOP_BARRIER) /* one wave: nobody to wait for */
            stop = w->stop = STOP_NONE;
    }
    if (ev->m->log.full)
        return err_set(e, ST_INPUT, "the code changes more than can be remembered");
    return stop == STOP_END || stop == STOP_PC ? ST_OK : refuse(ev, w, stop, e);
}

bool eval_faulted(const struct eval *ev, u64 *addr)
{
    const struct wave *w = ev->m->wave[0];
    *addr = w->fault_addr;
    return w->faulted;
}

u32 eval_now(const struct eval *ev, u32 place, u32 lane)
{
    return wave_get(ev->m->wave[0], place, lane);
}

u32 eval_before(const struct eval *ev, u32 place, u32 lane)
{
    const struct wlog *log = &ev->m->log;
    if (place == PLACE_PC_LO || place == PLACE_PC_HI)
        return place == PLACE_PC_LO ? PC_DEFAULT : 0;
    if (ev->seen[place] == 0)
        return eval_now(ev, place, lane);
    const struct wlog_entry *x = &log->entry[ev->seen[place] - 1];
    return log->data[x->at + (place_is_vector(x->place) ? lane : place - x->place)];
}

static bool differs(const struct eval *ev, u32 place)
{
    u32 lanes = place_is_vector(place) ? LANES : 1;
    for (u32 lane = 0; lane < lanes; lane++)
        if (eval_before(ev, place, lane) != eval_now(ev, place, lane))
            return true;
    return false;
}

u32 eval_changed(struct eval *ev, u16 *place, u32 max)
{
    const struct wlog *log = &ev->m->log;
    u32 n = 0;
    memset(ev->seen, 0, sizeof ev->seen);
    for (u32 i = ev->mark; i < log->count; i++) {
        const struct wlog_entry *x = &log->entry[i];
        u32 regs = x->place >= PLACE_MEM ? 0 : place_is_vector(x->place) ? 1 : x->size;
        for (u32 k = 0; k < regs; k++)
            if (ev->seen[x->place + k] == 0)
                ev->seen[x->place + k] = i + 1;
    }
    for (u32 p = 0; p < PLACE_PC_LO; p++)
        if (ev->seen[p] && differs(ev, p) && n < max)
            place[n++] = (u16)p;
    if (ev->m->wave[0]->pc != ev->code_end && ev->m->wave[0]->stop != STOP_END && n < max)
        place[n++] = PLACE_PC_LO;
    return n;
}

static void changed_runs(const u8 *old, const u8 *now, u64 addr, u32 n, bool lds, eval_bytes_fn *fn,
                         void *ctx)
{
    for (u32 i = 0; i < n;) {
        u32 end = i;
        while (end < n && old[end] != now[end])
            end++;
        if (end > i)
            fn(ctx, lds, addr + i, old + i, now + i, end - i);
        i = end + 1;
    }
}

const u8 *eval_memory(struct eval *ev, u64 addr, u32 n)
{
    return mem_at(&ev->m->mem, addr, n, false);
}

void eval_changed_bytes(struct eval *ev, eval_bytes_fn *fn, void *ctx)
{
    struct machine *m = ev->m;
    const struct wlog *log = &m->log;
    u64 lo = LDS_MAX, hi = 0; /* the part of LDS that the code wrote */
    for (u32 i = ev->mark; i < log->count; i++) {
        const struct wlog_entry *x = &log->entry[i];
        if (x->place != PLACE_LDS)
            continue;
        lo = x->addr < lo ? x->addr : lo;
        hi = x->addr + x->size > hi ? x->addr + x->size : hi;
    }
    if (lo < hi) {
        memcpy(ev->lds_old + lo, m->lds->bytes + lo, hi - lo);
        for (u32 i = log->count; i-- > ev->mark;)
            if (log->entry[i].place == PLACE_LDS)
                memcpy(ev->lds_old + log->entry[i].addr, &log->data[log->entry[i].at],
                       log->entry[i].size);
        changed_runs(ev->lds_old + lo, m->lds->bytes + lo, lo, (u32)(hi - lo), true, fn, ctx);
    }
    for (u32 i = 0; i < m->mem.count; i++) {
        const struct mem_window *win = &m->mem.window[i];
        changed_runs(ev->mem_old + (win->bytes - ev->mem_now), win->bytes, win->base,
                     (u32)win->size, false, fn, ctx);
    }
}
