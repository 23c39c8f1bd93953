/* The explorer of orders against all interleavings of small random programs, one by one: it runs each
 * order of the turns that depend on each other exactly once, so no outcome is missing and none comes
 * twice. What it is not told of it does not find. */
#include "harness/t/lib/tap_test.h"
#include "oracle/exec/explore.h"

#include <stdlib.h>

enum {
    THREADS_MAX = 3,
    OPS_MAX_EACH = 4,
    PLACES = 2,
    PROGRAMS = 300,
    SEEN_MAX = 1 << 16,
    TURNS_MAX = THREADS_MAX * OPS_MAX_EACH
};

/* OP_AWAIT stands where it is until the place is not zero. */
enum op_kind { OP_LOAD, OP_STORE, OP_ADD, OP_CLEAR, OP_AWAIT, OP_KINDS };

struct op {
    enum op_kind kind;
    u32 place;
};

struct program {
    u32 threads;
    u32 length[THREADS_MAX];
    struct op op[THREADS_MAX][OPS_MAX_EACH];
};

struct world {
    u32 at[THREADS_MAX], reg[THREADS_MAX], memory[PLACES];
    u32 order[TURNS_MAX]; /* threads, as they came on */
    u32 turns;
};

static struct op step(const struct program *p, struct world *w, u32 t)
{
    struct op op = p->op[t][w->at[t]++];
    u32 *place = &w->memory[op.place];
    if (op.kind == OP_AWAIT && !*place) {
        w->at[t]--;
        return op;
    }
    w->order[w->turns++] = t;
    if (op.kind == OP_LOAD || op.kind == OP_AWAIT)
        w->reg[t] = w->reg[t] * 31 + *place;
    else if (op.kind == OP_CLEAR)
        *place = 0;
    else if (op.kind == OP_STORE)
        *place = w->reg[t] * 7 + t + 1;
    else
        *place += t + 1;
    return op;
}

static bool awaits(const struct program *p, const struct world *w, u32 t)
{
    struct op op = p->op[t][w->at[t]];
    return op.kind == OP_AWAIT && !w->memory[op.place];
}

/* Those that are not at their end. */
static u64 left_of(const struct program *p, const struct world *w)
{
    u64 mask = 0;
    for (u32 t = 0; t < p->threads && t < THREADS_MAX; t++)
        mask |= (u64)(w->at[t] < p->length[t]) << t;
    return mask;
}

/* Those that can go on. */
static u64 able(const struct program *p, const struct world *w)
{
    u64 mask = left_of(p, w);
    for (u64 left = mask; left; left &= left - 1)
        if (awaits(p, w, ctz64(left)))
            mask &= ~(1ull << ctz64(left));
    return mask;
}

/* What a run came to. */
static u64 hash_outcome(const struct world *w)
{
    u64 h = 1;
    for (u32 t = 0; t < THREADS_MAX; t++)
        h = hash_mix(hash_mix(h, w->reg[t]), w->at[t]);
    for (u32 i = 0; i < PLACES; i++)
        h = hash_mix(h, w->memory[i]);
    return h;
}

static const struct op *op_of(const struct program *p, u32 id)
{
    return &p->op[id / OPS_MAX_EACH][id % OPS_MAX_EACH];
}

/* Which of any two turns came first, where they depend on each other. */
static u64 hash_order(const struct program *p, const struct world *w)
{
    u32 number[THREADS_MAX] = { 0 }, id[TURNS_MAX];
    u64 sum = 0;
    for (u32 i = 0; i < w->turns; i++) {
        u32 t = w->order[i];
        id[i] = t * OPS_MAX_EACH + number[t]++;
        for (u32 k = 0; k < i; k++) {
            const struct op *a = op_of(p, id[k]), *b = op_of(p, id[i]);
            if (a->place == b->place && (a->kind != OP_LOAD || b->kind != OP_LOAD))
                sum += hash_mix(id[k] + 1, id[i] + 1);
        }
    }
    return sum;
}

/* A set of hashes. */
struct seen {
    u64 at[SEEN_MAX];
    u32 count;
};

static void put(struct seen *s, u64 hash)
{
    u32 i = 0;
    while (i < s->count && s->at[i] != hash)
        i++;
    if (i == SEEN_MAX)
        bail("too many");
    s->at[i] = hash;
    s->count += i == s->count;
}

static bool are_same(const struct seen *a, struct seen *b)
{
    u32 count = b->count;
    for (u32 i = 0; i < a->count; i++)
        put(b, a->at[i]);
    return a->count == count && b->count == count;
}

static struct seen orders, outcomes, found_orders, found_outcomes;

static void run_all(const struct program *p, const struct world *from)
{
    u64 left = able(p, from);
    if (!left) {
        put(&orders, hash_order(p, from));
        put(&outcomes, hash_outcome(from));
    }
    for (; left; left &= left - 1) {
        struct world w = *from;
        step(p, &w, ctz64(left));
        run_all(p, &w);
    }
}

/* What a run knows of threads that wait, as a launch does (harness/launch/turns.c): one that has found
 * zero twice. */
struct waits {
    bool has_polled[THREADS_MAX], sleeps[THREADS_MAX];
    u32 turns[THREADS_MAX]; /* when it found it first */
    u32 last;
};

static u64 wake(struct explore *x, const struct program *p, const struct world *w, struct waits *s)
{
    u64 mask = left_of(p, w);
    for (u64 left = mask; left; left &= left - 1) {
        u32 t = ctz64(left);
        if (!s->sleeps[t])
            continue;
        if (awaits(p, w, t)) {
            mask &= ~(1ull << t);
            continue;
        }
        explore_follow(x, t, s->last);
        s->sleeps[t] = s->has_polled[t] = false;
    }
    return mask;
}

static void poll(struct explore *x, struct waits *s, u32 t, bool found)
{
    s->last = t;
    if (!found && s->has_polled[t]) {
        explore_forget(x, t, s->turns[t]);
        s->sleeps[t] = true;
    }
    s->has_polled[t] = !found;
    s->turns[t] = explore_turns(x);
}

/* Answers how many runs went to their end. `tells` of loads, too. */
static u32 explore(const struct program *p, bool tells)
{
    struct explore *x = explore_open(p->threads);
    u32 whole = 0;
    if (!x)
        bail("no memory");
    do {
        struct world w = { 0 };
        struct waits s = { .last = 0 };
        u32 t;
        explore_begin(x);
        while ((t = explore_choose(x, wake(x, p, &w, &s))) != EXPLORE_NONE) {
            u32 at = w.at[t];
            struct op op = step(p, &w, t);
            bool reads = op.kind == OP_LOAD || op.kind == OP_AWAIT;
            struct explore_access a = { op.place, op.place + 1, !reads };
            explore_turn(x, &a, tells || a.write);
            poll(x, &s, t, w.at[t] != at);
        }
        if (explore_is_covered(x))
            continue;
        whole++;
        put(&found_orders, hash_order(p, &w));
        put(&found_outcomes, hash_outcome(&w));
    } while (explore_next(x));
    if (explore_has_failed(x))
        bail("no memory");
    explore_close(x);
    return whole;
}

static struct program draw(struct rng *rng, u32 kinds)
{
    struct program p = { .threads = 2 + rng_below(rng, THREADS_MAX - 1) };
    for (u32 t = 0; t < p.threads; t++) {
        p.length[t] = 1 + rng_below(rng, p.threads == 2 ? OPS_MAX_EACH : OPS_MAX_EACH - 1);
        for (u32 i = 0; i < p.length[t]; i++)
            p.op[t][i] = (struct op){ (enum op_kind)rng_below(rng, kinds), rng_below(rng, PLACES) };
    }
    return p;
}

/* How many programs come out otherwise than they must. With waits, what is found while waiting may be
 * an order of its own. */
static u32 count_wrong(u32 kinds, bool tells)
{
    struct rng rng;
    u32 wrong = 0;
    rng_seed(&rng, 1);
    for (u32 i = 0; i < PROGRAMS; i++) {
        struct program p = draw(&rng, kinds);
        orders.count = outcomes.count = found_orders.count = found_outcomes.count = 0;
        run_all(&p, &(struct world){ 0 });
        u32 runs = explore(&p, tells);
        bool is_once = runs == orders.count && found_orders.count == orders.count;
        wrong += (kinds <= OP_AWAIT && !is_once) || !are_same(&found_outcomes, &outcomes);
    }
    return wrong;
}

/* The number of orders, counted by hand. */
static void test_counts(void)
{
    static const struct {
        struct program p;
        u32 want;
        const char *what;
    } rows[] = {
        { { 2, { 1, 1 }, { { { OP_STORE, 0 } }, { { OP_STORE, 0 } } } }, 2, "two stores" },
        { { 2, { 1, 1 }, { { { OP_STORE, 0 } }, { { OP_STORE, 1 } } } }, 1, "of two places" },
        { { 3, { 1, 1, 1 }, { { { OP_ADD, 0 } }, { { OP_ADD, 0 } }, { { OP_ADD, 0 } } } },
          6,
          "three atomics" },
        { { 3, { 1, 1, 1 }, { { { OP_LOAD, 0 } }, { { OP_LOAD, 0 } }, { { OP_LOAD, 0 } } } },
          1,
          "three loads" },
        { { 3, { 1, 1, 1 }, { { { OP_LOAD, 0 } }, { { OP_STORE, 0 } }, { { OP_LOAD, 0 } } } },
          4,
          "two loads, each before or behind a store" },
        { { 2,
            { 2, 2 },
            { { { OP_LOAD, 0 }, { OP_STORE, 0 } }, { { OP_LOAD, 0 }, { OP_STORE, 0 } } } },
          4,
          "a sum that is lost" },
        { { 2,
            { 2, 2 },
            { { { OP_STORE, 0 }, { OP_LOAD, 1 } }, { { OP_STORE, 1 }, { OP_LOAD, 0 } } } },
          3,
          "store buffering" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        is_u64(rows[i].want, explore(&rows[i].p, true), "%s", rows[i].what);
}

/* A turn of which nothing is left: what comes behind it comes as if it had not been. A thread that
 * follows another one's turn is not tried before that. */
static void test_links(void)
{
    for (u32 how = 0; how < 3; how++) {
        struct explore *x = explore_open(2);
        u32 runs = 0;
        do {
            u64 left = 3;
            u32 t;
            explore_begin(x);
            for (; (t = explore_choose(x, left)) != EXPLORE_NONE; left &= ~(1ull << t)) {
                struct explore_access a = { 0, 1, true };
                explore_turn(x, &a, 1);
                if (how == 1)
                    explore_forget(x, t, explore_turns(x) - 1);
                if (how == 2)
                    explore_follow(x, 1 - t, t);
            }
            runs += !explore_is_covered(x);
        } while (explore_next(x));
        is_u64(how ? 1 : 2, runs, "two stores%s",
               how == 1   ? " that are forgotten"
               : how == 2 ? ", one behind the other"
                          : "");
        explore_close(x);
    }
}

int main(void)
{
    test_counts();
    test_links();
    is_u64(0, count_wrong(OP_AWAIT, true), "every order once, in %d programs", PROGRAMS);
    is_u64(0, count_wrong(OP_KINDS, true), "every outcome, in %d programs with waits", PROGRAMS);
    ok(count_wrong(OP_AWAIT, false) > PROGRAMS / 4, "what it is not told of is not found");
    return done();
}
