/* What is known when a batch begins, and what follows from it: a stream that differs and does not
 * without the instructions of known causes is explained by them, and is not cut into step cases
 * again. Some are, all the same: a second bug may hide behind the first.
 *
 * What a batch knows does not depend on which batches happen to be done: it rests on those before a
 * certain one, for which it waits if need be. */
#include "harness/campaign/internal.h"

#include <stdlib.h>

enum {
    /* Streams that known causes explain, and that are cut all the same; of those below the gate: */
    DEEPER_ONE_IN = 128,
    DOUBTFUL_ONE_IN = 8,
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

/* ---- leaving out ---- */

/* What is known of an opcode and form. */
enum standing { KNOWN_NOTHING, KNOWN_BELOW, KNOWN_ABOVE }; /* the gate */

/* Whether a cause of the instruction's opcode and form is known: since before the batch, or from a
 * stream before in it. *by is filled. */
static enum standing find_standing(const struct campaign_worker *w, const struct insn *in,
                                   struct left_out *by)
{
    const struct batch_out *out = w->out;
    u32 kind = campaign_kind(in->op, in->form), cause = 0;
    enum standing best = KNOWN_NOTHING;
    if (w->known) {
        cause = w->known->step[kind] ? w->known->step[kind] : w->known->prefix[kind];
        best = !cause ? KNOWN_NOTHING : w->known->is_below[kind] ? KNOWN_BELOW : KNOWN_ABOVE;
    }
    for (u32 i = 0; i < out->count && best != KNOWN_ABOVE; i++) {
        const struct raw_failure *s = &out->seen[i];
        if (s->tier == TIER_STEP && s->insn.op == in->op && s->insn.form == in->form)
            best = s->below ? KNOWN_BELOW : KNOWN_ABOVE;
    }
    *by = (struct left_out){
        .cause = cause - 1, .op = in->op, .form = in->form, .below = best == KNOWN_BELOW
    };
    return best;
}

/* Whether the stream counts for the cause already, of which its instructions were judged. */
static bool is_counted(const struct campaign_worker *w, const struct left_out *l)
{
    const struct batch_out *out = w->out;
    for (u32 i = out->count; i > 0 && out->seen[i - 1].index == w->index; i--)
        if (out->seen[i - 1].insn.op == l->op && out->seen[i - 1].insn.form == l->form)
            return true;
    return false;
}

/* Puts fillers in place of what is known to fail, up to a standing; answers how many instructions
 * that are. */
static u32 take_known_out(const struct campaign_worker *w, const struct gcncheck_job *start,
                          enum standing most, u32 *code, struct left_out *first)
{
    struct insn in;
    struct left_out by;
    u32 count = 0;
    memcpy(code, start->code, start->code_dw * sizeof *code);
    for (u32 at = 0; at < start->code_dw; at += in.dw) {
        insn_decode(&w->k->isa, code + at, start->code_dw - at, &in, NULL);
        if (in.op == OP_NONE || insn_row(&in)->flags & FLAG_END)
            continue;
        enum standing standing = find_standing(w, &in, &by);
        if (standing == KNOWN_NOTHING || standing > most)
            continue;
        /* What is above the gate explains more than what is below it. */
        if (count++ == 0 || (first->below && !by.below))
            *first = by;
        for (u32 i = 0; i < in.dw; i++)
            code[at + i] = w->k->filler;
    }
    return count;
}

/* Runs what is left: the job as it was, but for its program. The rest may take another way, and a
 * longer one. */
static enum status run_rest(struct campaign_worker *w, const struct subject *whole,
                            struct subject *rest, struct err *e)
{
    w->rest = *whole->start;
    w->rest.code = w->rest_code;
    w->rest.max_steps = 4 * STREAM_DW_MAX;
    *rest = (struct subject){ .start = &w->rest, .all = whole->all, .canary = whole->canary };
    return compare_run(w->x.compare, rest, 1, e);
}

/* First without what is below the gate, which makes no stream wrong, then without all. */
enum status campaign_leave_out(struct campaign_worker *w, struct subject *s, bool *is_explained,
                               struct err *e)
{
    struct batch_out *out = w->out;
    struct left_out first = { .cause = UINT32_MAX };
    struct subject rest;
    enum status st = ST_OK;
    u32 before = 0;
    *is_explained = false;
    if (!w->k->filler || !s->start || s->start->code_dw > STREAM_DW_MAX ||
        out->left_out_count == CAMPAIGN_BATCH)
        return ST_OK;
    for (enum standing most = KNOWN_BELOW; most <= KNOWN_ABOVE && st == ST_OK; most++) {
        u32 count = take_known_out(w, s->start, most, w->rest_code, &first);
        if (count == before)
            continue;
        before = count;
        st = run_rest(w, s, &rest, e);
        *is_explained = st == ST_OK && rest.j.verdict == JUDGED_RIGHT;
        if (*is_explained)
            break;
    }
    /* A bug in an instruction of which only doubtful differences are known would stay unseen. */
    if (*is_explained && first.below &&
        hash_mix(w->index, w->k->cfg->seed) % DOUBTFUL_ONE_IN == 0) {
        *is_explained = false;
        return st;
    }
    if (*is_explained) {
        w->below |= first.below;
        w->differs |= !first.below;
        if (!is_counted(w, &first))
            out->left_out[out->left_out_count++] = first;
    } else if (st == ST_OK && before && rest.j.verdict == JUDGED_WRONG) {
        *s = rest;
    }
    return st;
}

void campaign_take_left_out(struct campaign *k, const struct batch_out *out)
{
    for (u32 i = 0; i < out->left_out_count; i++) {
        const struct left_out *l = &out->left_out[i];
        u32 at = l->cause;
        for (u32 c = 0; c < k->r->cause_count && at == UINT32_MAX; c++)
            if (k->r->cause[c].tier == TIER_STEP && k->r->cause[c].op == l->op &&
                k->r->cause[c].form == l->form && k->r->cause[c].below == l->below)
                at = c;
        if (at < k->r->cause_count)
            k->r->cause[at].count++;
        k->r->known += !l->below;
    }
}
