/* What the parts of gcncheck fuzz share: the command (fuzz.c), what it prints (print.c), its journal
 * (journal.c), causes that are known (known.c), and the vote of several devices (vote.c). */
#ifndef HARNESS_CMD_FUZZ_FUZZ_H
#define HARNESS_CMD_FUZZ_FUZZ_H

#include "harness/campaign/campaign.h"
#include "harness/known/known.h"
#include "harness/line/opts.h"

/* A campaign of the command: the `arg` of its callbacks. */
struct fuzz {
    const struct opts *o;
    struct campaign_result *r;     /* filled as the campaign goes */
    const char *out;               /* folder of the findings */
    char duts[FINDING_SPEC_MAX];   /* of several: their specs, without the model */
    const char *dut;               /* what stands for the DUT: its spec, or duts */
    struct campaign_voters voters; /* of several; count 0: there is one */
    struct isa isa;
    struct known *known;     /* NULL: nothing is */
    u32 known_causes;        /* that were found, */
    u64 known_streams;       /* and the streams that show them */
    struct journal *journal; /* NULL: none is kept */
    bool is_complete;        /* the campaign came to its end */
    enum status st;          /* of the journal */
    struct err e;
};

/* ---- known causes ---- */

/* Whether --known lists the cause. `arg` is the struct fuzz, as campaign_cfg.is_known has it. */
bool fuzz_is_known(void *arg, const struct campaign_cause *c);

/* Tells the file of --known which causes were found and which could have been, and counts the former
 * in z->known_causes and z->known_streams. */
void fuzz_take_known(struct fuzz *z, const struct campaign_result *r);

/* ---- the vote ---- */

/* Fills z->dut and, where there are several --dut, z->voters. ST_INPUT: too many, or --lineage is no
 * list of them. */
enum status fuzz_vote_open(struct fuzz *z, struct err *e);

/* Who stands alone in what a cause differs in, a line; and in all causes. Of one device nothing. */
void fuzz_vote_print_cause(const struct fuzz *z, const struct campaign_cause *c);
void fuzz_vote_print(const struct fuzz *z, const struct campaign_result *r);

/* The former as a cell of a table. */
void fuzz_vote_row(const struct fuzz *z, const struct campaign_cause *c, char *cell, size_t size);

/* ---- the journal ---- */

/* The first of what went wrong with the journal is kept in z->st and z->e; e is not read on ST_OK. */
void fuzz_keep_status(struct fuzz *z, enum status st, const struct err *e);

/* Begins the journal that --journal names. ST_INPUT, ST_ENV: it cannot be written, or is there. */
enum status fuzz_journal_open(struct fuzz *z, struct err *e);

/* campaign_cfg.restore and .store: goes on with the journal that --resume names, and writes a state
 * into it. `arg` is the struct fuzz. */
enum status fuzz_journal_restore(void *arg, const struct journal_taker *to, struct err *e);
enum status fuzz_journal_store(void *arg, const u8 *bytes, size_t size, struct err *e);

/* Without a journal these do nothing. What goes wrong is kept, and nothing is written from there on. */
enum status fuzz_journal_finding(struct fuzz *z, const struct finding *f, const char *folder,
                                 struct err *e);
void fuzz_journal_result(struct fuzz *z, const struct campaign_result *r); /* at the end */

/* ---- standard output ---- */

/* Nothing if its cause is known. */
void fuzz_print_found(const struct fuzz *z, const struct campaign_found *f);

/* Causes and clusters, and without --quiet the sums. ms: how long it took. */
void fuzz_print_summary(struct fuzz *z, const struct campaign_result *r, u64 ms);

#endif
