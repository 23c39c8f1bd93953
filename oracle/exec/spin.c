#include "oracle/exec/spin.h"

enum {
    FIRST_LOOK = 8192, /* instructions before the first look: most waves have ended by then */
    EARLY_LOOK = 256,  /* where others wait */
    NEXT_LOOK = 16,    /* after a wait was over */
    GAP_GROWS = 4,
    GAP_MAX = 1 << 20,
    LOOK_MIN = 160, /* instructions that a look takes */
    LOOK_MAX = 4096
};

void spin_reset(struct spin *s)
{
    s->is_looking = s->is_waiting = false;
    s->private = (struct spin_private){ 0, 0 };
    s->next = FIRST_LOOK;
    s->gap = FIRST_LOOK;
}

void spin_look_early(struct spin *s)
{
    s->next = s->gap = EARLY_LOOK;
}

/* ---- state ---- */

static u64 hash_words(u64 h, const u32 *v, u32 count)
{
    for (u32 i = 0; i < count; i += 2) {
        h = (h ^ (v[i] | (u64)v[i + 1] << 32)) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

static u64 hash_private(u64 h, const struct machine *m, const struct spin_private *p)
{
    for (u64 i = p->first; i < p->end; i += 8) { /* it is given in larger pieces */
        u32 pair[2];
        memcpy(pair, m->private.bytes + i, sizeof pair);
        h = hash_words(h, pair, 2);
    }
    return h;
}

u64 spin_hash(const struct machine *m, const struct wave *w, const struct spin_private *p)
{
    _Static_assert(SGPRS % 2 == 0 && LANES % 2 == 0, "pairs");
    u32 rest[4] = { w->scc, w->mode, w->status, w->trapsts };
    u32 count = allocated_reach(&m->allocated);
    u64 h = hash_words(hash_words(w->tba, rest, COUNT_OF(rest)), w->sgpr, SGPRS);
    h = hash_words(h, w->vgpr[0], count * LANES);
    if (wave_vgprs(w) > VGPRS)
        h = hash_words(h, w->vgpr[VGPRS], count * LANES);
    if (m->engine->exec->hash)
        h = hash_mix(h, m->engine->exec->hash(m, w));
    return hash_private(h, m, p);
}

bool spin_is_private(const struct machine *m, const struct mem_access *a, struct spin_private *p,
                     bool *grew)
{
    u64 at = a->addr - m->private.address, end = at + a->bytes;
    *grew = false;
    if (a->space == SPACE_LDS || a->space == SPACE_GDS || at >= m->private.wave_size * m->waves)
        return false;
    if (!a->write || (at >= p->first && end <= p->end))
        return true;
    at &= ~(u64)7;
    end = (end + 7) & ~(u64)7;
    *grew = true;
    *p = (struct spin_private){ p->end && p->first < at ? p->first : at,
                                p->end > end ? p->end : end };
    return true;
}

static void save(struct spin *s, u64 hash)
{
    s->hash = hash;
    s->saved = s->visits;
    s->reads = 0;
    s->has_acted = false;
}

/* ---- memory ---- */

static u64 bytes_at(const u8 *at, u32 bytes)
{
    u64 v = 0;
    memcpy(&v, at, bytes);
    return v;
}

static void see(struct observer *o, struct wave *w, const struct mem_access *a)
{
    struct spin *s = (struct spin *)o;
    bool grew;
    (void)w;
    if (spin_is_private(s->machine, a, &s->private, &grew)) {
        s->has_acted |= grew; /* what it held is not in the hash */
        return;
    }
    if (s->has_acted)
        return; /* until the next save nothing more is asked */
    u64 now = bytes_at(a->at, a->bytes);
    if (a->write) {
        u64 mask = a->bytes < 8 ? ((u64)1 << a->bytes * 8) - 1 : ~(u64)0;
        s->has_acted = (a->value & mask) != now;
        return;
    }
    for (u32 i = s->reads; i-- > 0;)
        if (s->read[i].at == a->at && s->read[i].bytes == a->bytes) {
            s->has_acted = s->read[i].value != now; /* somebody else did */
            return;
        }
    if (s->reads == SPIN_READS)
        s->has_acted = true;
    else
        s->read[s->reads++] = (struct spin_read){ a->at, now, a->bytes };
}

static bool reads_hold(const struct spin *s)
{
    for (u32 i = 0; i < s->reads; i++)
        if (bytes_at(s->read[i].at, s->read[i].bytes) != s->read[i].value)
            return false;
    return true;
}

/* ---- looking ---- */

static void begin(struct spin *s, const struct machine *m, struct wave *w)
{
    u64 time = s->gap / 8;
    time = time < LOOK_MIN ? LOOK_MIN : time > LOOK_MAX ? LOOK_MAX : time;
    s->is_looking = true;
    s->until = w->steps + time;
    s->pc = w->pc;
    s->visits = 0;
    s->machine = m;
    s->seen = (struct observer){ .see = see, .next = w->observer };
    w->observer = &s->seen;
    save(s, spin_hash(m, w, &s->private));
}

static void end(struct spin *s, struct wave *w)
{
    struct observer **o = &w->observer;
    while (*o != &s->seen)
        o = &(*o)->next;
    *o = s->seen.next;
    s->is_looking = false;
    s->gap = s->gap < GAP_MAX ? s->gap * GAP_GROWS : s->gap;
    s->next = w->steps + s->gap;
}

u64 spin_turn(struct spin *s, const struct machine *m, struct wave *w, u64 limit)
{
    if (!s->is_looking && w->steps >= s->next)
        begin(s, m, w);
    if (s->is_looking)
        return 1;
    return limit < s->next - w->steps ? limit : s->next - w->steps;
}

/* The wave is where the look began. Its state is compared with that of the last visit whose number
 * is a power of two: loops in loops come back to theirs, too. */
static bool visit(struct spin *s, const struct machine *m, struct wave *w)
{
    u64 hash = spin_hash(m, w, &s->private);
    s->visits++;
    if (hash == s->hash && !s->has_acted && reads_hold(s)) {
        end(s, w);
        s->is_waiting = true;
        return true;
    }
    if (s->visits >= 2 * s->saved)
        save(s, hash);
    return false;
}

bool spin_step(struct spin *s, const struct machine *m, struct wave *w)
{
    if (!s->is_looking)
        return false;
    if (w->stop != STOP_NONE || w->steps >= s->until)
        end(s, w);
    else if (w->pc == s->pc)
        return visit(s, m, w);
    return false;
}

bool spin_is_over(struct spin *s, const struct wave *w)
{
    if (reads_hold(s))
        return false;
    s->is_waiting = false;
    s->gap = FIRST_LOOK;
    s->next = w->steps + NEXT_LOOK;
    return true;
}
