/* Machines: allocation, program loading, memory access, scheduling of waves. */
#include "oracle/exec/delay.h"
#include "oracle/exec/spin.h"
#include "oracle/exec/weak.h"
#include "oracle/insn/plain.h"

#include <stdlib.h>

/* Waves one behind another, all 0. What no program uses of them stays as the system gave it, without
 * a page of memory behind it: they are large, and most programs have one. */
static bool make_waves(struct machine *m)
{
    enum { ALIGN = 64 };
    size_t stride = (sizeof **m->wave + ALIGN - 1) / ALIGN * ALIGN;
    m->block = calloc(1, m->waves_max * stride + ALIGN - 1);
    if (!m->block)
        return false;
    u8 *first = (u8 *)(((uintptr_t)m->block + ALIGN - 1) / ALIGN * ALIGN);
    for (u32 i = 0; i < m->waves_max; i++)
        m->wave[i] = (void *)(first + i * stride);
    return true;
}

enum status machine_open(struct machine **out, const struct isa *isa, const struct engine *engine,
                         const struct machine_cfg *cfg, struct err *e)
{
    struct machine *m = calloc(1, sizeof *m);
    if (!m)
        return err_memory(e);
    m->isa = isa;
    m->engine = engine;
    m->waves_max = cfg->waves_max;
    m->wave = calloc(cfg->waves_max, sizeof *m->wave);
    m->lds = calloc(1, sizeof *m->lds);
    m->common = calloc(1, sizeof *m->common);
    m->spin = calloc(cfg->waves_max, sizeof *m->spin);
    m->plain = calloc(1, sizeof *m->plain);
    bool ok = m->wave && m->lds && m->common && m->spin && m->plain;
    if (m->common)
        m->common->machines = 1;
    ok = ok && make_waves(m);
    if (ok && cfg->log_entries) {
        m->log.cap = cfg->log_entries;
        m->log.data_cap = cfg->log_dw;
        m->log.entry = calloc(cfg->log_entries, sizeof *m->log.entry);
        m->log.data = calloc(cfg->log_dw, sizeof *m->log.data);
        m->log.rows = calloc(cfg->waves_max, sizeof *m->log.rows);
        ok = m->log.entry && m->log.data && m->log.rows;
    }
    if (!ok) {
        machine_close(m);
        return err_memory(e);
    }
    m->common->gds.size = LDS_MAX;
    m->gds = &m->common->gds;
    m->gws = &m->common->gws;
    machine_reset(m, 1, 0);
    *out = m;
    return ST_OK;
}

static void leave_common(struct machine *m)
{
    struct common *c = m->common;
    if (!c || --c->machines)
        return;
    free(c->code);
    free(c->prepared);
    free(c->ready);
    free(c);
}

void machine_share(struct machine *m, const struct machine *other)
{
    leave_common(m);
    m->common = other->common;
    m->common->machines++;
    m->gds = &m->common->gds;
    m->gws = &m->common->gws;
    m->base = other->base;
    m->code_dw = m->code_max = other->code_dw;
    m->code = other->code;
    m->prepared = other->prepared;
    m->ready = other->ready;
}

void machine_close(struct machine *m)
{
    if (!m)
        return;
    weak_leave(m);
    free(m->block);
    free(m->wave);
    free(m->spin);
    free(m->plain);
    delay_close(m);
    free(m->lds);
    leave_common(m);
    free(m->log.entry);
    free(m->log.data);
    free(m->log.rows);
    free(m);
}

enum status machine_load(struct machine *m, const u32 *code, u32 dw, u64 base, struct err *e)
{
    struct common *c = m->common;
    if (c->machines > 1)
        BUG("machine_load");
    if (dw > m->code_max) {
        free(c->code);
        free(c->prepared);
        free(c->ready);
        m->code = c->code = calloc(dw, sizeof *m->code);
        m->prepared = c->prepared = calloc(dw, sizeof *m->prepared);
        m->ready = c->ready = calloc(dw, 1);
        m->code_max = m->code && m->prepared && m->ready ? dw : 0;
        if (m->code_max == 0) {
            m->code_dw = 0;
            return err_set(e, ST_WORLD, "out of memory for a program of %u dwords", dw);
        }
    }
    if (dw && code)
        memcpy(m->code, code, dw * sizeof *code);
    if (dw)
        memset(m->ready, 0, dw);
    m->code_dw = dw;
    m->base = base;
    if (m->gds->written)
        memset(m->gds->bytes, 0, m->gds->size);
    m->gds->written = false;
    if (m->gws->used)
        *m->gws = (struct gws){ 0 };
    delay_reset(m);
    return ST_OK;
}

enum status machine_window(struct machine *m, u64 base, void *bytes, u64 size, bool read_only,
                           struct err *e)
{
    if (m->mem.count == WINDOWS_MAX)
        return err_set(e, ST_INPUT, "more than %d memory windows", WINDOWS_MAX);
    if (size == 0 || base + size < base)
        return err_set(e, ST_INPUT, "memory window at 0x%llx is empty or wraps",
                       (unsigned long long)base);
    for (u32 i = 0; i < m->mem.count; i++) {
        const struct mem_window *o = &m->mem.window[i];
        if (base < o->base + o->size && o->base < base + size)
            return err_set(e, ST_INPUT, "memory windows at 0x%llx and 0x%llx overlap",
                           (unsigned long long)o->base, (unsigned long long)base);
    }
    m->mem.window[m->mem.count++] = (struct mem_window){ base, size, bytes, read_only };
    return ST_OK;
}

void machine_reset(struct machine *m, u32 waves, u32 lds_size)
{
    if (waves < 1 || waves > m->waves_max || lds_size > LDS_MAX)
        BUG("machine_reset");
    m->waves = waves;
    m->lds->size = lds_size;
    memset(m->lds->bytes, 0, lds_size);
    wlog_empty(&m->log, m->waves_max);
    delay_reset(m);
    weak_reset(m);
    for (u32 i = 0; i < waves; i++) {
        struct wave *w = m->wave[i];
        w->id = i;
        w->isa = m->isa;
        w->mem = &m->mem;
        w->lds = m->lds;
        w->gds = m->gds;
        w->gws = m->gws;
        w->log = m->log.cap ? &m->log : NULL;
        w->observer = NULL;
        w->view = NULL;
        w->allocated = m->allocated;
        spin_reset(&m->spin[i]);
        wave_reset(w);
        w->in_group = waves > 1;
    }
}

enum stop machine_step(struct machine *m, struct wave *w)
{
    return m->engine->exec->run(m, w, 1);
}

const char *machine_stop_text(enum stop stop)
{
    static const char *const text[] = {
        [STOP_NONE] = "running",
        [STOP_END] = "ended",
        [STOP_BARRIER] = "waits at a barrier",
        [STOP_GWS] = "waits for global wave sync, and no wave is left that could release it",
        [STOP_UNMODELLED] = "not modelled",
        [STOP_ILLEGAL] = "not an instruction",
        [STOP_PC] = "PC left the program",
        [STOP_FAULT] = "access outside memory",
        [STOP_HALT] = "halted",
        [STOP_LIMIT] = "instruction limit reached",
        [STOP_SPIN] = "waits for memory that no wave is left to change",
    };
    return text[stop];
}
