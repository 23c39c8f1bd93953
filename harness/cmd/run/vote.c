/* gcncheck run with several --dut: the same cases on each, and a vote where they differ. */
#include "harness/cmd/run/vote.h"

#include "harness/cmd/base/cmd.h"
#include "harness/io/stop.h"
#include "harness/vote/differ.h"
#include "reports/file/json_memory.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

/* What was counted of one place after the other. */
struct tally {
    u64 results, places; /* that differ, above the gate */
    u64 todo;            /* results below it */
    u64 alone, majority, undecided, unanimous, unmatched;
    u64 alone_places[VOTE_DUTS_MAX], alone_results[VOTE_DUTS_MAX];
};

struct voting {
    struct opts *o;
    struct vote_roll roll;
    struct opinions *of; /* [roll.duts] */
    const char *name[VOTE_DUTS_MAX];
    struct tally tally;
    bool is_jsonl;
};

/* ---- output ---- */

static void print_place(const struct voting *v, const struct vote_place *p)
{
    char name[64], text[4096];
    struct text t;
    printf("  %s:\n", vote_place_name(p, name, sizeof name));
    for (u8 value = 0; value < VOTE_DUTS_MAX; value++) {
        u32 who = vote_sayers(&v->roll, p, value);
        if (!who)
            continue;
        text_init(&t, text, sizeof text);
        vote_add_duts(&v->roll, v->name, who, &t);
        printf("    %s%s: %s\n", p->value[value], value == p->expected ? " (expected)" : "", text);
    }
    text_init(&t, text, sizeof text);
    vote_add_ending(&v->roll, v->name, p, &t);
    printf("    -> %s\n", text);
}

static void print_result(const struct voting *v, const struct differ_result *r)
{
    printf("%s: %s%s%s\n", r->is_todo ? "below the gate" : "differs", r->name,
           r->is_todo ? " # TODO " : "", r->is_todo ? r->ledger : "");
    printf("%s", r->text);
    for (u32 i = 0; i < r->places; i++)
        print_place(v, &r->place[i]);
}

static json_t *duts_json(const struct voting *v, u32 who)
{
    json_t *a = json_array();
    for (u32 i = 0; i < v->roll.duts; i++)
        if (who >> i & 1)
            json_array_append_new(a, json_string(v->of[i].dut));
    return a;
}

static json_t *place_json(const struct voting *v, const struct vote_place *p)
{
    json_t *o = json_object(), *says = json_array();
    for (u8 value = 0; value < VOTE_DUTS_MAX; value++) {
        u32 who = vote_sayers(&v->roll, p, value);
        if (!who)
            continue;
        json_t *one = json_object();
        json_object_set_new(one, "value", json_string(p->value[value]));
        json_object_set_new(one, "expected", json_boolean(value == p->expected));
        json_object_set_new(one, "votes", json_integer(p->count.votes[value]));
        json_object_set_new(one, "duts", duts_json(v, who));
        json_array_append_new(says, one);
    }
    json_object_set_new(o, "place", json_string(p->place));
    if (p->lane >= 0)
        json_object_set_new(o, "lane", json_integer(p->lane));
    json_object_set_new(o, "says", says);
    json_object_set_new(o, "ending", json_string(vote_ending_name(vote_ending_of(&p->count))));
    json_object_set_new(o, "alone", duts_json(v, p->count.alone));
    return o;
}

/* Prints what was built since json_memory_watch(). */
static enum status put_json(json_t *o, struct err *e)
{
    char *line = o ? json_dumps(o, JSON_COMPACT) : NULL;
    bool is_short = !line || json_memory_was_short();
    json_decref(o);
    if (!is_short)
        printf("%s\n", line);
    free(line);
    return is_short ? err_memory(e) : ST_OK;
}

static enum status put_result(const struct voting *v, const struct differ_result *r, struct err *e)
{
    if (!v->is_jsonl) {
        if (!v->o->quiet || !r->is_todo)
            print_result(v, r);
        return ST_OK;
    }
    json_memory_watch();
    json_t *o = json_object(), *places = json_array();
    json_object_set_new(o, "kind", json_string("vote"));
    json_object_set_new(o, "name", json_string(r->name));
    json_object_set_new(o, "todo", json_boolean(r->is_todo));
    for (u32 i = 0; i < r->places; i++)
        json_array_append_new(places, place_json(v, &r->place[i]));
    json_object_set_new(o, "places", places);
    return put_json(o, e);
}

static enum status put_dut_json(const struct voting *v, u32 i, struct err *e)
{
    const struct opinions *of = &v->of[i];
    json_memory_watch();
    json_t *o = json_object();
    json_object_set_new(o, "kind", json_string("voter"));
    json_object_set_new(o, "dut", json_string(of->dut));
    json_object_set_new(o, "name", json_string(of->name));
    json_object_set_new(o, "lineage", json_integer(v->roll.lineage[i] + 1));
    json_object_set_new(o, "results", json_integer((json_int_t)of->results));
    json_object_set_new(o, "right", json_integer((json_int_t)of->right));
    json_object_set_new(o, "differ", json_integer((json_int_t)of->differ));
    json_object_set_new(o, "not_judged", json_integer((json_int_t)of->skipped));
    json_object_set_new(o, "alone_places", json_integer((json_int_t)v->tally.alone_places[i]));
    json_object_set_new(o, "alone_results", json_integer((json_int_t)v->tally.alone_results[i]));
    return put_json(o, e);
}

static enum status put_totals(const struct voting *v, struct err *e)
{
    const struct tally *t = &v->tally;
    enum status st = ST_OK;
    for (u32 i = 0; i < v->roll.duts && st == ST_OK; i++) {
        const struct opinions *of = &v->of[i];
        if (v->is_jsonl)
            st = put_dut_json(v, i, e);
        else if (!v->o->quiet)
            printf("%u: %s (%s): right %" PRIu64 ", differs %" PRIu64 ", not judged %" PRIu64
                   "; alone in %" PRIu64 " place%s of %" PRIu64 " result%s\n",
                   i + 1, of->dut, of->name, of->right, of->differ, of->skipped, t->alone_places[i],
                   t->alone_places[i] == 1 ? "" : "s", t->alone_results[i],
                   t->alone_results[i] == 1 ? "" : "s");
    }
    if (!v->is_jsonl && !v->o->quiet)
        printf("%" PRIu64 " result%s differ%s in %" PRIu64 " place%s: one alone %" PRIu64
               ", a majority %" PRIu64 ", undecided %" PRIu64 ", all against the case %" PRIu64
               ", nobody else can tell %" PRIu64 "; below the gate %" PRIu64 " result%s\n",
               t->results, t->results == 1 ? "" : "s", t->results == 1 ? "s" : "", t->places,
               t->places == 1 ? "" : "s", t->alone, t->majority, t->undecided, t->unanimous,
               t->unmatched, t->todo, t->todo == 1 ? "" : "s");
    return st;
}

/* ---- counting ---- */

static void count_result(struct tally *t, const struct differ_result *r)
{
    u32 alone = 0;
    t->todo += r->is_todo;
    t->results += !r->is_todo;
    for (u32 i = 0; i < r->places && !r->is_todo; i++) {
        const struct vote_place *p = &r->place[i];
        enum vote_ending ending = vote_ending_of(&p->count);
        t->places++;
        t->alone += ending == VOTE_ALONE;
        t->majority += ending == VOTE_MAJORITY;
        t->undecided += ending == VOTE_UNDECIDED;
        t->unanimous += ending == VOTE_UNANIMOUS;
        t->unmatched += ending == VOTE_UNMATCHED;
        alone |= p->count.alone;
        for (u32 d = 0; d < VOTE_DUTS_MAX; d++)
            t->alone_places[d] += p->count.alone >> d & 1;
    }
    for (u32 d = 0; d < VOTE_DUTS_MAX; d++)
        t->alone_results[d] += alone >> d & 1;
}

static enum status hold_beside(struct voting *v, struct err *e)
{
    const struct differ_result *r;
    struct differ d;
    differ_open(&d, &v->roll, v->of);
    enum status st;
    while ((st = differ_next(&d, &r, e)) == ST_OK && r) {
        count_result(&v->tally, r);
        st = put_result(v, r, e);
        if (st != ST_OK)
            break;
    }
    differ_close(&d);
    return st == ST_OK ? put_totals(v, e) : st;
}

/* ---- the command ---- */

/* Runs all cases on one of the devices. */
static enum status ask_dut(const struct voting *v, u32 i, struct err *e)
{
    const struct opts *o = v->o;
    struct opinions *of = &v->of[i];
    struct run_cfg cfg = { .dut = o->duts[i],
                           .jobs = o->jobs,
                           .dut_time_ms = opts_dut_time_ms(o),
                           .in_process = o->in_process,
                           .gate = evidence_named(o->gate),
                           .more = opinion_take_more };
    struct run *r = NULL;
    cmd_choose_cases(o, &cfg);
    enum status st = opinion_open(of, &cfg, e);
    if (st == ST_OK)
        st = run_open(&r, &cfg, e);
    if (st == ST_OK)
        st = cmd_add_cases(o, r, e);
    if (st == ST_OK && run_offered(r) == 0)
        st = err_set(e, ST_INPUT, "no case is selected");
    if (st == ST_OK)
        st = run_all(r, opinion_take, of, e);
    if (st == ST_OK && of->is_short)
        st = err_memory(e);
    run_close(r);
    return st;
}

static enum status check_options(struct voting *v, struct err *e)
{
    const struct opts *o = v->o;
    const char *format = o->format ? o->format : "text";
    const struct {
        const char *name;
        bool is_given;
    } others[] = { { "journal", o->journal },   { "clock", o->clock },
                   { "out", o->out },           { "resume", o->resume },
                   { "known", o->known },       { "update-known", o->update_known },
                   { "skips", o->skips },       { "flakes", o->flakes },
                   { "failures", o->failures }, { "time", o->time_limit_ms != 0 } };
    for (u32 i = 0; i < COUNT_OF(others); i++)
        if (others[i].is_given)
            return err_set(e, ST_INPUT, "--%s is for one device: not with several --dut",
                           others[i].name);
    if (!opts_has_word("text jsonl", format, strlen(format)))
        return err_set(e, ST_INPUT, "--format: with several --dut \"%.40s\" is not text or jsonl",
                       format);
    v->is_jsonl = strcmp(format, "jsonl") == 0;
    vote_roll_init(&v->roll, o->dut_count);
    return o->lineage ? vote_roll_parse(&v->roll, o->lineage, e) : ST_OK;
}

/* How many devices judged something. */
static u32 voters(const struct voting *v)
{
    u32 n = 0;
    for (u32 i = 0; i < v->roll.duts; i++)
        n += v->of[i].right + v->of[i].differ > 0;
    return n;
}

int cmd_vote(struct opts *o)
{
    struct voting v = { .o = o };
    struct err e = { .text = "" };
    stop_catch();
    enum status st = check_options(&v, &e);
    if (st == ST_OK && !(v.of = calloc(v.roll.duts, sizeof *v.of)))
        st = err_memory(&e);
    for (u32 i = 0; i < o->dut_count; i++)
        v.name[i] = o->duts[i];
    for (u32 i = 0; v.of && i < v.roll.duts && st == ST_OK && !stop_requested(); i++)
        st = ask_dut(&v, i, &e);
    if (st == ST_OK && !stop_requested())
        st = hold_beside(&v, &e);
    int code = st != ST_OK ? cmd_fail(o, st, &e)
               : stop_requested()
                   ? cmd_error(o, EXIT_STOPPED, "%s before all were asked", stop_text())
               : v.tally.places > 0 ? EXIT_DIFFERENCES
               : voters(&v) < 2
                   ? cmd_error(o, EXIT_STOPPED, "fewer than two devices judged a case: no vote")
                   : EXIT_CLEAN;
    for (u32 i = 0; v.of && i < v.roll.duts; i++)
        opinion_free(&v.of[i]);
    free(v.of);
    return code;
}
