#include "harness/vote/vote.h"

#include "harness/io/number.h"

void vote_roll_init(struct vote_roll *roll, u32 duts)
{
    roll->duts = duts;
    for (u32 i = 0; i < VOTE_DUTS_MAX; i++)
        roll->lineage[i] = (u8)i;
}

enum status vote_roll_parse(struct vote_roll *roll, const char *text, struct err *e)
{
    u32 seen = 0, first = VOTE_NONE;
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, ",/");
        u64 number;
        if (!number_u64_span(at, len, &number) || number < 1 || number > roll->duts)
            return err_set(e, ST_INPUT,
                           "--lineage %.60s: '%.*s' is none of the numbers 1 to %u of the DUTs",
                           text, (int)(len < 20 ? len : 20), at, roll->duts);
        u32 dut = (u32)number - 1;
        if (seen >> dut & 1)
            return err_set(e, ST_INPUT, "--lineage %.60s: %u stands twice", text, dut + 1);
        seen |= 1u << dut;
        first = first == VOTE_NONE ? dut : first;
        roll->lineage[dut] = (u8)first;
        at += len;
        first = *at == '/' ? VOTE_NONE : first;
        if (*at && !at[1])
            return err_set(e, ST_INPUT, "--lineage %.60s: a number is missing at the end", text);
        at += *at != '\0';
    }
    return ST_OK;
}

/* What a lineage says: VOTE_NONE if nothing; its members disagree: *is_split. */
static u8 voice_of(const struct vote_roll *roll, const u8 *says, u32 lineage, bool *is_split)
{
    u8 voice = VOTE_NONE;
    *is_split = false;
    for (u32 i = 0; i < roll->duts; i++) {
        if (roll->lineage[i] != lineage || says[i] == VOTE_NONE)
            continue;
        *is_split |= voice != VOTE_NONE && voice != says[i];
        voice = says[i];
    }
    return *is_split ? VOTE_NONE : voice;
}

/* The DUTs that say the value, if they are of one lineage alone. */
static u32 sayers(const struct vote_roll *roll, const u8 *says, u8 value)
{
    u32 who = 0, lineages = 0;
    for (u32 i = 0; i < roll->duts; i++)
        if (says[i] == value) {
            who |= 1u << i;
            lineages |= 1u << roll->lineage[i];
        }
    return popcount32(lineages) == 1 ? who : 0;
}

void vote_take(const struct vote_roll *roll, const u8 *says, struct vote_count *v)
{
    u32 said = 0;
    *v = (struct vote_count){ .majority = VOTE_NONE };
    for (u32 i = 0; i < roll->duts; i++)
        if (says[i] != VOTE_NONE)
            said |= 1u << says[i];
    v->values = popcount32(said);
    for (u32 lineage = 0; lineage < roll->duts; lineage++) {
        bool is_split;
        u8 voice = voice_of(roll, says, lineage, &is_split);
        v->split |= (u32)is_split << lineage;
        v->votes_cast += voice != VOTE_NONE;
        if (voice != VOTE_NONE)
            v->votes[voice]++;
    }
    for (u8 value = 0; value < VOTE_DUTS_MAX; value++)
        if (v->votes[value] >= 2 && v->votes[value] * 2 > v->votes_cast)
            v->majority = value;
    if (v->values != 2 || v->majority == VOTE_NONE)
        return;
    for (u8 value = 0; value < VOTE_DUTS_MAX; value++)
        if (said >> value & 1 && value != v->majority)
            v->alone = sayers(roll, says, value);
}
