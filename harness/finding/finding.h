/* Findings: confirmed, minimised differences, each a folder that explains and repeats itself:
 *
 *     finding.json     everything needed to run the minimal and the original program again
 *     report.txt       what is wrong, in words
 *     program.s        the minimal program as text
 *     candidate.case   a directed case whose expected values are left for a person (`?`, which
 * checks nothing); only for programs without memory
 *
 * A new folder appears whole: it is written under another name and then renamed. finding.json
 * carries its own checksum and those of the other files, as they were written. */
#ifndef HARNESS_FINDING_FINDING_H
#define HARNESS_FINDING_FINDING_H

#include "harness/check/compare.h"
#include "harness/finding/stream_job.h"
#include "reports/result.h"

#include <stdio.h>

enum { FINDING_ID_MAX = 112, FINDING_SPEC_MAX = 4096, FINDING_VOTES_MAX = 6 };

struct finding {
    /* The folder's name: that of its cause, "v_bfe_u32-e64-vgpr" (campaign_cause_id), the same
     * whichever stream shows it. */
    char id[FINDING_ID_MAX];
    char cause[128]; /* what it is called in reports; empty: made of the instruction; in no file */
    char mcpu[16];
    char dut[256]; /* the spec as given, for people: "plugin:build/example_dut.so" */
    char dut_absolute[FINDING_SPEC_MAX]; /* the same for dut_open, from any folder */
    bool dut_is_other; /* not the one that finding.json names, which replay takes by itself */
    char dut_name[64]; /* as it calls itself */
    char dut_version[64];
    u64 seed, number;    /* of the campaign and of the stream in it */
    char file[256];      /* of the corpus that the stream was made from; empty: it was drawn */
    u32 step;            /* TIER_STEP: instructions that the original executed before the one */
    u8 tier;             /* enum tier */
    bool exact, trapsts; /* judged with those of struct compare_cfg */
    char ledger[64];     /* entries of the ledger that it touches, between blanks */
    /* Of gcncheck diagnose, empty without: the mutant that gives the same results; which inputs
     * fail. */
    char like[256], fails[256];
    /* Of several devices: who stands alone, and the vote on the first places of the minimal program, a
     * line each. */
    char stands[256], vote[FINDING_VOTES_MAX][512];
    u32 votes;
    bool repeats;       /* false: it did not differ again when it was looked at alone */
    u16 marker;         /* as in struct subject */
    struct insn insn;   /* the one accused; else the last of the minimal program: always taken from
                           that (finding_take_insn) */
    u32 insns;          /* of the minimal program: s_endpgm is not counted, nor what a step case is
                           wrapped in */
    struct judgement j; /* of the minimal program */
    struct stream *minimal;  /* owned */
    struct stream *original; /* owned */
};

/* ST_WORLD if memory is short. Everything is zero but the two streams exist. */
enum status finding_new(struct finding **out, struct err *e);
void finding_free(struct finding *f);

/* Names the DUT that differs: fills f->dut and, with what is relative to the current folder made
 * absolute, f->dut_absolute. ST_INPUT: too long. */
enum status finding_set_dut(struct finding *f, const char *spec, struct err *e);

/* What a cause is called: "vgpr", "scalar", "crash", ... */
const char *finding_what(const struct judgement *j);

/* Fills f->insn from f->minimal. */
void finding_take_insn(const struct isa *isa, struct finding *f);

/* Counts f->insns, and fills f->insn, from f->minimal. */
void finding_count_insns(const struct isa *isa, struct finding *f);

/* Adds the report of the finding in `folder`. ST_WORLD if memory is short. */
enum status finding_report(const struct isa *isa, const struct finding *f, const char *folder,
                           struct text *t, struct err *e);

/* Prints that report. ST_WORLD if memory is short. */
enum status finding_print(FILE *out, const struct isa *isa, const struct finding *f,
                          const char *folder, struct err *e);

/* The same as a result that is not ok, for journals; `again` is left for the caller. ST_WORLD if memory is short. */
enum status finding_result(const struct isa *isa, const struct finding *f, struct result *r,
                           struct err *e);

/* Whether the folder `dir`/f->id holds the finding of another DUT or processor, or one that is damaged or
 * was edited: its place this one does not take. ST_WORLD: it cannot be read for lack of memory or descriptors. */
enum status finding_is_taken(const struct finding *f, const char *dir, bool *is_taken,
                             struct err *e);

/* Writes the folder `dir`/f->id (both are made if need be). Of a finding that is there already the
 * files are replaced one by one, finding.json last; what else the folder holds stays, and so do
 * files that were edited, unless `force`: *kept (may be NULL) is then the name of one, else NULL.
 * A new folder appears whole, and is the caller's to bring to the disk: output_sync of `dir`, once for
 * many. ST_INPUT: something else has the name. ST_WORLD: not writable. */
enum status finding_write(const struct isa *isa, const struct finding *f, const char *dir,
                          bool force, const char **kept, struct err *e);

/* Reads `folder`/finding.json, or the file itself. ST_INPUT names what is wrong with it. On ST_OK
 * the caller frees *out. */
enum status finding_read(const char *folder, struct finding **out, struct err *e);

/* Takes a folder's path apart, as a user names it: `dir` (size bytes) is the folder that finding_write
 * wants, f->id the finding's name. ST_INPUT: it is no folder of a finding. */
enum status finding_split(const char *path, struct finding *f, char *dir, size_t size,
                          struct err *e);

/* The subject that judges the minimal program; `jb` holds its job. */
struct subject finding_subject(const struct finding *f, struct jobbuf *jb);

/* Makes the minimal program smaller while it keeps differing in the same way; f->j, f->insns and
 * f->repeats are brought up to date. A finding that does not differ (again) is left as it is, with
 * f->repeats false. ST_WORLD: the DUT cannot go on, or memory is short; f is then as far as it got,
 * and f->j of that. *complete (may be NULL): nothing smaller was found. Once stop_requested() it ends
 * with what it has. */
enum status finding_shrink(struct compare *c, struct finding *f, u32 max_calls, bool *complete,
                           struct err *e);

#endif
