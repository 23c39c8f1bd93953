/* Runs a litmus test: its waves take turns at random, memory is weak, and what they find is
 * counted. */
#include "harness/litmus/litmus.h"

#include "oracle/exec/schedule.h"
#include "oracle/exec/weak.h"

#include <stdlib.h>

enum {
    STEPS_MAX = 100000, /* of all waves in one run */
    CODE_DW = 4096,
    TURN_LOG = 4, /* a run has turns up to a power of two, which is drawn up to this one */
    SPREAD = 256  /* bytes from one location to the next */
};
#define MEMORY_BASE 0x100000ull

/* A test that is run. */
struct bench {
    struct litmus_test *t;
    struct isa isa;
    struct engine engine;
    struct weak *weak;
    struct machine *group[LITMUS_THREADS]; /* NULL: it has no thread */
    struct machine *first;
    u32 waves[LITMUS_THREADS]; /* of each group */
    struct wave *wave[LITMUS_THREADS];
    bool
        is_ready; /* machines have been reset, and blank holds what a wave is then but vector registers */
    u8 blank[LITMUS_THREADS][offsetof(struct wave, vgpr)];
    u64 before_pc[LITMUS_THREADS], code_pc[LITMUS_THREADS];
    u8 memory[LITMUS_LOCATIONS * SPREAD];
    struct rng rng;
};

/* ---- programs ---- */

static enum status assemble(struct bench *b, const struct litmus_thread *p, u32 at, u32 end,
                            u32 *code, u32 *dw, struct err *e)
{
    char text[LITMUS_TEXT];
    u32 n = 0;
    memcpy(text, b->t->text + at, end - at);
    text[end - at] = 0;
    enum status st = insn_parse_program(&b->isa, text, code + *dw, CODE_DW - *dw, &n, e);
    if (st != ST_OK) {
        char why[sizeof e->text];
        memcpy(why, e->text, sizeof why);
        return err_set(e, st, "test %.60s: thread %s: %.160s", b->t->name, p->name, why);
    }
    *dw += n;
    return ST_OK;
}

/* The programs of all threads, one behind the other. */
static enum status load(struct bench *b, struct err *e)
{
    /* A wave that ends has its loads: before that they get time to come in any order. */
    static const char end[] =
        "s_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\n"
        "s_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_endpgm\n";
    u32 *code = calloc(CODE_DW, sizeof *code), dw = 0, n;
    enum status st = code ? ST_OK : err_memory(e);
    for (u32 i = 0; st == ST_OK && i < b->t->thread_count; i++) {
        const struct litmus_thread *p = &b->t->thread[i];
        b->before_pc[i] = PC_DEFAULT + dw * 4;
        st = assemble(b, p, p->before_at, p->before_end, code, &dw, e);
        b->code_pc[i] = PC_DEFAULT + dw * 4;
        if (st == ST_OK)
            st = assemble(b, p, p->code_at, p->code_end, code, &dw, e);
        if (st == ST_OK)
            st = insn_parse_program(&b->isa, end, code + dw, CODE_DW - dw, &n, e);
        if (st == ST_OK)
            dw += n;
    }
    if (st == ST_OK)
        st = machine_load(b->first, code, dw, PC_DEFAULT, e);
    free(code);
    return st;
}

static enum status open_group(struct bench *b, u32 group, struct err *e)
{
    struct machine_cfg cfg = { .waves_max = b->waves[group] };
    enum status st = machine_open(&b->group[group], &b->isa, &b->engine, &cfg, e);
    if (st != ST_OK)
        return st;
    if (b->first)
        machine_share(b->group[group], b->first);
    else {
        b->first = b->group[group];
        st = load(b, e);
    }
    if (st == ST_OK)
        st = weak_join(b->weak, b->group[group], e);
    if (st == ST_OK)
        st = machine_window(b->group[group], MEMORY_BASE, b->memory, sizeof b->memory, false, e);
    return st;
}

static enum status open_bench(struct bench *b, struct err *e)
{
    struct weak_cfg cfg = { .cus = 1 };
    for (u32 i = 0; i < b->t->thread_count; i++) {
        const struct litmus_thread *p = &b->t->thread[i];
        b->waves[p->group]++;
        cfg.cus = p->cu >= cfg.cus ? p->cu + 1 : cfg.cus;
    }
    enum status st = isa_open_modelled(&b->isa, b->t->mcpu, e);
    if (st == ST_OK)
        st = engine_open(&b->engine, "ref", e);
    b->engine.exec = &exec_ops_weak;
    if (st == ST_OK)
        st = weak_open(&b->weak, &cfg, e);
    for (u32 i = 0; st == ST_OK && i < LITMUS_THREADS; i++)
        if (b->waves[i])
            st = open_group(b, i, e);
    return st;
}

static void close_bench(struct bench *b)
{
    for (u32 i = 0; i < LITMUS_THREADS; i++)
        machine_close(b->group[i]);
    weak_close(b->weak);
    free(b);
}

/* ---- one run ---- */

static void set_lanes(struct wave *w, u32 reg, u32 value)
{
    for (u32 lane = 0; lane < LITMUS_LANES; lane++)
        w->vgpr[reg][lane] = value;
}

/* What the registers that $ names hold. */
static void set_registers(const struct bench *b, struct wave *w)
{
    const struct litmus_test *t = b->t;
    pair_set(&w->sgpr[CODE_EXEC], 1);
    w->sgpr[CODE_M0] = UINT32_MAX;
    for (u32 i = 0; i < t->location_count; i++) {
        u64 address =
            t->location[i].is_local ? WAVE_SHARED_BASE + i * SPREAD : MEMORY_BASE + i * SPREAD;
        u32 *buffer = &w->sgpr[LITMUS_S_BUFFER + 4 * i];
        set_lanes(w, LITMUS_V_ADDRESS + 2 * i, (u32)address);
        set_lanes(w, LITMUS_V_ADDRESS + 2 * i + 1, (u32)(address >> 32));
        set_lanes(w, LITMUS_V_OFFSET + i, i * SPREAD);
        pair_set(&w->sgpr[LITMUS_S_ADDRESS + 2 * i], address);
        pair_set(buffer, address);
        buffer[2] = SPREAD;
        buffer[3] = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 4 << 12 | 4 << 15; /* dwords, no swizzle */
    }
    for (u32 i = 0; i < t->value_count; i++)
        set_lanes(w, LITMUS_V_VALUE + i, t->value[i]);
}

/* Waves as machine_reset leaves them. It clears all vector registers, which takes longer than a run:
 * from the second time on only those are cleared that are said to be 0. */
static void reset_waves(struct bench *b)
{
    u32 taken[LITMUS_THREADS] = { 0 };
    for (u32 i = 0; i < LITMUS_THREADS; i++)
        if (b->group[i] && !b->is_ready)
            machine_reset(b->group[i], b->waves[i], LITMUS_LOCATIONS * SPREAD);
    for (u32 i = 0; i < b->t->thread_count; i++) {
        u32 g = b->t->thread[i].group;
        struct wave *w = b->wave[i] = b->group[g]->wave[taken[g]++];
        if (!b->is_ready)
            memcpy(b->blank[i], w, sizeof b->blank[i]);
        memcpy(w, b->blank[i], sizeof b->blank[i]);
        memset(w->vgpr, 0, LITMUS_V_ADDRESS * sizeof w->vgpr[0]);
        weak_reset(b->group[g]);
    }
    b->is_ready = true;
}

static void start(struct bench *b, u64 seed)
{
    const struct litmus_test *t = b->t;
    reset_waves(b);
    weak_restart(b->weak, seed);
    rng_seed(&b->rng, hash_mix(seed, 1));
    memset(b->memory, 0, sizeof b->memory);
    for (u32 i = 0; i < t->location_count; i++) {
        if (!t->location[i].is_local)
            memcpy(b->memory + i * SPREAD, &t->location[i].initial, sizeof(u32));
        for (u32 g = 0; g < LITMUS_THREADS; g++)
            if (b->group[g] && t->location[i].is_local)
                memcpy(b->group[g]->lds->bytes + i * SPREAD, &t->location[i].initial, sizeof(u32));
    }
    for (u32 i = 0; i < t->thread_count; i++) {
        u32 g = t->thread[i].group;
        struct wave *w = b->wave[i];
        weak_place(b->group[g], t->thread[i].cu);
        set_registers(b, w);
        w->pc = b->before_pc[i];
        w->stop_at_fault = true;
    }
}

static enum status stopped(const struct bench *b, u32 thread, struct err *e)
{
    const struct wave *w = b->wave[thread];
    return err_set(e, ST_INPUT, "test %.60s: thread %s: %s%s%.90s", b->t->name,
                   b->t->thread[thread].name,
                   w->stop == STOP_NONE ? "does not end" : machine_stop_text(w->stop),
                   w->why[0] ? ": " : "", w->why);
}

static struct machine *machine_of(const struct bench *b, u32 thread)
{
    return b->group[b->t->thread[thread].group];
}

/* What stands below `before`, one thread after the other. */
static enum status run_before(struct bench *b, struct err *e)
{
    for (u32 i = 0; i < b->t->thread_count; i++) {
        struct wave *w = b->wave[i];
        for (u32 n = 0; w->pc != b->code_pc[i]; n++)
            if (n == STEPS_MAX || machine_step(machine_of(b, i), w) != STOP_NONE)
                return stopped(b, i, e);
    }
    return ST_OK;
}

/* Waves that wait for others of their work-group. */
static bool open_barriers(const struct bench *b)
{
    bool any = false;
    for (u32 i = 0; i < LITMUS_THREADS; i++)
        any |= b->group[i] && schedule_barrier(b->group[i]);
    return any;
}

/* A thread that can go on, drawn; thread_count if there is none. */
static u32 draw_thread(struct bench *b)
{
    u32 can[LITMUS_THREADS], n = 0;
    for (u32 i = 0; i < b->t->thread_count; i++)
        if (b->wave[i]->stop == STOP_NONE)
            can[n++] = i;
    return n ? can[rng_below(&b->rng, n)] : b->t->thread_count;
}

static enum status run_code(struct bench *b, struct err *e)
{
    u32 turn = 1u << rng_below(&b->rng, TURN_LOG + 1);
    for (u32 n = 0; n < STEPS_MAX; n++) {
        u32 i = draw_thread(b);
        if (i == b->t->thread_count) {
            if (open_barriers(b))
                continue;
            break;
        }
        struct machine *m = machine_of(b, i);
        enum stop stop = m->engine->exec->run(m, b->wave[i], 1 + rng_below(&b->rng, turn));
        if (stop > STOP_BARRIER)
            return stopped(b, i, e);
    }
    for (u32 i = 0; i < b->t->thread_count; i++)
        if (b->wave[i]->stop != STOP_END)
            return stopped(b, i, e);
    weak_end(b->weak);
    return ST_OK;
}

/* ---- outcomes ---- */

static u32 value_of(const struct bench *b, const struct litmus_place *p)
{
    u32 v;
    if (p->is_register)
        return wave_get(b->wave[p->index], p->place, p->lane);
    memcpy(&v, b->memory + p->index * SPREAD, sizeof v);
    return v;
}

static void count_outcome(struct bench *b)
{
    struct litmus_test *t = b->t;
    struct litmus_outcome now = { .seen = 1 };
    u32 at = 0;
    for (u32 i = 0; i < t->place_count; i++)
        now.value[i] = value_of(b, &t->place[i]);
    while (at < t->outcome_count && memcmp(t->outcome[at].value, now.value, sizeof now.value) != 0)
        at++;
    if (at < t->outcome_count)
        t->outcome[at].seen++;
    else if (at < LITMUS_OUTCOMES)
        t->outcome[t->outcome_count++] = now;
    for (u32 i = 0; i < t->condition_count; i++) {
        struct litmus_condition *c = &t->condition[i];
        bool holds = true;
        for (u32 k = 0; k < t->place_count; k++)
            holds &= !(c->used >> k & 1) || c->value[k] == now.value[k];
        c->seen += holds;
    }
    t->runs++;
}

/* Whether more runs could tell nothing more: what is expected came, nothing is forbidden. */
static bool is_settled(const struct litmus_test *t)
{
    u32 expected = 0;
    for (u32 i = 0; i < t->condition_count; i++) {
        const struct litmus_condition *c = &t->condition[i];
        if (c->rule == LITMUS_FORBID || (c->rule == LITMUS_EXPECT && !c->seen))
            return false;
        expected += c->rule == LITMUS_EXPECT;
    }
    return expected > 0;
}

bool litmus_is_wrong(const struct litmus_test *t)
{
    for (u32 i = 0; i < t->condition_count; i++)
        if (t->condition[i].rule == LITMUS_FORBID && t->condition[i].seen)
            return true;
    return false;
}

bool litmus_is_missing(const struct litmus_test *t)
{
    for (u32 i = 0; i < t->condition_count; i++)
        if (t->condition[i].rule == LITMUS_EXPECT && !t->condition[i].seen)
            return true;
    return false;
}

enum status litmus_run(struct litmus_test *t, u64 runs, u64 seed, struct err *e)
{
    struct bench *b = calloc(1, sizeof *b);
    if (!b)
        return err_memory(e);
    b->t = t;
    enum status st = open_bench(b, e);
    for (u64 i = 0; st == ST_OK && i < runs && !is_settled(t); i++) {
        start(b, hash_mix(seed, i));
        st = run_before(b, e);
        if (st == ST_OK)
            st = run_code(b, e);
        if (st == ST_OK)
            count_outcome(b);
    }
    close_bench(b);
    return st;
}
