/* What a batch found out, and what right and wrong instructions had and met. */
#include "harness/campaign/internal.h"
#include "oracle/base/array.h"

#include <stdlib.h>

/* Step cases of one batch that are remembered; what is more of them than that is no loss. */
enum { JUDGED_MAX = 1 << 14 };

bool campaign_out_grow(struct batch_out *out)
{
    struct raw_failure *grown =
        out->count < out->cap ? out->seen
                              : array_grow(out->seen, &out->cap, out->count + 1ull, sizeof *grown);
    if (grown)
        out->seen = grown;
    return grown;
}

void campaign_out_free(struct batch_out *out)
{
    for (u32 i = 0; i < out->count; i++)
        free(out->seen[i].start);
    free(out->seen);
    free(out->judged);
    if (out->cover)
        cover_seen_close(out->cover);
    free(out->cover);
    out->cover = NULL;
    out->seen = NULL;
    out->judged = NULL;
    out->count = out->cap = out->judged_count = out->judged_cap = 0;
}

void campaign_note_judged(void *arg, const struct insn *in, const struct traits *t,
                          const struct judgement *j)
{
    struct campaign_worker *w = arg;
    struct batch_out *out = w->out;
    if (out->judged_count == JUDGED_MAX)
        return;
    struct judged *grown = out->judged;
    if (out->judged_count == out->judged_cap)
        grown = array_grow(grown, &out->judged_cap, out->judged_count + 1ull, sizeof *grown);
    if (!grown) {
        w->is_short = true;
        return;
    }
    out->judged = grown;
    grown[out->judged_count++] = (struct judged){ .op = in->op,
                                                  .form = in->form,
                                                  .is_wrong = j->verdict == JUDGED_WRONG,
                                                  .what = j->what,
                                                  .outcome = j->outcome,
                                                  .traits = *t };
}

/* Keeps n samples of all that come, each with the same chance, whatever the number of threads. */
static void take_sample(struct traits *sample, u32 *count, u32 max, u64 number, u64 key,
                        const struct traits *t)
{
    u64 at = number <= max ? number - 1 : hash_mix(number, key) % number;
    if (at < max)
        sample[at] = *t;
    *count = number < max ? (u32)number : max;
}

/* A sample of the causes that a wrong step case shows: one above the gate and one below it may be
 * alike otherwise. */
static void take_wrong(struct campaign_result *r, const struct judged *g)
{
    for (u32 i = 0; i < r->cause_count; i++) {
        struct campaign_cause *c = &r->cause[i];
        if (c->tier == TIER_STEP && c->op == g->op && c->form == g->form && c->what == g->what &&
            c->outcome == g->outcome)
            take_sample(c->sample, &c->samples, CAMPAIGN_SAMPLES, ++c->fails,
                        campaign_kind(g->op, g->form), &g->traits);
    }
}

void campaign_take_judged(struct campaign *k, const struct batch_out *out)
{
    for (u32 i = 0; i < out->judged_count; i++) {
        const struct judged *g = &out->judged[i];
        u32 kind = campaign_kind(g->op, g->form);
        struct kind_seen *seen = &k->seen[kind];
        seen->fails += g->is_wrong;
        if (g->is_wrong)
            take_wrong(k->r, g);
        else
            take_sample(seen->sample, &seen->samples, KIND_SAMPLES, ++seen->passes, kind,
                        &g->traits);
    }
}
