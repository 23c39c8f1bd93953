/* What is known when a batch begins.
 *
 * What a batch knows does not depend on which batches happen to be done: it rests on those before a
 * certain one, for which it waits if need be. */
#include "harness/campaign/internal.h"

#include <stdlib.h>

enum {
    DEEPER_ONE_IN = 128, /* streams that known causes may explain, and that are cut all the same */
    SEQUENCES = 24 /* interactions that are shrunk before sequences are looked at more seldom */
};

/* The number of batches on which the knowledge of one rests: 0, 1, 2, 3, 4, 6, 8, 12, ... */
static u64 base_of(u64 batch)
{
    u64 base = 1;
    if (batch == 0)
        return 0;
    while (base * 2 <= batch)
        base *= 2;
    return base + base / 2 <= batch && base > 1 ? base + base / 2 : base;
}

bool campaign_changes_known(u64 taken)
{
    return base_of(taken) == taken;
}

static const struct known *find_known(const struct campaign *k, u64 batches)
{
    const struct known *n = k->known;
    while (n && n->batches != batches)
        n = n->next;
    return n;
}

const struct known *campaign_known(struct campaign *k, u64 batch)
{
    u64 base = base_of(batch);
    pthread_mutex_lock(&k->lock);
    while (k->taken < base && !k->stop)
        pthread_cond_wait(&k->changed, &k->lock);
    const struct known *n = k->taken < base ? NULL : find_known(k, base);
    pthread_mutex_unlock(&k->lock);
    return n;
}

/* With the lock. */
static enum status add_known(struct campaign *k, struct err *e)
{
    struct known *n = calloc(1, sizeof *n);
    if (!n)
        return err_memory(e);
    n->batches = k->taken;
    n->interactions = k->interactions;
    memcpy(n->prefix, k->prefix, sizeof n->prefix);
    for (u32 i = k->r->cause_count; i-- > 0;) {
        const struct campaign_cause *c = &k->r->cause[i];
        u32 kind = campaign_kind(c->op, c->form);
        if (c->tier != TIER_STEP || c->op == OP_NONE ||
            (c->below && n->step[kind] && !n->is_below[kind]))
            continue;
        n->step[kind] = i + 1;
        n->is_below[kind] = c->below;
        n->alike[isa_rows[c->op].enc][c->form] |= !c->below;
    }
    n->next = k->known;
    k->known = n;
    return ST_OK;
}

enum status campaign_know(struct campaign *k, struct err *e)
{
    pthread_mutex_lock(&k->lock);
    k->taken++;
    enum status st = campaign_changes_known(k->taken) ? add_known(k, e) : ST_OK;
    k->stop |= st != ST_OK;
    pthread_cond_broadcast(&k->changed);
    pthread_mutex_unlock(&k->lock);
    return st;
}

enum status campaign_know_again(struct campaign *k, struct err *e)
{
    return campaign_changes_known(k->taken) ? add_known(k, e) : ST_OK;
}

void campaign_stop(struct campaign *k)
{
    pthread_mutex_lock(&k->lock);
    k->stop = true;
    pthread_cond_broadcast(&k->changed);
    pthread_mutex_unlock(&k->lock);
}

bool campaign_looks_deeper(const struct campaign_worker *w, u64 index)
{
    return hash_mix(w->k->cfg->seed, index) % DEEPER_ONE_IN == 0;
}

bool campaign_looks_at_sequences(const struct campaign_worker *w, u64 index)
{
    u32 seen = w->known ? w->known->interactions : 0;
    return hash_mix(index, w->k->cfg->seed) % (1 + seen / SEQUENCES) == 0;
}
