/* Several devices beside one another: the results in which one of them is not as the case expects,
 * place by place, with who says what, and the vote on it. */
#ifndef HARNESS_VOTE_DIFFER_H
#define HARNESS_VOTE_DIFFER_H

#include "harness/vote/opinion.h"
#include "harness/vote/words.h"

struct differ_result {
    u64 index;
    const char *name, *text; /* as in struct opinion */
    const char *ledger;
    bool is_todo; /* differs only where entries of the ledger below the gate leave it open */
    u32 places, cap;
    struct vote_place *place;
};

struct differ {
    const struct vote_roll *roll;
    const struct opinions *of; /* [roll->duts] */
    u32 next[VOTE_DUTS_MAX];   /* opinion of each that comes */
    struct differ_result result;
};

void differ_open(struct differ *d, const struct vote_roll *roll, const struct opinions *of);
void differ_close(struct differ *d);

/* The next result in which somebody differs; *out stays until the next call, and is NULL behind the
 * last. ST_WORLD if memory is short. */
enum status differ_next(struct differ *d, const struct differ_result **out, struct err *e);

#endif
