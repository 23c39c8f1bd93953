/* Runs directed cases on a device under test: expands tests into runs (one per form and table row,
 * or per 64 lanes), builds jobs, compares what came back with what the case expects, and hands over
 * struct results in an order that does not depend on the number of threads. The model never
 * supplies an expectation; it is asked only which side it is on when something differs. Used by
 * `gcncheck run`, tests and whoever wants directed results. */
#ifndef HARNESS_RUN_RUN_H
#define HARNESS_RUN_RUN_H

#include "harness/case/casefile.h"
#include "harness/dut/dut.h"
#include "harness/known/known.h"
#include "oracle/errata/errata.h"
#include "reports/result.h"

/* Called for every difference of a result that it has no room for, behind the call for the result. */
typedef void run_more_fn(void *ctx, const struct result *result, const struct result_diff *diff);

/* All of it is the caller's and must outlive the run. */
struct run_cfg {
    const char *mcpu;
    const char *dut;           /* as for dut_open */
    const char *form;          /* only this form; NULL: all */
    const char *only;          /* mnemonics or encodings, separated by commas; NULL: all */
    u32 fraction, fraction_of; /* 1, 1 for everything */
    u32 shard, shards;         /* 0, 1 for everything */
    u32 jobs;                  /* threads, at least 1 */
    u32 dut_time_ms;           /* 0: the DUT's default */
    u64 time_ms;               /* for run_all; 0: no limit */
    /* Called once, before the first result: what is opened. Another answer than ST_OK ends the run. May
     * be NULL. */
    enum status (*opened)(void *arg, const struct dut *d, struct err *e);
    void *arg;
    const char
        *own_cases; /* gcncheck's own: its files are called cases/... in vectors; NULL: none */
    const struct known *known; /* whose --skips are left out; NULL: none */
    bool in_process;
    enum evidence
        gate; /* a difference that a ledger entry of weaker evidence touches is no failure */
    run_more_fn *more; /* with the ctx of run_all; NULL: nobody asks */
};

struct run;

/* ST_INPUT for an unknown processor. On ST_OK the caller closes it. */
enum status run_open(struct run **out, const struct run_cfg *cfg, struct err *e);
void run_close(struct run *r);

/* Takes over a parsed file. line: 0, or only what stands at that line. Spells and assembles its
 * code; ST_INPUT with file and line if that fails or an id is taken by another file. */
enum status run_add(struct run *r, struct casefile *f, int line, struct err *e);

/* The same for paths, in their order. ST_INPUT also for a name in cfg.only that is neither a
 * mnemonic nor an encoding, nor a file or folder among them. */
enum status run_add_paths(struct run *r, const struct case_paths *paths, struct err *e);

/* Results that run_all will hand over. */
u64 run_count(const struct run *r);
/* Those of all shards together, and whatever the fraction. */
u64 run_offered(const struct run *r);
/* Whether every case of a file that was added is among them, if its form was asked for. */
bool run_is_whole(const struct run *r);

/* A result obtained before, which run_all will not obtain again; to be called for each, in order,
 * before it. ST_INPUT: it is not the next of this run. */
enum status run_skip(struct run *r, const struct result *done, struct err *e);

/* Called in order, one at a time, but not always from the same thread. Another answer than ST_OK ends
 * the run. */
typedef enum status run_result_fn(void *ctx, const struct result *result, struct err *e);

/* Runs everything that was not skipped, or, once the time is over or stop_requested(), the first
 * part of it. ST_INPUT: the DUT cannot be opened. ST_WORLD: it was lost, or memory is short;
 * the results handed over until then are valid. Or what fn answered. */
enum status run_all(struct run *r, run_result_fn *fn, void *ctx, struct err *e);

#endif
