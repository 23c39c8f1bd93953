/* The rounds of the shrinker. */
#include "fuzz/shrink/internal.h"

#include <stdlib.h>

enum { CALLS_DEFAULT = 4000, ROUNDS_MAX = 8 };

enum when { EVERY_ROUND, FIRST_ROUND, AT_THE_END };

/* The passes in their order; rounds go on until one changes nothing. Registers get low numbers
 * while values are given to them: what nobody sets depends on the number. */
static const struct pass {
    void (*run)(struct shrinker *sh);
    enum when when;
} passes[] = {
    { shrink_program, EVERY_ROUND }, { shrink_operands, EVERY_ROUND },
    { shrink_numbers, FIRST_ROUND }, { shrink_state, EVERY_ROUND },
    { shrink_numbers, AT_THE_END },
};

static void run_rounds(struct shrinker *sh)
{
    for (u32 i = 0; i < ROUNDS_MAX; i++) {
        sh->progress = false;
        for (u32 k = 0; k < COUNT_OF(passes); k++)
            if (passes[k].when == EVERY_ROUND || (passes[k].when == FIRST_ROUND && i == 0))
                passes[k].run(sh);
        if (!sh->progress || !shrink_goes_on(sh))
            break;
    }
    for (u32 k = 0; k < COUNT_OF(passes); k++)
        if (passes[k].when == AT_THE_END)
            passes[k].run(sh);
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
        run_rounds(sh);
        if (stats)
            *stats = (struct shrink_stats){ .calls = sh->calls,
                                            .insns_before = before,
                                            .insns_after = sh->prog.count - 1,
                                            .complete = shrink_goes_on(sh) };
        if (sh->is_short)
            st = err_memory(e);
    }
    free(trial);
    free(sh);
    return st;
}
