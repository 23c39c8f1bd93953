/* Candidates: a change is kept if the stream is still valid and still fails. */
#include "fuzz/shrink/internal.h"

void shrink_begin(struct shrinker *sh)
{
    stream_copy(sh->trial, sh->best);
    sh->next = sh->prog;
}

static bool is_valid(struct shrinker *sh)
{
    const struct stream *t = sh->trial;
    struct rule_program p = { .code = t->code, .dw = t->code_dw, .pc = t->pc };
    enum status st = rule_check(sh->isa, &p, NULL);
    sh->is_short |= st == ST_WORLD;
    return st == ST_OK;
}

static bool still_fails(struct shrinker *sh)
{
    if (!shrink_goes_on(sh))
        return false;
    sh->calls++;
    if (!sh->fails(sh->ctx, sh->trial))
        return false;
    sh->progress = true;
    return true;
}

bool shrink_try(struct shrinker *sh)
{
    struct stream *t = sh->trial;
    t->code_dw = prog_encode(&sh->next, t->code, STREAM_DW_MAX, NULL);
    if (t->code_dw == 0 || !is_valid(sh) || !still_fails(sh))
        return false;
    stream_copy(sh->best, t);
    sh->prog = sh->next;
    return true;
}

bool shrink_try_state(struct shrinker *sh)
{
    if (!still_fails(sh))
        return false;
    stream_copy(sh->best, sh->trial);
    return true;
}

void shrink_pieces(struct shrinker *sh, u32 (*count_of)(const struct shrinker *sh),
                   bool (*take)(struct shrinker *sh, u32 at, u32 count))
{
    u32 n = count_of(sh), size = n;
    while (size && shrink_goes_on(sh)) {
        /* From the end: what is computed last is needed by the fewest. */
        u32 end = n;
        while (end && shrink_goes_on(sh)) {
            u32 at = end > size ? end - size : 0;
            take(sh, at, end - at);
            end = at;
            n = count_of(sh);
            end = end < n ? end : n;
        }
        size = size > 1 && size > n ? n : size / 2;
    }
}
