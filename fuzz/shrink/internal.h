/* What the parts of the shrinker share. Not for others. */
#ifndef FUZZ_SHRINK_INTERNAL_H
#define FUZZ_SHRINK_INTERNAL_H

#include "fuzz/prog/prog.h"
#include "fuzz/shrink/shrink.h"
#include "oracle/rule/rule.h"

enum { IMAGE_ADDRESS_DW = 4 }; /* registers that an image's address has at most */

struct shrinker {
    const struct isa *isa;
    shrink_fails *fails;
    void *ctx;
    struct stream *best;  /* the caller's: fails, and is valid */
    struct stream *trial; /* best with one change */
    struct prog prog;     /* best's program */
    struct prog next;     /* trial's program */
    u32 calls, max_calls;
    bool progress; /* something became smaller in this round */
    bool is_short; /* of memory to judge a candidate */
};

/* try.c */

/* Sets trial to a copy of best, and next to prog. */
void shrink_begin(struct shrinker *sh);

/* Lays next out as trial's program. If trial is then valid and still fails it becomes best. */
bool shrink_try(struct shrinker *sh);

/* The same where only the state was changed. */
bool shrink_try_state(struct shrinker *sh);

/* Whether the callback may still be called. */
static inline bool shrink_goes_on(const struct shrinker *sh)
{
    return sh->calls < sh->max_calls && !sh->is_short;
}

/* Takes things out in ever smaller pieces: `take` takes [at, at + count) out of trial and says
 * whether it still fails; `count_of` says how many there are now. Those that could not be taken are
 * left. */
void shrink_pieces(struct shrinker *sh, u32 (*count_of)(const struct shrinker *sh),
                   bool (*take)(struct shrinker *sh, u32 at, u32 count));

/* The passes; see shrink.c. */
void shrink_program(struct shrinker *sh);  /* program.c */
void shrink_operands(struct shrinker *sh); /* insn.c */
void shrink_numbers(struct shrinker *sh);  /* number.c */
void shrink_state(struct shrinker *sh);    /* state.c */

#endif
