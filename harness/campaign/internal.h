/* What the files of a campaign share. Lowest first: plan.c (which streams), cause.c (what differs),
 * batch.c (streams are judged), probe.c (what the DUT implements), campaign.c (the whole). */
#ifndef HARNESS_CAMPAIGN_INTERNAL_H
#define HARNESS_CAMPAIGN_INTERNAL_H

#include "harness/campaign/campaign.h"
#include "harness/campaign/executor.h"

#include <pthread.h>

enum { CASES_PER_BATCH = 1024 };

/* A difference as it was seen in one stream, before it is put down to a cause. */
struct raw_failure {
    u64 index; /* of the stream */
    u32 step;
    u16 marker;
    u8 tier;
    bool is_probe; /* `start` is all there is; no stream of the campaign has been made yet */
    struct insn insn;
    struct judgement j;
    bool below; /* the gate */
    char ledger[64];
    struct stream *start; /* NULL if its cause has enough findings already */
};

/* What one batch found out, to be taken in order. */
struct batch_out {
    enum status st; /* why it ended early */
    struct err e;
    u64 streams, insns, right, wrong, below, unsupported, retried, invalid, narrowed, steps,
        steps_unsupported, tolerated, hangs, fatal;
    u32 narrowed_classes;
    char invalid_reason[64], refused_reason[64];
    u32 count;
    struct raw_failure seen[CASES_PER_BATCH];
};

struct campaign {
    const struct campaign_cfg *cfg;
    struct campaign_result *r;
    struct generator gen;
    struct isa isa;
    u32 focus_count; /* 0: every opcode */
    u16 focus[OPS_MAX];
    u32 filler; /* dword that takes the place of what the DUT refuses; 0: it has none */
    u64 start_ms;
    pthread_mutex_t lock; /* everything below, and *r */
    u32 findings, interactions, crashes;
    bool stop; /* the DUT is lost, or hangs too often */
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
    struct batch_out *out; /* of the batch at hand */
    struct cover cover;
    u64 index;            /* of the stream that is being explained */
    struct judgement end; /* of that stream */
    bool differs;         /* that stream has a cause */
    bool below;           /* it has one below the gate */
    bool is_retried;      /* and what the DUT refused was taken out of it */
    bool is_probing;
    bool is_lost;      /* the DUT is not asked any more; what it showed is written as it is */
    u32 refused_count; /* of the stream that is being explained */
    struct refused refused[256];
};

/* Chooses the opcodes that --only names. ST_INPUT: a name that selects none. */
enum status campaign_focus(struct campaign *k, struct err *e);

/* Makes the stream of a number. */
void campaign_stream(const struct campaign *k, u64 index, struct stream *s);

/* The streams of a batch of this shard: how many, and the number of the first. 0: there is no such
 * batch. */
u32 campaign_batch_at(const struct campaign *k, u64 batch, u64 *first);

/* Notes a cause in w->out, once per stream. */
void campaign_note_cause(void *arg, const struct cause *cause);

/* Puts a failure down to its cause and, while that has too few, makes a finding of it. To be called
 * in the order of the failures, without the lock. ST_WORLD: it cannot be written, or the DUT cannot
 * go on. */
enum status campaign_take_failure(struct campaign_worker *w, struct raw_failure *s, struct err *e);

/* Judges streams first..first+n-1 into w->out. */
enum status campaign_run_batch(struct campaign_worker *w, u64 first, u32 n, struct err *e);

/* Takes what a batch found, in the order of batches. Once the campaign is cut short, what other
 * threads still had under way is dropped: how much that is depends on their number. */
enum status campaign_take_batch(struct campaign_worker *w, struct batch_out *out, struct err *e);

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
