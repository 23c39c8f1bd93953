#include "harness/dut/model.h"

#include "harness/mutant/mutant.h"
#include "oracle/exec/delay.h"

#include <stdlib.h>

enum { WAVES_MAX = 16, LOG_ENTRIES = 1 << 14, LOG_DW = 1 << 20 };
#define NOT_LAID (~0ull)

static enum status plant(struct engine *eng, const char *id, struct err *e)
{
    if (!mutant_any())
        return err_set(e, ST_WORLD, "mutant '%.60s': this program has no mutants", id);
    const struct mutant *mu = mutant_find(id);
    if (!mu)
        return err_set(e, ST_INPUT, "unknown mutant '%.60s'; 'gcncheck mutants' lists them", id);
    mutant_plant(mu, eng);
    return ST_OK;
}

static enum status open_with(struct model **out, const char *mcpu, const char *engine,
                             const char *mutant, const struct machine_cfg *cfg, struct err *e)
{
    struct model *mo = calloc(1, sizeof *mo);
    if (!mo)
        return err_memory(e);
    mo->poisoned = NOT_LAID;
    enum status st = isa_open_modelled(&mo->isa, mcpu, e);
    if (st == ST_OK)
        st = engine_open(&mo->engine, engine, e);
    if (st == ST_OK && mutant)
        st = plant(&mo->engine, mutant, e);
    if (st == ST_OK)
        st = machine_open(&mo->m, &mo->isa, &mo->engine, cfg, e);
    if (st != ST_OK) {
        model_close(mo);
        return st;
    }
    *out = mo;
    return ST_OK;
}

enum status model_open(struct model **out, const char *mcpu, const char *engine, const char *mutant,
                       struct err *e)
{
    static const struct machine_cfg cfg = { .waves_max = WAVES_MAX,
                                            .log_entries = LOG_ENTRIES,
                                            .log_dw = LOG_DW };
    return open_with(out, mcpu, engine, mutant, &cfg, e);
}

enum status model_open_small(struct model **out, const char *mcpu, u32 waves, struct err *e)
{
    const struct machine_cfg cfg = { .waves_max = waves };
    return open_with(out, mcpu, "ref", NULL, &cfg, e);
}

void model_close(struct model *mo)
{
    if (!mo)
        return;
    machine_close(mo->m);
    free(mo);
}

enum status model_delay(struct model *mo, u64 seed, struct err *e)
{
    enum status st = delay_open(mo->m, e);
    if (st != ST_OK)
        return st;
    mo->engine.exec = &exec_ops_delayed;
    if (seed)
        delay_random(mo->m, seed);
    return ST_OK;
}

enum status model_doubt(struct model *mo, const char *ids, struct err *e)
{
    u64 readings;
    enum status st = doubt_parse(ids, &readings, e);
    if (st != ST_OK)
        return st;
    doubt_engine_open(&mo->doubt, readings);
    mo->engine.exec = &mo->doubt.ops;
    return ST_OK;
}

static void lay_poison(struct wave *w, u64 seed)
{
    for (u32 place = 0; place < SGPRS; place++)
        w->sgpr[place] = gcncheck_poison(seed, place, 0);
    if (isa_target_has(w->isa->target, FEATUREBIT_TRAP_SGPRS))
        memset(&w->sgpr[CODE_TRAP], 0, (CODE_TTMP_OLD - CODE_TRAP) * sizeof w->sgpr[0]);
    for (u32 v = 0; v < wave_vgprs(w); v++)
        for (u32 lane = 0; lane < LANES; lane++)
            w->vgpr[v][lane] = gcncheck_poison(seed, PLACE_V0 + v, lane);
}

/* Brings the registers of as many waves as a job has had so far to the seed's poison. What the last
 * job changed is in the log, so that nothing but that has to be put back; its windows are gone and
 * stay as they are. */
static void start_from_poison(struct model *mo, const struct gcncheck_job *job)
{
    struct machine *m = mo->m;
    m->mem.count = 0;
    bool is_logged = m->log.cap && !m->log.full;
    if (mo->poisoned == job->poison && is_logged && job->waves <= m->waves) {
        wlog_undo(&m->log, m->wave);
    } else {
        u32 waves = job->waves > m->waves ? job->waves : m->waves;
        machine_reset(m, waves, 0);
        for (u32 i = 0; i < waves; i++)
            lay_poison(m->wave[i], job->poison);
        mo->poisoned = job->poison;
    }
}

static void set_place(struct machine *m, const struct gcncheck_slot *s, const u32 *value)
{
    struct wave *w = m->wave[s->wave];
    if (s->place >= PLACE_V0 && s->place < PLACE_SCC) {
        wlog_reg(w, s->place, w->vgpr[s->place - PLACE_V0], LANES);
        memcpy(w->vgpr[s->place - PLACE_V0], value, sizeof w->vgpr[0]);
    } else if (s->place != PLACE_PC_LO && s->place != PLACE_PC_HI) {
        u32 old = wave_get(w, s->place, 0);
        wlog_reg(w, s->place, &old, 1);
        wave_set(w, s->place, 0, value[0]);
    }
}

/* Whether the machine can hold the job. */
static enum status check(const struct gcncheck_job *job, const struct machine *m, struct err *e)
{
    const struct wave *w = m->wave[0];
    u32 vgprs = wave_vgprs(w), lds = isa_lds_max(w->isa->target);
    if (job->waves < 1 || job->waves > m->waves_max)
        return err_set(e, ST_INPUT, "a job has %u waves; 1 to %u are possible", job->waves,
                       m->waves_max);
    if (job->lds_size > lds)
        return err_set(e, ST_INPUT, "a job has %u bytes of LDS; %u are possible", job->lds_size,
                       lds);
    for (u32 i = 0; i < job->set_count; i++)
        if (job->set[i].wave >= job->waves || job->set[i].place >= GCNCHECK_PLACES ||
            (job->set[i].place >= PLACE_A0 && job->set[i].place < PLACE_SCC &&
             job->set[i].place >= PLACE_V0 + vgprs))
            return err_set(e, ST_INPUT, "a job sets place %u of wave %u, which does not exist",
                           job->set[i].place, job->set[i].wave);
    return ST_OK;
}

enum status model_start(struct model *mo, const struct gcncheck_job *job, struct err *e)
{
    struct machine *m = mo->m;
    enum status st = check(job, m, e);
    if (st != ST_OK)
        return st;
    start_from_poison(mo, job);
    m->log.registers_only = false;
    /* Waves of jobs before it stay laid; only those of the job run. */
    for (u32 i = 0; i < job->waves; i++) {
        struct wave *w = m->wave[i];
        w->pc = job->pc;
        w->steps = 0;
        w->stop = STOP_NONE;
        w->why[0] = '\0';
        w->faulted = false;
        w->in_group = job->waves > 1;
    }
    for (u32 i = job->waves; i < m->waves; i++)
        m->wave[i]->stop = STOP_END;
    for (u32 i = 0; i < job->set_count; i++)
        set_place(m, &job->set[i], job->values + job->set[i].index);
    m->lds->size = job->lds_size;
    if (job->lds_size)
        memcpy(m->lds->bytes, job->lds, job->lds_size);
    for (u32 i = 0; i < job->window_count && st == ST_OK; i++)
        st = machine_window(m, job->windows[i].address, job->windows[i].bytes, job->windows[i].size,
                            false, e);
    return st == ST_OK ? machine_load(m, job->code, job->code_dw, job->pc, e) : st;
}

void model_log_registers(struct model *mo)
{
    mo->m->log.registers_only = mo->engine.exec == &exec_ops;
}

static void read_back(const struct machine *m, const struct gcncheck_job *job)
{
    for (u32 i = 0; i < job->get_count; i++) {
        const struct gcncheck_slot *s = &job->get[i];
        const struct wave *w = m->wave[s->wave];
        if (s->place >= PLACE_V0 && s->place < PLACE_SCC)
            memcpy(&job->out[s->index], w->vgpr[s->place - PLACE_V0], sizeof w->vgpr[0]);
        else
            job->out[s->index] = wave_get(w, s->place, 0);
    }
    if (job->lds_size)
        memcpy(job->lds, m->lds->bytes, job->lds_size);
}

void model_finish(struct model *mo, struct gcncheck_job *job, enum stop stop, u32 who)
{
    static const u8 outcome[] = {
        [STOP_NONE] = GCNCHECK_LIMIT,
        [STOP_END] = GCNCHECK_DONE,
        [STOP_BARRIER] = GCNCHECK_FAULT,
        [STOP_GWS] = GCNCHECK_FAULT,
        [STOP_UNMODELLED] = GCNCHECK_UNSUPPORTED,
        [STOP_ILLEGAL] = GCNCHECK_ILLEGAL,
        [STOP_PC] = GCNCHECK_FAULT,
        [STOP_FAULT] = GCNCHECK_FAULT,
        [STOP_HALT] = GCNCHECK_FAULT,
        [STOP_LIMIT] = GCNCHECK_LIMIT,
    };
    job->outcome = outcome[stop];
    job->reason[0] = '\0';
    if (stop == STOP_END) {
        read_back(mo->m, job);
        return;
    }
    struct text t;
    const char *why = mo->m->wave[who]->why;
    text_init(&t, job->reason, sizeof job->reason);
    text_add(&t, "%s", why[0] ? why : machine_stop_text(stop));
}

enum status model_run(struct model *mo, struct gcncheck_job *job, struct err *e)
{
    struct err why = { .text = "" };
    enum status st = model_start(mo, job, &why);
    if (st == ST_WORLD)
        return err_set(e, st, "%s", why.text);
    if (st != ST_OK) {
        struct text t;
        job->outcome = GCNCHECK_ILLEGAL;
        text_init(&t, job->reason, sizeof job->reason);
        text_add(&t, "%s", why.text);
        return ST_OK;
    }
    u32 who = 0;
    model_log_registers(mo);
    enum stop stop = machine_run(mo->m, job->max_steps, &who);
    model_finish(mo, job, stop, who);
    return ST_OK;
}
