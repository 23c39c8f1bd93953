#include "harness/dut/job.h"

#include "oracle/state/state.h"

#include <stdlib.h>

enum { WAVES_MAX = 16 };

/* A growing array of one element type. */
struct array {
    void *p;
    size_t count, cap;
};

struct jobbuf {
    struct gcncheck_job job;
    struct array code, values, out, set, get, windows;
    struct array bytes[WINDOWS_MAX]; /* one per window; they move independently */
    struct array lds;
    /* Index + 1 of a place's slot in set and get, so that asking again is cheap. */
    u32 set_at[WAVES_MAX][GCNCHECK_PLACES];
    u32 get_at[WAVES_MAX][GCNCHECK_PLACES];
    bool is_shared;     /* the program and what is set are another job's */
    bool is_short;      /* of memory, since the job was begun */
    u32 nowhere[LANES]; /* what job_set gives out then, so that its callers need not ask */
};

/* Adds `extra` elements, which the caller fills; NULL and jb->is_short if there is no memory for
 * them. */
static void *grow_unset(struct jobbuf *jb, struct array *a, size_t extra, size_t element)
{
    if (a->count + extra > a->cap || !a->p) {
        size_t cap = a->cap * 2 > a->count + extra ? a->cap * 2 : a->count + extra;
        cap = cap ? cap : 1;
        void *p = cap <= SIZE_MAX / element ? realloc(a->p, cap * element) : NULL;
        if (!p) {
            jb->is_short = true;
            return NULL;
        }
        a->p = p;
        a->cap = cap;
    }
    void *at = (u8 *)a->p + a->count * element;
    a->count += extra;
    return at;
}

/* The same with zeroed ones. */
static void *grow(struct jobbuf *jb, struct array *a, size_t extra, size_t element)
{
    void *at = grow_unset(jb, a, extra, element);
    if (at)
        memset(at, 0, extra * element);
    return at;
}

/* The same with bytes from elsewhere; NULL: zeroed. */
static void *grow_copy(struct jobbuf *jb, struct array *a, size_t size, const void *from)
{
    void *at = grow_unset(jb, a, size, 1);
    if (at && size && from)
        memcpy(at, from, size);
    else if (at && size)
        memset(at, 0, size);
    return at;
}

struct jobbuf *jobbuf_new(void)
{
    return calloc(1, sizeof(struct jobbuf));
}

void jobbuf_free(struct jobbuf *jb)
{
    if (!jb)
        return;
    struct array *all[] = { &jb->code, &jb->values,  &jb->out, &jb->set,
                            &jb->get,  &jb->windows, &jb->lds };
    for (size_t i = 0; i < COUNT_OF(all); i++)
        free(all[i]->p);
    for (size_t i = 0; i < WINDOWS_MAX; i++)
        free(jb->bytes[i].p);
    free(jb);
}

static void forget(u32 (*at)[GCNCHECK_PLACES], const struct array *slots)
{
    const struct gcncheck_slot *s = slots->p;
    for (size_t i = 0; i < slots->count; i++)
        at[s[i].wave][s[i].place] = 0;
}

void jobbuf_reset(struct jobbuf *jb, const char *mcpu)
{
    forget(jb->set_at, &jb->set);
    forget(jb->get_at, &jb->get);
    struct array *all[] = { &jb->code, &jb->values,  &jb->out, &jb->set,
                            &jb->get,  &jb->windows, &jb->lds };
    for (size_t i = 0; i < COUNT_OF(all); i++)
        all[i]->count = 0;
    jb->is_shared = jb->is_short = false;
    jb->job = (struct gcncheck_job){ .size = sizeof jb->job,
                                     .waves = 1,
                                     .mcpu = mcpu,
                                     .max_steps = 100000,
                                     .pc = PC_DEFAULT,
                                     .poison = 1 };
}

void job_code(struct jobbuf *jb, const u32 *code, u32 dw, u64 pc)
{
    jb->code.count = 0;
    void *p = grow(jb, &jb->code, dw, sizeof(u32));
    if (p && dw)
        memcpy(p, code, dw * sizeof(u32));
    jb->job.pc = pc;
}

static void check_slot(u32 wave, u32 place)
{
    if (wave >= WAVES_MAX || place >= GCNCHECK_PLACES)
        BUG("job slot out of range");
}

u32 *job_set(struct jobbuf *jb, u32 wave, u32 place)
{
    check_slot(wave, place);
    u32 *at = &jb->set_at[wave][place];
    if (*at == 0) {
        u32 index = (u32)jb->values.count;
        struct gcncheck_slot *s = grow(jb, &jb->values, GCNCHECK_PLACE_DW(place), sizeof(u32))
                                      ? grow(jb, &jb->set, 1, sizeof *s)
                                      : NULL;
        if (!s)
            return jb->nowhere;
        *s = (struct gcncheck_slot){ (u16)wave, (u16)place, index };
        *at = (u32)jb->set.count;
    }
    const struct gcncheck_slot *s = jb->set.p;
    return (u32 *)jb->values.p + s[*at - 1].index;
}

void job_set_all(struct jobbuf *jb, const struct gcncheck_slot *slots, u32 count, const u32 *values,
                 u32 dw)
{
    u32 *v = grow_unset(jb, &jb->values, dw, sizeof *v);
    struct gcncheck_slot *s = v ? grow_unset(jb, &jb->set, count, sizeof *s) : NULL;
    if (!s)
        return;
    memcpy(v, values, dw * sizeof *v);
    memcpy(s, slots, count * sizeof *s);
    for (u32 i = 0; i < count; i++) {
        check_slot(s[i].wave, s[i].place);
        if (jb->set_at[s[i].wave][s[i].place])
            BUG("a place is set twice");
        jb->set_at[s[i].wave][s[i].place] = i + 1;
    }
}

static const struct {
    u16 place;
    u32 value;
} defaults[] = { { GCNCHECK_EXEC_LO, ~0u },      { GCNCHECK_EXEC_HI, ~0u }, { GCNCHECK_VCC_LO, 0 },
                 { GCNCHECK_VCC_HI, 0 },         { GCNCHECK_M0, 0 },        { GCNCHECK_SCC, 0 },
                 { GCNCHECK_MODE, MODE_DEFAULT } };

void job_set_defaults(struct jobbuf *jb, u32 wave)
{
    for (size_t i = 0; i < COUNT_OF(defaults); i++) {
        check_slot(wave, defaults[i].place);
        if (jb->set_at[wave][defaults[i].place] == 0)
            *job_set(jb, wave, defaults[i].place) = defaults[i].value;
    }
}

void job_share(struct jobbuf *jb, const struct gcncheck_job *from)
{
    struct gcncheck_job *j = &jb->job;
    jb->is_shared = true;
    j->pc = from->pc;
    j->code = from->code;
    j->code_dw = from->code_dw;
    j->set = from->set;
    j->set_count = from->set_count;
    j->values = from->values;
}

/* Behind the numbered scalar registers, and no vector register: few are. */
static bool is_late(u32 place)
{
    return place >= GCNCHECK_VCC_LO && (place < GCNCHECK_V0 || place >= GCNCHECK_SCC);
}

bool job_has_defaults(const struct gcncheck_job *job)
{
    u32 found = 0; /* a place stands once in `set` */
    for (u32 i = 0; i < job->set_count; i++)
        for (u32 k = 0; is_late(job->set[i].place) && k < COUNT_OF(defaults); k++)
            found += job->set[i].place == defaults[k].place;
    return found == job->waves * COUNT_OF(defaults);
}

void job_get(struct jobbuf *jb, u32 wave, u32 place)
{
    check_slot(wave, place);
    u32 *at = &jb->get_at[wave][place];
    if (*at != 0)
        return;
    u32 index = (u32)jb->out.count; /* zeroed by job_ready */
    struct gcncheck_slot *s = grow_unset(jb, &jb->out, GCNCHECK_PLACE_DW(place), sizeof(u32))
                                  ? grow(jb, &jb->get, 1, sizeof *s)
                                  : NULL;
    if (!s)
        return;
    *s = (struct gcncheck_slot){ (u16)wave, (u16)place, index };
    *at = (u32)jb->get.count;
}

u8 *job_window(struct jobbuf *jb, u64 address, u64 size, const u8 *bytes)
{
    size_t n = jb->windows.count;
    if (n == WINDOWS_MAX)
        BUG("too many windows in a job");
    jb->bytes[n].count = 0;
    u8 *to = grow_copy(jb, &jb->bytes[n], size, bytes);
    struct gcncheck_window *win = to ? grow(jb, &jb->windows, 1, sizeof *win) : NULL;
    if (!win)
        return NULL;
    *win = (struct gcncheck_window){ address, size, to };
    return to;
}

u8 *job_lds(struct jobbuf *jb, u32 size, const u8 *bytes)
{
    jb->lds.count = 0;
    return grow_copy(jb, &jb->lds, size, bytes);
}

struct gcncheck_job *job_ready(struct jobbuf *jb)
{
    struct gcncheck_job *j = &jb->job;
    if (jb->is_short)
        return NULL;
    if (!jb->is_shared) {
        j->code = jb->code.p;
        j->code_dw = (u32)jb->code.count;
        j->set = jb->set.p;
        j->set_count = (u32)jb->set.count;
        j->values = jb->values.p;
    }
    j->get = jb->get.p;
    j->get_count = (u32)jb->get.count;
    j->out = jb->out.p;
    if (jb->out.count)
        memset(jb->out.p, 0, jb->out.count * sizeof(u32));
    j->windows = jb->windows.p;
    j->window_count = (u32)jb->windows.count;
    j->lds_size = (u32)jb->lds.count;
    j->lds = j->lds_size ? jb->lds.p : NULL;
    j->outcome = GCNCHECK_NOT_RUN;
    j->reason[0] = '\0';
    return j;
}

struct gcncheck_job *job_ready_with(struct jobbuf *jb, u32 waves, u32 max_steps, u64 poison)
{
    struct gcncheck_job *j = job_ready(jb);
    if (!j)
        return NULL;
    j->waves = waves;
    j->max_steps = max_steps;
    j->poison = poison;
    return j;
}

static const struct gcncheck_slot *find(const struct gcncheck_slot *s, u32 count, u32 wave,
                                        u32 place)
{
    for (u32 i = 0; i < count; i++)
        if (s[i].wave == wave && s[i].place == place)
            return &s[i];
    return NULL;
}

u32 job_initial(const struct gcncheck_job *job, u32 wave, u32 place, u32 lane)
{
    const struct gcncheck_slot *s = find(job->set, job->set_count, wave, place);
    if (!s)
        return gcncheck_poison(job->poison, place, lane);
    return job->values[s->index + (GCNCHECK_PLACE_DW(place) > 1 ? lane : 0)];
}
