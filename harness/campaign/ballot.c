#include "harness/campaign/ballot.h"

#include "oracle/state/place.h"

#include <inttypes.h>
#include <stdio.h>

struct ballot {
    const struct campaign_voters *voters;
    struct campaign_votes *sum;
    struct finding *f;
    enum gen gen;
};

u32 ballot_voter(const struct campaign_voters *v, u32 member)
{
    return member < v->model ? member : member + 1;
}

u32 ballot_voters(const struct campaign_voters *v, u32 members)
{
    u32 voters = 0;
    for (u32 m = 0; m + 1 < v->count; m++)
        voters |= (members >> m & 1) << ballot_voter(v, m);
    return voters;
}

void ballot_add(struct campaign_votes *to, const struct campaign_votes *from)
{
    to->places += from->places;
    to->majority += from->majority;
    to->undecided += from->undecided;
    for (u32 i = 0; i < VOTE_DUTS_MAX; i++)
        to->alone[i] += from->alone[i];
}

enum { VALUE_SIZE = 80 };

/* What a voter says; false: nothing. */
static bool value_of(const struct ballot *b, const struct compare_say *say, u32 voter, char *value)
{
    bool is_model = voter == b->voters->model;
    u32 m = voter < b->voters->model ? voter : voter - 1;
    if (!is_model && say->refused >> m & 1)
        return false;
    bool ended = is_model || say->told >> m & 1;
    if (say->is_end && ended)
        snprintf(value, VALUE_SIZE, "ended");
    else if (say->is_end)
        snprintf(value, VALUE_SIZE, "%s%s%s%s", dut_outcome_name(say->answer[m]->outcome),
                 say->answer[m]->reason[0] ? " (" : "", say->answer[m]->reason,
                 say->answer[m]->reason[0] ? ")" : "");
    else if (ended)
        snprintf(value, VALUE_SIZE, "0x%08x", is_model ? say->want : say->got[m]);
    return say->is_end || ended;
}

static void name_place(const struct ballot *b, const struct compare_say *say, struct vote_place *p)
{
    char name[PLACE_NAME_MAX];
    struct text t;
    text_init(&t, p->place, sizeof p->place);
    if (say->is_end) {
        text_add(&t, "end");
        return;
    }
    if (say->wave)
        text_add(&t, "wave %u ", say->wave);
    if (say->place == PLACE_MEM)
        text_add(&t, "mem[0x%" PRIx64 "].b32", say->addr);
    else if (say->place == PLACE_LDS)
        text_add(&t, "lds[%" PRIu64 "].b32", say->addr);
    else
        text_add(&t, "%s", place_name(b->gen, say->place, name));
    if (say->place < PLACE_MEM && GCNCHECK_PLACE_DW(say->place) > 1)
        p->lane = say->lane;
}

/* "v0 lane 3: 0x00000001 A, model; 0x00000002 B: B stands alone". */
static void write_line(const struct ballot *b, const struct vote_place *p, u32 values)
{
    char name[64];
    struct text t;
    if (!b->f || b->f->votes == FINDING_VOTES_MAX)
        return;
    text_init(&t, b->f->vote[b->f->votes++], sizeof b->f->vote[0]);
    text_add(&t, "%s:", vote_place_name(p, name, sizeof name));
    for (u8 i = 0; i < values; i++) {
        text_add(&t, "%s %s ", i ? ";" : "", p->value[i]);
        vote_add_duts(&b->voters->roll, b->voters->name, vote_sayers(&b->voters->roll, p, i), &t);
    }
    text_add(&t, ": ");
    vote_add_ending(&b->voters->roll, b->voters->name, p, &t);
}

static void on_say(void *arg, const struct compare_say *say)
{
    struct ballot *b = arg;
    struct vote_place p = { .lane = -1, .expected = VOTE_NONE };
    char value[VOTE_DUTS_MAX][VALUE_SIZE];
    u8 values = 0;
    for (u32 i = 0; i < b->voters->count; i++) {
        u8 at = 0;
        p.says[i] = VOTE_NONE;
        if (!value_of(b, say, i, value[values]))
            continue;
        while (at < values && strcmp(value[at], value[values]) != 0)
            at++;
        p.says[i] = at;
        p.value[at] = value[at];
        values = at == values ? at + 1 : values;
    }
    vote_take(&b->voters->roll, p.says, &p.count);
    name_place(b, say, &p);
    b->sum->places++;
    b->sum->majority += vote_ending_of(&p.count) == VOTE_MAJORITY;
    b->sum->undecided += vote_ending_of(&p.count) == VOTE_UNDECIDED;
    for (u32 i = 0; i < b->voters->count; i++)
        b->sum->alone[i] += p.count.alone >> i & 1;
    write_line(b, &p, values);
}

enum status ballot_take(struct compare *c, const struct campaign_voters *v, struct subject *s,
                        struct campaign_votes *sum, struct finding *f, struct err *e)
{
    struct ballot b = {
        .voters = v, .sum = sum, .f = f, .gen = (enum gen)compare_isa(c)->target->gen
    };
    if (f)
        f->votes = 0;
    enum status st = compare_ask(c, s, on_say, &b, e);
    if (f) {
        struct text t;
        text_init(&t, f->stands, sizeof f->stands);
        ballot_add_text(v, sum, &t);
    }
    return st;
}

void ballot_add_text(const struct campaign_voters *v, const struct campaign_votes *sum,
                     struct text *t)
{
    const char *sep = "";
    const struct {
        const char *what;
        u64 places;
    } others[] = { { "a majority", sum->majority }, { "undecided", sum->undecided } };
    for (u32 i = 0; i < v->count; i++)
        if (sum->alone[i]) {
            text_add(t, "%s%s stands alone in %" PRIu64 " of %" PRIu64 " place%s", sep, v->name[i],
                     sum->alone[i], sum->places, sum->places == 1 ? "" : "s");
            sep = ", ";
        }
    for (u32 i = 0; i < COUNT_OF(others); i++)
        if (others[i].places) {
            text_add(t, "%s%s in %" PRIu64 " of %" PRIu64 " place%s", sep, others[i].what,
                     others[i].places, sum->places, sum->places == 1 ? "" : "s");
            sep = ", ";
        }
}
