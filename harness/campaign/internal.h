/* What the files of a campaign share. Lowest first: weights.c (a file of weights), corpus.c
 * (streams from files), steer.c (what streams are made of more often, coverage), plan.c (which
 * streams), seen.c (what right and wrong instructions have), known.c (what is known when a batch
 * begins), rest.c (streams without that), cause_name.c, cause.c (what differs), batch.c (streams are
 * judged), probe.c (what the DUT implements), origin.c, state.c (what another process needs to go on),
 * campaign.c (the whole). */
#ifndef HARNESS_CAMPAIGN_INTERNAL_H
#define HARNESS_CAMPAIGN_INTERNAL_H

#include "fuzz/cover/cover.h"
#include "fuzz/cover/tally.h"
#include "harness/campaign/campaign.h"
#include "harness/campaign/corpus.h"
#include "harness/finding/executor.h"

#include <pthread.h>

/* A difference as it was seen in one stream, before it is put down to a cause. */
struct raw_failure {
    u64 index; /* of the stream */
    u32 step;
    u16 marker;
    u8 tier;
    bool is_probe; /* `start` is all there is; no stream of the campaign has been made yet */
    struct insn insn;
    struct judgement j;
    struct campaign_votes votes;
    bool below; /* the gate */
    char ledger[64];
    struct stream *start; /* NULL if its cause has enough findings already */
};

/* A step case that was judged. */
struct judged {
    u16 op;
    u8 form;
    bool is_wrong;
    u8 what, outcome; /* if it is wrong */
    struct traits traits;
};

/* A stream that is right without the instructions of causes that are known. */
struct left_out {
    u32 cause; /* index; UINT32_MAX: the first of this opcode and form */
    u16 op;
    u8 form;
    bool below; /* only such causes were left out */
};

/* What one batch found out, to be taken in order. */
struct batch_out {
    enum status st; /* why it ended early */
    struct err e;
    u64 streams, insns, right, wrong, below, unsupported, retried, invalid, narrowed, steps,
        steps_unsupported, tolerated, hangs, fatal;
    u64 uncut;
    u32 narrowed_classes;
    char invalid_reason[64], refused_reason[64];
    u32 left_out_count;
    struct left_out left_out[CAMPAIGN_BATCH];
    u32 count, cap;
    struct raw_failure *seen; /* owned, as `judged` */
    u32 judged_count, judged_cap;
    struct judged *judged;
    u8 covered[OPS_MAX];      /* by this batch or one before: F_ bits */
    struct cover_seen *cover; /* owned; NULL: nothing was counted */
};

enum { KIND_SAMPLES = 8 };

/* The step cases of one opcode and form. */
struct kind_seen {
    u64 fails, passes;
    u32 samples; /* of those that passed */
    struct traits sample[KIND_SAMPLES];
};

enum { KINDS = OPS_MAX * FORM_COUNT };
static inline u32 campaign_kind(u32 op, u32 form)
{
    return op * FORM_COUNT + form;
}

/* What is known when a batch begins: the same for any number of threads. */
struct known {
    struct known *next;
    u64 batches;                       /* those before this one have been taken */
    u32 interactions;                  /* that were shrunk */
    u32 step[KINDS];                   /* 1 + the cause of a single instruction; 0: there is none */
    u32 prefix[KINDS];                 /* 1 + the cause of an interaction with it */
    bool is_below[KINDS];              /* all causes of a single instruction are below the gate */
    bool alike[ENC_COUNT][FORM_COUNT]; /* some of this encoding and form is above it */
};

/* What is known of an opcode and form. */
enum standing { KNOWN_NOTHING, KNOWN_BELOW, KNOWN_ABOVE /* the gate */, STANDINGS };

/* A stream that differs, without the instructions of known causes. */
struct rest {
    struct gcncheck_job job; /* the stream's, but for the code */
    u32 code[STREAM_DW_MAX];
    u32 count[STANDINGS];  /* instructions left out, up to a standing */
    struct left_out first; /* of those left out */
    bool is_right;
    struct judgement j; /* of what was run last */
};

struct campaign {
    const struct campaign_cfg *cfg;
    struct campaign_result *r;
    struct generator gen;
    struct isa isa;
    u32 common_count; /* the processors of cfg->common */
    struct isa *common[GEN_COMMON_MAX];
    u32 focus_count; /* 0: every opcode */
    u16 focus[OPS_MAX];
    struct corpus *corpus; /* NULL: streams are drawn */
    struct steer *steer;   /* NULL: nothing is weighed or counted */
    u32 filler;            /* dword that takes the place of what the DUT refuses; 0: it has none */
    u64 start_ms;
    pthread_mutex_t lock; /* everything below, and *r */
    pthread_cond_t changed;
    u32 crashes, interactions;
    bool stop;                    /* the DUT is lost, or hangs too often */
    u64 taken;                    /* batches */
    u64 first;                    /* batch of this process */
    struct campaign_state *state; /* NULL: nothing is kept */
    bool is_torn;                 /* the last batch was not taken whole: no state may hold it */
    bool is_unsynced;             /* findings were written that may not be on the disk */
    u32 found_count, found_cap;
    struct campaign_found *found; /* owned; since the last state */
    struct known *known;          /* the latest first */
    struct kind_seen *seen;       /* [KINDS] */
    u32 *prefix;                  /* [KINDS] as in struct known, up to now */
};

/* An instruction that the DUT does not implement. */
struct refused {
    u64 pc;
    u32 dw;
};

struct campaign_worker {
    struct campaign *k;
    struct executor x;
    struct stream *stream; /* scratch */
    struct jobbuf *job[CAMPAIGN_BATCH];
    struct rest rest[CAMPAIGN_BATCH];
    const struct known *known; /* of the batch at hand */
    struct batch_out *out;     /* likewise */
    struct tally tally;
    struct watch *watch;  /* NULL: nothing was counted yet */
    u64 index;            /* of the stream that is being explained */
    struct judgement end; /* of that stream */
    bool differs;         /* that stream has a cause */
    bool below;           /* it has one below the gate */
    bool is_uncut;        /* its sequences were not looked at */
    bool is_retried;      /* and what the DUT refused was taken out of it */
    bool is_probing;
    bool is_short;     /* of memory: a difference, or a step case that was judged, was lost */
    bool is_lost;      /* the DUT is not asked any more; what it showed is written as it is */
    u32 refused_count; /* of the stream that is being explained */
    struct refused refused[256];
};

/* Whether every device is one of our own engines. */
bool campaign_is_exact(const struct campaign_cfg *cfg);

/* Whether TRAPSTS is compared whatever the DUT is: where nothing that the ledger doubts is left out. */
static inline bool campaign_has_trapsts(const struct campaign_cfg *cfg)
{
    return cfg->gate == EVIDENCE_MANUAL;
}

/* Chooses the opcodes that --only names and that have the form of --form. ST_INPUT: a name that
 * selects none. */
enum status campaign_focus(struct campaign *k, struct err *e);

/* Opens the processors of cfg->common. ST_INPUT: a name is not known or stands twice, or that of
 * cfg->mcpu is missing. */
enum status campaign_open_common(struct campaign *k, struct err *e);

/* The form of --form; -1: any. */
i32 campaign_form(const struct campaign *k);

/* Opens what a campaign is steered by, before the DUT is: reads the options that name opcodes, profiles
 * and files. ST_INPUT: a name, a profile or a file is wrong. Closed by steer_close on every return. */
enum status steer_open(struct campaign *k, struct err *e);
void steer_close(struct campaign *k);

/* What the file held when the campaign began and the batches taken since have covered; NULL: nothing is
 * counted. */
struct cover_seen *steer_counts(const struct campaign *k);

/* Once a state was taken into steer_counts and *k: what follows from it. */
void steer_know_again(struct campaign *k);

/* Whether the file of coverage is as it was when the campaign began, or as this campaign left it:
 * ST_INPUT if not, as then the counts of somebody else would be lost. For when all states were taken. */
enum status steer_check_file(const struct campaign *k, struct err *e);

/* Counting begins; goes_on: with what was taken of an earlier process. */
void steer_begin_counts(struct campaign *k, bool goes_on);

/* Opens the generator, without what is skipped. To be called before campaign_focus; `gc` says what the
 * DUT can do. ST_WORLD: no memory. */
enum status steer_open_generator(struct campaign *k, struct gen_cfg *gc, struct err *e);

/* What campaign_focus found is known. */
enum status steer_ready(struct campaign *k, struct err *e);

/* Before the streams of a batch are made: waits, where it needs to, for those on whose coverage the
 * weights of this one rest. False: the campaign is at its end. *st says if something went wrong. */
bool steer_begin(struct campaign_worker *w, u64 batch, enum status *st, struct err *e);

/* Counts a stream of the batch in w->out. */
enum status steer_count(struct campaign_worker *w, const struct stream *s, u64 index,
                        struct err *e);

/* Takes what a batch covered, just before it counts as taken. */
void steer_take(struct campaign *k, const struct batch_out *out);

/* Whether the next streams rest on what so many batches have covered. */
bool steer_ends_round(const struct campaign *k, u64 taken);

/* When all threads have ended: writes the file of coverage, sums up in *k->r. What is counted is what
 * states hold, which that file must not be ahead of: *kept; NULL: there are none. */
enum status steer_finish(struct campaign *k, const struct cover_seen *kept, struct err *e);

/* Makes the stream of a number. ST_WORLD if memory is short. */
enum status campaign_stream(const struct campaign *k, u64 index, struct stream *s, struct err *e);

/* The streams of a batch of this shard: how many, and the number of the first. 0: there is no such
 * batch. */
u32 campaign_batch_at(const struct campaign *k, u64 batch, u64 *first);

/* The streams of all of its batches, or CAMPAIGN_OPEN. */
u64 campaign_wanted(const struct campaign *k);

/* Makes room for a failure in what a batch found (false: memory is short), and frees it all. */
bool campaign_out_grow(struct batch_out *out);
void campaign_out_free(struct batch_out *out);

/* Notes a step case that was judged in w->out, and takes those of a batch into what is seen. */
void campaign_note_judged(void *arg, const struct insn *in, const struct traits *t,
                          const struct judgement *j);
void campaign_take_judged(struct campaign *k, const struct batch_out *out);

/* What is known when a batch begins; waits until the batches before are taken on which that rests.
 * NULL: the campaign is at its end. */
const struct known *campaign_known(struct campaign *k, u64 batch);

/* Counts a batch as taken; some of them change what is known. ST_WORLD if memory is short. */
enum status campaign_know(struct campaign *k, struct err *e);

/* Whether what is known changes when so many batches are taken. */
bool campaign_changes_known(u64 taken);

/* What is known follows from what there is: once a batch was taken that an earlier process did. */
enum status campaign_know_again(struct campaign *k, struct err *e);

/* Ends the campaign if there are as many causes as are asked for. */
void campaign_count_causes(struct campaign *k);

/* Ends the campaign: nobody waits for batches any more. */
void campaign_stop(struct campaign *k);

/* Whether a stream that differs is to be cut although known causes may explain it. */
bool campaign_looks_deeper(const struct campaign_worker *w, u64 index);

/* Whether the sequences of a stream are to be looked at, in which no instruction alone is wrong. */
bool campaign_looks_at_sequences(const struct campaign_worker *w, u64 index);

/* Nothing was run of it yet. */
void campaign_clear_rest(struct rest *r);

/* Runs what differs of streams first..first+n-1 without the instructions of causes that were known before
 * the batch, all at once, into w->rest, which was cleared. */
enum status campaign_leave_known_out(struct campaign_worker *w, struct subject *s, u64 first, u32 n,
                                     struct err *e);

/* The same of one, *r of w->rest, unless that was done, with what is known by now. *is_explained: without
 * them it does not differ, which is noted in w->out. Else, if it still differs, *s becomes what is
 * left, in *r. */
enum status campaign_leave_out(struct campaign_worker *w, struct subject *s, struct rest *r,
                               bool *is_explained, struct err *e);

/* Whether an instruction of the same encoding and form is known to be wrong. */
bool campaign_is_alike(void *worker, const struct insn *in);

/* The folder's name of the nth finding (from 1) of a cause: "v_bfe_u32-e64-vgpr". */
void campaign_cause_id(const struct isa *isa, const struct campaign_cause *c, u32 nth, char *buf,
                       size_t size);

/* Whether a difference stands only where entries of weaker evidence than the gate's read otherwise;
 * something that nobody announced, or an end, is never one. */
bool campaign_is_below(const struct cause *cause, enum evidence gate);

/* Notes a cause in w->out, once per stream. */
void campaign_note_cause(void *arg, const struct cause *cause);

/* Puts a failure down to its cause and, while that has too few, makes a finding of it. To be called
 * in the order of the failures, without the lock. ST_WORLD: it cannot be written, or the DUT cannot
 * go on. */
enum status campaign_take_failure(struct campaign_worker *w, struct raw_failure *s, struct err *e);

/* Counts the streams of a batch that were right without the instructions of known causes. */
void campaign_take_left_out(struct campaign *k, const struct batch_out *out);

/* Judges streams first..first+n-1 into w->out, which holds nothing yet. */
enum status campaign_run_batch(struct campaign_worker *w, u64 first, u32 n, struct err *e);

/* Takes what a batch found, in the order of batches. Once the campaign is cut short, what other
 * threads still had under way is dropped: how much that is depends on their number. */
enum status campaign_take_batch(struct campaign_worker *w, struct batch_out *out, struct err *e);

/* Brings findings to the disk, before a state says that they are there. */
enum status campaign_sync(struct campaign *k, struct err *e);

/* Keeps a state of what none holds yet, unless the last batch was not taken whole. */
enum status campaign_keep_rest(struct campaign *k, struct err *e);

/* Asks the DUT, one instruction at a time, which opcode x form it implements; fills the supported,
 * forms, fatal and ops members of *r. An instruction that crashes the DUT or makes it hang is
 * handed to fn and not counted as supported. Of our own engines nothing is asked. ST_WORLD: the DUT
 * cannot go on, or the simplest instructions all end it. */
enum status campaign_probe(struct executor *x, const struct isa *isa,
                           const struct campaign_cfg *cfg, cause_fn *fn, void *arg,
                           struct campaign_result *r, struct err *e);

/* Runs a program of nothing but s_endpgm, before anything else. ST_INPUT: the DUT does not
 * implement it. ST_WORLD: it crashes, hangs or answers nonsense even there, so that nothing can be
 * run. */
enum status campaign_check_end(const struct executor *x, const char *mcpu, struct err *e);

#endif
