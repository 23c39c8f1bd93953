#include "oracle/exec/schedule.h"

const char *const schedule_names[SCHEDULES] = { "order", "reverse", "round-robin", "random",
                                                "adversarial" };

enum { RANDOM_TURN = 16 };

bool schedule_barrier(struct machine *m)
{
    u32 waiting = 0;
    for (u32 i = 0; i < m->waves; i++) {
        if (m->wave[i]->stop == STOP_BARRIER)
            waiting++;
        else if (m->wave[i]->stop != STOP_END)
            return false;
    }
    for (u32 i = 0; i < m->waves; i++)
        if (m->wave[i]->stop == STOP_BARRIER)
            m->wave[i]->stop = STOP_NONE;
    return waiting > 0;
}

enum stop schedule_stuck(const struct machine *m, u32 *who)
{
    for (u32 i = 0; i < m->waves; i++)
        if (m->wave[i]->stop == STOP_GWS) {
            *who = i;
            return STOP_GWS;
        }
    return STOP_END;
}

static bool downwards(enum schedule_kind kind)
{
    return kind == SCHEDULE_REVERSE || kind == SCHEDULE_ADVERSE;
}

/* The next wave that can run, from `from` on; m->waves if there is none. */
static u32 next_wave(const struct machine *m, const struct schedule *s, u32 from)
{
    for (u32 i = 0; i < m->waves; i++) {
        u32 n = downwards(s->kind) ? (from + m->waves - i) % m->waves : (from + i) % m->waves;
        if (m->wave[n]->stop == STOP_NONE)
            return n;
    }
    return m->waves;
}

static bool touches_memory(struct machine *m, struct wave *w)
{
    const struct xinsn *in = machine_fetch(m, w);
    return in && insn_row(&in->insn)->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC);
}

/* One turn of a wave, of `turn` instructions where the schedule does not say how many, and of
 * `left` at most. */
static void run_turn(struct machine *m, struct schedule *s, struct wave *w, u64 turn, u64 left)
{
    if (s->kind == SCHEDULE_ROUND)
        turn = 1;
    else if (s->kind == SCHEDULE_RANDOM)
        turn = 1 + rng_below(&s->rng, RANDOM_TURN);
    if (turn > left)
        turn = left;
    if (s->kind != SCHEDULE_ADVERSE) {
        m->engine->exec->run(m, w, turn);
        return;
    }
    do
        m->engine->exec->run(m, w, 1);
    while (--turn && w->stop == STOP_NONE && !touches_memory(m, w));
}

enum stop schedule_run(struct machine *m, struct schedule *s, u64 max_steps, u32 *who)
{
    u32 from = downwards(s->kind) ? m->waves - 1 : 0;
    u64 turn = SCHEDULE_LONG_TURN;
    for (;;) {
        if (s->kind == SCHEDULE_RANDOM)
            from = rng_below(&s->rng, m->waves);
        u32 n = next_wave(m, s, from);
        if (n == m->waves) {
            if (!schedule_barrier(m))
                return schedule_stuck(m, who);
            from = downwards(s->kind) ? m->waves - 1 : 0;
            continue;
        }
        struct wave *w = m->wave[n];
        *who = n;
        run_turn(m, s, w, turn, w->steps < max_steps ? max_steps - w->steps : 0);
        if (w->stop == STOP_NONE && w->steps >= max_steps)
            w->stop = STOP_LIMIT;
        if (w->stop == STOP_NONE && s->kind <= SCHEDULE_REVERSE)
            turn = SCHEDULE_SHORT_TURN;
        if (w->stop > STOP_GWS)
            return w->stop;
        from = downwards(s->kind) ? (n + m->waves - 1) % m->waves : (n + 1) % m->waves;
    }
}

enum stop machine_run(struct machine *m, u64 max_steps, u32 *who)
{
    struct schedule order = { .kind = SCHEDULE_ORDER };
    return schedule_run(m, &order, max_steps, who);
}

/* The step loop beside other machines over the same memory: what reads and writes it as one is
 * alone. */
static enum stop run_shared(struct machine *m, struct wave *w, u64 limit)
{
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        const struct xinsn *in = machine_next(m, w);
        if (!in)
            break;
        bool atomic = in->is_atomic;
        if (atomic)
            pthread_mutex_lock(m->shared);
        exec_insn(w, in);
        if (atomic)
            pthread_mutex_unlock(m->shared);
        w->steps++;
    }
    return w->stop;
}

const struct exec_ops exec_ops_shared = { .run = run_shared };
