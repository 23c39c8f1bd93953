/* Which failures are known, and which entries show. */
#include "harness/known/internal.h"

#include "oracle/base/array.h"
#include "oracle/isa/isa.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- opening ---- */

enum status known_open(struct known **out, const struct known_cfg *cfg, struct err *e)
{
    struct known *k = calloc(1, sizeof *k);
    if (!k)
        return err_memory(e);
    k->cfg = *cfg;
    enum status st = cfg->file ? known_read(k, e) : ST_OK;
    if (st == ST_OK && cfg->skips)
        st = known_read_list(&k->skips, cfg->skips, e);
    if (st == ST_OK && cfg->flakes)
        st = known_read_list(&k->flakes, cfg->flakes, e);
    if (st != ST_OK) {
        known_close(k);
        return st;
    }
    *out = k;
    return ST_OK;
}

void known_close(struct known *k)
{
    if (!k)
        return;
    free(k->bytes);
    free(k->entry);
    free(k->pattern);
    free(k->span);
    free(k->match);
    known_free_names(&k->names);
    known_free_names(&k->asked);
    known_free_names(&k->judged);
    known_free_names(&k->fresh);
    known_free_list(&k->skips);
    known_free_list(&k->flakes);
    free(k);
}

/* ---- results ---- */

bool known_skips(const struct known *k, const char *id)
{
    return known_list_has(&k->skips, id);
}

/* As deqp-runner tells failures apart. */
static u8 end_of(const struct result *r)
{
    if (strcmp(r->reason, "crash") == 0 || strcmp(r->reason, "nonsense") == 0)
        return KNOWN_CRASH;
    return strcmp(r->reason, "hang") == 0 ? KNOWN_TIMEOUT : KNOWN_FAIL;
}

/* Lets an entry show in a failure, and answers whether that makes it known. */
static bool fire(struct known_entry *x, u8 end)
{
    if (!(x->ends & end))
        return false;
    x->fired++;
    return !x->is_expired;
}

static struct known_entry *exact_entry(struct known *k, const char *name)
{
    const struct known_name *found = known_has_name(&k->names, name);
    struct known_entry *x = found ? &k->entry[found - k->names.at] : NULL;
    return x && !x->is_pattern ? x : NULL;
}

/* The entries whose pattern fits a cause. Causes come again and again, and each is tried once.
 * False: no memory. */
static bool find_patterns(struct known *k, const char *cause, struct known_span *out)
{
    const struct known_name *n = known_has_name(&k->asked, cause);
    *out = (struct known_span){ 0 };
    if (!k->patterns)
        return true;
    if (n) {
        *out = k->span[n - k->asked.at];
        return true;
    }
    struct known_span *span =
        array_grow(k->span, &k->span_cap, k->asked.count + 1ull, sizeof *span);
    if (!span)
        return false;
    k->span = span;
    out->from = k->matches;
    for (u32 i = 0; i < k->patterns; i++) {
        if (fnmatch(k->entry[k->pattern[i]].name, cause, 0) != 0)
            continue;
        u32 *match = array_grow(k->match, &k->matches_cap, k->matches + 1ull, sizeof *match);
        if (!match)
            return false;
        k->match = match;
        k->match[k->matches++] = k->pattern[i];
    }
    out->to = k->matches;
    k->span[k->asked.count] = *out;
    return known_add_name(&k->asked, cause) != NULL;
}

/* *by: the entry that makes a failure known, or NULL. Every entry that names it shows. *is_named:
 * some entry does. False: no memory. */
static bool covering(struct known *k, const char *cause, const char *id, u8 end,
                     const struct known_entry **by, bool *is_named)
{
    struct known_entry *by_name[2] = { exact_entry(k, cause), id[0] ? exact_entry(k, id) : NULL };
    struct known_span span;
    *by = NULL;
    *is_named = false;
    if (!find_patterns(k, cause, &span))
        return false;
    for (u32 i = 0; i < 2; i++) {
        *is_named |= by_name[i] && by_name[i]->ends & end;
        if (by_name[i] && fire(by_name[i], end) && !*by)
            *by = by_name[i];
    }
    for (u32 i = span.from; i < span.to; i++) {
        struct known_entry *x = &k->entry[k->match[i]];
        *is_named = true;
        if (fire(x, end) && !*by)
            *by = x;
    }
    return true;
}

/* Notes a failure that the file does not have. */
static bool note_fresh(struct known *k, const char *name, const char *first, u8 end, u64 seen)
{
    struct known_name *n = known_add_name(&k->fresh, name);
    if (!n)
        return false;
    if (n->seen == 0)
        snprintf(n->first, sizeof n->first, "%s", first);
    n->seen += seen;
    n->ends |= end;
    return true;
}

bool known_judged(struct known *k, const char *mnemonic, const char *form)
{
    char name[KNOWN_NAME_SIZE];
    snprintf(name, sizeof name, "%s %s", mnemonic, form);
    return known_add_name(&k->judged, name) != NULL;
}

static bool leave_out(struct known *k, const struct result *r)
{
    char name[KNOWN_NAME_SIZE];
    snprintf(name, sizeof name, "%s %s", r->mnemonic, r->form);
    struct known_name *n = known_add_name(&k->judged, name);
    if (n)
        n->is_left_out = true;
    return n != NULL;
}

static bool take_failure(struct known *k, struct result *r)
{
    char cause[sizeof r->cause];
    bool is_named;
    u8 end = end_of(r);
    result_cause(r, cause, sizeof cause);
    const struct known_entry *x;
    if (!covering(k, cause, r->id, end, &x, &is_named))
        return false;
    if (r->status == RESULT_KNOWN) /* said so by a run that is gone on with */
        return true;
    if (x) {
        r->status = RESULT_KNOWN;
        RESULT_SET(r->known, "%s", x->reason);
    } else if (known_list_has(&k->flakes, r->id)) {
        r->status = RESULT_KNOWN;
        RESULT_SET(r->known, "flake, by %s", k->cfg.flakes);
    } else if (!is_named) {
        return note_fresh(k, k->is_deqp ? r->id : cause, r->id, end, 1);
    }
    return true;
}

bool known_take(struct known *k, struct result *r)
{
    if (r->status == RESULT_SKIP)
        return strcmp(r->reason, KNOWN_SKIPPED) != 0 || leave_out(k, r);
    if (!known_judged(k, r->mnemonic, r->form))
        return false;
    if (r->status == RESULT_NOT_OK || r->status == RESULT_KNOWN)
        return take_failure(k, r);
    struct known_entry *x = exact_entry(k, r->id);
    if (x)
        x->has_passed = true;
    return true;
}

const char *known_reason(struct known *k, const char *cause)
{
    const struct known_entry *by = exact_entry(k, cause);
    struct known_span span;
    if (by && (!by->ends || by->is_expired))
        by = NULL;
    if (!find_patterns(k, cause, &span))
        return by ? by->reason : NULL;
    for (u32 i = span.from; i < span.to; i++) {
        const struct known_entry *x = &k->entry[k->match[i]];
        if (x->ends && !x->is_expired && (!by || x < by))
            by = x;
    }
    return by ? by->reason : NULL;
}

bool known_take_cause(struct known *k, const char *cause, const char *first, u64 seen)
{
    const struct known_entry *x;
    bool is_named;
    if (covering(k, cause, "", KNOWN_ANY, &x, &is_named) && !x && !is_named)
        note_fresh(k, cause, first, KNOWN_FAIL, seen);
    return x != NULL;
}

/* ---- what can never show ---- */

static bool is_form_of(isa_op op, const char *form)
{
    for (u32 gen = 0; gen < GEN_COUNT; gen++)
        for (u32 f = 0; f < FORM_COUNT; f++)
            if (isa_forms((enum gen)gen, &isa_rows[op]) >> f & 1 &&
                strcmp(isa_form_name((enum gen)gen, &isa_rows[op], (enum isa_form)f), form) == 0)
                return true;
    return false;
}

/* What is wrong with the first words of "MNEMONIC FORM: what", or NULL. Causes that are named otherwise
 * (interactions, whole programs, files) begin with no mnemonic, and patterns match what they like. */
static const char *why_never(const char *cause)
{
    char mnemonic[64], form[16], end[2];
    bool has_op = false, has_form = false;
    int words = sscanf(cause, "%63[a-z0-9_] %15[a-z0-9]%1[:]", mnemonic, form, end);
    if (words < 1 || !strchr(mnemonic, '_') || cause[strlen(mnemonic)] != ' ')
        return NULL;
    for (u32 op = OP_NONE + 1; op < isa_op_count; op++)
        if (strcmp(isa_rows[op].name, mnemonic) == 0) {
            has_op = true;
            has_form |= words < 3 || is_form_of((isa_op)op, form);
        }
    return !has_op     ? "no processor has such an opcode"
           : !has_form ? "the opcode has no such form"
                       : NULL;
}

void known_check(const struct known *k, known_say_fn *say, void *arg)
{
    char line[512];
    for (u32 i = 0; i < k->entries; i++) {
        const struct known_entry *x = &k->entry[i];
        const char *why = k->is_deqp ? NULL : why_never(x->name);
        if (!why)
            continue;
        snprintf(line, sizeof line, "%s:%u: %s: %s", k->cfg.file, x->line, x->name, why);
        say(arg, line);
    }
}

/* ---- what no longer shows ---- */

/* Whether instructions that the cause is about were judged. */
static bool was_judged(const struct known *k, const struct known_entry *x)
{
    char where[KNOWN_NAME_SIZE];
    const char *colon = strstr(x->name, ": ");
    if (!colon)
        return false;
    snprintf(where, sizeof where, "%.*s", (int)(colon - x->name), x->name);
    if (!strpbrk(where, "*?[")) {
        const struct known_name *n = known_has_name(&k->judged, where);
        return n && !n->is_left_out;
    }
    for (u32 i = 0; i < k->judged.count; i++)
        if (!k->judged.at[i].is_left_out && fnmatch(where, k->judged.at[i].name, 0) == 0)
            return true;
    return false;
}

bool known_is_unfired(const struct known *k, const struct known_entry *x, bool whole)
{
    if (x->fired || !x->ends || (x->commands && !(x->commands & k->cfg.command)))
        return false;
    return x->has_passed || (whole && was_judged(k, x));
}

void known_warn(const struct known *k, bool whole, known_say_fn *say, void *arg,
                struct known_ends *ends)
{
    char line[512];
    *ends = (struct known_ends){ 0 };
    for (u32 i = 0; i < k->entries; i++) {
        const struct known_entry *x = &k->entry[i];
        const char *file = k->cfg.file;
        if (known_is_unfired(k, x, whole)) {
            ends->unfired++;
            snprintf(line, sizeof line, "%s:%u: %s: %s%s", file, x->line, x->name,
                     k->cfg.command == KNOWN_RUN ? "does not fail any more" : "did not show",
                     k->cfg.command == KNOWN_FUZZ ? ""
                     : k->cfg.update              ? ": is taken out"
                                                  : ": take it out");
            say(arg, line);
        } else if (x->fired && x->is_expired) {
            ends->expired++;
            snprintf(line, sizeof line, "%s:%u: %s: was known until %s, and still fails", file,
                     x->line, x->name, x->until);
            say(arg, line);
        }
    }
}
