/* What is left of a stream that differs without the instructions of known causes: if that is right, they
 * explain it, and it is not cut into step cases again. Some are, all the same (known.c): a second bug
 * may hide behind the first. */
#include "harness/campaign/internal.h"

/* Of streams that causes below the gate explain one in so many is cut all the same. */
enum { DOUBTFUL_ONE_IN = 8 };

/* ---- what is known of an instruction ---- */

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

bool campaign_is_alike(void *worker, const struct insn *in)
{
    const struct campaign_worker *w = worker;
    const struct batch_out *out = w->out;
    u32 enc = insn_row(in)->enc;
    bool found = w->known && w->known->alike[enc][in->form];
    for (u32 i = 0; i < out->count && !found; i++) {
        const struct raw_failure *s = &out->seen[i];
        found = s->tier == TIER_STEP && !s->below && s->insn.form == in->form &&
                isa_rows[s->insn.op].enc == enc;
    }
    return found;
}

/* ---- what is left ---- */

/* Puts fillers in place of what is known to fail, up to a standing; answers how many instructions
 * that are. */
static u32 take_known_out(const struct campaign_worker *w, const struct gcncheck_job *start,
                          enum standing most, struct rest *r)
{
    struct insn in;
    struct left_out by;
    u32 count = 0;
    memcpy(r->code, start->code, start->code_dw * sizeof *r->code);
    for (u32 at = 0; at < start->code_dw; at += in.dw) {
        insn_decode(&w->k->isa, r->code + at, start->code_dw - at, &in, NULL);
        if (in.op == OP_NONE || insn_row(&in)->flags & FLAG_END)
            continue;
        enum standing standing = find_standing(w, &in, &by);
        if (standing == KNOWN_NOTHING || standing > most)
            continue;
        /* What is above the gate explains more than what is below it. */
        if (count++ == 0 || (r->first.below && !by.below))
            r->first = by;
        for (u32 i = 0; i < in.dw; i++)
            r->code[at + i] = w->k->filler;
    }
    return count;
}

/* The job as it was, but for its program. The rest may take another way, and a longer one. */
static struct subject rest_of(struct rest *r, const struct subject *whole)
{
    r->job = *whole->start;
    r->job.code = r->code;
    r->job.max_steps = 4 * STREAM_DW_MAX;
    return (struct subject){
        .start = &r->job, .announced = whole->announced, .all = whole->all, .canary = whole->canary
    };
}

void campaign_clear_rest(struct rest *r)
{
    r->count[KNOWN_BELOW] = r->count[KNOWN_ABOVE] = 0;
    r->first = (struct left_out){ .cause = UINT32_MAX };
    r->is_right = false;
}

/* Whether something can be left out of it. */
static bool can_leave_out(const struct campaign_worker *w, const struct subject *s)
{
    return w->k->filler && s->start && s->start->code_dw <= STREAM_DW_MAX;
}

/* Runs what is left of n programs: first without what is below the gate, which makes no stream wrong, then
 * without all. What was run before, with as much left out, is not run again. */
static enum status leave_out(struct campaign_worker *w, struct subject *const *whole,
                             struct rest *const *r, u32 n, struct err *e)
{
    enum status st = ST_OK;
    for (enum standing most = KNOWN_BELOW; most <= KNOWN_ABOVE && st == ST_OK; most++) {
        struct subject s[CAMPAIGN_BATCH];
        struct rest *of[CAMPAIGN_BATCH];
        u32 count = 0;
        for (u32 i = 0; i < n; i++) {
            u32 before = most == KNOWN_BELOW ? 0 : r[i]->count[KNOWN_BELOW];
            if (r[i]->is_right)
                continue;
            u32 out = take_known_out(w, whole[i]->start, most, r[i]);
            bool is_new = out != before && out != r[i]->count[most];
            r[i]->count[most] = out;
            if (!is_new)
                continue;
            s[count] = rest_of(r[i], whole[i]);
            of[count++] = r[i];
        }
        if (count)
            st = compare_run(w->x.compare, s, count, e);
        for (u32 i = 0; i < count && st == ST_OK; i++) {
            of[i]->is_right = s[i].j.verdict == JUDGED_RIGHT;
            of[i]->j = s[i].j;
        }
    }
    return st;
}

enum status campaign_leave_known_out(struct campaign_worker *w, struct subject *s, u64 first, u32 n,
                                     struct err *e)
{
    struct subject *whole[CAMPAIGN_BATCH];
    struct rest *r[CAMPAIGN_BATCH];
    u32 count = 0;
    for (u32 i = 0; i < n; i++) {
        /* One that hangs is dear, and is asked in its turn. */
        bool is_meant = s[i].j.verdict == JUDGED_WRONG && s[i].j.outcome != OUT_HANG &&
                        !campaign_looks_deeper(w, first + i) && can_leave_out(w, &s[i]);
        if (!is_meant)
            continue;
        whole[count] = &s[i];
        r[count++] = &w->rest[i];
    }
    return leave_out(w, whole, r, count, e);
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

/* The rest is right: the stream is explained, unless a bug in an instruction of which only doubtful
 * differences are known would stay unseen for ever. */
static bool take_explained(struct campaign_worker *w, const struct rest *r)
{
    struct batch_out *out = w->out;
    if (r->first.below && hash_mix(w->index, w->k->cfg->seed) % DOUBTFUL_ONE_IN == 0)
        return false;
    w->below |= r->first.below;
    w->differs |= !r->first.below;
    if (!is_counted(w, &r->first))
        out->left_out[out->left_out_count++] = r->first;
    return true;
}

enum status campaign_leave_out(struct campaign_worker *w, struct subject *s, struct rest *r,
                               bool *is_explained, struct err *e)
{
    *is_explained = false;
    if (!can_leave_out(w, s))
        return ST_OK;
    enum status st = leave_out(w, &s, &r, 1, e);
    if (st != ST_OK)
        return st;
    if (r->is_right) {
        *is_explained = take_explained(w, r);
    } else if (r->count[KNOWN_ABOVE] && r->j.verdict == JUDGED_WRONG) {
        *s = rest_of(r, s);
        s->j = r->j;
    }
    return ST_OK;
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
