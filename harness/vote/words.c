#include "harness/vote/words.h"

#include "reports/result.h"

static const char *const ending_names[VOTE_ENDINGS] = { "alone", "majority", "undecided",
                                                        "unanimous", "unmatched" };

const char *vote_ending_name(enum vote_ending ending)
{
    return ending_names[ending];
}

enum vote_ending vote_ending_of(const struct vote_count *c)
{
    if (c->alone)
        return VOTE_ALONE;
    if (c->values == 1)
        return c->votes_cast > 1 ? VOTE_UNANIMOUS : VOTE_UNMATCHED;
    return c->majority != VOTE_NONE ? VOTE_MAJORITY : VOTE_UNDECIDED;
}

void vote_add_duts(const struct vote_roll *roll, const char *const *names, u32 who, struct text *t)
{
    const char *sep = "";
    for (u32 i = 0; i < roll->duts; i++)
        if (who >> i & 1) {
            text_add(t, "%s%s", sep, names[i]);
            sep = ", ";
        }
}

u32 vote_sayers(const struct vote_roll *roll, const struct vote_place *p, u8 value)
{
    u32 who = 0;
    for (u32 i = 0; i < roll->duts; i++)
        who |= (u32)(p->says[i] == value) << i;
    return who;
}

/* "; of one vote, and disagree: A, B". */
static void add_split(const struct vote_roll *roll, const char *const *names,
                      const struct vote_place *p, struct text *t)
{
    for (u32 lineage = 0; lineage < roll->duts; lineage++) {
        u32 who = 0;
        for (u32 i = 0; i < roll->duts; i++)
            who |= (u32)(roll->lineage[i] == lineage) << i;
        if (p->count.split >> lineage & 1) {
            text_add(t, "; of one vote, and disagree: ");
            vote_add_duts(roll, names, who, t);
        }
    }
}

void vote_add_ending(const struct vote_roll *roll, const char *const *names,
                     const struct vote_place *p, struct text *t)
{
    switch (vote_ending_of(&p->count)) {
    case VOTE_ALONE:
        vote_add_duts(roll, names, p->count.alone, t);
        text_add(t, " stand%s alone", popcount32(p->count.alone) == 1 ? "s" : "");
        break;
    case VOTE_MAJORITY:
        text_add(t, "%u of %u votes say %s", p->count.votes[p->count.majority], p->count.votes_cast,
                 p->value[p->count.majority]);
        break;
    case VOTE_UNDECIDED:
        text_add(t, "undecided: %u vote%s", p->count.votes_cast,
                 p->count.votes_cast == 1 ? "" : "s");
        break;
    case VOTE_UNANIMOUS: text_add(t, "all against the case"); break;
    case VOTE_UNMATCHED:
    case VOTE_ENDINGS: text_add(t, "nobody else can tell"); break;
    }
    add_split(roll, names, p, t);
}

const char *vote_place_name(const struct vote_place *p, char *buf, size_t size)
{
    struct result_diff d = { .lane = p->lane };
    memcpy(d.place, p->place, sizeof d.place);
    return result_place(&d, buf, size);
}
