/* A fuzzing campaign: seeds become streams, streams run on the model and the DUT, differences are
 * cut down to causes, and the first few of every cause become findings, written as they are found.
 * First the DUT is asked, with one instruction at a time, what it implements; streams are made of
 * that.
 *
 * Streams come in batches of CAMPAIGN_BATCH. Threads take batches as they are free, but results are
 * taken up in the order of batches, so that everything a campaign finds is the same for any number
 * of threads. After every so many batches what a later process needs to go on can be kept (state.h). */
#ifndef HARNESS_CAMPAIGN_CAMPAIGN_H
#define HARNESS_CAMPAIGN_CAMPAIGN_H

#include "harness/check/compare.h"
#include "harness/finding/executor.h"
#include "harness/finding/finding.h"
#include "harness/io/progress.h"
#include "harness/io/sha256.h"
#include "harness/vote/words.h"
#include "reports/journal.h"

#include <signal.h>

enum { CAMPAIGN_BATCH = 64, CAMPAIGN_CAUSE_NAME = sizeof((struct finding *)NULL)->cause };

/* A finding that was written. */
struct campaign_found {
    char id[FINDING_ID_MAX];
    char cause[CAMPAIGN_CAUSE_NAME]; /* what campaign_cause_name says */
    char file[256];                  /* as in struct finding */
    u64 number;                      /* of the stream */
    u32 insns;
    bool repeats;
};

struct campaign_cause;

/* Who votes where several devices run the same streams: they and the model. */
struct campaign_voters {
    u32 count, model; /* the model's number among them, from 0 */
    const char *name[VOTE_DUTS_MAX];
    const char *panel[VOTE_DUTS_MAX]; /* the devices alone: count - 1 specs */
    struct vote_roll roll;
};

struct campaign_cfg {
    const char *mcpu;
    const char *dut; /* spec; of several devices what they are called together */
    const struct campaign_voters *voters; /* of several devices; NULL: there is one */
    const char *lineage; /* as it was given, which of them are one vote; NULL: none are */
    const char *engine;  /* of the model */
    const char *only;    /* streams focus on these mnemonics or encodings, "NAME,NAME"; NULL: all */
    const char *common;  /* processors on all of which streams are valid and the same, "NAME,NAME",
                           that of mcpu among them; NULL: that one alone */
    const char *out;     /* folder of the findings */
    bool force;          /* files in it that were edited are replaced, too */
    const char *skip;    /* these are never drawn; NULL: none */
    const char *form;    /* streams focus on this form: "e64"; NULL: any */
    const char *profile; /* and on these of the profiles of fuzz/gen/profile.def; NULL: all */
    const char *weights; /* file: what is drawn more often (harness/campaign/weights.h) */
    const char *coverage; /* file of coverage, read if it is there and written at the end; NULL:
                           * nothing is counted but opcode x form */
    bool fill_holes;      /* streams are made of what coverage lacks */
    u64 seed;
    u64 count;  /* streams, over all shards; 0: until the time is up */
    u64 stream; /* has_stream: this one alone */
    bool has_stream;
    const char *
        corpus; /* file or folder whose streams are run instead (corpus.h); NULL: none. Neither count
                         * nor stream, nor what steers, may be given with it */
    u64 time_ms; /* 0: no limit */
    u32 max_causes; /* it ends once there are so many that are not below the gate, nor known; 0: no limit */
    u64 length; /* instructions of a stream; 0: the generator's choice */
    u32 jobs;   /* threads */
    u32 shard, shards;
    u32 dut_time_ms;    /* for one job; 0: the DUT's default */
    enum evidence gate; /* a difference that touches only entries of weaker evidence is none */
    u32 keep;           /* findings written for each cause that is an interaction; of others one */
    bool in_process;
    struct progress *progress; /* NULL: none */
    /* Whether a cause is known, so that max_causes does not count it. May be NULL. */
    bool (*is_known)(void *arg, const struct campaign_cause *c);
    /* Called for every finding once it is written, one at a time; a failure ends the campaign. `kept` as of
     * finding_write. May be NULL. */
    enum status (*found)(void *arg, const struct finding *f, const char *folder, const char *kept,
                         struct err *e);
    /* Called once the options are known to be right and the DUT is open, before anything is run. A failure
     * ends the campaign. May be NULL. */
    enum status (*begin)(void *arg, struct err *e);
    /* Called with what a process must know that goes on with the campaign, in order; what was found
     * before is known to the first call behind it. A failure ends the campaign. NULL: nothing is kept. */
    enum status (*store)(void *arg, const u8 *bytes, size_t size, struct err *e);
    /* Hands everything that an earlier process kept to the taker, in order. NULL: the campaign begins
     * anew, as it does if there is nothing. Answers the taker's first failure. */
    enum status (*restore)(void *arg, const struct journal_taker *to, struct err *e);
    /* Called for every finding of earlier processes. May be NULL. */
    void (*found_before)(void *arg, const struct campaign_found *f);
    void *arg;
    const volatile sig_atomic_t *stop; /* non-zero: end after the batches under way; may be NULL */
};

/* How one instruction of an interaction reaches the last one. */
enum campaign_link {
    LINK_VCC, /* it writes what the last one reads: */
    LINK_SCC,
    LINK_M0,
    LINK_LDS,
    LINK_EXEC, /* these two govern most of what is executed behind it */
    LINK_MODE,
    LINK_MEMORY,
    LINK_REGISTER,
    LINK_FORM,     /* it is only there, in this form */
    LINK_ENCODING, /* or, without a form of its own, this encoding */
    LINK_COUNT
};

enum { CAMPAIGN_SAMPLES = 8 };

/* Places that were voted on, of step cases and programs that differ. */
struct campaign_votes {
    u64 places, majority, undecided;
    u64 alone[VOTE_DUTS_MAX]; /* of each voter: it stands alone */
};

/* Differences of the same kind in the same mnemonic and form; of interactions, in the same encoding
 * at their end and reached in the same way. */
struct campaign_cause {
    u8 tier; /* enum tier */
    u8 form;
    u8 what;         /* enum diff_what */
    u8 outcome;      /* enum outcome, where what is DIFF_OUTCOME */
    u16 op;          /* OP_NONE: no instruction is accused */
    u32 who, voters; /* of several devices: those that differ, as members and as voters */
    struct campaign_votes votes;
    bool below;              /* touches only entries below the gate: nothing is written */
    u8 link, link_value;     /* TIER_PREFIX: enum campaign_link; the form or encoding */
    char ledger[64];         /* the entries that the first touched, between blanks */
    u32 kept;                /* findings written */
    u32 named;               /* number in the name of the last of them, from 1 */
    u32 insns;               /* of the shortest finding */
    u64 count;               /* streams that show it */
    u64 first;               /* number of the first */
    char id[FINDING_ID_MAX]; /* of the shortest finding; empty if none was kept */
    u32 cluster;             /* index into campaign_result.cluster */
    u64 fails;               /* step cases that showed it */
    u32 samples;             /* of them in sample[] */
    struct traits sample[CAMPAIGN_SAMPLES];
};

enum { CLUSTER_TRAITS_MAX = 4 };

/* Causes that share what explains them (harness/campaign/cluster.h). */
struct campaign_cluster {
    u32 causes, ops; /* how many; of how many opcodes */
    u64 streams;     /* that show them, those of several causes more than once */
    bool below;      /* its causes are below the gate */
    /* Traits that failing step cases of all its causes have and right ones do not: 0 for causes that
     * share no more than their opcode, or are no single instructions. */
    u32 traits;
    struct {
        u16 trait;
        bool is_absent; /* it is not having it that explains */
    } trait[CLUSTER_TRAITS_MAX];
    /* Step cases with these traits that differ; that do not; and those of its opcodes that differ
     * without them, or do not. Of those that were cut out of streams; right ones are estimated. */
    u64 fails, passes, fails_without, passes_without;
};

#define CAMPAIGN_OPEN UINT64_MAX

struct campaign_result {
    char dut_name[64], dut_version[64];
    /* Of what cfg.weights and cfg.corpus held when they were read, "" without them. They are known when
     * cfg.begin is called. */
    char weights_hash[SHA256_TEXT], corpus_hash[SHA256_TEXT];
    u64 wanted; /* streams that it was to run, those of its shard; CAMPAIGN_OPEN: until the time is
                 * up, or not known: it did not begin */
    /* Every stream is one of right, wrong, below, unsupported and invalid. The forms_fatal programs that
     * ended the DUT while it was asked what it implements are streams as well, and wrong. */
    u64 streams, insns; /* insns: in the programs as they stand, without those forms_fatal */
    u64 right;          /* judged as a whole, perhaps narrowed */
    u64 wrong;          /* with at least one cause that is not below the gate */
    u64 below;          /* with causes below the gate only */
    u64 unsupported;    /* the DUT refuses too much to run the rest as a whole; no cause */
    u64 invalid;        /* the model could not judge; the reason of the first: */
    char invalid_reason[64];
    u64 narrowed; /* of those right or wrong: something could not be set or shown, or was refused */
    u64 retried;  /* of those narrowed: run without the instructions refused; the first's reason: */
    char refused_reason[64];
    u32 narrowed_classes;         /* bits of enum dut_class */
    u64 steps, steps_unsupported; /* step cases judged; refused */
    u64 tolerated;                /* step cases that differ within the rules */
    u32 forms, forms_done; /* opcode x form that the generator knows; that the DUT implements */
    u32 forms_fatal;       /* opcode x form that ends the DUT and is kept out of the streams */
    u32 forms_unasked;     /* opcode x form of which the DUT was not asked: it hung too often */
    u32 forms_unmade;      /* of which it was not asked, because no program with it came out: */
    struct insn unmade;    /* the first of them */
    u64 hangs;             /* streams in which the DUT hung */
    bool is_lost;          /* the DUT crashed in every stream of a batch */
    bool is_cut;           /* the campaign ended early because of hangs, or of that */
    bool is_full;          /* it did because there were cfg.max_causes causes */
    u32 ops, ops_done;
    u32 ops_drawn, forms_drawn; /* of those that the DUT implements, what streams may have */
    u8 supported[OPS_MAX];      /* F_ bits */
    u64 known; /* of the wrong: streams that are right without what is known to fail */
    u64 uncut; /* of the wrong: no single instruction was wrong, and sequences had been
                              looked at too often already */
    u32 cause_count, cause_cap;
    struct campaign_cause *cause;
    u32 cluster_count;
    struct campaign_cluster *cluster; /* most causes first */
    u8 covered[OPS_MAX];              /* F_ bits: stood in some stream */
    /* Of coverage, if it was counted: legal pairs; seen, with and without those of the file. */
    u64 pairs, pairs_seen, pairs_before;
};

/* Asks a DUT that is open, and that `dut` names, what it implements, as a campaign does before its first
 * program: F_ bits of each opcode. What ends it is not among that, and is for a campaign to report.
 * ST_INPUT, ST_WORLD: it cannot run even the simplest programs, or cannot go on. */
enum status campaign_ask(struct executor *x, const char *mcpu, const char *dut, u8 forms[OPS_MAX],
                         struct err *e);

void campaign_result_free(struct campaign_result *r);

/* Causes that are not below the gate. */
u32 campaign_causes(const struct campaign_result *r);

/* What a cause is called: "v_bfe_u32 e64: vgpr", "interaction through EXEC ending in VOP2: scc". */
const char *campaign_cause_name(const struct isa *isa, const struct campaign_cause *c, char *buf,
                                size_t size);

/* Adds what links the instructions of an interaction: "through EXEC", "after dpp". */
void campaign_cause_add_link(const struct campaign_cause *c, struct text *t);

/* Runs it, or goes on with it: with cfg.restore it ends as it would have without having been ended,
 * whenever that was. *r is the caller's (about 300 KiB), filled whatever is returned, and freed by
 * campaign_result_free. ST_INPUT: a name,
 * a DUT spec or the configuration is wrong; nothing was run. ST_WORLD: the DUT could not go on, or
 * a finding could not be written; what was obtained until then is in *r. */
enum status campaign_run(const struct campaign_cfg *cfg, struct campaign_result *r, struct err *e);

#endif
