/* What gcncheck fuzz prints: findings as they come, and the summary. */
#include "fuzz/gen/gen.h"
#include "harness/campaign/cluster.h"
#include "harness/cmd/fuzz/fuzz.h"
#include "oracle/isa/op.h"

#include <inttypes.h>
#include <stdio.h>

void fuzz_print_found(const struct fuzz *z, const struct campaign_found *f)
{
    if (z->known && known_reason(z->known, f->cause))
        return;
    printf("finding %s/%s: %u instruction%s%s, ", z->out, f->id, f->insns, f->insns == 1 ? "" : "s",
           f->repeats ? "" : ", did not differ again");
    if (f->file[0])
        printf("%s\n", f->file);
    else
        printf("stream %" PRIu64 " of seed %" PRIu64 "\n", f->number, z->o->seed);
    fflush(stdout);
}

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

static void print_causes(struct fuzz *z, const struct campaign_result *r)
{
    const struct isa *isa = &z->isa;
    const char *out = z->out;
    char name[128];
    for (u32 i = 0; i < r->cause_count; i++) {
        const struct campaign_cause *c = &r->cause[i];
        if (fuzz_is_known(z, c))
            continue;
        printf("cause %u: %s, %" PRIu64 " stream%s", i + 1,
               campaign_cause_name(isa, c, name, sizeof name), c->count, c->count == 1 ? "" : "s");
        if (c->id[0])
            printf(", %u instruction%s: %s/%s", c->insns, c->insns == 1 ? "" : "s", out, c->id);
        if (c->below)
            printf(", below the gate");
        if (c->ledger[0])
            printf(" # %s%s", c->below ? "TODO " : "", c->ledger);
        printf("\n");
        fuzz_vote_print_cause(z, c);
    }
}

/* Opcode x form that the DUT implements and that stood in some stream. */
static u32 covered(const struct campaign_result *r)
{
    u32 n = 0;
    for (u32 op = 1; op < isa_op_count; op++)
        for (u32 form = 0; form < FORM_COUNT; form++)
            n += r->supported[op] >> form & 1 && r->covered[op] >> form & 1;
    return n;
}

/* Why not all of it was run. */
static void print_early_end(const struct opts *o, const struct campaign_result *r)
{
    u32 causes = campaign_causes(r);
    if (r->wanted == 0)
        printf("no stream: of --count %" PRIu64 " shard %u/%u has none\n", o->count, o->shard + 1,
               o->shards);
    else if (r->is_lost)
        printf("ended early: the DUT crashed or answered nonsense in each of the last streams\n");
    else if (r->is_cut)
        printf("ended early: the DUT hung in %" PRIu64 " streams\n", r->hangs);
    else if (r->is_full)
        printf("ended early: %u cause%s found, and --max-failures is %" PRIu64 "\n", causes,
               causes == 1 ? " was" : "s were", o->max_failures);
}

/* The DUT, and how its streams ended. */
static void print_streams(const struct fuzz *z, const struct campaign_result *r, u64 ms)
{
    const struct opts *o = z->o;
    u32 causes = campaign_causes(r), clusters = clusters_that_count(r);
    printf("%s", z->dut);
    if (strcmp(z->dut, r->dut_name) != 0)
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
}

/* What became of the streams that were not simply right, where there are such. */
static void print_rest(const struct fuzz *z, const struct campaign_result *r)
{
    if (z->known_causes)
        printf("known: %u of the causes, in %" PRIu64 " stream%s\n", z->known_causes,
               z->known_streams, z->known_streams == 1 ? "" : "s");
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
}

/* Opcodes and forms that the DUT has, and those that it was not asked about. */
static void print_implemented(const struct isa *isa, const struct campaign_result *r)
{
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
}

static void print_coverage(const struct opts *o, const struct campaign_result *r)
{
    if (o->common)
        printf("common: %u opcodes, %u opcode x form are the same on %s\n", r->ops_drawn,
               r->forms_drawn, o->common);
    printf("covered: %u of %u opcode x form\n", covered(r),
           o->common ? r->forms_drawn : r->forms_done);
    if (r->pairs)
        printf("coverage: %" PRIu64 " of %" PRIu64 " legal pairs (%.1f %%), %" PRIu64
               " of them new\n",
               r->pairs_seen, r->pairs, (double)r->pairs_seen * 100 / (double)r->pairs,
               r->pairs_seen - r->pairs_before);
}

void fuzz_print_summary(struct fuzz *z, const struct campaign_result *r, u64 ms)
{
    if (r->cause_count || !z->o->quiet)
        print_causes(z, r);
    print_clusters(r);
    if (z->o->quiet)
        return;
    print_streams(z, r, ms);
    fuzz_vote_print(z, r);
    print_rest(z, r);
    print_implemented(&z->isa, r);
    print_early_end(z->o, r);
    print_missing(r, &z->isa);
    print_hints(r);
    print_coverage(z->o, r);
}
