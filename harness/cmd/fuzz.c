/* gcncheck fuzz: random programs on the model and on a DUT. */
#include "harness/campaign/cluster.h"
#include "harness/cmd/cmd.h"
#include "harness/io/file.h"
#include "harness/io/shell.h"
#include "harness/io/stop.h"
#include "oracle/isa/op.h"
#include "reports/journal.h"

#include <inttypes.h>
#include <stdlib.h>

/* What the callbacks need. */
struct fuzz {
    struct opts *o;
    struct isa isa;
    struct journal *journal; /* NULL: none is kept */
    enum status st;          /* of the journal */
    struct err e;
};

static void keep_status(struct fuzz *z, enum status st, const struct err *e)
{
    if (st != ST_OK && z->st == ST_OK) {
        z->st = st;
        z->e = *e;
    }
}

static void journal_finding(struct fuzz *z, const struct finding *f, const char *folder)
{
    struct result *r = malloc(sizeof *r);
    struct text again;
    struct err e;
    if (!r || !z->journal) {
        free(r);
        return;
    }
    finding_result(&z->isa, f, r);
    text_init(&again, r->again, sizeof r->again);
    text_add(&again, "gcncheck replay ");
    shell_word(&again, folder);
    keep_status(z, journal_result(z->journal, r, &e), &e);
    keep_status(z, journal_flush(z->journal, &e), &e);
    free(r);
}

static void on_found(void *arg, const struct finding *f, const char *folder)
{
    struct fuzz *z = arg;
    journal_finding(z, f, folder); /* first: what was printed is never lost */
    printf("finding %s: %u instruction%s%s\n", folder, f->insns, f->insns == 1 ? "" : "s",
           f->repeats ? "" : ", did not differ again");
    fflush(stdout);
}

/* ---- the summary ---- */

static void print_narrowed(const struct campaign_result *r)
{
    const char *sep = " (";
    printf(", narrowed %" PRIu64, r->narrowed);
    for (u32 i = 0; i < CLASS_COUNT; i++)
        if (r->narrowed_classes >> i & 1) {
            printf("%s%s", sep, dut_class_name((enum dut_class)i));
            sep = ", ";
        }
    printf("%s", sep[0] == ',' ? " fixed or hidden" : "");
    if (r->retried)
        printf("%s%" PRIu64 " without what was refused", sep[0] == ',' ? "; " : sep, r->retried);
    printf("%s", sep[0] == ',' || r->retried ? ")" : "");
}

static void print_missing(const struct campaign_result *r, const struct isa *isa)
{
    u32 shown = 0, missing = 0;
    if (r->ops_done == r->ops)
        return;
    printf("not implemented:");
    for (u32 op = 1; op < isa_op_count; op++) {
        if (!gen_forms(isa, op) || r->supported[op])
            continue;
        if (missing++ < 8) {
            printf(" %s", isa_rows[op].name);
            shown++;
        }
    }
    if (missing > shown)
        printf(" and %u more", missing - shown);
    printf("\n");
}

/* Causes that are not below the gate. */
static u32 causes_that_count(const struct campaign_result *r)
{
    u32 n = 0;
    for (u32 i = 0; i < r->cause_count; i++)
        n += !r->cause[i].below;
    return n;
}

static u32 clusters_that_count(const struct campaign_result *r)
{
    u32 n = 0;
    for (u32 i = 0; i < r->cluster_count; i++)
        n += !r->cluster[i].below;
    return n;
}

/* What keeps much else from being tested. */
static void print_hints(const struct campaign_result *r)
{
    if (!r->supported[OP_s_nop])
        printf("hint: the DUT does not implement s_nop, which streams are padded with: without it "
               "there "
               "are no loops, no calls and none of what needs wait states\n");
    if (!r->supported[OP_s_waitcnt])
        printf(
            "hint: the DUT does not implement s_waitcnt, without which no memory instruction can "
            "be tested\n");
}

/* What causes share, before they are listed. */
static void print_clusters(const struct campaign_result *r)
{
    char text[512];
    struct text t;
    for (u32 i = 0; i < r->cluster_count; i++) {
        const struct campaign_cluster *c = &r->cluster[i];
        text_init(&t, text, sizeof text);
        cluster_add_text(r, i, &t);
        if (c->traits)
            text_add(&t, "; ");
        cluster_add_evidence(c, &t);
        printf("cluster %u: %s; %u cause%s:", i + 1, text, c->causes, c->causes == 1 ? "" : "s");
        for (u32 k = 0; k < r->cause_count; k++)
            if (r->cause[k].cluster == i)
                printf(" %u", k + 1);
        printf("%s\n", c->below ? ", below the gate" : "");
    }
}

static void print_causes(const struct campaign_result *r, const struct isa *isa, const char *out)
{
    char name[128];
    for (u32 i = 0; i < r->cause_count; i++) {
        const struct campaign_cause *c = &r->cause[i];
        printf("cause %u: %s, %" PRIu64 " stream%s", i + 1,
               campaign_cause_name(isa, c, name, sizeof name), c->count, c->count == 1 ? "" : "s");
        if (c->id[0])
            printf(", %u instruction%s: %s/%s", c->insns, c->insns == 1 ? "" : "s", out, c->id);
        if (c->below)
            printf(", below the gate");
        if (c->ledger[0])
            printf(" # %s%s", c->below ? "TODO " : "", c->ledger);
        printf("\n");
    }
}

/* Opcode x form that the DUT implements and that stood in some stream. */
static u32 covered(const struct campaign_result *r)
{
    u32 n = 0;
    for (u32 op = 1; op < isa_op_count; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            n += r->supported[op] >> form & 1 && r->tally.form[op][form];
    return n;
}

static void print_summary(const struct opts *o, const struct isa *isa, const char *out,
                          const struct campaign_result *r, u64 ms)
{
    u32 causes = causes_that_count(r), clusters = clusters_that_count(r);
    if (r->cause_count || !o->quiet)
        print_causes(r, isa, out);
    print_clusters(r);
    if (o->quiet)
        return;
    printf("%s", o->dut);
    if (strcmp(o->dut, r->dut_name) != 0)
        printf(" (%s%s%s)", r->dut_name, r->dut_version[0] ? " " : "", r->dut_version);
    printf(" against the model, %s, seed %" PRIu64 ": %" PRIu64 " streams, %" PRIu64
           " instructions, %.1f s\n",
           o->mcpu, o->seed, r->streams, r->insns, (double)ms / 1000);
    printf("streams: right %" PRIu64 ", wrong %" PRIu64 " (%u cause%s", r->right, r->wrong, causes,
           causes == 1 ? "" : "s");
    if (clusters)
        printf(" in %u cluster%s", clusters, clusters == 1 ? "" : "s");
    printf("), unimplemented %" PRIu64, r->unsupported);
    if (r->below)
        printf(", below the gate %" PRIu64, r->below);
    print_narrowed(r);
    printf("\n");
    if (r->known)
        printf("explained: %" PRIu64 " of the wrong are right without the instructions of causes "
               "that were known\n",
               r->known);
    if (r->uncut)
        printf("not explained: %" PRIu64 " of the wrong, in which no single instruction is\n",
               r->uncut);
    if (r->steps)
        printf("cut into %" PRIu64 " step cases: unimplemented %" PRIu64
               ", within the rules %" PRIu64 "\n",
               r->steps, r->steps_unsupported, r->tolerated);
    if (r->refused_reason[0])
        printf("refused: the first was %s\n", r->refused_reason);
    if (r->invalid)
        printf("not judged: %" PRIu64 " streams (%s)\n", r->invalid, r->invalid_reason);
    u32 all, modelled;
    isa_count(isa, &all, &modelled);
    printf("implemented: %u of %u opcodes (%u are modelled), %u of %u opcode x form", r->ops_done,
           r->ops, modelled, r->forms_done, r->forms);
    if (r->forms_fatal)
        printf(", %u end the DUT (wrong, and left out of the other streams)", r->forms_fatal);
    printf("\n");
    if (r->forms_unasked)
        printf("not asked: %u opcode x form, because the DUT hung too often\n", r->forms_unasked);
    if (r->forms_unmade)
        printf("not asked: %u opcode x form, for which gcncheck made no program: %s %s%s\n",
               r->forms_unmade, isa_rows[r->unmade.op].name,
               isa_form_name((enum gen)isa->target->gen, &isa_rows[r->unmade.op],
                             (enum isa_form)r->unmade.form),
               r->forms_unmade > 1 ? " ..." : "");
    if (r->is_lost)
        printf("ended early: the DUT crashed or answered nonsense in each of the last streams\n");
    else if (r->is_cut)
        printf("ended early: the DUT hung in %" PRIu64 " streams\n", r->hangs);
    print_missing(r, isa);
    print_hints(r);
    printf("covered: %u of %u opcode x form\n", covered(r), r->forms_done);
    if (r->pairs)
        printf("coverage: %" PRIu64 " of %" PRIu64 " legal pairs (%.1f %%), %" PRIu64
               " of them new\n",
               r->pairs_seen, r->pairs, (double)r->pairs_seen * 100 / (double)r->pairs,
               r->pairs_seen - r->pairs_before);
}

/* ---- the journal ---- */

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

static void journal_totals(struct fuzz *z, const struct campaign_result *r)
{
    static const char *const heads[] = { "streams",  "instructions", "right",
                                         "wrong",    "causes",       "refused",
                                         "narrowed", "not judged",   "below the gate" };
    const u64 values[] = { r->streams,     r->insns,    r->right,   r->wrong, r->cause_count,
                           r->unsupported, r->narrowed, r->invalid, r->below };
    struct journal_row *row = calloc(1, sizeof *row);
    struct err e;
    for (u32 pass = 0; row && z->journal && pass < 2; pass++) {
        memset(row, 0, sizeof *row);
        strcpy(row->table, "fuzz");
        for (u32 i = 0; i < COUNT_OF(heads); i++)
            if (pass == 0)
                add_cell(row, "%s", heads[i]);
            else
                add_cell(row, "%" PRIu64, values[i]);
        keep_status(z, journal_row(z->journal, row, &e), &e);
    }
    free(row);
}

static void journal_cells(struct fuzz *z, struct journal_row *row)
{
    struct err e;
    keep_status(z, journal_row(z->journal, row, &e), &e);
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
    struct journal_row *row = calloc(1, sizeof *row);
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
    struct journal_row *row = calloc(1, sizeof *row);
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
    if (o->fill_holes)
        text_add(t, " --fill-holes");
}

static enum status open_journal(struct fuzz *z, struct err *e)
{
    const struct opts *o = z->o;
    struct journal_head *h = calloc(1, sizeof *h);
    struct text t;
    if (!h)
        return err_memory(e);
    snprintf(h->version, sizeof h->version, "%s", GCNCHECK_VERSION);
    snprintf(h->mcpu, sizeof h->mcpu, "%s", o->mcpu);
    snprintf(h->dut, sizeof h->dut, "%s", o->dut);
    text_init(&t, h->args, sizeof h->args);
    text_add(&t, "fuzz --seed %" PRIu64, o->seed);
    if (o->count)
        text_add(&t, " --count %" PRIu64, o->count);
    if (o->length)
        text_add(&t, " --length %" PRIu64, o->length);
    if (o->only)
        text_add(&t, " --only %s", o->only);
    add_steering(o, &t);
    if (o->shards > 1)
        text_add(&t, " --shard %u/%u", o->shard + 1, o->shards);
    h->seed_first = o->seed;
    h->seed_count = 1;
    enum status st = journal_create(o->journal, o->force, h, &z->journal, e);
    free(h);
    return st;
}

/* ---- the command ---- */

enum { DEFAULT_COUNT = 10000, KEEP = 3 };

/* The shard of so small a count that there is nothing in it: right, and nothing to do. */
static bool is_empty_shard(const struct campaign_cfg *cfg)
{
    return cfg->count && (u64)cfg->shard * CAMPAIGN_BATCH >= cfg->count;
}

static int nothing_ran(const struct opts *o)
{
    return cmd_error(o, EXIT_STOPPED, "no stream was run: the time was over before the first");
}

/* Whether a campaign came to its end although it was asked to stop. */
static bool was_done(const struct campaign_result *r, const struct campaign_cfg *cfg)
{
    return cfg->count && cfg->shards == 1 && r->streams - r->forms_fatal >= cfg->count;
}

/* Of a cause that was written. */
static int diagnose_cause(struct fuzz *z, const struct campaign_result *r, u32 i, const char *out)
{
    char folder[4096];
    if (!r->cause[i].id[0])
        return EXIT_CLEAN;
    snprintf(folder, sizeof folder, "%s/%s", out, r->cause[i].id);
    return cmd_diagnose_one(z->o, folder);
}

static int run_campaign(struct opts *o, struct fuzz *z, struct campaign_result *r)
{
    struct progress progress;
    struct err e = { .text = "" };
    u64 count = o->count ? o->count : o->time_limit_ms ? 0 : DEFAULT_COUNT;
    const char *out = o->out ? o->out : "build/findings";
    struct campaign_cfg cfg = { .mcpu = o->mcpu,
                                .dut = o->dut,
                                .engine = o->engine ? o->engine : "ref",
                                .only = o->only,
                                .skip = o->skip,
                                .form = o->form,
                                .profile = o->profile,
                                .weights = o->weights,
                                .coverage = o->coverage,
                                .fill_holes = o->fill_holes,
                                .out = out,
                                .force = o->force,
                                .seed = o->seed,
                                .count = count,
                                .time_ms = o->time_limit_ms,
                                .length = o->length,
                                .jobs = o->jobs,
                                .shard = o->shard,
                                .shards = o->shards,
                                .dut_time_ms = opts_dut_time_ms(o),
                                .gate = evidence_named(o->gate),
                                .keep = KEEP,
                                .in_process = o->in_process,
                                .progress = &progress,
                                .found = on_found,
                                .arg = z,
                                .stop = stop_flag() };
    progress_open(&progress, o->quiet, o->color, "streams", count / o->shards);
    progress.limit_ms = o->time_limit_ms;
    enum status st = file_make_dir(out, &e);
    if (st == ST_OK)
        st = campaign_run(&cfg, r, &e);
    progress_hide(&progress);
    int code = causes_that_count(r) || r->uncut ? EXIT_DIFFERENCES : EXIT_CLEAN;
    journal_totals(z, r);
    journal_clusters(z, r);
    journal_causes(z, r);
    if (z->journal && z->st == ST_OK)
        keep_status(z, journal_flush(z->journal, &z->e), &z->e);
    if (r->streams || st == ST_OK)
        print_summary(o, &z->isa, out, r, progress_elapsed_ms(&progress));
    for (u32 i = 0; o->diagnose && st == ST_OK && !stop_requested() && i < r->cause_count; i++)
        code = cmd_exit_worse(code, diagnose_cause(z, r, i, out));
    if (stop_requested() && !was_done(r, &cfg))
        return cmd_error(o, EXIT_STOPPED, "%s after %" PRIu64 " streams", stop_text(), r->streams);
    if (st != ST_OK)
        return cmd_exit_worse(code, cmd_fail(o, st, &e));
    return r->streams || is_empty_shard(&cfg) ? code : cmd_exit_worse(code, nothing_ran(o));
}

int cmd_fuzz(struct opts *o)
{
    struct fuzz *z = calloc(1, sizeof *z);
    struct campaign_result *r = calloc(1, sizeof *r);
    struct err e = { .text = "" };
    int code = EXIT_CLEAN;
    enum status st = z && r ? ST_OK : err_memory(&e);
    if (st == ST_OK) {
        z->o = o;
        st = isa_open_modelled(&z->isa, o->mcpu, &e);
    }
    if (st == ST_OK && o->journal)
        st = open_journal(z, &e);
    if (st == ST_OK) {
        stop_catch();
        code = run_campaign(o, z, r);
        keep_status(z, journal_close(z->journal, !stop_requested(), &e), &e);
        if (z->st != ST_OK)
            code = cmd_exit_worse(code, cmd_fail(o, z->st, &z->e));
    } else {
        code = cmd_fail(o, st, &e);
    }
    free(z);
    if (r)
        campaign_result_free(r);
    free(r);
    return code;
}
