#include "harness/campaign/origin.h"

#include "harness/dut/identity.h"

#include <inttypes.h>
#include <stdio.h>

/* The value of an option that has none. */
static const char of_flag[] = "given";

/* Names of what no option says. */
static const char of_program[] = "gcncheck", of_file[] = "DUT's file", of_dut[] = "DUT",
                  of_weights[] = "weights' file", of_corpus[] = "corpus's files";

static void add(struct origin *o, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void add(struct origin *o, const char *name, const char *fmt, ...)
{
    va_list ap;
    if (o->count == ORIGIN_MAX)
        BUG("an origin of too many names");
    snprintf(o->at[o->count].name, sizeof o->at[0].name, "%s", name);
    va_start(ap, fmt);
    vsnprintf(o->at[o->count].value, sizeof o->at[0].value, fmt, ap);
    va_end(ap);
    o->count++;
}

static void add_number(struct origin *o, const char *name, bool is_given, u64 value)
{
    if (is_given)
        add(o, name, "%" PRIu64, value);
    else
        add(o, name, "%s", "");
}

/* What is too long is there by its beginning and its hash. */
static void add_text(struct origin *o, const char *name, const char *value)
{
    char hash[SHA256_TEXT];
    struct sha256 sum;
    if (!value || strlen(value) < sizeof o->at[0].value) {
        add(o, name, "%s", value ? value : "");
        return;
    }
    sha256_init(&sum);
    sha256_add_text(&sum, value);
    sha256_end(&sum, hash);
    add(o, name, "%.100s... (SHA-256 %s)", value, hash);
}

/* What streams are made of, beside the seed. */
static void add_steering(struct origin *o, const struct campaign *k)
{
    const struct campaign_cfg *cfg = k->cfg;
    add_text(o, "--common", cfg->common);
    add_text(o, "--skip", cfg->skip);
    add_text(o, "--form", cfg->form);
    add_text(o, "--profile", cfg->profile);
    add_text(o, "--weights", cfg->weights);
    add(o, of_weights, "%s", k->r->weights_hash);
    add_text(o, "--coverage", cfg->coverage);
    add(o, "--fill-holes", "%s", cfg->fill_holes ? of_flag : "");
    add_text(o, "--corpus", cfg->corpus);
    add(o, of_corpus, "%s", k->r->corpus_hash);
}

static void add_options(struct origin *o, const struct campaign_cfg *cfg)
{
    add(o, "--mcpu", "%s", cfg->mcpu);
    add_text(o, "--dut", cfg->dut);
    add_text(o, "--lineage", cfg->lineage);
    add(o, "--engine", "%s", cfg->engine);
    add_text(o, "--only", cfg->only);
    add(o, "--gate", "%s", evidence_names[cfg->gate]);
    add(o, "--seed", "%" PRIu64, cfg->seed);
    add_number(o, "--stream", cfg->has_stream, cfg->stream);
    add_number(o, "--count", cfg->count, cfg->count);
    add_number(o, "--length", cfg->length, cfg->length);
    if (cfg->shards > 1)
        add(o, "--shard", "%u/%u", cfg->shard + 1, cfg->shards);
    else
        add(o, "--shard", "%s", "");
    add_number(o, "--dut-time", cfg->dut_time_ms, cfg->dut_time_ms);
    add_text(o, "--out", cfg->out);
}

enum status origin_find(const struct campaign_worker *w, struct origin *o, struct err *e)
{
    const struct campaign_cfg *cfg = w->k->cfg;
    const struct dut *dut = w->x.dut;
    char hash[SHA256_TEXT];
    o->count = 0;
    enum status st = dut_identity_self(hash, e);
    if (st != ST_OK)
        return st;
    add(o, of_program, "%s", hash);
    add_options(o, cfg);
    add_steering(o, w->k);
    st = cfg->voters ? dut_identity_all(cfg->voters->panel, cfg->voters->count - 1, hash, e)
                     : dut_identity(cfg->dut, hash, e);
    if (st != ST_OK)
        return st;
    add(o, of_file, "%s", hash);
    add(o, of_dut, "%s%s%s", dut->name, dut->version[0] ? " " : "", dut->version);
    return ST_OK;
}

bool origin_compare(const struct origin *o, u32 i, const char *name, const char *value,
                    struct err *e)
{
    const char *mine = i < o->count && strcmp(o->at[i].name, name) == 0 ? o->at[i].value : NULL;
    if (mine && strcmp(mine, value) == 0)
        return true;
    if (!mine || strcmp(name, of_program) == 0)
        err_set(e, ST_INPUT,
                "was begun by another build of gcncheck (SHA-256 %.12s..., this is %.12s...)",
                i == 0 ? value : "?", o->at[0].value);
    else if (strcmp(name, of_file) == 0)
        err_set(e, ST_INPUT,
                "was begun with another DUT: what its name finds was built anew since (SHA-256 "
                "%.12s..., now %.12s...)",
                value, mine);
    else if (strcmp(name, of_weights) == 0 || strcmp(name, of_corpus) == 0)
        err_set(e, ST_INPUT,
                "was begun with another %s: what it says was changed since (hash %.12s..., now "
                "%.12s...)",
                strcmp(name, of_weights) == 0 ? "--weights" : "--corpus", value, mine);
    else if (strcmp(name, of_dut) == 0)
        err_set(e, ST_INPUT, "was begun with another DUT: it was %.60s and is %.60s now", value,
                mine);
    else if (!value[0])
        err_set(e, ST_INPUT, "was begun without %s, not with %s%s%.80s", name, name,
                strcmp(mine, of_flag) == 0 ? "" : " ", strcmp(mine, of_flag) == 0 ? "" : mine);
    else if (!mine[0])
        err_set(e, ST_INPUT, "was begun with %s%s%.80s, not without it", name,
                strcmp(value, of_flag) == 0 ? "" : " ", strcmp(value, of_flag) == 0 ? "" : value);
    else
        err_set(e, ST_INPUT, "was begun with %s %.80s, not with %s %.80s", name, value, name, mine);
    return false;
}
