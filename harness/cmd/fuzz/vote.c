/* gcncheck fuzz with several --dut: who votes, and what came of it. */
#include "harness/campaign/ballot.h"
#include "harness/cmd/fuzz/fuzz.h"

#include <inttypes.h>
#include <stdio.h>

static const char the_model[] = "model";

/* The model votes, too: under the number that --dut model gives it, or as the last. */
static enum status add_voters(const struct opts *o, struct campaign_voters *v, struct err *e)
{
    u32 panel = 0;
    v->model = VOTE_NONE;
    for (u32 i = 0; i < o->dut_count; i++) {
        bool is_model = strcmp(o->duts[i], the_model) == 0;
        if (is_model && v->model != VOTE_NONE)
            return err_set(e, ST_INPUT, "--dut model stands twice: the model has one vote");
        if (is_model)
            v->model = i;
        else
            v->panel[panel++] = o->duts[i];
        v->name[v->count++] = o->duts[i];
    }
    if (v->model != VOTE_NONE)
        return ST_OK;
    if (v->count == VOTE_DUTS_MAX)
        return err_set(e, ST_INPUT, "--dut: more than %d beside the model", VOTE_DUTS_MAX - 1);
    v->model = v->count;
    v->name[v->count++] = the_model;
    return ST_OK;
}

enum status fuzz_vote_open(struct fuzz *z, struct err *e)
{
    const struct opts *o = z->o;
    struct campaign_voters *v = &z->voters;
    struct text t;
    z->dut = o->dut;
    if (o->dut_count < 2)
        return o->lineage ? err_set(e, ST_INPUT, "--lineage is for several --dut") : ST_OK;
    enum status st = add_voters(o, v, e);
    if (st != ST_OK)
        return st;
    size_t bytes = 0;
    for (u32 i = 0; i + 1 < v->count; i++)
        bytes += strlen(v->panel[i]) + 2;
    if (bytes >= sizeof z->duts)
        return err_set(e, ST_INPUT, "--dut: all of them are longer than %d characters",
                       FINDING_SPEC_MAX);
    text_init(&t, z->duts, sizeof z->duts);
    z->dut = z->duts;
    for (u32 i = 0; i + 1 < v->count; i++)
        text_add(&t, "%s%s", i ? ", " : "", v->panel[i]);
    vote_roll_init(&v->roll, v->count);
    return o->lineage ? vote_roll_parse(&v->roll, o->lineage, e) : ST_OK;
}

void fuzz_vote_print_cause(const struct fuzz *z, const struct campaign_cause *c)
{
    char line[2048];
    struct text t;
    if (!c->votes.places)
        return;
    text_init(&t, line, sizeof line);
    ballot_add_text(&z->voters, &c->votes, &t);
    printf("  %s\n", line);
}

/* What was voted on in all causes. */
static struct campaign_votes sum_up(const struct campaign_result *r)
{
    struct campaign_votes all = { .places = 0 };
    for (u32 i = 0; i < r->cause_count; i++)
        ballot_add(&all, &r->cause[i].votes);
    return all;
}

void fuzz_vote_print(const struct fuzz *z, const struct campaign_result *r)
{
    const struct campaign_voters *v = &z->voters;
    struct campaign_votes all = sum_up(r);
    if (!v->count)
        return;
    for (u32 i = 0; i < v->count; i++) {
        u32 causes = 0;
        for (u32 c = 0; c < r->cause_count; c++)
            causes += r->cause[c].votes.alone[i] != 0;
        printf("DUT %u: %s%s: alone in %" PRIu64 " place%s of %u cause%s\n", i + 1, v->name[i],
               i == v->model ? " (what the others are held against)" : "", all.alone[i],
               all.alone[i] == 1 ? "" : "s", causes, causes == 1 ? "" : "s");
    }
    printf("votes: %" PRIu64 " place%s: somebody alone %" PRIu64 ", a majority %" PRIu64
           ", undecided %" PRIu64 "\n",
           all.places, all.places == 1 ? "" : "s", all.places - all.majority - all.undecided,
           all.majority, all.undecided);
}

void fuzz_vote_row(const struct fuzz *z, const struct campaign_cause *c, char *cell, size_t size)
{
    struct text t;
    text_init(&t, cell, size);
    ballot_add_text(&z->voters, &c->votes, &t);
}
