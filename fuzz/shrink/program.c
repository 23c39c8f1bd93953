/* Fewer instructions. */
#include "fuzz/shrink/internal.h"

#include "oracle/insn/counter.h"
#include "oracle/isa/op.h"
#include "oracle/state/effects.h"

static bool touches_lds(const struct insn *in)
{
    const struct isa_row *row = insn_row(in);
    return (isa_memory(row) == MEMORY_LDS && !(row->flags & FLAG_LANEWISE)) ||
           isa_memory(row) == MEMORY_FLAT || insn_get(in, FLD_lds);
}

/* Between `at` and the next barrier on that side. */
static bool lds_beside(const struct prog *p, u32 at, bool ahead)
{
    for (u32 i = at; ahead ? i < p->count : i > 0; i += ahead ? 1u : ~0u) {
        const struct insn *in = &p->insn[ahead ? i : i - 1].in;
        if (insn_row(in)->flags & FLAG_BARRIER)
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
        any |= (insn_row(&sh->prog.insn[i].in)->flags & FLAG_BARRIER) != 0;
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

/* One less of what may still be under way. False if it waits for all of it already, or for nothing. */
static bool lower_counts(struct insn *wait)
{
    bool lowered = false;
    for (u32 i = 0; i < COUNTERS; i++) {
        const struct counter *c = &counter_table((enum gen)wait->gen)[i];
        u32 imm = insn_get(wait, FLD_simm16), n = counter_get(c, imm);
        if (n == 0 || n == counter_max(c))
            continue;
        insn_set(wait, FLD_simm16, counter_set(c, imm, n - 1));
        lowered = true;
    }
    return lowered;
}

/* A memory instruction may be needed for the count only that a wait behind it goes by. */
static bool take_counted(struct shrinker *sh, u32 at)
{
    u32 wait = at;
    if (isa_memory(insn_row(&sh->prog.insn[at].in)) == MEMORY_NONE)
        return false;
    shrink_begin(sh);
    prog_remove(&sh->next, at, 1);
    while (wait < sh->next.count && sh->next.insn[wait].in.op != OP_s_waitcnt)
        wait++;
    return wait < sh->next.count && lower_counts(&sh->next.insn[wait].in) && shrink_try(sh);
}

static bool writes_exec(const struct insn *in)
{
    return effects_writes(in, CODE_EXEC, 2);
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
        take_counted(sh, at);
    for (u32 at = count_insns(sh); at-- > 0 && shrink_goes_on(sh);)
        if (!take_with_all_lanes(sh, at))
            take_for_nop(sh, at);
    for (u32 at = count_insns(sh); at-- > 0 && shrink_goes_on(sh);)
        while (at < count_insns(sh) && shorten_nop(sh, at))
            continue;
}
