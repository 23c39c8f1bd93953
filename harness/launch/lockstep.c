/* Two dispatches of one kernel that differ in what nobody set, an instruction of each in turn. The
 * registers that differ say what depends on it; the first that decides where control goes, which
 * lanes are on, which address is accessed, or what a buffer that counts gets, is a use. */
#include "harness/launch/internal.h"

#include "oracle/state/effects.h"
#include "oracle/state/place.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ACCESSES_MAX = LANES * 64, STORED_LOG = 16 };

/* Where something that nobody set was. */
struct origin {
    u16 place; /* of a register, or PLACE_MEM, PLACE_LDS */
    u64 addr;
};

struct accesses {
    struct observer seen;
    u32 count;
    struct mem_access list[ACCESSES_MAX];
};

struct lockstep {
    struct dispatch *other;
    pthread_mutex_t *shared;
    struct accesses a, b;
    struct stored { /* bytes of memory that got it, and from where; the last of each slot */
        const u8 *at;
        struct origin from;
    } stored[1 << STORED_LOG];
    bool found;
    char text[1024];
};

/* One instruction under way. */
struct step {
    struct lockstep *k;
    struct group_run *run;
    struct wave *a, *b;
    struct origin *origins; /* of a's registers */
    struct effects fx;
    const struct xinsn *in;
    u64 exec;           /* lanes that execute it */
    bool differs;       /* a source does */
    struct origin from; /* then where that came from */
};

/* ---- opening ---- */

/* A read gets the value that it finds: an atomic has stored another one afterwards. */
static void see(struct observer *o, struct wave *w, const struct mem_access *a)
{
    struct accesses *s = (struct accesses *)o;
    (void)w;
    if (s->count == ACCESSES_MAX)
        return;
    struct mem_access *to = &s->list[s->count++];
    *to = *a;
    if (!a->write) {
        to->value = 0;
        memcpy(&to->value, a->at, a->bytes);
    }
}

struct lockstep *lockstep_open(struct dispatch *other, pthread_mutex_t *shared)
{
    struct lockstep *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->other = other;
    k->shared = shared;
    k->a.seen.see = k->b.seen.see = see;
    return k;
}

void lockstep_close(struct lockstep *k)
{
    free(k);
}

enum status lockstep_add(struct group_runner *g, struct err *e)
{
    struct lockstep *k = g->d->lockstep;
    g->twin = calloc(1, sizeof *g->twin);
    g->origins = calloc((size_t)g->m->waves_max * PLACE_COUNT, sizeof *g->origins);
    if (!g->twin || !g->origins)
        return err_memory(e);
    return runner_open(g->twin, k->other, k->shared, e);
}

void lockstep_start(struct group_run *run)
{
    struct group_runner *g = &run->g;
    runner_start(g->twin, run->group);
    for (u32 i = 0; i < g->m->waves; i++)
        for (u32 p = 0; p < PLACE_COUNT; p++)
            g->origins[i * PLACE_COUNT + p] = (struct origin){ .place = (u16)p };
}

/* ---- what differs ---- */

/* Whether a register is not the same in both; of a vector register, in some lane of `lanes`. */
static bool place_differs(const struct step *s, u32 place, u64 lanes)
{
    if (place >= PLACE_V0 && place < PLACE_SCC) {
        const u32 *a = s->a->vgpr[place - PLACE_V0], *b = s->b->vgpr[place - PLACE_V0];
        for (u64 m = lanes; m; m &= m - 1)
            if (a[ctz64(m)] != b[ctz64(m)])
                return true;
        return false;
    }
    if (place < SGPRS)
        return s->a->sgpr[place] != s->b->sgpr[place];
    return place == PLACE_SCC && s->a->scc != s->b->scc;
}

/* The first source that differs. */
static void find_source(struct step *s)
{
    for (u32 i = 0; i < s->fx.count; i++)
        for (u32 n = 0; n < s->fx.e[i].dw && s->fx.e[i].dir & DIR_R; n++) {
            u32 place = s->fx.e[i].place + n;
            if (!place_differs(s, place, s->exec))
                continue;
            s->differs = true;
            s->from = s->origins[place];
            return;
        }
}

static struct stored *stored_at(struct lockstep *k, const u8 *at)
{
    return &k->stored[hash_mix((uintptr_t)at, 1) >> (64 - STORED_LOG)];
}

/* Whether another lane of this instruction has stored there before access `i`. */
static bool is_own(const struct accesses *s, u32 i)
{
    for (u32 k = 0; k < i; k++)
        if (s->list[k].write && s->list[k].at == s->list[i].at)
            return true;
    return false;
}

/* Memory that was read and is not the same in both, though its address is. */
static void find_read(struct step *s)
{
    struct lockstep *k = s->k;
    for (u32 i = 0; i < k->a.count; i++) {
        const struct mem_access *a = &k->a.list[i], *b = &k->b.list[i];
        if (a->write || a->addr != b->addr || a->value == b->value || is_own(&k->a, i))
            continue;
        const struct stored *st = stored_at(k, a->at);
        s->differs = true;
        s->from = st->at == a->at
                      ? st->from
                      : (struct origin){ .place = a->space == SPACE_LDS ? PLACE_LDS : PLACE_MEM,
                                         .addr = a->addr };
        return;
    }
}

static void pass_on(struct step *s)
{
    if (!s->differs)
        return;
    for (u32 i = 0; i < s->fx.count; i++)
        for (u32 n = 0; n < s->fx.e[i].dw && s->fx.e[i].dir & DIR_W; n++)
            if (place_differs(s, s->fx.e[i].place + n, s->exec))
                s->origins[s->fx.e[i].place + n] = s->from;
    for (u32 i = 0; i < s->k->a.count; i++) {
        const struct mem_access *a = &s->k->a.list[i];
        if (a->write && a->value != s->k->b.list[i].value)
            *stored_at(s->k, a->at) = (struct stored){ a->at, s->from };
    }
}

/* ---- uses ---- */

static void describe_origin(const struct dispatch *d, const struct origin *from, struct text *t)
{
    char name[PLACE_NAME_MAX];
    text_add(t, "depends on ");
    if (from->place == PLACE_LDS)
        text_add(t, "byte %" PRIu64 " of LDS", from->addr);
    else if (from->place != PLACE_MEM)
        text_add(t, "%s",
                 from->place == PLACE_SCC
                     ? "scc"
                     : place_name((enum gen)d->isa.target->gen, from->place, name));
    else if (from->addr >= GPU_SCRATCH_BASE && from->addr < GPU_BUFFER_BASE)
        text_add(t, "private memory");
    else
        text_add(t, "memory at 0x%" PRIx64, from->addr);
    for (u32 i = 0; i < d->l->arg_count && from->place == PLACE_MEM; i++) {
        const struct launch_arg *a = &d->l->args[i];
        if (launch_arg_is_buffer(a) && from->addr - d->ka.addresses[i] < a->size)
            text_add(t, ", argument %u (%s) byte %" PRIu64, i, a->word,
                     from->addr - d->ka.addresses[i]);
    }
    text_add(t, ", which nobody set");
}

static bool report(struct step *s, const char *what, u32 lane)
{
    const struct dispatch *d = s->run->g.d;
    const u32 *group = s->run->group;
    char insn[256];
    struct text t;
    text_init(&t, s->k->text, sizeof s->k->text);
    insn_print(&d->isa, &s->in->insn, insn, sizeof insn);
    where_describe_pc(d, s->a->stop_pc, &t);
    text_add(&t, ": %s of %s ", what, insn);
    describe_origin(d, &s->from, &t);
    text_add(&t, "; work-group %u %u %u, wave %u", group[0], group[1], group[2], s->a->id);
    if (lane < LANES)
        text_add(&t, ", lane %u", lane);
    s->k->found = true;
    return false;
}

/* Whether memory at an address is looked at after the launch. */
static bool counts(const struct dispatch *d, const struct mem_access *a)
{
    if (a->space != SPACE_GLOBAL && a->space != SPACE_SCALAR)
        return false;
    for (u32 i = 0; i < d->l->arg_count; i++) {
        const struct launch_arg *arg = &d->l->args[i];
        if (launch_arg_is_buffer(arg) && a->addr - d->ka.addresses[i] < arg->size)
            return arg->kind != LARG_TMP;
    }
    return a->addr < GPU_PACKET_ADDRESS; /* variables of the code object */
}

/* False if what the instruction did is a use. */
static bool judge(struct step *s)
{
    struct lockstep *k = s->k;
    u64 exec = wave_exec(s->a) ^ wave_exec(s->b);
    for (u32 i = 0; i < k->a.count && i < k->b.count; i++)
        if (k->a.list[i].addr != k->b.list[i].addr)
            return report(s, "the address", k->a.list[i].lane);
    if (k->a.count != k->b.count || (s->b->stop == STOP_FAULT && s->a->stop != STOP_FAULT))
        return report(s, "the address", LANES);
    if (s->a->pc != s->b->pc || s->a->stop != s->b->stop)
        return report(s, "the way on", LANES);
    if (exec)
        return report(s, "EXEC", ctz64(exec));
    for (u32 i = 0; i < k->a.count; i++)
        if (k->a.list[i].write && k->a.list[i].value != k->b.list[i].value &&
            counts(s->run->g.d, &k->a.list[i]))
            return report(s, "the data", k->a.list[i].lane);
    return true;
}

static void execute(struct machine *m, struct wave *w, struct accesses *to)
{
    to->count = 0;
    to->seen.next = w->observer;
    w->observer = &to->seen;
    machine_step(m, w);
    w->observer = to->seen.next;
}

bool lockstep_step(struct group_run *run, struct wave *w)
{
    struct group_runner *g = &run->g;
    struct step s = { .k = g->d->lockstep,
                      .run = run,
                      .a = w,
                      .b = g->twin->m->wave[w->id],
                      .origins = &g->origins[w->id * PLACE_COUNT],
                      .in = machine_fetch(g->m, w) };
    s.b->stop = STOP_NONE; /* whatever it waited for, the other does not any more */
    if (!s.in)
        return true; /* the wave has stopped */
    effects_of(&s.in->insn, &s.fx);
    s.exec = effects_is_by_lane(&s.in->insn) ? wave_exec(w) : ~0ull;
    find_source(&s);
    execute(g->m, w, &s.k->a);
    execute(g->twin->m, s.b, &s.k->b);
    bool is_same_place = s.k->a.count == s.k->b.count;
    if (is_same_place && s.k->a.count)
        find_read(&s);
    if (!judge(&s))
        return false;
    pass_on(&s);
    return true;
}

bool lockstep_has_found(const struct lockstep *k)
{
    return k->found;
}

void lockstep_print(const struct lockstep *k, FILE *out)
{
    fprintf(out, "%s\n", k->text);
}
