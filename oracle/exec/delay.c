#include "oracle/exec/delay.h"
#include "oracle/exec/pending.h"

#include <stdlib.h>

enum { STIR = 6 /* at random one result arrives in so many instructions */ };

/* An instruction that has not done all it does. */
struct late {
    const struct xinsn *in;
    u64 pc, exec;
    u32 m0;
    struct pending_numbers n;
    u8 counted; /* enum pending_kind: what it keeps its order with */
    u8 dw;      /* of the destination; 0: none */
    u16 place;  /* of the destination */
    bool done;  /* memory was accessed: value holds the result */
    bool store; /* takes its data later, all else as it was when it was issued */
    u8 source_count;
    u16 source[PENDING_SOURCES]; /* vector registers with the values of when it was issued */
    u32 (*captured)[LANES];      /* those values */
    u32 value[PENDING_ROWS][LANES];
    u32 sgpr[SGPRS]; /* of a store */
};

struct delay {
    struct pending_counters counters;
    u32 count;
    u8 order[PENDING_MAX]; /* indexes into late, as they were issued; then those that are free */
    struct late late[PENDING_MAX];
    u32 (*captured)[PENDING_SOURCES][LANES]; /* for each of late */
    bool random;
    u64 seed;
    struct rng rng;
};

/* ---- opening ---- */

static void reset(struct delay *d)
{
    d->counters = (struct pending_counters){ 0 };
    d->count = 0;
    rng_seed(&d->rng, d->seed);
    for (u32 i = 0; i < PENDING_MAX; i++) {
        d->order[i] = (u8)i;
        d->late[i].captured = d->captured[i];
    }
}

void delay_reset(struct machine *m)
{
    for (u32 i = 0; m->delay && i < m->waves_max; i++)
        reset(&m->delay[i]);
}

enum status delay_open(struct machine *m, struct err *e)
{
    bool ok = (m->delay = calloc(m->waves_max, sizeof *m->delay)) != NULL;
    for (u32 i = 0; ok && i < m->waves_max; i++)
        ok = (m->delay[i].captured = calloc(PENDING_MAX, sizeof *m->delay[i].captured)) != NULL;
    if (!ok) {
        delay_close(m);
        return err_memory(e);
    }
    delay_reset(m);
    return ST_OK;
}

void delay_close(struct machine *m)
{
    for (u32 i = 0; m->delay && i < m->waves_max; i++)
        free(m->delay[i].captured);
    free(m->delay);
    m->delay = NULL;
}

void delay_random(struct machine *m, u64 seed)
{
    for (u32 i = 0; i < m->waves_max; i++) {
        m->delay[i].random = true;
        m->delay[i].seed = hash_mix(seed, i);
        rng_seed(&m->delay[i].rng, m->delay[i].seed);
    }
}

/* ---- one instruction under way ---- */

static u32 *row_of(struct wave *w, u32 place)
{
    return w->vgpr[(place - PLACE_V0) % VGPRS];
}

static bool is_scalar(const struct late *l)
{
    return l->place < SGPRS;
}

/* Takes the result out of the destination, and puts back what was there. */
static void take_result(struct wave *w, struct late *l, u32 (*before)[LANES])
{
    if (is_scalar(l)) {
        memcpy(l->value[0], &w->sgpr[l->place], l->dw * sizeof(u32));
        memcpy(&w->sgpr[l->place], before[0], l->dw * sizeof(u32));
        return;
    }
    for (u32 i = 0; i < l->dw; i++) {
        memcpy(l->value[i], row_of(w, l->place + i), sizeof l->value[i]);
        memcpy(row_of(w, l->place + i), before[i], sizeof before[i]);
    }
}

static void save_destination(struct wave *w, const struct late *l, u32 (*before)[LANES])
{
    if (is_scalar(l))
        memcpy(before[0], &w->sgpr[l->place], l->dw * sizeof(u32));
    for (u32 i = 0; i < l->dw && !is_scalar(l); i++)
        memcpy(before[i], row_of(w, l->place + i), sizeof before[i]);
}

/* Accesses memory, with EXEC, M0 and the registers of when the instruction was issued. Nothing but
 * memory (and TRAPSTS) changes. */
static void perform(struct wave *w, struct late *l)
{
    u32 before[PENDING_ROWS][LANES], now[PENDING_SOURCES][LANES], sgpr[SGPRS];
    u64 exec = wave_exec(w), pc = w->stop_pc;
    u32 m0 = w->sgpr[CODE_M0];
    if (l->store) {
        memcpy(sgpr, w->sgpr, sizeof sgpr);
        memcpy(w->sgpr, l->sgpr, sizeof sgpr);
    }
    save_destination(w, l, before);
    for (u32 i = 0; i < l->source_count; i++)
        memcpy(now[i], row_of(w, l->source[i]), sizeof now[i]);
    for (u32 i = 0; i < l->source_count; i++)
        memcpy(row_of(w, l->source[i]), l->captured[i], sizeof now[i]);
    pair_set(&w->sgpr[CODE_EXEC], l->exec);
    w->sgpr[CODE_M0] = l->m0;
    w->stop_pc = l->pc;
    l->in->sem(w, l->in);
    if (l->store)
        memcpy(w->sgpr, sgpr, sizeof sgpr);
    pair_set(&w->sgpr[CODE_EXEC], exec);
    w->sgpr[CODE_M0] = m0;
    if (w->stop == STOP_NONE)
        w->stop_pc = pc;
    take_result(w, l, before);
    for (u32 i = 0; i < l->source_count; i++)
        memcpy(row_of(w, l->source[i]), now[i], sizeof now[i]);
    l->done = true;
}

static void finish(struct wave *w, struct delay *d, u32 at)
{
    u8 index = d->order[at];
    const struct late *l = &d->late[index];
    if (!l->done)
        perform(w, &d->late[index]);
    pending_deliver(w, &l->in->insn, l->place, l->dw, l->value, l->exec);
    memmove(&d->order[at], &d->order[at + 1], --d->count - at);
    d->order[d->count] = index;
}

/* Everything that the counters say has happened happens. */
static void settle(struct wave *w, struct delay *d)
{
    for (u32 at = 0; at < d->count;) {
        struct late *l = &d->late[d->order[at]];
        bool read = l->n.exp && l->n.exp <= d->counters.exp.done;
        if (l->n.vm <= d->counters.vm.done && l->n.lgkm <= d->counters.lgkm.done) {
            finish(w, d, at);
            continue;
        }
        if (read && !l->done)
            perform(w, l);
        at++;
    }
}

/* What was to be accessed later is accessed now, or the stores among it; results stay under way. */
static void perform_all(struct wave *w, struct delay *d, bool stores)
{
    for (u32 at = 0; at < d->count; at++) {
        struct late *l = &d->late[d->order[at]];
        if (!l->done && (l->store || !stores))
            perform(w, l);
    }
}

static void finish_all(struct wave *w, struct delay *d)
{
    while (d->count)
        finish(w, d, 0);
    pending_finish(&d->counters);
}

/* ---- counters ---- */

static void wait(struct wave *w, struct delay *d, u32 imm)
{
    pending_wait(&d->counters, (enum gen)w->isa->target->gen, imm);
    settle(w, d);
}

/* At random: one result arrives that is the next of its kind. */
static void stir(struct wave *w, struct delay *d)
{
    if (d->count == 0 || rng_below(&d->rng, STIR))
        return;
    u32 at = rng_below(&d->rng, d->count);
    u8 kind = d->late[d->order[at]].counted;
    for (u32 i = 0; kind != KIND_SCALAR && kind != KIND_FLAT && i < at; i++)
        if (d->late[d->order[i]].counted == kind)
            at = i;
    finish(w, d, at);
}

/* ---- issue ---- */

static struct late *begin(struct wave *w, struct delay *d, const struct xinsn *in,
                          enum pending_kind kind)
{
    struct late *l = &d->late[d->order[d->count]];
    u32(*captured)[LANES] = l->captured;
    l->in = in;
    l->pc = w->stop_pc;
    l->exec = wave_exec(w);
    l->m0 = w->sgpr[CODE_M0];
    l->dw = 0;
    l->place = PLACE_V0;
    l->done = false;
    l->store = pending_takes_late(w, &in->insn, kind) &&
               !(insn_row(&in->insn)->flags & FLAG_ATOMIC) && !insn_get(&in->insn, FLD_lds);
    if (l->store)
        memcpy(l->sgpr, w->sgpr, sizeof l->sgpr);
    l->source_count = 0;
    for (const struct isa_operand *o = insn_row(&in->insn)->operand; o->kind != K_NONE; o++) {
        u32 code = insn_code(&in->insn, o), dw = insn_operand_dw(&in->insn, o);
        if (pending_is_result(&in->insn, o)) {
            l->place = (u16)code;
            l->dw = (u8)dw;
        }
        bool taken = kind == KIND_LDS ||
                     (l->store && o->slot != SLOT_DATA0 && insn_operand_there(&in->insn, o));
        u32 most = insn_operand_most(insn_row(&in->insn), o, dw);
        for (u32 i = 0; taken && o->dir == DIR_R && i < most && code >= PLACE_V0; i++) {
            memcpy(captured[l->source_count], row_of(w, code + i), sizeof *captured);
            l->source[l->source_count++] = (u16)(code + i);
        }
    }
    return l;
}

static void issue(struct machine *m, struct wave *w, struct delay *d, const struct xinsn *in,
                  enum pending_kind kind)
{
    const struct isa_row *row = insn_row(&in->insn);
    bool lazy = (kind == KIND_LDS || kind == KIND_GDS) && pending_moves_data(row);
    bool alone = row->flags & FLAG_ATOMIC && m->shared && !lazy;
    struct pending_numbers n;
    enum pending_kind counted = pending_count(&d->counters, w, &in->insn, &n);
    settle(w, d);
    if (kind == KIND_FLAT || insn_get(&in->insn, FLD_lds))
        perform_all(w, d, false);
    else if (kind == KIND_VMEM) /* memory has them in order */
        perform_all(w, d, true);
    struct late *l = begin(w, d, in, kind);
    l->n = n;
    l->counted = (u8)counted;
    if (alone)
        pthread_mutex_lock(m->shared);
    if (!lazy && !l->store)
        perform(w, l);
    if (alone)
        pthread_mutex_unlock(m->shared);
    d->count++;
}

/* ---- the step loop ---- */

/* weak.c asks the same of an instruction, whose requests then reach a device and not one wave. */
static void execute(struct machine *m, struct wave *w, struct delay *d, const struct xinsn *in)
{
    const struct isa_row *row = insn_row(&in->insn);
    enum pending_kind kind = pending_kind(&in->insn);
    bool special = w->special & (SPECIAL_VSKIP | SPECIAL_TRAP);
    if (special)
        finish_all(w, d);
    if (pending_is_counted(row, kind) && !special) {
        issue(m, w, d, in, kind);
        return;
    }
    pending_count_other(&d->counters, row);
    if (row->flags & FLAG_WAIT)
        wait(w, d, insn_get(&in->insn, FLD_simm16));
    else if (row->flags & FLAG_WR_MODE)
        perform_all(w, d, false);
    else if (row->flags & FLAG_END)
        finish_all(w, d);
    if (w->stop == STOP_NONE)
        exec_insn(w, in);
}

static enum stop run(struct machine *m, struct wave *w, u64 limit)
{
    struct delay *d = &m->delay[w->id];
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        const struct xinsn *in = machine_next(m, w);
        if (!in)
            break;
        if (d->random)
            stir(w, d);
        if (w->stop == STOP_NONE)
            execute(m, w, d, in);
        w->steps++;
    }
    return w->stop;
}

static u64 hash(const struct machine *m, const struct wave *w)
{
    const struct delay *d = &m->delay[w->id];
    u64 h = d->count;
    for (u32 i = 0; i < d->count; i++) {
        const struct late *l = &d->late[d->order[i]];
        h = hash_mix(h, l->pc << 1 | l->done);
        if (l->done)
            h = pending_hash(h, l->place, l->dw, l->value, l->exec);
    }
    return h;
}

const struct exec_ops exec_ops_delayed = { .run = run, .hash = hash };
