/* The rounds of the shrinker, and taking instructions out. */
#include "fuzz/shrink/internal.h"

#include "oracle/base/array.h"
#include "oracle/isa/op.h"
#include "oracle/state/effects.h"

#include <stdlib.h>

enum { CALLS_DEFAULT = 4000, ROUNDS_MAX = 8 };

void shrink_begin(struct shrinker *sh)
{
    *sh->trial = *sh->best;
    sh->next = sh->prog;
}

static bool is_valid(struct shrinker *sh)
{
    const struct stream *t = sh->trial;
    struct rule_program p = { .code = t->code, .dw = t->code_dw, .pc = t->pc };
    return rule_check(sh->isa, &p, NULL) == ST_OK;
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
    *sh->best = *t;
    sh->prog = sh->next;
    return true;
}

bool shrink_try_state(struct shrinker *sh)
{
    if (!still_fails(sh))
        return false;
    *sh->best = *sh->trial;
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

/* ---- instructions ---- */

static bool touches_lds(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    return (row->enc == ENC_DS && !(row->flags & FLAG_LANEWISE)) || row->enc == ENC_FLAT ||
           insn_get(in, FLD_lds);
}

/* Between `at` and the next barrier on that side. */
static bool lds_beside(const struct prog *p, u32 at, bool ahead)
{
    for (u32 i = at; ahead ? i < p->count : i > 0; i += ahead ? 1u : ~0u) {
        const struct insn *in = &p->insn[ahead ? i : i - 1].in;
        if (in->op == OP_s_barrier)
            return false;
        if (touches_lds(in))
            return true;
    }
    return false;
}

/* Without the barriers in [at, at + count) waves might race for LDS, and what they then read proves
 * nothing. */
static bool barrier_is_needed(const struct shrinker *sh, u32 at, u32 count)
{
    bool any = false;
    if (sh->best->waves == 1)
        return false;
    for (u32 i = at; i < at + count; i++)
        any |= sh->prog.insn[i].in.op == OP_s_barrier;
    return any && lds_beside(&sh->next, at, true) && lds_beside(&sh->next, at, false);
}

/* s_endpgm stays. */
static u32 count_insns(const struct shrinker *sh)
{
    return sh->prog.count - 1;
}

static bool take_insns(struct shrinker *sh, u32 at, u32 count)
{
    shrink_begin(sh);
    prog_remove(&sh->next, at, count);
    return !barrier_is_needed(sh, at, count) && shrink_try(sh);
}

static bool writes_exec(const struct insn *in)
{
    struct effects fx;
    insn_effects(in, &fx);
    for (u32 i = 0; i < fx.count; i++)
        if (fx.e[i].dir & DIR_W && fx.e[i].place <= CODE_EXEC + 1 &&
            fx.e[i].place + fx.e[i].dw > CODE_EXEC)
            return true;
    return false;
}

/* An instruction may be needed for the time it takes only. */
static bool take_for_nop(struct shrinker *sh, u32 at)
{
    const struct insn *in = &sh->prog.insn[at].in;
    if (in->op == OP_s_nop)
        return false;
    shrink_begin(sh);
    struct prog_insn *pi = &sh->next.insn[at];
    insn_start(sh->isa, OP_s_nop, FORM_BASE, &pi->in);
    pi->target = pi->origin = PROG_NO_TARGET;
    for (u32 i = 0; i < sh->next.count; i++)
        if (sh->next.insn[i].origin == (i16)at)
            sh->next.insn[i].origin = sh->next.insn[i].target = PROG_NO_TARGET;
    return !barrier_is_needed(sh, at, 1) && shrink_try(sh);
}

/* Instructions that only bring lanes back are not needed where EXEC is all lanes from the start;
 * that it then is fewer again is tried later. */
static bool take_with_all_lanes(struct shrinker *sh, u32 at)
{
    if (!writes_exec(&sh->prog.insn[at].in))
        return false;
    shrink_begin(sh);
    prog_remove(&sh->next, at, 1);
    struct stream *t = sh->trial;
    for (u32 i = 0; i < t->set_count; i++)
        if (t->set[i].place == CODE_EXEC || t->set[i].place == CODE_EXEC + 1)
            t->values[t->set[i].at] = ~0u;
    return shrink_try(sh);
}

/* A branch to what follows anyway: what it jumps over, or the loop that it closes, may go. */
static bool take_way(struct shrinker *sh, u32 at)
{
    const struct prog_insn *pi = &sh->prog.insn[at];
    if (pi->target == PROG_NO_TARGET || pi->origin != PROG_NO_TARGET || pi->target == (i32)at + 1)
        return false;
    shrink_begin(sh);
    sh->next.insn[at].target = (i16)(at + 1);
    return shrink_try(sh);
}

/* Two s_nop become one, and each becomes as short as it may. */
static bool shorten_nop(struct shrinker *sh, u32 at)
{
    const struct insn *in = &sh->prog.insn[at].in;
    if (in->op != OP_s_nop)
        return false;
    u32 n = insn_get(in, FLD_simm16) & 15;
    const struct insn *after = &sh->prog.insn[at + 1].in;
    if (after->op == OP_s_nop && n + 1 + (insn_get(after, FLD_simm16) & 15) < 16) {
        shrink_begin(sh);
        prog_remove(&sh->next, at + 1, 1);
        insn_set(&sh->next.insn[at].in, FLD_simm16, n + 1 + (insn_get(after, FLD_simm16) & 15));
        if (shrink_try(sh))
            return true;
    }
    if (n == 0)
        return false;
    shrink_begin(sh);
    insn_set(&sh->next.insn[at].in, FLD_simm16, n - 1);
    return shrink_try(sh);
}

void shrink_program(struct shrinker *sh)
{
    shrink_pieces(sh, count_insns, take_insns);
    for (u32 at = 0; at < count_insns(sh) && shrink_goes_on(sh); at++)
        take_way(sh, at);
    for (u32 at = count_insns(sh); at-- > 0 && shrink_goes_on(sh);)
        if (!take_with_all_lanes(sh, at))
            take_for_nop(sh, at);
    for (u32 at = count_insns(sh); at-- > 0 && shrink_goes_on(sh);)
        while (at < count_insns(sh) && shorten_nop(sh, at))
            continue;
}

/* ---- rounds ---- */

static void rounds(struct shrinker *sh)
{
    for (u32 i = 0; i < ROUNDS_MAX; i++) {
        sh->progress = false;
        shrink_program(sh);
        shrink_operands(sh);
        shrink_state(sh);
        if (!sh->progress || !shrink_goes_on(sh))
            break;
    }
    shrink_numbers(sh);
}

enum status shrink_stream(const struct isa *isa, struct stream *s, const struct shrink_cfg *cfg,
                          shrink_fails *fails, void *ctx, struct shrink_stats *stats, struct err *e)
{
    struct rule_program p = { .code = s->code, .dw = s->code_dw, .pc = s->pc };
    struct shrinker *sh = calloc(1, sizeof *sh);
    struct stream *trial = malloc(sizeof *trial);
    enum status st = sh && trial ? rule_check(isa, &p, e) : err_memory(e);
    if (st == ST_OK)
        st = prog_decode(&sh->prog, isa, s->code, s->code_dw, e);
    if (st == ST_OK) {
        u32 before = sh->prog.count - 1;
        sh->isa = isa;
        sh->fails = fails;
        sh->ctx = ctx;
        sh->best = s;
        sh->trial = trial;
        sh->max_calls = cfg && cfg->max_calls ? cfg->max_calls : CALLS_DEFAULT;
        rounds(sh);
        if (stats)
            *stats = (struct shrink_stats){ .calls = sh->calls,
                                            .insns_before = before,
                                            .insns_after = sh->prog.count - 1,
                                            .complete = shrink_goes_on(sh) };
    }
    free(trial);
    free(sh);
    return st;
}
