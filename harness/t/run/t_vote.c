/* Who stands alone, by hand: values of devices, lineages, and what comes of the vote. */
#include "harness/t/lib/tap_test.h"
#include "harness/vote/vote.h"

enum { N = VOTE_NONE };

/* Devices 1, 2, ... say these; `lineages` as on the command line. alone: bit 0 is device 1. */
struct example {
    const char *title, *lineages;
    u32 duts;
    u8 says[6];
    u32 alone, votes_cast, split;
    u8 majority;
};

static const struct example examples[] = {
    { "one of three", "", 3, { 0, 1, 0 }, 2, 3, 0, 0 },
    { "the first of three", "", 3, { 0, 1, 1 }, 1, 3, 0, 1 },
    { "all three say something else", "", 3, { 0, 1, 2 }, 0, 3, 0, N },
    { "all say the same", "", 3, { 0, 0, 0 }, 0, 3, 0, 0 },
    { "two against one another", "", 2, { 0, 1 }, 0, 2, 0, N },
    { "a third that cannot tell", "", 3, { 0, 1, N }, 0, 2, 0, N },
    { "only one can tell", "", 3, { N, 0, N }, 0, 1, 0, N },
    { "nobody can", "", 3, { N, N, N }, 0, 0, 0, N },
    { "two against two", "", 4, { 0, 1, 0, 1 }, 0, 4, 0, N },
    { "three against two: a majority, nobody alone", "", 5, { 0, 1, 0, 1, 0 }, 0, 5, 0, 0 },
    { "two alike, two others: no more than half", "", 4, { 0, 0, 1, 2 }, 0, 4, 0, N },
    { "two that agree are one vote", "1,2", 3, { 0, 0, 1 }, 0, 2, 0, N },
    { "and stand alone together", "1,2", 4, { 0, 0, 1, 1 }, 3, 3, 0, 1 },
    { "and are not alone with a third", "1,2", 4, { 0, 0, 0, 1 }, 8, 3, 0, 0 },
    { "two of one vote that disagree have none", "1,2", 3, { 0, 1, 1 }, 0, 1, 1, N },
    { "but one of them may stand alone", "1,2", 4, { 0, 1, 1, 1 }, 1, 2, 1, 1 },
    { "of one that cannot tell the other votes", "1,2", 4, { N, 0, 1, 1 }, 2, 3, 0, 1 },
    { "the same value from another lineage: not alone",
      "1,2/3,4",
      6,
      { 0, 0, 0, 0, 1, 1 },
      0,
      4,
      0,
      N },
    { "two lineages and two others", "1,3/2,4", 6, { 0, 1, 0, 1, 1, 1 }, 5, 4, 0, 1 },
};

static void counts(void)
{
    for (u32 i = 0; i < COUNT_OF(examples); i++) {
        const struct example *x = &examples[i];
        struct vote_roll roll;
        struct vote_count v;
        struct err e = { .text = "" };
        vote_roll_init(&roll, x->duts);
        if (vote_roll_parse(&roll, x->lineages, &e) != ST_OK)
            bail("%s", e.text);
        vote_take(&roll, x->says, &v);
        is_hex(x->alone, v.alone, "%s: who stands alone", x->title);
        is_u64(x->votes_cast, v.votes_cast, "%s: votes", x->title);
        is_hex(x->split, v.split, "%s: who disagrees with itself", x->title);
        is_u64(x->majority, v.majority, "%s: the majority", x->title);
    }
}

static void lineages(void)
{
    static const char *const bad[] = { "0",    "4", "1,1",  "1,2/2", "1,", "/1",
                                       "1//2", "a", "1 ,2", "1,2/",  "-1", "1;2" };
    struct vote_roll roll;
    struct err e = { .text = "" };
    for (u32 i = 0; i < COUNT_OF(bad); i++) {
        vote_roll_init(&roll, 3);
        e.text[0] = '\0';
        is_i64(ST_INPUT, vote_roll_parse(&roll, bad[i], &e), "%s is no lineage: %s", bad[i],
               e.text);
    }
    vote_roll_init(&roll, 3);
    is_i64(ST_OK, vote_roll_parse(&roll, "3,1", &e), "in any order");
    ok(roll.lineage[0] == roll.lineage[2] && roll.lineage[1] != roll.lineage[0],
       "those two are one");
}

int main(void)
{
    counts();
    lineages();
    return done();
}
