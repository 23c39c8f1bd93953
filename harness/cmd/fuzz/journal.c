/* What gcncheck fuzz keeps in its journal: which campaign it is, findings, states to go on from, and at
 * the end tables of the result. */
#include "harness/campaign/cluster.h"
#include "harness/cmd/fuzz/fuzz.h"
#include "harness/dut/identity.h"
#include "harness/io/shell.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void fuzz_keep_status(struct fuzz *z, enum status st, const struct err *e)
{
    if (st != ST_OK && z->st == ST_OK) {
        z->st = st;
        z->e = *e;
    }
}

/* Nothing may stand behind what could not be written: a state there would say that it was. */
static enum status kept_status(const struct fuzz *z, struct err *e)
{
    if (z->st != ST_OK)
        *e = z->e;
    return z->st;
}

/* ---- the head, and going on ---- */

/* The options that decide which streams there are, beside those of the usual ones. */
static void add_steering(const struct opts *o, struct text *t)
{
    const struct {
        const char *name, *value;
    } option[] = { { "skip", o->skip },
                   { "form", o->form },
                   { "profile", o->profile },
                   { "weights", o->weights },
                   { "coverage", o->coverage } };
    for (u32 i = 0; i < COUNT_OF(option); i++)
        if (option[i].value)
            text_add(t, " --%s %s", option[i].name, option[i].value);
    if (o->corpus)
        text_add(t, " --corpus %s", o->corpus);
    if (o->fill_holes)
        text_add(t, " --fill-holes");
}

/* Of what decides which streams there are and how they are judged: shards with another are of another
 * campaign. */
static void hash_options(const struct fuzz *z, char *hash, size_t size)
{
    const struct opts *o = z->o;
    const char *const texts[] = { o->only,   o->skip,   o->form,    o->profile, o->weights,
                                  o->corpus, o->common, o->lineage, o->gate,    o->engine };
    const u64 numbers[] = { o->seed,   o->count,           o->length,
                            o->stream, o->stream_is_given, o->fill_holes };
    char text[SHA256_TEXT];
    struct sha256 sum;
    sha256_init(&sum);
    for (u32 i = 0; i < COUNT_OF(texts); i++)
        sha256_add_text(&sum, texts[i]);
    sha256_add(&sum, numbers, sizeof numbers);
    sha256_add_text(&sum, z->r->corpus_hash);
    sha256_add_text(&sum, z->r->weights_hash);
    sha256_end(&sum, text);
    snprintf(hash, size, "%.16s", text);
}

/* A device that cannot be opened has no hash; opening it will say why. ST_WORLD: it cannot be told. */
static enum status fill_head(const struct fuzz *z, struct journal_head *h, struct err *e)
{
    const struct opts *o = z->o;
    const struct campaign_voters *v = &z->voters;
    struct text t;
    char hash[SHA256_TEXT];
    memset(h, 0, sizeof *h);
    snprintf(h->version, sizeof h->version, "%s", GCNCHECK_VERSION);
    snprintf(h->mcpu, sizeof h->mcpu, "%s", o->mcpu);
    text_init(&t, h->dut, sizeof h->dut);
    text_add(&t, "%s", z->dut);
    text_init(&t, h->args, sizeof h->args);
    text_add(&t, "fuzz --seed %" PRIu64, o->seed);
    if (o->stream_is_given)
        text_add(&t, " --stream %" PRIu64, o->stream);
    if (o->count)
        text_add(&t, " --count %" PRIu64, o->count);
    if (o->length)
        text_add(&t, " --length %" PRIu64, o->length);
    if (o->only)
        text_add(&t, " --only %s", o->only);
    if (o->lineage)
        text_add(&t, " --lineage %s", o->lineage);
    if (o->common)
        text_add(&t, " --common %s", o->common);
    add_steering(o, &t);
    if (o->shards > 1)
        text_add(&t, " --shard %u/%u", o->shard + 1, o->shards);
    h->seed_first = o->seed;
    h->seed_count = 1;
    enum status st =
        dut_identity_all(v->count ? v->panel : &o->dut, v->count ? v->count - 1 : 1, hash, e);
    snprintf(h->dut_hash, sizeof h->dut_hash, "%s", st == ST_OK ? hash : "");
    h->shard = o->shard;
    h->shards = o->shards;
    hash_options(z, h->options, sizeof h->options);
    return st == ST_WORLD ? st : ST_OK;
}

enum status fuzz_journal_open(struct fuzz *z, struct err *e)
{
    struct journal_head head;
    enum status st = fill_head(z, &head, e);
    if (st == ST_OK)
        st = journal_create(z->o->journal, z->o->force, &head, &z->journal, e);
    return st == ST_OK && z->o->clock ? journal_clock(z->journal, e) : st;
}

enum status fuzz_journal_restore(void *arg, const struct journal_taker *to, struct err *e)
{
    struct fuzz *z = arg;
    struct journal_head head;
    enum status st = fill_head(z, &head, e);
    if (st == ST_OK)
        st = journal_resume_states(z->o->resume, &head, to, &z->journal, e);
    return st == ST_OK && z->o->clock ? journal_clock(z->journal, e) : st;
}

enum status fuzz_journal_store(void *arg, const u8 *bytes, size_t size, struct err *e)
{
    struct fuzz *z = arg;
    enum status st = kept_status(z, e);
    if (!z->journal || st != ST_OK)
        return st;
    st = journal_state(z->journal, bytes, size, e);
    if (st == ST_OK)
        st = journal_flush(z->journal, e);
    fuzz_keep_status(z, st, e);
    return st;
}

/* ---- findings ---- */

/* As a row of the results. */
static enum status make_result(const struct fuzz *z, const struct finding *f, const char *folder,
                               struct result *r, struct err *e)
{
    struct text again;
    enum status st = finding_result(&z->isa, f, r, e);
    if (st != ST_OK)
        return st;
    const char *known = z->known ? known_reason(z->known, r->cause) : NULL;
    if (known) {
        r->status = RESULT_KNOWN;
        RESULT_SET(r->known, "%s", known);
    }
    text_init(&again, r->again, sizeof r->again);
    text_add(&again, "gcncheck replay ");
    shell_word(&again, folder);
    if (dut_is_program(f->dut_absolute))
        text_add(&again, " --trust");
    return ST_OK;
}

enum status fuzz_journal_finding(struct fuzz *z, const struct finding *f, const char *folder,
                                 struct err *e)
{
    enum status st = kept_status(z, e);
    if (!z->journal || st != ST_OK)
        return st;
    struct result *r = malloc(sizeof *r);
    st = r ? make_result(z, f, folder, r, e) : err_memory(e);
    if (st == ST_OK)
        st = journal_result(z->journal, r, e);
    if (st == ST_OK)
        st = journal_flush(z->journal, e);
    fuzz_keep_status(z, st, e);
    free(r);
    return st;
}

/* ---- tables of the result ---- */

static void add_cell(struct journal_row *row, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void add_cell(struct journal_row *row, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(row->cell[row->count], sizeof row->cell[0], fmt, ap);
    va_end(ap);
    row->count++;
}

/* For free(). NULL without memory, which is kept as what went wrong. */
static struct journal_row *new_row(struct fuzz *z)
{
    struct journal_row *row = calloc(1, sizeof *row);
    struct err e;
    if (!row)
        fuzz_keep_status(z, err_memory(&e), &e);
    return row;
}

/* What the device calls itself. */
static void journal_device(struct fuzz *z, const struct campaign_result *r)
{
    struct journal_dut d;
    struct err e;
    snprintf(d.name, sizeof d.name, "%s", r->dut_name);
    snprintf(d.version, sizeof d.version, "%s", r->dut_version);
    if (z->journal && d.name[0])
        fuzz_keep_status(z, journal_dut(z->journal, &d, &e), &e);
}

static void journal_totals(struct fuzz *z, const struct campaign_result *r)
{
    static const char *const heads[] = { "streams",  "instructions", "right",
                                         "wrong",    "causes",       "refused",
                                         "narrowed", "not judged",   "below the gate" };
    const u64 values[] = { r->streams,     r->insns,    r->right,   r->wrong, r->cause_count,
                           r->unsupported, r->narrowed, r->invalid, r->below };
    struct journal_row *row = new_row(z);
    struct err e;
    for (u32 pass = 0; row && z->journal && pass < 2; pass++) {
        memset(row, 0, sizeof *row);
        strcpy(row->table, "fuzz");
        for (u32 i = 0; i < COUNT_OF(heads); i++)
            if (pass == 0)
                add_cell(row, "%s", heads[i]);
            else
                add_cell(row, "%" PRIu64, values[i]);
        if (z->st == ST_OK)
            fuzz_keep_status(z, journal_row(z->journal, row, &e), &e);
    }
    free(row);
}

static void journal_cells(struct fuzz *z, struct journal_row *row)
{
    struct err e;
    if (z->st == ST_OK)
        fuzz_keep_status(z, journal_row(z->journal, row, &e), &e);
    memset(row->cell, 0, sizeof row->cell);
    row->count = 0;
}

static void add_texts(struct journal_row *row, const char *const *text, u32 count)
{
    for (u32 i = 0; i < count; i++)
        add_cell(row, "%s", text[i]);
}

/* What causes share, a line each. */
static void journal_clusters(struct fuzz *z, const struct campaign_result *r)
{
    static const char *const heads[] = { "cluster", "causes", "opcodes",
                                         "streams", "shares", "step cases" };
    struct journal_row *row = new_row(z);
    char cell[JOURNAL_CELL_SIZE];
    struct text t;
    if (row && z->journal && r->cluster_count) {
        strcpy(row->table, "clusters");
        add_texts(row, heads, COUNT_OF(heads));
        journal_cells(z, row);
    }
    for (u32 i = 0; row && z->journal && i < r->cluster_count; i++) {
        const struct campaign_cluster *c = &r->cluster[i];
        add_cell(row, "%u", i + 1);
        add_cell(row, "%u", c->causes);
        add_cell(row, "%u", c->ops);
        add_cell(row, "%" PRIu64, c->streams);
        text_init(&t, cell, sizeof cell);
        cluster_add_text(r, i, &t);
        add_cell(row, "%s", cell);
        text_init(&t, cell, sizeof cell);
        cluster_add_evidence(c, &t);
        add_cell(row, "%s", cell);
        journal_cells(z, row);
    }
    free(row);
}

/* Every cause with its cluster, the clusters one after the other. */
static void journal_causes(struct fuzz *z, const struct campaign_result *r)
{
    static const char *const heads[] = { "cluster", "cause", "what", "streams", "finding" };
    struct journal_row *row = new_row(z);
    char name[JOURNAL_CELL_SIZE];
    if (row && z->journal && r->cause_count) {
        strcpy(row->table, "causes");
        add_texts(row, heads, COUNT_OF(heads));
        journal_cells(z, row);
    }
    for (u32 cl = 0; row && z->journal && cl < r->cluster_count; cl++)
        for (u32 i = 0; i < r->cause_count; i++) {
            const struct campaign_cause *c = &r->cause[i];
            if (c->cluster != cl)
                continue;
            add_cell(row, "%u", cl + 1);
            add_cell(row, "%u", i + 1);
            add_cell(row, "%s", campaign_cause_name(&z->isa, c, name, sizeof name));
            add_cell(row, "%" PRIu64, c->count);
            add_cell(row, "%s", c->id);
            journal_cells(z, row);
        }
    free(row);
}

/* Who stands alone in what the causes differ in. */
static void journal_votes(struct fuzz *z, const struct campaign_result *r)
{
    static const char *const heads[] = { "cause", "what", "places", "vote" };
    struct journal_row *row = new_row(z);
    char name[JOURNAL_CELL_SIZE];
    if (row && z->journal && z->voters.count) {
        strcpy(row->table, "votes");
        add_texts(row, heads, COUNT_OF(heads));
        journal_cells(z, row);
    }
    for (u32 i = 0; row && z->journal && z->voters.count && i < r->cause_count; i++) {
        const struct campaign_cause *c = &r->cause[i];
        add_cell(row, "%u", i + 1);
        add_cell(row, "%s", campaign_cause_name(&z->isa, c, name, sizeof name));
        add_cell(row, "%" PRIu64, c->votes.places);
        fuzz_vote_row(z, c, name, sizeof name);
        add_cell(row, "%s", name);
        journal_cells(z, row);
    }
    free(row);
}

void fuzz_journal_result(struct fuzz *z, const struct campaign_result *r)
{
    struct err e;
    if (z->st != ST_OK)
        return;
    journal_device(z, r);
    journal_totals(z, r);
    journal_clusters(z, r);
    journal_causes(z, r);
    journal_votes(z, r);
    if (z->journal && z->st == ST_OK)
        fuzz_keep_status(z, journal_flush(z->journal, &e), &e);
}
