/* What came and went between two runs: the causes of failures that one of them has and the other has
 * not, and those that both have. A cause is named as in every report (result_cause); failures that
 * are known count as such. Of a campaign, which has one result for each finding, the streams that
 * show a cause are counted. */
#ifndef REPORTS_DIFF_H
#define REPORTS_DIFF_H

#include "reports/format.h"
#include "reports/summary.h"

enum diff_side { DIFF_OLD, DIFF_NEW, DIFF_SIDES };

enum diff_change {
    DIFF_CAME,   /* the new run alone has it */
    DIFF_WENT,   /* the old one alone */
    DIFF_STAYED, /* both */
    DIFF_CHANGES
};

extern const char *const diff_change_names[DIFF_CHANGES]; /* "came", "went", "stayed" */

/* What the cases in which a cause of the old run showed are in the new one. */
enum diff_now {
    DIFF_NOW_RIGHT,
    DIFF_NOW_OTHER,      /* they fail for another cause */
    DIFF_NOW_NOT_JUDGED, /* skipped, or below the gate */
    DIFF_NOW_GONE,       /* there are no such cases */
    DIFF_NOW_COUNT
};

struct diff_cause {
    char key[176];
    enum diff_change change;
    u64 count[DIFF_SIDES]; /* results, or streams */
    u64 now[DIFF_NOW_COUNT];
    const struct result *first; /* of the run that has it, the new one if both have */
};

/* A result of the old run that differs, or one of the new run, by the hash of its id. */
struct diff_result {
    u64 id;
    u64 cause; /* of the old run: the hash of its key */
    u8 now;    /* of the new run: enum diff_now */
};

struct diff {
    struct summary *summary[DIFF_SIDES];
    struct report_reading found[DIFF_SIDES];
    struct diff_result *result[DIFF_SIDES];
    u32 results[DIFF_SIDES], results_cap[DIFF_SIDES];
    struct diff_cause *cause; /* sorted by change and name: diff_find fills it */
    u32 causes;
    u32 changes[DIFF_CHANGES]; /* how many causes of each kind */
};

/* ST_WORLD: no memory. On ST_OK it is the caller's to diff_close. */
enum status diff_open(struct diff *d, struct err *e);
void diff_close(struct diff *d);

/* Adds a journal to one of the runs. As report_journal. */
enum status diff_read(struct diff *d, enum diff_side side, const char *path, struct err *e);

/* Finds what came and went, once everything is read. ST_WORLD: no memory. */
enum status diff_find(struct diff *d, struct err *e);

/* Prints it in a format: text and JSON lines of their own; in the others each cause is a result, not
 * ok if it came, ok if it went, known if it stayed. False: memory is short, or out cannot be
 * written. */
bool diff_print(const struct diff *d, const struct report_format *format, FILE *out, bool color);

#endif
