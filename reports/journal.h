/* The journal: everything a run found out, as msgpack records in one file that is only ever
 * appended to. Every report is made from journals. Records are arrays whose first element names
 * their kind:
 *
 *     ["head",   {"journal": 1, "version": "0.1", "mcpu": "gfx900", "dut": "model", ...}]
 *     ["intent", first, count]          before a batch: numbers of the cases that come
 *     ["result", {"status": "not ok", "id": ..., only what is not empty}]
 *     ["row",    "kernels", "vadd_f32", "matches"]   a line of a table; its first row holds the
 * heads
 *     ["end",    results]               the run came to its end; nothing was lost
 *
 * A batch is one write(), so a killed process loses nothing that was flushed; at most the last
 * record is torn, which readers pass over and count. Nothing in it depends on time, so equal runs
 * give equal bytes. Journals may be concatenated. Kinds and keys that a reader does not know are
 * passed over. */
#ifndef REPORTS_JOURNAL_H
#define REPORTS_JOURNAL_H

#include "oracle/base/base.h"
#include "reports/result.h"

struct journal_head {
    char version[24];
    char mcpu[16];
    char dut[96];
    char args[512]; /* the command line, without what cannot matter to results (--jobs, --out) */
    u64 seed_first, seed_count;
};

enum { JOURNAL_CELLS_MAX = 12, JOURNAL_CELL_SIZE = 160, JOURNAL_RECORD_MAX = 1 << 20 };

/* A line of a table: name and cells. */
struct journal_row {
    char table[32];
    u32 count;
    char cell[JOURNAL_CELLS_MAX][JOURNAL_CELL_SIZE];
};

/* Writing. One thread at a time. */
struct journal;

/* Begins a new journal at `path` (a journal that was there is lost) with its head. ST_INPUT: a file
 * is there that is no journal. ST_WORLD: not writable.
 * The journal is the caller's to journal_close. */
enum status journal_create(const char *path, const struct journal_head *head, struct journal **out,
                           struct err *e);

/* Continues a journal that was cut off: drops a torn tail, counts the results in *results, and
 * appends. ST_INPUT: it is no journal, is damaged before its end, or its head differs from *head in
 * anything but args. A file that does not exist is created. */
enum status journal_resume(const char *path, const struct journal_head *head, struct journal **out,
                           u64 *results, struct err *e);

/* Writes what is pending and the intent to do cases first .. first+count-1. */
enum status journal_intent(struct journal *j, u64 first, u64 count, struct err *e);

/* Adds a result or a table row to the batch. ST_WORLD: no memory. */
enum status journal_result(struct journal *j, const struct result *r, struct err *e);
enum status journal_row(struct journal *j, const struct journal_row *row, struct err *e);

/* Hands the batch to the kernel with one write(). */
enum status journal_flush(struct journal *j, struct err *e);

/* Writes the count record if `complete`, flushes, closes and frees. NULL is allowed. */
enum status journal_close(struct journal *j, bool complete, struct err *e);

/* Reading. */
enum journal_kind {
    JOURNAL_NONE,
    JOURNAL_HEAD,
    JOURNAL_INTENT,
    JOURNAL_RESULT,
    JOURNAL_ROW,
    JOURNAL_END
};

struct journal_record {
    enum journal_kind kind;
    struct journal_head head;
    u64 first, count; /* of an intent; `count` of an end */
    struct result result;
    struct journal_row row;
};

struct journal_reader {
    int fd;
    bool eof, started, ended;
    u8 *bytes;              /* what was read and not yet used */
    size_t have, used, cap; /* bytes */
    u64 offset;             /* of bytes[used] in the file: the end of the last good record */
    u64 torn_bytes;         /* of a record cut off at the end of the file */
    u64 results, intended;  /* so far, in the present head's part */
    u64 lost;               /* intended cases without a result, in parts that did not end */
    u64 parts, parts_ended; /* heads; and of them, those with a count record that is right */
    char file[256];
};

/* Opens a journal ("-": standard input). ST_INPUT with the reason. Owner: the caller, to
 * journal_reader_close. */
enum status journal_reader_open(struct journal_reader *rd, const char *path, struct err *e);

/* The next record of a known kind into *rec; kind JOURNAL_NONE at the end. ST_INPUT: the file is no
 * journal or is damaged at a byte that the text names; what came before is good. Every text of *rec
 * is terminated, valid UTF-8 and free of control characters. */
enum status journal_next(struct journal_reader *rd, struct journal_record *rec, struct err *e);

void journal_reader_close(struct journal_reader *rd);

#endif
