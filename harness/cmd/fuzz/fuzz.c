/* gcncheck fuzz: random programs on the model and on a DUT. */
#include "harness/cmd/fuzz/fuzz.h"

#include "fuzz/gen/gen.h"
#include "harness/cmd/base/cmd.h"
#include "harness/cmd/base/findings.h"
#include "harness/cmd/base/known.h"
#include "harness/coverage/coverage.h"
#include "harness/io/file.h"
#include "harness/io/stop.h"
#include "reports/file/output.h"

#include <inttypes.h>
#include <stdlib.h>

static enum status on_found(void *arg, const struct finding *f, const char *folder,
                            const char *kept, struct err *e)
{
    struct fuzz *z = arg;
    struct campaign_found found = { .number = f->number, .insns = f->insns, .repeats = f->repeats };
    memcpy(found.id, f->id, sizeof found.id);
    memcpy(found.cause, f->cause, sizeof found.cause);
    memcpy(found.file, f->file, sizeof found.file);
    enum status st =
        fuzz_journal_finding(z, f, folder, e); /* first: what was printed is never lost */
    if (st == ST_OK)
        fuzz_print_found(z, &found);
    findings_say_kept(folder, kept);
    return st;
}

static void on_found_before(void *arg, const struct campaign_found *f)
{
    fuzz_print_found(arg, f);
}

/* Not before: what ends with a wrong option leaves nothing behind. */
static enum status begin(void *arg, struct err *e)
{
    struct fuzz *z = arg;
    return z->o->journal ? fuzz_journal_open(z, e) : ST_OK;
}

enum { DEFAULT_COUNT = 10000, KEEP = 3 };

static int nothing_ran(const struct opts *o)
{
    return cmd_error(o, EXIT_STOPPED, "no stream was run: the time was over before the first");
}

/* Whether a campaign came to its end although it was asked to stop. */
static bool was_done(const struct campaign_result *r)
{
    return r->streams - r->forms_fatal >= r->wanted;
}

static u32 most_causes(const struct opts *o)
{
    return (u32)(o->max_failures < UINT32_MAX ? o->max_failures : UINT32_MAX);
}

/* Options that cannot stand together. */
static enum status check_options(const struct opts *o, struct err *e)
{
    if (o->clock && !o->resume && !o->journal)
        return err_set(e, ST_INPUT, "--clock is for journals: --journal or --resume");
    if (o->resume && o->journal)
        return err_set(e, ST_INPUT, "--resume names the journal: --journal is one too many");
    if (o->length > GEN_INSNS_MAX)
        return err_set(e, ST_INPUT, "--length %" PRIu64 ": a stream has 1 to %d instructions",
                       o->length, GEN_INSNS_MAX);
    bool draws_else = o->only || o->skip || o->form || o->profile || o->weights || o->coverage ||
                      o->fill_holes || o->common || o->length || o->count || o->stream_is_given;
    if (o->corpus && draws_else)
        return err_set(e, ST_INPUT, "--corpus says what is run: beside it stand none of %s",
                       "what draws streams (--count, --stream, --only, --length...)");
    if (o->stream_is_given && (o->count || o->shards > 1))
        return err_set(e, ST_INPUT, "--stream is one stream: --%s is one too many",
                       o->count ? "count" : "shard");
    if (o->coverage && strcmp(o->coverage, "-") == 0)
        return err_set(e, ST_INPUT, "--coverage -: it is read and written: name a file");
    if ((o->coverage || o->fill_holes) && o->stream_is_given)
        return err_set(e, ST_INPUT, "--%s: what was covered before is not known to --stream",
                       o->coverage ? "coverage" : "fill-holes");
    return ST_OK;
}

/* Whether what is written at the end, or whenever there is something, can be. */
static enum status check_outputs(const struct fuzz *z, struct err *e)
{
    enum status st = output_check_folder(z->out, e);
    return st == ST_OK && z->o->coverage ? coverage_check(z->o->coverage, e) : st;
}

/* Of every cause that was written and is not known. Returns the worst exit code. */
static int diagnose_causes(struct fuzz *z, const struct campaign_result *r)
{
    int code = EXIT_CLEAN;
    for (u32 i = 0; i < r->cause_count && !stop_requested(); i++) {
        const struct campaign_cause *c = &r->cause[i];
        char folder[4096];
        if (!c->id[0] || fuzz_is_known(z, c))
            continue;
        snprintf(folder, sizeof folder, "%s/%s", z->out, c->id);
        code = cmd_exit_worse(code, cmd_diagnose_one(z->o, folder));
    }
    return code;
}

/* Nothing in it is owned by it. */
static void configure(struct fuzz *z, struct progress *progress, struct campaign_cfg *cfg)
{
    const struct opts *o = z->o;
    bool is_open = o->time_limit_ms || o->stream_is_given || o->corpus;
    *cfg = (struct campaign_cfg){ .mcpu = o->mcpu,
                                  .dut = z->dut,
                                  .voters = z->voters.count ? &z->voters : NULL,
                                  .lineage = o->lineage,
                                  .engine = o->engine ? o->engine : "ref",
                                  .only = o->only,
                                  .common = o->common,
                                  .skip = o->skip,
                                  .form = o->form,
                                  .profile = o->profile,
                                  .weights = o->weights,
                                  .coverage = o->coverage,
                                  .fill_holes = o->fill_holes,
                                  .corpus = o->corpus,
                                  .out = z->out,
                                  .force = o->force,
                                  .seed = o->seed,
                                  .stream = o->stream,
                                  .has_stream = o->stream_is_given,
                                  .count = o->count  ? o->count
                                           : is_open ? 0
                                                     : DEFAULT_COUNT,
                                  .max_causes = most_causes(o),
                                  .time_ms = o->time_limit_ms,
                                  .length = o->length,
                                  .jobs = o->jobs,
                                  .shard = o->shard,
                                  .shards = o->shards,
                                  .dut_time_ms = opts_dut_time_ms(o),
                                  .gate = evidence_named(o->gate),
                                  .keep = KEEP,
                                  .in_process = o->in_process,
                                  .progress = progress,
                                  .is_known = fuzz_is_known,
                                  .begin = begin,
                                  .found = on_found,
                                  .store = o->journal || o->resume ? fuzz_journal_store : NULL,
                                  .restore = o->resume ? fuzz_journal_restore : NULL,
                                  .found_before = on_found_before,
                                  .arg = z,
                                  .stop = stop_flag() };
}

/* Whether all that was asked for was run: what a journal is to say that ends. What ended for the number
 * of its causes, or for a DUT that hung, or for its time before its number, is a part: causes that it
 * lacks may be there. */
static bool came_to_its_end(const struct fuzz *z, const struct campaign_result *r, enum status st)
{
    bool is_open = r->wanted == CAMPAIGN_OPEN && !stop_requested() && !r->is_full && !r->is_cut;
    return st == ST_OK && z->st == ST_OK && (is_open ? r->streams != 0 : was_done(r));
}

static int say_stopped(const struct fuzz *z, const struct campaign_result *r)
{
    const char *journal = z->o->resume ? z->o->resume : z->o->journal;
    if (!r->streams && z->o->force) /* what it was to replace is there still */
        journal = NULL;
    return cmd_error(z->o, EXIT_STOPPED, "%s after %" PRIu64 " streams%s%s", stop_text(),
                     r->streams, journal ? "; to go on: --resume " : "", journal ? journal : "");
}

static int run_campaign(struct fuzz *z, struct campaign_result *r)
{
    const struct opts *o = z->o;
    struct progress progress;
    struct campaign_cfg cfg;
    struct err e = { .text = "" };
    configure(z, &progress, &cfg);
    progress_open(&progress, o->quiet, o->color, "streams", 0); /* the campaign knows how many */
    progress.limit_ms = o->time_limit_ms;
    enum status st = campaign_run(&cfg, r, &e);
    if (st == ST_OK)
        st = file_make_dir(z->out, &e); /* which is there without a finding, too */
    progress_hide(&progress);
    z->is_complete = came_to_its_end(z, r, st);
    fuzz_take_known(z, r);
    int code = campaign_causes(r) > z->known_causes || r->uncut ? EXIT_DIFFERENCES : EXIT_CLEAN;
    if (r->streams || st == ST_OK) {
        fuzz_journal_result(z, r);
        fuzz_print_summary(z, r, progress_elapsed_ms(&progress));
    }
    if (o->diagnose && st == ST_OK)
        code = cmd_exit_worse(code, diagnose_causes(z, r));
    if (stop_requested() && !was_done(r))
        return say_stopped(z, r);
    if (z->st != ST_OK)
        return code; /* the journal's failure is told behind the campaign */
    if (st != ST_OK)
        return cmd_exit_worse(code, cmd_fail(o, st, &e));
    if (r->streams == 0 && r->wanted) /* the shard of a small count may have none */
        return cmd_exit_worse(code, nothing_ran(o));
    if (r->streams && r->invalid == r->streams)
        return cmd_exit_worse(
            code, cmd_error(o, EXIT_STOPPED, "no stream was judged (%s)", r->invalid_reason));
    bool is_whole = o->shards == 1 && !cfg.has_stream && !cfg.corpus && !r->is_full && !r->is_cut &&
                    !r->is_lost;
    return cmd_known_end(o, z->known, true, is_whole, code);
}

/* One that was begun in vain is of no use. */
static void end_journal(struct fuzz *z, const struct campaign_result *r)
{
    struct err e = { .text = "" };
    bool is_complete = z->is_complete && z->st == ST_OK;
    if (!z->is_complete && z->st == ST_OK && !r->streams && !stop_requested() && !z->o->resume)
        journal_discard(z->journal);
    else
        fuzz_keep_status(z, journal_close(z->journal, is_complete, &e), &e);
}

/* Without --mcpu programs are those of the first processor of --common. */
static void choose_mcpu(struct opts *o, char *mcpu, size_t size)
{
    if (!o->common || o->mcpu_is_given)
        return;
    snprintf(mcpu, size, "%.*s", (int)strcspn(o->common, ","), o->common);
    o->mcpu = mcpu;
}

int cmd_fuzz(struct opts *o)
{
    char mcpu[32];
    struct fuzz *z = calloc(1, sizeof *z);
    struct campaign_result *r = calloc(1, sizeof *r);
    struct err e = { .text = "" };
    int code = EXIT_CLEAN;
    enum status st = z && r ? ST_OK : err_memory(&e);
    if (st == ST_OK)
        st = check_options(o, &e);
    if (st == ST_OK) {
        z->o = o;
        z->r = r;
        z->out = o->out ? o->out : "build/findings";
        choose_mcpu(o, mcpu, sizeof mcpu);
        st = isa_open_modelled(&z->isa, o->mcpu, &e);
    }
    if (st == ST_OK)
        st = fuzz_vote_open(z, &e);
    if (st == ST_OK)
        st = check_outputs(z, &e);
    if (st == ST_OK)
        st = cmd_known_open(o, KNOWN_FUZZ, &z->known, &e);
    if (st == ST_OK)
        stop_catch(); /* before there is a journal, which is to end in order */
    if (st == ST_OK) {
        code = run_campaign(z, r);
        end_journal(z, r);
        if (z->st != ST_OK)
            code = cmd_exit_worse(code, cmd_fail(o, z->st, &z->e));
    } else {
        code = cmd_fail(o, st, &e);
    }
    if (z)
        known_close(z->known);
    free(z);
    if (r)
        campaign_result_free(r);
    free(r);
    return code;
}
