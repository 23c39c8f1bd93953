/* Reports in every format. A report is opened with a format of the table (reports/format.def), is
 * handed results as they come or all records of journals, and is closed. Used by `gcncheck run` and
 * `gcncheck report`, which take from here also what --format may say. */
#ifndef REPORTS_FORMAT_H
#define REPORTS_FORMAT_H

#include "reports/file/output.h"
#include "reports/parts.h"

#include <stdio.h>

/* A report being written. */
struct report {
    const struct report_format *format;
    FILE *out;      /* the caller's */
    bool color;     /* for those that know colours */
    bool canonical; /* only results, sorted: for those that know it */
    bool apart;     /* results stand for causes: none are put together */
    bool failures;  /* only results that are not ok: for those that stream */
    void *state;    /* the writer's own: made by its open, freed by its close */
};

/* How a report ends. */
struct report_end {
    const char *broken; /* why it does not hold all results; NULL: it does */
    const char *empty;  /* why there may be none; NULL: no reason is known */
    bool refused;       /* broken, and so that pages are not made */
};

/* What a format does. Without a function it does nothing at that point; `result` there must be. All
 * answer false if memory is short; what cannot be written shows in ferror(out), and close may
 * answer false for that too. */
struct report_writer {
    bool (*open)(struct report *r);
    bool (*result)(struct report *r, const struct result *result);
    bool (*record)(struct report *r, const struct journal_record *rec); /* of the other kinds */
    void (*journal)(struct report *r, const struct journal_reader *rd); /* has no more records */
    bool (*close)(struct report *r, const struct report_end *end);
    /* What its pages hold near their beginning (behind ^: begin with), by which one of them is known
     * again; only such a page is replaced without being asked to. */
    const char *mark;
};

struct report_format {
    const char *name;
    const char *other_name; /* that is taken for it where results are streamed, or NULL */
    bool streams;           /* a result is written as soon as it is there */
    const char *what;       /* lines for the help */
    const struct report_writer *writer;
};

/* The formats in the order in which they are explained; NULL behind the last. */
const struct report_format *report_format_at(u32 index);

/* The format that --format NAME means (NULL: the first), or NULL. `streams`: among those that can
 * be streamed. */
const struct report_format *report_format_find(const char *name, bool streams);

/* Adds their names with a bar between: "text|html|tap". */
void report_format_names(struct text *t, bool streams);

/* The judge of output_rule for a page; the context is its struct report_format. */
const char *report_judge(const void *format, const u8 *head, size_t size);

/* Begins a report. False: memory is short, nothing was opened. */
bool report_open(struct report *r, const struct report_format *format, FILE *out);

/* Adds a result. False: memory is short. */
bool report_result(struct report *r, const struct result *result);

/* What reading journals found. */
struct report_reading {
    u64 unfinished; /* runs that did not come to their end */
    u64 damages;    /* that were passed over; the first of them, with the journal's name: */
    char damage[JOURNAL_DAMAGES_KEPT][400];
    struct parts parts; /* the runs; owned by whoever reads */
};

/* Adds all records of a journal ("-": standard input), and what there is to say of it to *found.
 * ST_INPUT: what the reader says; what came before it was added. */
enum status report_journal(struct report *r, const char *path, struct report_reading *found,
                           struct err *e);

/* Ends the report and frees it. False: memory is short, or `out` cannot be written (ferror). */
bool report_close(struct report *r, const struct report_end *end);

#define FORMAT(name, other_name, streams, what) extern const struct report_writer report_##name;
#include "reports/format.def"
#undef FORMAT

#endif
