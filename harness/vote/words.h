/* The vote on one place in words: who says what, and how it ended. */
#ifndef HARNESS_VOTE_WORDS_H
#define HARNESS_VOTE_WORDS_H

#include "harness/vote/vote.h"

/* A place, or how the program ended ("end"). */
struct vote_place {
    char place[32];
    i32 lane; /* as in struct result_diff */
    u8 says[VOTE_DUTS_MAX];
    const char *value[VOTE_DUTS_MAX]; /* what each value is */
    u8 expected; /* the value that is known to be right; VOTE_NONE: nobody says it, or none is */
    struct vote_count count;
};

/* How the vote on a place ended. */
enum vote_ending {
    VOTE_ALONE,     /* one lineage, or DUT, against all others */
    VOTE_MAJORITY,  /* more than half of the votes, two at least, say the same */
    VOTE_UNDECIDED, /* no such majority */
    VOTE_UNANIMOUS, /* all say the same, which is not what is expected */
    VOTE_UNMATCHED, /* one vote alone was cast: nobody else can tell */
    VOTE_ENDINGS
};

/* "alone", ... */
const char *vote_ending_name(enum vote_ending ending);

enum vote_ending vote_ending_of(const struct vote_count *c);

/* The DUTs of which bits are set, by name. */
void vote_add_duts(const struct vote_roll *roll, const char *const *names, u32 who, struct text *t);

/* The DUTs that say a value, a bit each. */
u32 vote_sayers(const struct vote_roll *roll, const struct vote_place *p, u8 value);

/* "B stands alone", "2 of 3 votes say 0x1", "undecided: 2 votes; of one vote, and disagree: A, B". */
void vote_add_ending(const struct vote_roll *roll, const char *const *names,
                     const struct vote_place *p, struct text *t);

/* "v0 lane 3". Returns buf. */
const char *vote_place_name(const struct vote_place *p, char *buf, size_t size);

#endif
