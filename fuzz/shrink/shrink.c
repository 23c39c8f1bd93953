/* The rounds of the shrinker. */
#include "fuzz/shrink/internal.h"

#include <stdlib.h>

enum { CALLS_DEFAULT = 4000, ROUNDS_MAX = 8 };

/* The passes in their order. Those that are repeated run until a round changes nothing. */
static const struct pass {
    void (*run)(struct shrinker *sh);
    bool repeated;
} passes[] = {
    { shrink_program, true },
    { shrink_operands, true },
    { shrink_state, true },
    { shrink_numbers, false },
};

static void run_passes(struct shrinker *sh, bool repeated)
{
    for (u32 i = 0; i < COUNT_OF(passes); i++)
        if (passes[i].repeated == repeated)
            passes[i].run(sh);
}

static void run_rounds(struct shrinker *sh)
{
    for (u32 i = 0; i < ROUNDS_MAX; i++) {
        sh->progress = false;
        run_passes(sh, true);
        if (!sh->progress || !shrink_goes_on(sh))
            break;
    }
    run_passes(sh, false);
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
    }
    free(trial);
    free(sh);
    return st;
}
