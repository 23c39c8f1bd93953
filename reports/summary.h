/* What many results come to: counts per opcode, per cause and per reason, and the failures
 * themselves. Both the text page and the HTML page are printed from one. The order in which results
 * are added does not show in what is printed. */
#ifndef REPORTS_SUMMARY_H
#define REPORTS_SUMMARY_H

#include "reports/journal.h"
#include "reports/result.h"
#include "reports/timing.h"

#include <stdio.h>

/* Every result is counted under exactly one of these. */
enum tally {
    TALLY_RIGHT,
    TALLY_WRONG,
    TALLY_UNIMPLEMENTED, /* skipped, because the DUT lacks it */
    TALLY_NARROWED,      /* right but judged on less than the case asks for, or not judged at all,
                            because the DUT cannot set or show something */
    TALLY_SKIPPED,       /* skipped for another reason */
    TALLY_TODO,          /* differs, but is touched by a ledger entry below the gate */
    TALLY_KNOWN,         /* differs, and that is known */
    TALLY_COUNT
};

extern const char *const tally_names[TALLY_COUNT]; /* "right" ... "known" */
enum tally summary_tally_of(const struct result *r);

/* The forms that results name, and "-" for those that name none, or another, or are to blame on an
 * instruction of which the form is not known. */
enum { SUMMARY_FORMS = 7 };
extern const char *const summary_forms[SUMMARY_FORMS]; /* "base" "e32" ... "-" */

/* Results that share a key. */
struct summary_group {
    char key[176];
    u64 total;
    u64 count[TALLY_COUNT];
    u64 form[SUMMARY_FORMS][TALLY_COUNT];
    struct result *first; /* the least by result_compare(); kept for causes and reasons only */
    bool has_time;        /* of a cause: the run has times, and */
    u64 first_ms;         /* it was first seen that long after it began; of several the soonest */
};

struct summary_groups {
    struct summary_group *at;
    u32 count, cap;
    u32 *slots; /* hash: index + 1 */
    bool keeps_first;
};

struct summary_table {
    char name[32];
    struct journal_row *row;
    u32 count, cap;
};

enum { SUMMARY_FAILURES_MAX = 500, SUMMARY_HEADS_MAX = 64, SUMMARY_TABLES_MAX = 16 };

struct summary {
    u64 total;
    u64 count[TALLY_COUNT];
    struct summary_groups ops;                    /* key "VOP2 v_add_u32" */
    struct summary_groups causes;                 /* of wrong results */
    struct summary_groups known;                  /* causes of those that are known */
    struct summary_groups reasons;                /* of skips: the reason code */
    struct summary_groups narrowed;               /* what was left out */
    struct result *failure[SUMMARY_FAILURES_MAX]; /* the least, in order */
    u32 failures;
    struct journal_head
        head[SUMMARY_HEADS_MAX]; /* a run each; of shards the first, args without --shard */
    struct journal_dut dut[SUMMARY_HEADS_MAX]; /* of each of them; empty: not known */
    struct timing timing[SUMMARY_HEADS_MAX];   /* of shards: the earliest and the longest */
    struct timing now, before; /* of the journal of the last head; timing[] without it */
    u32 *waiting;              /* causes of the results since the last time, by index */
    u32 waits, waiting_cap;
    u32 parts[SUMMARY_HEADS_MAX]; /* shards of it that were added */
    u32 heads;                    /* also those that head[] has no room for */
    u32 latest, latest_shard; /* the head that was added last or that it is part of; its shard */
    struct summary_table table[SUMMARY_TABLES_MAX];
    u32 tables;
    u64 lost, torn_bytes, damages; /* as the journals' readers say */
    u32 unfinished;                /* journals without their end */
};

/* An empty summary; NULL without memory. The owner ends it with summary_free (NULL is allowed). */
struct summary *summary_new(void);
void summary_free(struct summary *s);

/* Adds one result, a head, a row of a table. False: no memory, nothing was added. */
bool summary_add(struct summary *s, const struct result *r);
void summary_add_head(struct summary *s, const struct journal_head *head);
/* What the device of the last head calls itself. */
void summary_add_dut(struct summary *s, const struct journal_dut *dut);
/* A time of the run of the last head. */
void summary_add_time(struct summary *s, const struct journal_time *time);
/* What to print behind a head: ", shard 2/8", ", 8 shards", ", 7 of 8 shards", or nothing. Returns buf. */
const char *summary_shards(const struct summary *s, u32 head, char *buf, size_t size);
bool summary_add_row(struct summary *s, const struct journal_row *row);

/* Brings groups into their final order: opcodes by encoding and name, the others by count. To be
 * called before printing; adding afterwards is allowed. */
void summary_sort(struct summary *s);

/* The cause that a wrong result was counted under; NULL if it was not. */
const struct summary_group *summary_cause_of(const struct summary *s, const struct result *r);

/* "right 402, wrong 37 (21 causes), unimplemented 510, narrowed 71 (MODE fixed)" and what else is
 * not zero. Returns buf. */
const char *summary_line(const struct summary *s, char *buf, size_t size);

/* Prints the text page (sorts first). `color`: with terminal colours. */
void summary_print(struct summary *s, FILE *out, bool color);

/* The length of the encoding at the beginning of an opcode's key. */
static inline size_t summary_encoding_len(const struct summary_group *op)
{
    return strcspn(op->key, " ");
}

#endif
