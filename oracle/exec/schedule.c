#include "oracle/exec/schedule.h"
#include "oracle/exec/spin.h"

const char *const schedule_names[SCHEDULES] = { "order", "reverse", "round-robin", "random",
                                                "adversarial" };

/* Instructions in one turn; short ones once a wave of the run has used a long one up: it may be
 * waiting for another. */
enum { LONG_TURN = 1 << 16, SHORT_TURN = 1 << 10, RANDOM_TURN = 16 };

/* Waves that wait are asked again after so many instructions of the others for each slot: asking a
 * thousand takes as long as some ten thousand instructions. */
enum { ASK_AGAIN = 64 };

/* Accesses between two changes of priorities are drawn below a power of two that is drawn. */
enum { CHANGE_LOG = 5 };

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

static bool downwards(const struct schedule *s)
{
    return s->kind == SCHEDULE_REVERSE;
}

/* ---- machines come and go ---- */

static void draw_change(struct schedule *s)
{
    s->to_change = rng_below(&s->rng, 1u << rng_below(&s->rng, CHANGE_LOG));
}

/* The next turn is that of a machine. */
static void begin_with(struct schedule *s, u32 index)
{
    s->at = index;
    s->wave = downwards(s) ? s->slot[index].m->waves - 1 : 0;
}

void schedule_start(struct schedule *s)
{
    s->at = s->wave = 0;
    s->turn = LONG_TURN;
    s->since = 0;
    s->lowest = UINT32_MAX; /* drawn ones are above */
    if (s->kind == SCHEDULE_ADVERSE)
        draw_change(s);
    for (u32 i = 0; i < s->slots; i++)
        schedule_added(s, i);
    for (u32 i = 0; i < s->slots; i++) /* they may have run before, and wait */
        s->slot[i].asleep = mask64(s->slot[i].m->waves);
    s->at = s->wave = 0;
    if (downwards(s) && s->slots)
        begin_with(s, s->slots - 1);
}

void schedule_added(struct schedule *s, u32 index)
{
    struct machine *m = s->slot[index].m;
    bool are_more = s->slots > 1;
    if (m->waves > SCHEDULE_WAVES)
        BUG("schedule_added");
    s->slot[index].asleep = 0;
    if (s->may_add || s->slots == 1)
        begin_with(s, index);
    for (u32 i = 0; i < m->waves && s->kind == SCHEDULE_ADVERSE; i++)
        m->wave[i]->priority = 1ull << 32 | (rng_u64(&s->rng) >> 1);
    for (u32 i = 0; i < m->waves && are_more; i++)
        spin_look_early(&m->spin[i]);
}

void schedule_removed(struct schedule *s, u32 index)
{
    if (s->at > index)
        s->at--;
    else if (s->at == index)
        s->wave = 0;
    if (s->at >= s->slots)
        s->at = 0;
}

/* ---- whose turn it is ---- */

/* Whether a wave that was asleep can go on. */
static bool can_run(const struct machine *m, u32 i)
{
    struct spin *spin = &m->spin[i];
    return m->wave[i]->stop == STOP_NONE && (!spin->is_waiting || spin_is_over(spin, m->wave[i]));
}

static bool is_awake(const struct schedule *s, u32 at, u32 wave)
{
    return !(s->slot[at].asleep >> wave & 1);
}

static void ask_sleepers(struct schedule *s, u32 first)
{
    for (u32 at = first; at < s->slots; at++)
        for (u64 left = s->slot[at].asleep; left; left &= left - 1)
            if (can_run(s->slot[at].m, ctz64(left)))
                s->slot[at].asleep &= ~(1ull << ctz64(left));
}

/* To the next wave, or the one before. */
static void advance(struct schedule *s)
{
    if (!downwards(s)) {
        if (++s->wave < s->slot[s->at].m->waves)
            return;
        s->at = (s->at + 1) % s->slots;
        s->wave = 0;
        return;
    }
    if (s->wave-- > 0)
        return;
    s->at = (s->at ? s->at : s->slots) - 1;
    s->wave = s->slot[s->at].m->waves - 1;
}

/* From where it stands to the first wave that can run; false if there is none. */
static bool find_next(struct schedule *s)
{
    u32 at = s->at, wave = s->wave;
    do {
        if (is_awake(s, s->at, s->wave))
            return true;
        advance(s);
    } while (s->at != at || s->wave != wave);
    return false;
}

static bool find_highest(struct schedule *s)
{
    const struct wave *best = NULL;
    for (u32 at = 0; at < s->slots; at++)
        for (u64 left = ~s->slot[at].asleep & mask64(s->slot[at].m->waves); left;
             left &= left - 1) {
            const struct wave *w = s->slot[at].m->wave[ctz64(left)];
            if (best && best->priority >= w->priority)
                continue;
            best = w;
            s->at = at;
            s->wave = ctz64(left);
        }
    return best != NULL;
}

static bool choose_awake(struct schedule *s)
{
    if (s->kind == SCHEDULE_ADVERSE)
        return find_highest(s);
    if (s->kind == SCHEDULE_RANDOM) {
        s->at = rng_below(&s->rng, s->slots);
        s->wave = rng_below(&s->rng, s->slot[s->at].m->waves);
    }
    return find_next(s);
}

/* Memory has changed beside the waves: those that wait for it look again. */
static void wake(struct schedule *s)
{
    for (u32 at = 0; at < s->slots; at++)
        for (u32 i = 0; i < s->slot[at].m->waves; i++) {
            struct spin *spin = &s->slot[at].m->spin[i];
            if (spin->is_waiting) {
                spin->is_waiting = false;
                spin_look_early(spin);
            }
        }
}

static bool choose(struct schedule *s)
{
    if (s->guide)
        return s->guide->choose(s->guide, s);
    bool is_time = s->asked >= ASK_AGAIN * (u64)s->slots && !s->may_add;
    if (is_time) {
        if (s->serve && s->serve(s->ctx))
            wake(s);
        ask_sleepers(s, 0);
        s->asked = 0;
    }
    if (choose_awake(s))
        return true;
    bool has_served = s->serve && s->serve(s->ctx);
    if (has_served)
        wake(s);
    ask_sleepers(s, s->may_add && !has_served ? s->slots - 1 : 0);
    return choose_awake(s);
}

/* Nobody can go on as memory is. Whether it changes when it gets what is on the way. */
static bool drain(struct schedule *s)
{
    struct machine *m = s->slots ? s->slot[0].m : NULL;
    if (!m || !m->engine->exec->drain || !m->engine->exec->drain(m))
        return false;
    wake(s);
    return true;
}

/* ---- turns ---- */

static bool touches_memory(struct machine *m, struct wave *w)
{
    const struct xinsn *in = machine_fetch(m, w);
    return in && insn_row(&in->insn)->flags & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC);
}

/* Whether the wave, which is about to access memory, has to stand back. */
static bool stands_back(struct schedule *s, struct wave *w)
{
    if (s->to_change-- > 0)
        return false;
    draw_change(s);
    w->priority = s->lowest--;
    return true;
}

/* Up to `n` instructions. Answers how many were executed. */
static u64 run_some(struct schedule *s, struct machine *m, struct wave *w, u64 n)
{
    u64 before = w->steps;
    if (s->run)
        s->run(s->ctx, s->at, w, n);
    else
        m->engine->exec->run(m, w, n);
    return w->steps - before;
}

/* One turn of a wave. False if s->run wants to end the run. */
static bool run_turn(struct schedule *s, struct machine *m, struct wave *w, u64 left)
{
    struct spin *spin = &m->spin[w->id];
    u64 turn = s->turn;
    if (s->guide)
        return s->guide->turn(s->guide, s, w, left);
    if (s->kind == SCHEDULE_ROUND)
        turn = 1;
    else if (s->kind == SCHEDULE_RANDOM)
        turn = 1 + rng_below(&s->rng, RANDOM_TURN);
    if (turn > left)
        turn = left;
    while (turn && w->stop == STOP_NONE) {
        u64 n = s->kind == SCHEDULE_ADVERSE ? 1 : turn;
        if (s->looks)
            n = spin_turn(spin, m, w, n);
        u64 done = run_some(s, m, w, n);
        turn -= done;
        s->since += done;
        s->asked += done;
        if (done < n && w->stop == STOP_NONE)
            return false;
        if (s->looks && spin_step(spin, m, w))
            break;
        if (s->kind == SCHEDULE_ADVERSE && turn && w->stop == STOP_NONE && touches_memory(m, w) &&
            stands_back(s, w))
            break;
    }
    if (turn == 0 && s->kind == SCHEDULE_ADVERSE)
        w->priority = s->lowest--;
    if (turn == 0 && w->stop == STOP_NONE && s->kind <= SCHEDULE_REVERSE && !s->may_add)
        s->turn = SHORT_TURN;
    return true;
}

static bool has_ended(const struct machine *m)
{
    for (u32 i = 0; i < m->waves; i++)
        if (m->wave[i]->stop != STOP_END)
            return false;
    return true;
}

/* Nobody can go on. */
static struct schedule_end describe_stuck(const struct schedule *s)
{
    struct schedule_end end = { .stop = STOP_END };
    for (u32 at = 0; at < s->slots; at++)
        for (u32 i = 0; i < s->slot[at].m->waves; i++) {
            enum stop stop = s->slot[at].m->wave[i]->stop;
            if (stop == STOP_GWS)
                return (struct schedule_end){ STOP_GWS, at, i };
            if (stop == STOP_NONE && end.stop == STOP_END)
                end = (struct schedule_end){ STOP_SPIN, at, i };
        }
    return end;
}

struct schedule_end schedule_go(struct schedule *s)
{
    s->since = 0;
    while (choose(s) || (drain(s) && choose(s))) {
        struct schedule_slot *slot = &s->slot[s->at];
        struct machine *m = slot->m;
        struct wave *w = m->wave[s->wave];
        struct schedule_end end = { .at = s->at, .wave = s->wave };
        if (!run_turn(s, m, w, w->steps < s->max_steps ? s->max_steps - w->steps : 0))
            return end;
        if (w->stop == STOP_NONE && (w->steps >= s->max_steps || (s->cut && *s->cut)))
            w->stop = STOP_LIMIT;
        end.stop = w->stop;
        if (w->stop > STOP_GWS || (w->stop == STOP_END && has_ended(m)))
            return end;
        if (w->stop != STOP_NONE || m->spin[w->id].is_waiting)
            slot->asleep |= 1ull << w->id;
        if ((w->stop == STOP_END || w->stop == STOP_BARRIER) && schedule_barrier(m)) {
            slot->asleep = 0;
            s->wave = downwards(s) ? m->waves - 1 : 0;
        } else {
            advance(s);
        }
        end.stop = STOP_NONE;
        if (s->may_add && s->since >= LONG_TURN)
            return end;
    }
    return describe_stuck(s);
}

enum stop schedule_run(struct machine *m, struct schedule *s, u64 max_steps, u32 *who)
{
    struct schedule_slot slot = { .m = m };
    s->slot = &slot;
    s->slots = 1;
    s->max_steps = max_steps;
    schedule_start(s);
    struct schedule_end end = schedule_go(s);
    *who = end.wave;
    return end.stop;
}

enum stop machine_run(struct machine *m, u64 max_steps, u32 *who)
{
    struct schedule order = { .kind = SCHEDULE_ORDER };
    return schedule_run(m, &order, max_steps, who);
}

/* The step loop beside other machines over the same memory: what reads and writes it as one is
 * alone, and so are stores: one between the two halves of an atomic would be lost. */
static enum stop run_shared(struct machine *m, struct wave *w, u64 limit)
{
    for (u64 n = 0; n < limit && w->stop == STOP_NONE; n++) {
        const struct xinsn *in = machine_next(m, w);
        if (!in)
            break;
        bool alone = in->is_atomic || insn_row(&in->insn)->flags & FLAG_STORE;
        if (alone)
            pthread_mutex_lock(m->shared);
        exec_insn(w, in);
        if (alone)
            pthread_mutex_unlock(m->shared);
        w->steps++;
    }
    return w->stop;
}

const struct exec_ops exec_ops_shared = { .run = run_shared };
