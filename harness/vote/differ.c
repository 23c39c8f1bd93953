#include "harness/vote/differ.h"

#include "oracle/base/array.h"
#include "oracle/state/place.h"

#include <stdlib.h>

static const char end_name[] = "end", ended[] = "ended";

void differ_open(struct differ *d, const struct vote_roll *roll, const struct opinions *of)
{
    *d = (struct differ){ .roll = roll, .of = of };
}

void differ_close(struct differ *d)
{
    free(d->result.place);
    d->result.place = NULL;
}

/* What DUT i says to the result, NULL if that it is right; *is_asked: it got so far. */
static const struct opinion *opinion_of(const struct differ *d, u32 i, u64 index, bool *is_asked)
{
    const struct opinions *o = &d->of[i];
    *is_asked = index < o->results;
    return d->next[i] < o->count && o->at[d->next[i]].index == index ? &o->at[d->next[i]] : NULL;
}

static bool differs(const struct opinion *o)
{
    return o && (o->status == RESULT_NOT_OK || o->status == RESULT_TODO);
}

/* A run that did not end as it should has no places. */
static bool is_end(const struct opinion *o)
{
    return differs(o) && o->count == 0;
}

static const struct opinion_place *find_place(const struct opinions *of, const struct opinion *o,
                                              const char *place, i32 lane)
{
    for (u32 i = 0; i < o->count; i++) {
        const struct opinion_place *p = &of->place[o->first + i];
        if (p->lane == lane && strcmp(p->place, place) == 0)
            return p;
    }
    return NULL;
}

/* The number of a value, which is added if it is new. */
static u8 value_number(struct vote_place *p, u8 *count, const char *text)
{
    for (u8 i = 0; i < *count; i++)
        if (i != p->expected && strcmp(p->value[i], text) == 0)
            return i;
    p->value[*count] = text;
    return (*count)++;
}

/* Whether the DUT can tell what stands in a place, so that it has a say even where it is silent. */
static bool can_tell(const struct opinions *o, u16 number)
{
    enum dut_class class = dut_place_class(number);
    return number >= PLACE_MEM || class == CLASS_COUNT || o->can[class] != GCNCHECK_NO;
}

/* Lets every DUT say what it has in a place; `like` is what the first of them said. */
static void ask(const struct differ *d, struct vote_place *p, const struct opinion_place *like)
{
    u8 values = 0;
    p->expected = VOTE_NONE;
    for (u32 i = 0; i < d->roll->duts; i++) {
        bool is_asked;
        const struct opinion *o = opinion_of(d, i, d->result.index, &is_asked);
        const struct opinion_place *mine =
            differs(o) ? find_place(&d->of[i], o, p->place, p->lane) : NULL;
        p->says[i] = VOTE_NONE;
        if (!is_asked || (o && !differs(o)))
            continue;
        if (!like)
            p->says[i] = value_number(p, &values, is_end(o) ? o->end : ended);
        else if (mine)
            p->says[i] = value_number(p, &values, mine->got);
        else if (!is_end(o) && !(o && o->is_cut) && can_tell(&d->of[i], like->number)) {
            if (p->expected == VOTE_NONE) {
                p->expected = values;
                p->value[values++] = like->want;
            }
            p->says[i] = p->expected;
        }
    }
    for (u8 i = 0; !like && i < values; i++)
        if (p->value[i] == ended)
            p->expected = i;
    vote_take(d->roll, p->says, &p->count);
}

static bool is_there(const struct differ_result *r, const char *place, i32 lane)
{
    for (u32 i = 0; i < r->places; i++)
        if (r->place[i].lane == lane && strcmp(r->place[i].place, place) == 0)
            return true;
    return false;
}

static enum status add_place(struct differ *d, const char *place, i32 lane,
                             const struct opinion_place *like, struct err *e)
{
    struct differ_result *r = &d->result;
    struct vote_place *grown = r->place;
    if (is_there(r, place, lane))
        return ST_OK;
    if (r->places == r->cap)
        grown = array_grow(grown, &r->cap, r->places + 1ull, sizeof *grown);
    if (!grown)
        return err_memory(e);
    r->place = grown;
    struct vote_place *p = &grown[r->places++];
    *p = (struct vote_place){ .lane = lane };
    strcpy(p->place, place);
    ask(d, p, like);
    return ST_OK;
}

/* The places of all, in the order in which the DUTs name them. */
static enum status add_places(struct differ *d, struct err *e)
{
    enum status st = ST_OK;
    for (u32 i = 0; i < d->roll->duts && st == ST_OK; i++) {
        bool is_asked;
        const struct opinion *o = opinion_of(d, i, d->result.index, &is_asked);
        if (is_end(o))
            st = add_place(d, end_name, -1, NULL, e);
        for (u32 k = 0; differs(o) && k < o->count && st == ST_OK; k++) {
            const struct opinion_place *p = &d->of[i].place[o->first + k];
            st = add_place(d, p->place, p->lane, p, e);
        }
    }
    return st;
}

/* The number of the next result in which somebody differs; UINT64_MAX: there is none. What was
 * skipped before it is passed over. */
static u64 next_index(struct differ *d)
{
    u64 index = UINT64_MAX;
    for (u32 i = 0; i < d->roll->duts; i++)
        for (u32 k = d->next[i]; k < d->of[i].count; k++)
            if (differs(&d->of[i].at[k])) {
                index = d->of[i].at[k].index < index ? d->of[i].at[k].index : index;
                break;
            }
    for (u32 i = 0; i < d->roll->duts; i++)
        while (d->next[i] < d->of[i].count && d->of[i].at[d->next[i]].index < index)
            d->next[i]++;
    return index;
}

enum status differ_next(struct differ *d, const struct differ_result **out, struct err *e)
{
    struct differ_result *r = &d->result;
    u64 index = next_index(d);
    *out = NULL;
    if (index == UINT64_MAX)
        return ST_OK;
    *r =
        (struct differ_result){ .index = index, .is_todo = true, .cap = r->cap, .place = r->place };
    for (u32 i = 0; i < d->roll->duts; i++) {
        bool is_asked;
        const struct opinion *o = opinion_of(d, i, index, &is_asked);
        if (!differs(o))
            continue;
        r->is_todo = r->is_todo && o->status == RESULT_TODO;
        r->name = r->name ? r->name : o->name;
        r->text = r->text ? r->text : o->text;
        r->ledger = r->ledger ? r->ledger : o->ledger;
    }
    enum status st = add_places(d, e);
    for (u32 i = 0; i < d->roll->duts; i++)
        d->next[i] += d->next[i] < d->of[i].count && d->of[i].at[d->next[i]].index == index;
    *out = r;
    return st;
}
