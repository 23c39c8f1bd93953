/* A vote: several devices say what stands in one place, and some of them may be descended from one
 * another. Those of one lineage, as two emulators generated from one document, are one vote: they
 * were wrong together if the document was. */
#ifndef HARNESS_VOTE_VOTE_H
#define HARNESS_VOTE_VOTE_H

#include "oracle/base/base.h"

enum { VOTE_DUTS_MAX = 16, VOTE_NONE = 255 };

/* Who votes. */
struct vote_roll {
    u32 duts;
    u8 lineage[VOTE_DUTS_MAX]; /* DUTs of the same number are one vote */
};

struct vote_count {
    u32 values;               /* different ones that were said */
    u32 votes[VOTE_DUTS_MAX]; /* for each value: lineages all of whose members say it */
    u32 votes_cast;
    u32 split; /* bit per lineage: its members disagree, and it has no vote */
    u32 alone; /* bit per DUT: says what no other lineage says, all of which, two votes at least, say
                    the same otherwise */
    u8 majority; /* the value of at least two votes and of more than half; VOTE_NONE: there is none */
};

/* Every DUT a lineage of its own. */
void vote_roll_init(struct vote_roll *roll, u32 duts);

/* Takes lineages as they are written: "1,3" or "1,3/2,4", numbers of DUTs as they stand on the
 * command line, from 1. ST_INPUT: it is no such list, or a number is that of no DUT or stands
 * twice. */
enum status vote_roll_parse(struct vote_roll *roll, const char *text, struct err *e);

/* Counts. says[i] is the number of the value that DUT i gives, from 0; VOTE_NONE: it was not asked,
 * or cannot tell. */
void vote_take(const struct vote_roll *roll, const u8 *says, struct vote_count *v);

#endif
