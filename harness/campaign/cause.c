/* Causes: which differences are the same, and what becomes of those that have no finding yet. */
#include "harness/campaign/ballot.h"
#include "harness/campaign/internal.h"

#include "oracle/base/array.h"
#include "oracle/state/effects.h"
#include "oracle/state/place.h"
#include "reports/file/output.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SHRINK_CALLS = 4000,
    SHRINK_CALLS_ALIKE = 50,  /* one instruction, of an encoding and form that has such a cause */
    SHRINK_CALLS_CRASH = 500, /* each costs a new process; */
    CRASHES_SHRUNK = 6,       /* so many get as much, */
    SHRINK_CALLS_MORE = 50,   /* the others this */
    SHRINK_CALLS_HANG = 6,    /* each costs the time limit of a job */
    NAMES_MAX = 1000          /* folders of findings that are looked through for a free name */
};

void campaign_result_free(struct campaign_result *r)
{
    free(r->cause);
    free(r->cluster);
    r->cause = NULL;
    r->cluster = NULL;
    r->cause_count = r->cause_cap = r->cluster_count = 0;
}

u32 campaign_causes(const struct campaign_result *r)
{
    u32 n = 0;
    for (u32 i = 0; i < r->cause_count; i++)
        n += !r->cause[i].below;
    return n;
}

static u8 fold(u8 what)
{
    return judge_is_scalar((enum diff_what)what) ? (u8)DIFF_SGPR : what;
}

/* Sequences with one cause end in many different instructions: of those only the encoding
 * counts. */
static bool is_same_cause(const struct campaign_cause *c, u8 tier, bool below,
                          const struct insn *in, const struct judgement *j)
{
    if (c->tier != tier || c->below != below || c->who != j->who ||
        fold(c->what) != fold(j->what) || (c->what == DIFF_OUTCOME && c->outcome != j->outcome))
        return false;
    if (tier == TIER_STEP)
        return c->op == in->op && c->form == in->form;
    return isa_rows[c->op].enc == insn_row(in)->enc;
}

static struct campaign_cause *find_cause(struct campaign *k, u8 tier, bool below,
                                         const struct insn *in, const struct judgement *j)
{
    for (u32 i = 0; i < k->r->cause_count; i++)
        if (is_same_cause(&k->r->cause[i], tier, below, in, j))
            return &k->r->cause[i];
    return NULL;
}

/* Whether another finding of this cause can still become one. Only ever turns from true to false,
 * so that asking early and out of order changes nothing. What sequence of instructions a program
 * needs is known once it is shrunk. */
static bool is_wanted(struct campaign *k, u8 tier, const struct insn *in, const struct judgement *j)
{
    pthread_mutex_lock(&k->lock);
    const struct campaign_cause *c = tier == TIER_PREFIX ? NULL : find_cause(k, tier, false, in, j);
    bool wanted = !c || c->kept == 0;
    pthread_mutex_unlock(&k->lock);
    return wanted;
}

bool campaign_is_below(const struct cause *cause, enum evidence gate)
{
    const struct judgement *j = &cause->j;
    u64 lanes = j->lanes;
    bool rest = j->rest;
    for (u32 i = 0; i < cause->doubts.count; i++) {
        if (cause->doubts.at[i].entry->evidence >= gate)
            continue;
        lanes &= ~cause->doubts.at[i].lanes;
        rest = rest && !cause->doubts.at[i].rest;
    }
    return cause->tier == TIER_STEP && j->what > DIFF_STRAY_MEMORY && !lanes && !rest;
}

/* The entries that read otherwise where a difference stands. */
static void add_ledger(const struct cause *cause, char *ledger, size_t size)
{
    struct text t;
    text_init(&t, ledger, size);
    for (u32 i = 0; cause->tier == TIER_STEP && i < cause->doubts.count; i++) {
        const char *id = cause->doubts.at[i].entry->id;
        bool touches = cause->doubts.at[i].lanes & cause->j.lanes ||
                       (cause->doubts.at[i].rest && cause->j.rest);
        if (touches && !strstr(ledger, id) && t.len + strlen(id) + 1 < size)
            text_add(&t, "%s%s", t.len ? " " : "", id);
    }
}

/* Every device is asked what it says. What goes wrong there goes wrong again with what comes next. */
static void vote(struct campaign_worker *w, const struct cause *cause, struct campaign_votes *votes)
{
    struct subject s = { .start = cause->start,
                         .single = cause->tier == TIER_STEP,
                         .marker = cause->marker,
                         .all = true };
    struct err e;
    bool is_dear = cause->j.what == DIFF_OUTCOME && cause->j.outcome == OUT_HANG;
    if (w->k->cfg->voters && !is_dear)
        ballot_take(w->x.compare, w->k->cfg->voters, &s, votes, NULL, &e);
}

/* Notes a cause, once per stream. */
void campaign_note_cause(void *arg, const struct cause *cause)
{
    struct campaign_worker *w = arg;
    struct batch_out *out = w->out;
    bool below = campaign_is_below(cause, w->k->cfg->gate);
    struct err e;
    w->differs |= !below;
    w->below |= below;
    for (u32 i = out->count; i > 0 && out->seen[i - 1].index == w->index; i--) {
        const struct raw_failure *s = &out->seen[i - 1];
        struct campaign_cause c = { .tier = s->tier,
                                    .op = s->insn.op,
                                    .form = s->insn.form,
                                    .below = s->below,
                                    .what = s->j.what,
                                    .who = s->j.who,
                                    .outcome = s->j.outcome };
        if (is_same_cause(&c, (u8)cause->tier, below, &cause->insn, &cause->j))
            return;
    }
    if (!campaign_out_grow(out)) {
        w->is_short = true;
        return;
    }
    struct raw_failure *s = &out->seen[out->count++];
    *s = (struct raw_failure){ .index = w->index,
                               .step = cause->step,
                               .marker = cause->marker,
                               .tier = (u8)cause->tier,
                               .is_probe = w->is_probing,
                               .insn = cause->insn,
                               .below = below,
                               .j = cause->j };
    add_ledger(cause, s->ledger, sizeof s->ledger);
    /* A difference that does not come again: what there was at first is all that can be shown. */
    if (cause->tier == TIER_END && cause->j.verdict != JUDGED_WRONG)
        s->j = w->end;
    if (!below)
        vote(w, cause, &s->votes);
    if (below || !is_wanted(w->k, s->tier, &s->insn, &s->j))
        return;
    s->start = malloc(sizeof *s->start);
    w->is_short |= !s->start;
    if (s->start && stream_job_read(cause->start, s->start, &e) != ST_OK) {
        free(s->start);
        s->start = NULL;
    }
}

/* ---- findings, in order ---- */

/* The device that a finding of several is of. */
static u32 first_of(u32 who)
{
    return who ? ctz64(who) : 0;
}

static enum status fill_finding(const struct campaign_worker *w, const struct raw_failure *s,
                                struct finding *f, struct err *e)
{
    const struct campaign *k = w->k;
    struct text t;
    text_init(&t, f->mcpu, sizeof f->mcpu);
    text_add(&t, "%s", k->cfg->mcpu);
    const struct dut *dut = k->cfg->voters ? panel_member(w->x.dut, first_of(s->j.who)) : w->x.dut;
    memcpy(f->dut_name, dut->name, sizeof f->dut_name);
    memcpy(f->dut_version, dut->version, sizeof f->dut_version);
    f->seed = k->cfg->seed;
    f->number = s->index;
    f->step = s->step;
    f->tier = s->tier;
    f->exact = campaign_is_exact(k->cfg);
    f->trapsts = campaign_has_trapsts(k->cfg);
    f->marker = s->marker;
    f->j = s->j;
    memcpy(f->ledger, s->ledger, sizeof f->ledger);
    stream_copy(f->minimal, s->start);
    finding_take_insn(&k->isa, f);
    enum status st = ST_OK;
    if (s->is_probe)
        stream_copy(f->original, s->start);
    else
        st = campaign_stream(k, s->index, f->original, e);
    if (k->corpus && !s->is_probe) {
        const char *name = corpus_name(k->corpus, s->index);
        dut_clean_text(f->file, sizeof f->file, name, strlen(name));
    }
    return st;
}

/* Whether a cause of this encoding and form has a finding: one bug often shows in many opcodes, and
 * one of them explains it. `gcncheck min` takes the time for others. */
static bool is_alike(const struct campaign *k, const struct finding *f)
{
    for (u32 i = 0; i < k->r->cause_count && f->tier == TIER_STEP; i++) {
        const struct campaign_cause *c = &k->r->cause[i];
        if (c->tier == TIER_STEP && c->kept && c->form == f->insn.form &&
            isa_rows[c->op].enc == insn_row(&f->insn)->enc)
            return true;
    }
    return false;
}

/* Only the thread whose turn it is asks. */
static u32 shrink_calls(struct campaign *k, const struct finding *f)
{
    const struct judgement *j = &f->j;
    if (j->what != DIFF_OUTCOME)
        return is_alike(k, f) ? SHRINK_CALLS_ALIKE : SHRINK_CALLS;
    if (j->outcome == OUT_HANG)
        return SHRINK_CALLS_HANG;
    return k->crashes++ < CRASHES_SHRUNK ? SHRINK_CALLS_CRASH : SHRINK_CALLS_MORE;
}

/* ---- what links the instructions of an interaction ---- */

static enum campaign_link link_of_place(u32 place)
{
    switch (place) {
    case PLACE_MODE: return LINK_MODE;
    case CODE_EXEC:
    case CODE_EXEC + 1: return LINK_EXEC;
    case CODE_VCC:
    case CODE_VCC + 1: return LINK_VCC;
    case PLACE_SCC: return LINK_SCC;
    case CODE_M0: return LINK_M0;
    default: return place < PLACE_SCC ? LINK_REGISTER : LINK_COUNT;
    }
}

/* What one instruction writes and another reads: the first of the list of links. */
static enum campaign_link link_between(const struct insn *from, const struct insn *to)
{
    struct effects w, r;
    enum campaign_link best = LINK_COUNT;
    effects_of(from, &w);
    effects_of(to, &r);
    if (insn_row(from)->flags & FLAG_WR_MODE && isa_is_vector_alu(insn_row(to)))
        best = LINK_MODE;
    for (u32 i = 0; i < w.count; i++)
        for (u32 n = 0; n < r.count; n++) {
            bool meets = w.e[i].dir & DIR_W && r.e[n].dir & DIR_R &&
                         w.e[i].place < r.e[n].place + (u32)r.e[n].dw &&
                         r.e[n].place < w.e[i].place + (u32)w.e[i].dw;
            enum campaign_link l = meets ? link_of_place(w.e[i].place) : LINK_COUNT;
            best = l < best ? l : best;
        }
    if (w.mem_write && r.mem_read && w.space == r.space) {
        enum campaign_link l = w.space == SPACE_LDS ? LINK_LDS : LINK_MEMORY;
        best = l < best ? l : best;
    }
    return best;
}

/* Fills link and link_value from a minimal program, of which f->insn is the last instruction. */
static void find_link(const struct isa *isa, const struct finding *f, struct campaign_cause *c)
{
    const struct stream *s = f->minimal;
    struct insn in, first = { .op = OP_NONE };
    u32 left = f->insns;
    c->link = LINK_COUNT;
    for (u32 at = 0; at < s->code_dw && left > 1; at += in.dw) {
        if (!insn_decode(isa, s->code + at, s->code_dw - at, &in, NULL) ||
            insn_row(&in)->flags & FLAG_END)
            continue;
        left--;
        if (insn_row(&in)->flags & FLAG_WAIT)
            continue;
        if (first.op == OP_NONE)
            first = in;
        enum campaign_link l = link_between(&in, &f->insn);
        c->link = l < c->link ? (u8)l : c->link;
    }
    if (c->link < LINK_COUNT)
        return;
    bool has_form = first.form != FORM_BASE && first.form != FORM_LIT;
    c->link = has_form ? LINK_FORM : LINK_ENCODING;
    c->link_value = has_form ? first.form : insn_row(&first)->enc;
}

/* What is in the minimal program is left out where the interaction may be again. */
static void know_program(struct campaign *k, const struct finding *f, u32 cause)
{
    const struct stream *s = f->minimal;
    struct insn in;
    for (u32 at = 0; at < s->code_dw; at += in.dw) {
        if (!insn_decode(&k->isa, s->code + at, s->code_dw - at, &in, NULL) ||
            insn_row(&in)->flags & (FLAG_END | FLAG_WAIT))
            continue;
        u32 *known = &k->prefix[campaign_kind(in.op, in.form)];
        *known = *known ? *known : cause + 1;
    }
}

/* ---- findings are made ---- */

/* The vote on what is left of a program. */
static enum status vote_on_finding(struct campaign_worker *w, struct finding *f, struct err *e)
{
    struct campaign_votes votes = { .places = 0 };
    struct jobbuf *jb = jobbuf_new();
    if (!jb)
        return err_memory(e);
    struct subject s = finding_subject(f, jb);
    s.all = true;
    enum status st = ballot_take(w->x.compare, w->k->cfg->voters, &s, &votes, f, e);
    jobbuf_free(jb);
    return st;
}

/* Shrinks one. Called in turn and without the lock, as the following. *is_made: it can be written,
 * whatever is answered. */
static enum status shrink(struct campaign_worker *w, const struct raw_failure *s, struct finding *f,
                          bool *is_made, struct err *e)
{
    enum status shrunk = ST_OK;
    *is_made = false;
    const struct campaign_voters *voters = w->k->cfg->voters;
    enum status st = fill_finding(w, s, f, e);
    if (st == ST_OK)
        st = finding_set_dut(f, voters ? voters->panel[first_of(s->j.who)] : w->k->cfg->dut, e);
    if (st != ST_OK)
        return st;
    if (s->is_probe && (f->j.outcome == OUT_HANG || w->is_lost)) {
        /* It is one instruction and was run alone; `gcncheck min` takes the time for more. */
        f->repeats = true;
        finding_count_insns(&w->k->isa, f);
    } else {
        shrunk = finding_shrink(w->x.compare, f, shrink_calls(w->k, f), NULL, e);
        if (voters && shrunk == ST_OK)
            shrunk = vote_on_finding(w, f, e);
    }
    *is_made = true;
    return shrunk;
}

/* Names it after its cause: the first of that name, in a folder that others may use as well, that is
 * not another's. */
static enum status name_finding(const struct campaign *k, struct finding *f,
                                struct campaign_cause *c, struct err *e)
{
    enum status st;
    bool is_taken;
    do {
        campaign_cause_id(&k->isa, c, ++c->named, f->id, sizeof f->id);
        st = finding_is_taken(f, k->cfg->out, &is_taken, e);
    } while (st == ST_OK && is_taken && c->named < NAMES_MAX);
    campaign_cause_name(&k->isa, c, f->cause, sizeof f->cause);
    return st;
}

/* Remembers it for those who go on. */
static enum status note_found(struct campaign *k, const struct finding *f, struct err *e)
{
    struct campaign_found *grown = k->found;
    if (!k->state)
        return ST_OK;
    if (k->found_count == k->found_cap)
        grown = array_grow(grown, &k->found_cap, k->found_count + 1ull, sizeof *grown);
    if (!grown)
        return err_memory(e);
    k->found = grown;
    struct campaign_found *to = &grown[k->found_count++];
    *to = (struct campaign_found){ .number = f->number, .insns = f->insns, .repeats = f->repeats };
    memcpy(to->id, f->id, sizeof to->id);
    memcpy(to->cause, f->cause, sizeof to->cause);
    memcpy(to->file, f->file, sizeof to->file);
    return ST_OK;
}

static enum status write_finding(struct campaign_worker *w, struct finding *f,
                                 struct campaign_cause *c, struct err *e)
{
    const struct campaign_cfg *cfg = w->k->cfg;
    char folder[1200];
    const char *kept = NULL;
    enum status st = name_finding(w->k, f, c, e);
    if (st == ST_OK)
        st = finding_write(&w->k->isa, f, cfg->out, cfg->force, &kept, e);
    w->k->is_unsynced |= st == ST_OK;
    if (st == ST_OK)
        st = note_found(w->k, f, e);
    if (st != ST_OK)
        return st;
    if (c->kept++ == 0 || f->insns < c->insns) {
        c->insns = f->insns;
        memcpy(c->id, f->id, sizeof c->id);
    }
    snprintf(folder, sizeof folder, "%s/%s", cfg->out, f->id);
    if (cfg->progress)
        progress_hide(cfg->progress);
    return cfg->found ? cfg->found(cfg->arg, f, folder, kept, e) : ST_OK;
}

enum status campaign_sync(struct campaign *k, struct err *e)
{
    enum status st = k->is_unsynced ? output_sync(k->cfg->out, e) : ST_OK;
    k->is_unsynced = false;
    return st;
}

/* With the lock. NULL if memory is short. */
static struct campaign_cause *add_cause(const struct campaign *k, const struct raw_failure *s)
{
    struct campaign_result *r = k->r;
    struct campaign_cause *grown = r->cause;
    if (r->cause_count == r->cause_cap)
        grown = array_grow(grown, &r->cause_cap, r->cause_count + 1ull, sizeof *grown);
    if (!grown)
        return NULL;
    r->cause = grown;
    struct campaign_cause *c = &r->cause[r->cause_count++];
    *c = (struct campaign_cause){ .tier = s->tier,
                                  .op = s->insn.op,
                                  .form = s->insn.form,
                                  .below = s->below,
                                  .what = s->j.what,
                                  .outcome = s->j.outcome,
                                  .who = s->j.who,
                                  .first = s->index };
    if (k->cfg->voters)
        c->voters = ballot_voters(k->cfg->voters, s->j.who);
    memcpy(c->ledger, s->ledger, sizeof c->ledger);
    return c;
}

/* Puts back what was worked on without the lock. */
static void put_cause(struct campaign *k, u32 at, const struct campaign_cause *c)
{
    pthread_mutex_lock(&k->lock);
    k->r->cause[at] = *c;
    pthread_mutex_unlock(&k->lock);
}

/* The cause of a failure, which it is counted under: one that is there, or a new one. */
static enum status count_cause(struct campaign *k, const struct raw_failure *s,
                               const struct campaign_cause *same, u32 *at,
                               struct campaign_cause *copy, struct err *e)
{
    pthread_mutex_lock(&k->lock);
    struct campaign_cause *c = same ? &k->r->cause[same - k->r->cause] : add_cause(k, s);
    if (c) {
        c->count++;
        ballot_add(&c->votes, &s->votes);
        *copy = *c;
        *at = (u32)(c - k->r->cause);
    }
    pthread_mutex_unlock(&k->lock);
    return c ? ST_OK : err_memory(e);
}

/* A single instruction, or a program that is wrong as a whole: one finding explains it. */
static enum status take_single(struct campaign_worker *w, const struct raw_failure *s,
                               struct err *e)
{
    struct campaign *k = w->k;
    struct campaign_cause copy;
    struct finding *f = NULL;
    u32 at = 0;
    bool is_made = false;
    enum status st =
        count_cause(k, s, find_cause(k, s->tier, s->below, &s->insn, &s->j), &at, &copy, e);
    if (st != ST_OK || !s->start || copy.kept)
        return st;
    st = finding_new(&f, e);
    enum status shrunk = st == ST_OK ? shrink(w, s, f, &is_made, e) : ST_OK;
    if (is_made)
        st = write_finding(w, f, &copy, e);
    put_cause(k, at, &copy);
    finding_free(f);
    return st == ST_OK ? shrunk : st;
}

/* ---- interactions ---- */

/* The causes that may be the same before it is known what links its instructions: the first, how
 * often they were seen, and how many findings there are. */
static const struct campaign_cause *alike(struct campaign *k, const struct raw_failure *s,
                                          u64 *count, u32 *kept)
{
    const struct campaign_cause *first = NULL;
    *count = *kept = 0;
    for (u32 i = 0; i < k->r->cause_count; i++) {
        const struct campaign_cause *c = &k->r->cause[i];
        if (!is_same_cause(c, s->tier, s->below, &s->insn, &s->j))
            continue;
        first = first ? first : c;
        *count += c->count;
        *kept += c->kept;
    }
    return first;
}

/* The cause of an interaction that was shrunk. */
static const struct campaign_cause *find_interaction(const struct campaign *k,
                                                     const struct raw_failure *s,
                                                     const struct campaign_cause *like)
{
    for (u32 i = 0; i < k->r->cause_count; i++) {
        const struct campaign_cause *c = &k->r->cause[i];
        if (is_same_cause(c, s->tier, s->below, &s->insn, &s->j) && c->link == like->link &&
            c->link_value == like->link_value)
            return c;
    }
    return NULL;
}

/* Shrinks it first: only then it shows what it is. */
static enum status make_interaction(struct campaign_worker *w, struct raw_failure *s, struct err *e)
{
    struct campaign *k = w->k;
    struct campaign_cause like = { .tier = TIER_PREFIX }, copy;
    struct finding *f = NULL;
    u32 at = 0;
    bool is_made;
    enum status st = finding_new(&f, e);
    if (st != ST_OK)
        return st;
    enum status shrunk = shrink(w, s, f, &is_made, e);
    if (is_made) {
        find_link(&k->isa, f, &like);
        s->insn = f->insn;
        st = count_cause(k, s, find_interaction(k, s, &like), &at, &copy, e);
    }
    if (is_made && st == ST_OK) {
        copy.link = like.link;
        copy.link_value = like.link_value;
        if (copy.kept < k->cfg->keep)
            st = write_finding(w, f, &copy, e);
        put_cause(k, at, &copy);
        know_program(k, f, at);
        k->interactions++;
    }
    finding_free(f);
    return st == ST_OK ? shrunk : st;
}

/* The first few of those that end alike are shrunk, and later every one whose number is a power of
 * two, in case it is another one. */
static enum status take_interaction(struct campaign_worker *w, struct raw_failure *s, struct err *e)
{
    struct campaign *k = w->k;
    struct campaign_cause copy;
    u64 count;
    u32 kept, at = 0;
    const struct campaign_cause *first = alike(k, s, &count, &kept);
    if (s->start && !s->below && (kept < k->cfg->keep || (count & (count + 1)) == 0))
        return make_interaction(w, s, e);
    return count_cause(k, s, first, &at, &copy, e);
}

/* Only the thread whose turn it is changes causes; the lock is for those who look. */
enum status campaign_take_failure(struct campaign_worker *w, struct raw_failure *s, struct err *e)
{
    return s->tier == TIER_PREFIX ? take_interaction(w, s, e) : take_single(w, s, e);
}
