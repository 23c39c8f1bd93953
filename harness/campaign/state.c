/* Writing and reading are one description of what there is: a codec goes over the same members in
 * the same order and does either. Numbers are written seven bits at a time, lists as index + 1 and
 * contents of what changed, ended by a 0. */
#include "harness/campaign/state.h"

#include "harness/campaign/origin.h"
#include "oracle/base/array.h"
#include "reports/result.h"

#include <stdlib.h>

/* Batches that may go without a state: one of so many that were taken, and at most so many. So a
 * process that is killed loses a 64th of what was done, and the states of a long campaign are few. */
enum { GAP_OF = 64, GAP_MAX = 1024 };

struct codec {
    bool reads;
    bool is_bad;   /* what was read is none of ours */
    bool is_short; /* of memory */
    const u8 *at, *end;
    u8 *bytes; /* that were written; owned */
    u32 size, cap;
};

struct campaign_state {
    struct origin origin;
    bool has_origin; /* kept, or taken */
    bool is_taken;
    bool has_state; /* one was kept, or taken: */
    u64 batches;    /* the batches of the last */
    struct codec out;
    /* As they were kept: */
    u8 supported[OPS_MAX], covered[OPS_MAX];
    u32 cause_count, cause_cap;
    struct campaign_cause *cause;
    struct kind_seen *seen; /* [KINDS] */
    u32 *prefix;            /* [KINDS] */
    struct cover_seen cover;
};

/* ---- numbers and texts ---- */

static void put_byte(struct codec *c, u8 byte)
{
    if (c->size == c->cap) {
        u8 *grown = array_grow(c->bytes, &c->cap, c->size + 1ull, 1);
        c->is_short |= !grown;
        if (!grown)
            return;
        c->bytes = grown;
    }
    c->bytes[c->size++] = byte;
}

/* The number that is read, or `v`, which is written. One above `most` is none of ours. */
static u64 code(struct codec *c, u64 v, u64 most)
{
    if (!c->reads) {
        for (; v > 0x7f; v >>= 7)
            put_byte(c, (u8)(v | 0x80));
        put_byte(c, (u8)v);
        return v;
    }
    u64 got = 0;
    bool more = true;
    for (u32 shift = 0; more && shift < 64 && c->at < c->end; shift += 7, c->at++) {
        got |= (u64)(*c->at & 0x7f) << shift;
        more = *c->at & 0x80;
    }
    c->is_bad |= more || got > most;
    return c->is_bad ? 0 : got;
}

static void code_u64(struct codec *c, u64 *v)
{
    u64 got = code(c, *v, UINT64_MAX);
    *v = c->reads ? got : *v;
}

static void code_u32(struct codec *c, u32 *v, u64 most)
{
    u64 got = code(c, *v, most);
    *v = c->reads ? (u32)got : *v;
}

static void code_u16(struct codec *c, u16 *v, u64 most)
{
    u64 got = code(c, *v, most);
    *v = c->reads ? (u16)got : *v;
}

static void code_u8(struct codec *c, u8 *v, u64 most)
{
    u64 got = code(c, *v, most);
    *v = c->reads ? (u8)got : *v;
}

static void code_bool(struct codec *c, bool *v)
{
    u64 got = code(c, *v, 1);
    *v = c->reads ? got : *v;
}

/* A text in a buffer of `size` bytes. */
static void code_text(struct codec *c, char *text, size_t size)
{
    size_t len = (size_t)code(c, strlen(text), size - 1);
    if (!c->reads) {
        len = strlen(text);
        for (size_t i = 0; i < len; i++)
            put_byte(c, (u8)text[i]);
        return;
    }
    c->is_bad |= len > (size_t)(c->end - c->at);
    if (c->is_bad)
        return;
    memcpy(text, c->at, len);
    text[len] = '\0';
    c->at += len;
    result_clean(text, false);
}

/* Begins an element of a list, or ends the list: the index that is read or, where there is one,
 * written. False: the list is at its end. */
static bool code_index(struct codec *c, u32 *index, u32 count)
{
    u64 got = code(c, *index < count ? *index + 1ull : 0, count);
    if (c->reads)
        *index = (u32)got - 1;
    return !c->is_bad && (c->reads ? got : *index < count);
}

/* ---- which campaign ---- */

static void code_origin(struct campaign_state *s, struct codec *c, struct err *e)
{
    struct origin *mine = &s->origin;
    u32 count = mine->count;
    char name[ORIGIN_NAME] = "", value[ORIGIN_VALUE] = "";
    code_u32(c, &count, UINT32_MAX);
    for (u32 i = 0; i < count && !c->is_bad; i++) {
        if (!c->reads) {
            code_text(c, mine->at[i].name, sizeof mine->at[i].name);
            code_text(c, mine->at[i].value, sizeof mine->at[i].value);
            continue;
        }
        code_text(c, name, sizeof name);
        code_text(c, value, sizeof value);
        if (!c->is_bad && !origin_compare(mine, i, name, value, e))
            return;
    }
}

/* ---- the members ---- */

static void code_counters(struct codec *c, struct campaign *k)
{
    struct campaign_result *r = k->r;
    u64 *const totals[] = {
        &r->streams,           &r->insns,     &r->right,    &r->wrong,   &r->below,
        &r->unsupported,       &r->invalid,   &r->narrowed, &r->retried, &r->steps,
        &r->steps_unsupported, &r->tolerated, &r->hangs,    &r->known,   &r->uncut
    };
    u32 *const counts[] = { &r->narrowed_classes, &r->forms,        &r->forms_done, &r->forms_fatal,
                            &r->forms_unasked,    &r->forms_unmade, &r->ops,        &r->ops_done,
                            &k->crashes,          &k->interactions };
    for (u32 i = 0; i < COUNT_OF(totals); i++)
        code_u64(c, totals[i]);
    for (u32 i = 0; i < COUNT_OF(counts); i++)
        code_u32(c, counts[i], UINT32_MAX);
    code_bool(c, &r->is_lost);
    code_bool(c, &r->is_cut);
    code_u16(c, &r->unmade.op, isa_op_count - 1);
    u8 form = r->unmade.form; /* a bit field has no address */
    code_u8(c, &form, FORM_COUNT - 1);
    r->unmade.form = form & 7u;
    code_text(c, r->invalid_reason, sizeof r->invalid_reason);
    code_text(c, r->refused_reason, sizeof r->refused_reason);
}

static void code_traits(struct codec *c, struct traits *t)
{
    for (u32 i = 0; i < TRAIT_WORDS; i++)
        code_u64(c, &t->bits[i]);
    c->is_bad |= TRAIT_COUNT % 64 && t->bits[TRAIT_WORDS - 1] >> TRAIT_COUNT % 64;
}

/* Nothing where one device runs alone. */
static void code_votes(struct codec *c, struct campaign_cause *cause)
{
    struct campaign_votes *v = &cause->votes;
    code_u64(c, &v->places);
    if (!v->places)
        return;
    code_u64(c, &v->majority);
    code_u64(c, &v->undecided);
    for (u32 i = 0; i < VOTE_DUTS_MAX; i++)
        code_u64(c, &v->alone[i]);
}

static void code_cause(struct codec *c, struct campaign_cause *cause)
{
    code_u8(c, &cause->tier, TIER_PREFIX);
    code_u8(c, &cause->form, FORM_COUNT - 1);
    code_u8(c, &cause->what, DIFF_WHAT_COUNT - 1);
    code_u8(c, &cause->outcome, OUT_COUNT - 1);
    code_u16(c, &cause->op, isa_op_count - 1);
    code_bool(c, &cause->below);
    code_u8(c, &cause->link, LINK_COUNT - 1);
    code_u8(c, &cause->link_value,
            cause->link == LINK_FORM ? FORM_COUNT - 1ull : (u64)ENC_COUNT - 1);
    code_text(c, cause->ledger, sizeof cause->ledger);
    code_u32(c, &cause->kept, UINT32_MAX);
    code_u32(c, &cause->named, UINT32_MAX);
    code_u32(c, &cause->insns, UINT32_MAX);
    code_u64(c, &cause->count);
    code_u64(c, &cause->first);
    code_text(c, cause->id, sizeof cause->id);
    code_u32(c, &cause->who, UINT32_MAX);
    code_u32(c, &cause->voters, UINT32_MAX);
    code_votes(c, cause);
    code_u64(c, &cause->fails);
    code_u32(c, &cause->samples, CAMPAIGN_SAMPLES);
    for (u32 i = 0; i < cause->samples && !c->is_bad; i++)
        code_traits(c, &cause->sample[i]);
}

static void code_seen(struct codec *c, struct kind_seen *seen)
{
    code_u64(c, &seen->fails);
    code_u64(c, &seen->passes);
    code_u32(c, &seen->samples, KIND_SAMPLES);
    for (u32 i = 0; i < seen->samples && !c->is_bad; i++)
        code_traits(c, &seen->sample[i]);
}

/* ---- lists ---- */

/* Of the opcodes, those whose bits changed. */
static void code_ops(struct codec *c, u8 *now, u8 *kept)
{
    u32 i = 0;
    do {
        for (; !c->reads && i < OPS_MAX && now[i] == kept[i]; i++)
            continue;
        if (!code_index(c, &i, OPS_MAX))
            return;
        code_u8(c, &now[i], UINT8_MAX);
        kept[i] = now[i];
    } while (!c->is_bad);
}

static bool grow_causes(struct codec *c, struct campaign_cause **at, u32 *cap, u32 count)
{
    struct campaign_cause *grown = *at;
    if (count > *cap)
        grown = array_grow(grown, cap, count, sizeof *grown);
    c->is_short |= !grown;
    if (!grown)
        return false;
    *at = grown;
    return true;
}

static void code_causes(struct codec *c, struct campaign *k, struct campaign_state *s)
{
    struct campaign_result *r = k->r;
    u32 i = 0;
    do {
        for (; !c->reads && i < s->cause_count && i < r->cause_count &&
               memcmp(&r->cause[i], &s->cause[i], sizeof *r->cause) == 0;
             i++)
            continue;
        if (!code_index(c, &i, c->reads ? r->cause_count + 1 : r->cause_count))
            return;
        if (!grow_causes(c, &r->cause, &r->cause_cap, i + 1) ||
            !grow_causes(c, &s->cause, &s->cause_cap, i + 1))
            return;
        if (i == r->cause_count) {
            memset(&r->cause[i], 0, sizeof *r->cause);
            r->cause_count++;
        }
        code_cause(c, &r->cause[i]);
        memcpy(&s->cause[i], &r->cause[i], sizeof *s->cause);
        if (s->cause_count <= i)
            s->cause_count = i + 1;
    } while (!c->is_bad);
}

static void code_kinds(struct codec *c, struct campaign *k, struct campaign_state *s)
{
    u32 i = 0;
    do {
        for (; !c->reads && i < KINDS && memcmp(&k->seen[i], &s->seen[i], sizeof *s->seen) == 0;
             i++)
            continue;
        if (!code_index(c, &i, KINDS))
            break;
        code_seen(c, &k->seen[i]);
        memcpy(&s->seen[i], &k->seen[i], sizeof *s->seen);
    } while (!c->is_bad);
    i = 0;
    do {
        for (; !c->reads && i < KINDS && k->prefix[i] == s->prefix[i]; i++)
            continue;
        if (!code_index(c, &i, KINDS))
            return;
        code_u32(c, &k->prefix[i], k->r->cause_count);
        s->prefix[i] = k->prefix[i];
    } while (!c->is_bad);
}

/* Of a row the legal levels that came to it: how many, and which. */
static void code_levels(struct codec *c, const struct cover_bits *legal, struct cover_bits *now,
                        struct cover_bits *kept)
{
    struct cover_bits fresh;
    u32 count = 0;
    for (u32 w = 0; w < COVER_WORDS; w++) {
        fresh.w[w] = now->w[w] & legal->w[w] & ~kept->w[w];
        count += popcount64(fresh.w[w]);
    }
    code_u32(c, &count, COVER_LEVELS_MAX);
    for (u32 at = 0; count && !c->is_bad; count--, at++) {
        while (!c->reads && !(fresh.w[at / 64] >> at % 64 & 1))
            at++;
        code_u32(c, &at, COVER_LEVELS_MAX - 1);
        now->w[at / 64] |= 1ull << at % 64;
        kept->w[at / 64] |= 1ull << at % 64;
        c->is_bad |= !(legal->w[at / 64] >> at % 64 & 1);
    }
}

static bool code_row(struct codec *c, struct cover_seen *now, struct cover_seen *kept, u32 at)
{
    code_levels(c, &now->model->legal[at], &now->row[at], &kept->row[at]);
    return !c->is_bad;
}

static bool code_drawn(struct codec *c, struct cover_seen *now, struct cover_seen *kept, u32 at)
{
    u64 more = now->drawn[at] - kept->drawn[at];
    code_u64(c, &more);
    kept->drawn[at] += more;
    now->drawn[at] = kept->drawn[at];
    return !c->is_bad;
}

static bool has_fresh(const struct cover_bits *legal, const struct cover_bits *now,
                      const struct cover_bits *kept)
{
    u64 fresh = 0;
    for (u32 w = 0; w < COVER_WORDS; w++)
        fresh |= now->w[w] & legal->w[w] & ~kept->w[w];
    return fresh != 0;
}

/* Begins an element of a long list: 1 + how many were passed over, 0 at its end. */
static bool code_next(struct codec *c, u32 *next, u32 at, u32 count)
{
    u32 step = at < count ? at - *next + 1 : 0;
    code_u32(c, &step, count - *next);
    *next += step;
    return !c->is_bad && step;
}

/* Pairs that were seen since, and what was counted. */
static void code_cover(struct codec *c, struct cover_seen *now, struct cover_seen *kept)
{
    const struct cover_model *m = now->model;
    u32 next = 0, at;
    code_u64(c, &now->streams);
    code_u64(c, &now->insns);
    code_u64(c, &now->watched);
    kept->streams = now->streams;
    kept->insns = now->insns;
    kept->watched = now->watched;
    do
        for (at = next; !c->reads && at < m->kind_count && now->drawn[at] == kept->drawn[at]; at++)
            continue;
    while (code_next(c, &next, at, m->kind_count) && code_drawn(c, now, kept, next - 1));
    next = 0;
    do
        for (at = next; !c->reads && at < m->row_count &&
                        !has_fresh(&m->legal[at], &now->row[at], &kept->row[at]);
             at++)
            continue;
    while (code_next(c, &next, at, m->row_count) && code_row(c, now, kept, next - 1));
}

/* The findings that were written since. Those that are read are handed on. */
static void code_found(struct codec *c, struct campaign *k)
{
    u32 count = k->found_count;
    code_u32(c, &count, UINT32_MAX);
    for (u32 i = 0; i < count && !c->is_bad; i++) {
        struct campaign_found none = { .id = "" }, *f = c->reads ? &none : &k->found[i];
        code_text(c, f->id, sizeof f->id);
        code_text(c, f->cause, sizeof f->cause);
        code_text(c, f->file, sizeof f->file);
        code_u64(c, &f->number);
        code_u32(c, &f->insns, UINT32_MAX);
        code_bool(c, &f->repeats);
        if (c->reads && !c->is_bad && k->cfg->found_before)
            k->cfg->found_before(k->cfg->arg, f);
    }
    k->found_count = 0;
}

static void code_state(struct codec *c, struct campaign *k, struct campaign_state *s)
{
    u64 taken = k->taken;
    code_u64(c, &taken);
    c->is_bad |= c->reads && (s->is_taken ? taken <= k->taken : taken != k->taken);
    if (c->is_bad)
        return;
    k->taken = s->batches = taken;
    s->has_state = true;
    code_counters(c, k);
    code_ops(c, k->r->supported, s->supported);
    code_ops(c, k->r->covered, s->covered);
    code_causes(c, k, s);
    code_kinds(c, k, s);
    code_found(c, k);
    if (steer_counts(k))
        code_cover(c, steer_counts(k), &s->cover);
}

/* ---- the whole ---- */

enum status state_open(const struct campaign_worker *w, struct campaign_state **out, struct err *e)
{
    struct campaign_state *s = *out = calloc(1, sizeof *s);
    if (!s)
        return err_memory(e);
    s->seen = calloc(KINDS, sizeof *s->seen);
    s->prefix = calloc(KINDS, sizeof *s->prefix);
    enum status st = s->seen && s->prefix ? origin_find(w, &s->origin, e) : err_memory(e);
    const struct cover_seen *counts = steer_counts(w->k);
    if (st == ST_OK && counts)
        st = cover_seen_open(&s->cover, counts->model, e);
    if (st != ST_OK) {
        state_free(s);
        *out = NULL;
    }
    return st;
}

void state_free(struct campaign_state *s)
{
    if (!s)
        return;
    free(s->out.bytes);
    free(s->cause);
    free(s->seen);
    free(s->prefix);
    cover_seen_close(&s->cover);
    free(s);
}

bool state_has_origin(const struct campaign_state *s)
{
    return s->has_origin;
}

bool state_is_taken(const struct campaign_state *s)
{
    return s->is_taken;
}

const struct cover_seen *state_counts(const struct campaign_state *s)
{
    return s->has_state ? &s->cover : NULL;
}

/* ---- when ---- */

bool state_is_behind(const struct campaign_state *s, const struct campaign *k)
{
    return s->has_origin && s->batches < k->taken;
}

bool state_is_due(const struct campaign_state *s, const struct campaign *k)
{
    u64 gap = k->taken / GAP_OF;
    gap = gap < GAP_MAX ? gap : GAP_MAX;
    return k->found_count || k->stop || k->taken - s->batches >= gap ||
           campaign_changes_known(k->taken) || steer_ends_round(k, k->taken);
}

/* ---- keeping and taking ---- */

static enum status hand_over(struct codec *c, const struct campaign_cfg *cfg, struct err *e)
{
    if (c->is_short)
        return err_memory(e);
    enum status st = cfg->store(cfg->arg, c->bytes, c->size, e);
    c->size = 0;
    return st;
}

enum status state_keep(struct campaign_state *s, struct campaign *k, struct err *e)
{
    struct codec *c = &s->out;
    enum status st = campaign_sync(k, e);
    if (st != ST_OK)
        return st;
    if (s->has_origin)
        code_state(c, k, s);
    else
        code_origin(s, c, e);
    s->has_origin = true;
    return hand_over(c, k->cfg, e);
}

enum status state_take(struct campaign_state *s, struct campaign *k, const u8 *bytes, size_t size,
                       struct err *e)
{
    struct codec c = { .reads = true, .at = bytes, .end = bytes + size };
    e->text[0] = '\0';
    if (!s->has_origin) {
        code_origin(s, &c, e);
        s->has_origin = true;
        if (e->text[0])
            return ST_INPUT;
    } else {
        code_state(&c, k, s);
        s->is_taken = true;
    }
    if (c.is_short)
        return err_memory(e);
    if (c.is_bad || c.at != c.end)
        return err_set(e, ST_INPUT, "holds a state that is none of this gcncheck");
    if (s->is_taken)
        steer_know_again(k);
    return k->taken ? campaign_know_again(k, e) : ST_OK;
}
