/* The journal: everything a run found out, as msgpack records in one file that is only ever
 * appended to. Every report is made from journals. Records are arrays whose first element names
 * their kind, and whose last two guard them:
 *
 *     ["head",   {"journal": 2, "version": "0.1", "mcpu": "gfx900", "dut": "model", ...}, n, crc]
 *     ["dut",    "example", "1", n, crc]   name and version, as the device says them once it is open
 *     ["intent", first, count, n, crc]  before a batch: numbers of the cases that come
 *     ["result", {"status": "not ok", "id": ..., only what is not empty}, n, crc]
 *     ["row",    "kernels", "vadd_f32", "matches", n, crc]   a line of a table; its first row holds
 *                                       the heads
 *     ["state",  whole, bytes, n, crc]  how far a campaign has come: all that goes on with it needs; in
 *                                       several records if it is long, of which the last says true
 *     ["time",   began, ms, n, crc]     only if journal_clock was asked for: when that was, in seconds since
 *                                       1970, and how long ago it is; the first says 0
 *     ["end",    results, n, crc]       the run came to its end; nothing was lost
 *
 * n counts the records of a run from 0 and crc is the CRC-32 of the record's bytes before it, both
 * as 32-bit numbers of five bytes: what is damaged, missing, doubled or out of its place is found,
 * and the records around it are read. Journals of version 1 lack both; they are read, up to a damage
 * that shows, and not gone on with.
 *
 * A batch is one write(), so a killed process loses nothing that was flushed; at most the last
 * record is torn, which readers pass over and count. A journal is on the disk (fsync) when it has
 * its name, with the first batch that comes JOURNAL_SYNC_MS after the last time, and at its end.
 * One process at a time writes it. Without journal_clock nothing in it depends on time, so that equal runs
 * give equal bytes.
 * Journals may be concatenated. Kinds and keys that a reader does not know are passed over. */
#ifndef REPORTS_JOURNAL_H
#define REPORTS_JOURNAL_H

#include "reports/file/checksum.h"
#include "reports/result.h"

struct journal_head {
    char version[24];
    char mcpu[16];
    char dut[96];
    char args[512]; /* the command line, without what cannot matter to results (--jobs, --out) */
    u64 seed_first, seed_count;
    /* Not known: empty, 0. */
    char dut_hash[72]; /* of the files that the device is made of, in hex */
    char options[24];  /* a hash of all options that decide what there is; args may be cut */
    u32 shard, shards; /* 0 <= shard < shards */
    u64 count,
        offered; /* results that this run is to have; those of all shards, without fraction */
};

/* What a device calls itself. */
struct journal_dut {
    char name[64], version[64];
};

enum {
    JOURNAL_CELLS_MAX = 12,
    JOURNAL_CELL_SIZE = 160,
    JOURNAL_RECORD_MAX = 1 << 20,
    JOURNAL_STATE_MAX = 1 << 28,
    JOURNAL_SYNC_MS = 5000
};

/* A line of a table: name and cells. */
struct journal_row {
    char table[32];
    u32 count;
    char cell[JOURNAL_CELLS_MAX][JOURNAL_CELL_SIZE];
};

/* Writing. One thread at a time. */
struct journal;

/* Begins a new journal at `path` with its head. One that replaces another (`force`) does so once it holds a
 * result or a second state, or is complete: what ends before has taken nothing's place. ST_INPUT: something
 * is there already and `force` is not given, or another process writes it. ST_WORLD: not writable. Both fill e->file, too.
 * The journal is the caller's to journal_close. */
enum status journal_create(const char *path, bool force, const struct journal_head *head,
                           struct journal **out, struct err *e);

/* Continues a journal that was cut off: drops a torn tail, counts the results in *results, and
 * appends. ST_INPUT: it is no journal, is damaged before its end or of version 1, its head differs
 * from *head in anything but args, or another process writes it. A file that does not exist is
 * created. */
enum status journal_resume(const char *path, const struct journal_head *head, struct journal **out,
                           u64 *results, struct err *e);

/* Whether `now` is the head of the same run (args aside). ST_INPUT: in what it differs; of a device
 * that was built anew it says so. */
enum status journal_check_head(const char *path, const struct journal_head *h,
                               const struct journal_head *now, struct err *e);

/* Takes a state that a journal holds, of `size` bytes. What is wrong with it in e->text alone. */
typedef enum status journal_state_fn(void *arg, const u8 *bytes, size_t size, struct err *e);

/* Who takes them. */
struct journal_taker {
    journal_state_fn *take;
    /* All were handed over, and nothing of the journal has been changed yet; may be NULL. */
    enum status (*taken)(void *arg, struct err *e);
    void *arg;
};

/* Continues a journal that holds states, behind the last of them: each is handed over, in order, and
 * what follows the last goes, results among it. One that was cut off before its first is begun anew.
 * ST_INPUT as journal_resume; head->args count only where there is no state, which knows better. Also
 * ST_INPUT: there are several runs, or results without a state. */
enum status journal_resume_states(const char *path, const struct journal_head *head,
                                  const struct journal_taker *to, struct journal **out,
                                  struct err *e);

/* Adds what the device calls itself. ST_WORLD: no memory. */
enum status journal_dut(struct journal *j, const struct journal_dut *dut, struct err *e);

/* Writes what is pending and the intent to do cases first .. first+count-1. */
enum status journal_intent(struct journal *j, u64 first, u64 count, struct err *e);

/* Adds a result or a table row to the batch. ST_WORLD: no memory. */
enum status journal_result(struct journal *j, const struct result *r, struct err *e);
enum status journal_row(struct journal *j, const struct journal_row *row, struct err *e);

/* Adds a state, of at most JOURNAL_STATE_MAX bytes. ST_WORLD: no memory. */
enum status journal_state(struct journal *j, const u8 *bytes, size_t size, struct err *e);

/* From now on the journal says what time it is, with each batch. ST_WORLD: no memory. */
enum status journal_clock(struct journal *j, struct err *e);

/* Hands the batch to the kernel with one write(), and to the disk if that is due. */
enum status journal_flush(struct journal *j, struct err *e);

/* Writes the count record if `complete`, flushes, closes and frees. NULL is allowed. */
enum status journal_close(struct journal *j, bool complete, struct err *e);

/* Gives up a journal of journal_create, and frees it: unless it holds a result its file goes, so that
 * the same command can be given again. NULL is allowed. */
void journal_discard(struct journal *j);

/* Reading. */
enum journal_kind {
    JOURNAL_NONE,
    JOURNAL_HEAD,
    JOURNAL_DUT,
    JOURNAL_INTENT,
    JOURNAL_RESULT,
    JOURNAL_ROW,
    JOURNAL_STATE,
    JOURNAL_TIME,
    JOURNAL_END
};

struct journal_record {
    enum journal_kind kind;
    struct journal_head head;
    struct journal_dut dut;
    u64 first, count; /* of an intent; `count` of an end */
    struct result result;
    struct journal_row row;
    struct {
        const u8 *bytes; /* until the next record is read */
        size_t size;
        bool is_whole; /* the last of its state */
    } state;
    struct journal_time {
        u64 began; /* seconds since 1970 */
        u64 ms;    /* since then; below 2^40 */
    } time;
};

/* Records that were passed over when a later one came; they may turn up yet. */
struct journal_gap {
    u32 first, count;
};

enum { JOURNAL_GAPS_MAX = 64, JOURNAL_DAMAGES_KEPT = 8 };

struct journal_reader {
    int fd;
    bool eof, started, ended;
    bool is_guarded;  /* the present part has checksums: version 2 */
    bool has_skipped; /* bytes were, before the next record */
    struct checksum checksum;
    u32 next; /* number of the record that comes, in the present part */
    u32 gap_count;
    struct journal_gap gap[JOURNAL_GAPS_MAX];
    u64 damages; /* that were found; the first of them, a line each: */
    char damage[JOURNAL_DAMAGES_KEPT][96];
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

/* Whether a journal may be gone on with, by what was read of it so far. ST_INPUT: it is damaged, or of
 * version 1; the text says where. */
enum status journal_may_resume(const struct journal_reader *rd, const char *path, struct err *e);

/* The next record of a known kind into *rec; kind JOURNAL_NONE at the end. What is damaged is passed
 * over and told in rd->damage. ST_INPUT: the file is no journal, or is one of version 1 and damaged
 * at a byte that the text names; what came before is good. Every text of *rec is terminated, valid
 * UTF-8 and free of control characters. */
enum status journal_next(struct journal_reader *rd, struct journal_record *rec, struct err *e);

/* Of one that was read: runs that did not come to their end; of one behind them there may be no more than
 * a torn head. */
u64 journal_unfinished(const struct journal_reader *rd);

void journal_reader_close(struct journal_reader *rd);

/* Whether a file that begins with these bytes is a journal. */
bool journal_begins(const u8 *head, size_t size);

#endif
