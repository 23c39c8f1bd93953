/* Writing journals. */
#include "reports/journal.h"

#include "reports/file/output.h"

#include <errno.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct journal {
    int fd;
    struct output *file; /* of a new one, which fd belongs to; else NULL */
    u32 records;         /* of this run, in the file and in the batch */
    u64 synced_ms;       /* when it was on the disk, by a clock that only goes forward */
    struct checksum checksum;
    bool is_held; /* what it replaces is there still: it has no name yet */
    u32 states;
    bool no_memory; /* the record being packed is not whole */
    bool broken;    /* a write failed: what follows in the file would not be readable */
    u64 results;
    bool has_clock;
    u64 began, began_ms; /* when it was asked for: by the calendar, and by the clock of synced_ms */
    msgpack_sbuffer batch;
    msgpack_packer pk;
    char path[256];
};

static int add_bytes(void *journal, const char *bytes, size_t len)
{
    struct journal *j = journal;
    if (msgpack_sbuffer_write(&j->batch, bytes, len) != 0)
        j->no_memory = true;
    return j->no_memory ? -1 : 0;
}

static void pack_guard(msgpack_packer *pk, u32 value)
{
    msgpack_pack_fix_uint32(pk, value);
}

/* Ends a record that began at `before` with its number and checksum: all of it is in the batch, or
 * nothing. */
static enum status end_record(struct journal *j, size_t before, struct err *e)
{
    pack_guard(&j->pk, j->records);
    if (!j->no_memory)
        pack_guard(&j->pk,
                   checksum_of(&j->checksum, j->batch.data + before, j->batch.size - before));
    if (!j->no_memory) {
        j->records++;
        return ST_OK;
    }
    j->batch.size = before;
    j->no_memory = false;
    return err_set(e, ST_WORLD, "%s: no memory for a batch", j->path);
}

static void pack_text(msgpack_packer *pk, const char *text)
{
    msgpack_pack_str_with_body(pk, text, strlen(text));
}

static void pack_named_text(msgpack_packer *pk, const char *name, const char *text)
{
    pack_text(pk, name);
    pack_text(pk, text);
}

static void pack_named_u64(msgpack_packer *pk, const char *name, u64 value)
{
    pack_text(pk, name);
    msgpack_pack_uint64(pk, value);
}

static void pack_head(msgpack_packer *pk, const struct journal_head *h)
{
    msgpack_pack_array(pk, 4);
    pack_text(pk, "head");
    msgpack_pack_map(pk, 13);
    pack_named_u64(pk, "journal", 2);
    pack_named_text(pk, "version", h->version);
    pack_named_text(pk, "mcpu", h->mcpu);
    pack_named_text(pk, "dut", h->dut);
    pack_named_text(pk, "args", h->args);
    pack_named_u64(pk, "seed_first", h->seed_first);
    pack_named_u64(pk, "seed_count", h->seed_count);
    pack_named_text(pk, "dut_hash", h->dut_hash);
    pack_named_text(pk, "options", h->options);
    pack_named_u64(pk, "shard", h->shard);
    pack_named_u64(pk, "shards", h->shards);
    pack_named_u64(pk, "count", h->count);
    pack_named_u64(pk, "offered", h->offered);
}

static const char *text_at(const void *base, const struct result_field *f)
{
    return (const char *)base + f->offset;
}

/* Packs a map's entries for the texts that are not empty; with pk NULL only counts them. */
static u32 pack_texts(msgpack_packer *pk, const void *base, const struct result_field *fields,
                      u32 count)
{
    u32 n = 0;
    for (u32 i = 0; i < count; i++) {
        const char *text = text_at(base, &fields[i]);
        if (text[0] && pk)
            pack_named_text(pk, fields[i].name, text);
        n += text[0] != 0;
    }
    return n;
}

static void pack_diff(msgpack_packer *pk, const struct result_diff *d)
{
    msgpack_pack_map(pk, pack_texts(NULL, d, result_diff_texts, RESULT_DIFF_TEXTS) + 1);
    pack_text(pk, "lane");
    msgpack_pack_int32(pk, d->lane);
    pack_texts(pk, d, result_diff_texts, RESULT_DIFF_TEXTS);
}

static void pack_result(msgpack_packer *pk, const struct result *r)
{
    u32 held = result_diffs_held(r);
    u32 dwords = r->dword_count < RESULT_DWORDS_MAX ? r->dword_count : (u32)RESULT_DWORDS_MAX;
    u32 entries = 1 + pack_texts(NULL, r, result_texts, RESULT_TEXTS) + (r->line != 0) +
                  (dwords != 0) + (held ? 2 : 0);
    msgpack_pack_array(pk, 4);
    pack_text(pk, "result");
    msgpack_pack_map(pk, entries);
    pack_named_text(pk, "status", result_status_name(r->status));
    pack_texts(pk, r, result_texts, RESULT_TEXTS);
    if (r->line)
        pack_named_u64(pk, "line", r->line);
    if (dwords) {
        pack_text(pk, "dwords");
        msgpack_pack_array(pk, dwords);
        for (u32 i = 0; i < dwords; i++)
            msgpack_pack_uint32(pk, r->dwords[i]);
    }
    if (held) {
        pack_named_u64(pk, "diff_count", r->diff_count);
        pack_text(pk, "diff");
        msgpack_pack_array(pk, held);
        for (u32 i = 0; i < held; i++)
            pack_diff(pk, &r->diff[i]);
    }
}

static u64 now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

/* A journal over no file yet. NULL: no memory. */
static struct journal *new_journal(const char *path)
{
    struct journal *j = calloc(1, sizeof(*j));
    if (!j)
        return NULL;
    j->fd = -1;
    j->synced_ms = now_ms();
    snprintf(j->path, sizeof(j->path), "%s", path);
    checksum_init(&j->checksum);
    msgpack_sbuffer_init(&j->batch);
    msgpack_packer_init(&j->pk, j, add_bytes);
    return j;
}

/* What may be replaced without --force: nothing that holds anything. */
static const char *judge(const void *ctx, const u8 *head, size_t size)
{
    (void)ctx;
    return journal_begins(head, size) ? "is a journal, with which --resume goes on"
                                      : "exists and is no journal";
}

/* The head is in the file before the file has its name. */
static enum status begin(struct journal *j, const struct journal_head *head, struct err *e)
{
    j->fd = output_fd(j->file);
    pack_head(&j->pk, head);
    enum status st = end_record(j, 0, e);
    if (st == ST_OK && !output_lock(j->fd))
        st = output_fail_locked(j->path, e);
    if (st == ST_OK)
        st = journal_flush(j, e);
    j->is_held = st == ST_OK && output_replaces(j->file);
    return st == ST_OK && !j->is_held ? output_publish(j->file, e) : st;
}

/* Whether there is more to keep than that the run was begun. */
static bool has_begun(const struct journal *j)
{
    return j->results || j->states > 1;
}

/* Takes the place of what was there. */
static enum status publish(struct journal *j, struct err *e)
{
    j->is_held = false;
    enum status st = output_publish(j->file, e);
    j->broken |= st != ST_OK;
    return st;
}

enum status journal_create(const char *path, bool force, const struct journal_head *head,
                           struct journal **out, struct err *e)
{
    struct output_rule rule = { .judge = judge, .force = force };
    struct journal *j = *out = new_journal(path);
    if (!j)
        return err_file(e, ST_WORLD, path, "no memory for the journal");
    enum status st = output_open(&j->file, path, &rule, e);
    if (st == ST_OK)
        st = begin(j, head, e);
    if (st != ST_OK) {
        journal_close(j, false, NULL);
        *out = NULL;
    }
    return st;
}

/* Whether both say what their device is made of, and it is not the same. */
static bool is_other_build(const struct journal_head *a, const struct journal_head *b)
{
    return a->dut_hash[0] && b->dut_hash[0] && strcmp(a->dut_hash, b->dut_hash) != 0;
}

static bool is_same_run(const struct journal_head *a, const struct journal_head *b)
{
    return strcmp(a->version, b->version) == 0 && strcmp(a->mcpu, b->mcpu) == 0 &&
           strcmp(a->dut, b->dut) == 0 && a->seed_first == b->seed_first &&
           a->seed_count == b->seed_count && !is_other_build(a, b);
}

enum status journal_may_resume(const struct journal_reader *rd, const char *path, struct err *e)
{
    char text[256];
    if (rd->damages) {
        snprintf(text, sizeof(text), "cannot be gone on with: %s", rd->damage[0]);
        return err_file(e, ST_INPUT, path, text);
    }
    if (rd->parts && !rd->is_guarded)
        return err_file(
            e, ST_INPUT, path,
            "is a journal of version 1, without checksums: it can be reported and not be gone "
            "on with");
    return ST_OK;
}

/* Where a journal ends that is gone on with. */
struct journal_end {
    u64 offset; /* behind the last good record; 0: there is no head yet */
    u32 records;
    u64 results;
};

/* ---- states ---- */

/* Who takes the states of a journal, and what was seen on the way to the last. */
struct taker {
    struct journal_taker to;
    u32 heads;
    bool has_state;
    u8 *part; /* of one that is in several records; owned */
    size_t have, cap;
    struct journal_end end; /* behind the last state, or else behind the head */
    struct err other;       /* the head is that of another run */
};

enum status journal_check_head(const char *path, const struct journal_head *h,
                               const struct journal_head *now, struct err *e)
{
    if (is_same_run(h, now))
        return ST_OK;
    if (strcmp(h->dut, now->dut) == 0 && is_other_build(h, now))
        return err_set(e, ST_INPUT,
                       "%.100s: was begun with another build of %.60s: %.12s, and now it is %.12s",
                       path, h->dut, h->dut_hash, now->dut_hash);
    return err_set(e, ST_INPUT, "%s: belongs to another run: %s, %s, version %s", path, h->mcpu,
                   h->dut, h->version);
}

/* What of a state is there; *whole: all of it. */
static enum status add_part(struct taker *t, const struct journal_record *rec, struct err *e)
{
    size_t size = rec->state.size;
    if (size > JOURNAL_STATE_MAX - t->have)
        return err_set(e, ST_INPUT, "holds a state that is too long");
    if (t->have + size > t->cap) {
        u8 *grown = realloc(t->part, (t->have + size) * 2);
        if (!grown)
            return err_memory(e);
        t->part = grown;
        t->cap = (t->have + size) * 2;
    }
    if (size)
        memcpy(t->part + t->have, rec->state.bytes, size);
    t->have += size;
    return ST_OK;
}

/* Takes a record of a journal that is gone on with. */
static enum status take_record(struct taker *t, const struct journal_reader *rd,
                               const struct journal_record *rec, const struct journal_head *head,
                               struct err *e)
{
    const struct journal_head *h = &rec->head;
    struct err why = { .text = "" };
    enum status st = ST_OK;
    if (rec->kind == JOURNAL_HEAD) {
        if (++t->heads > 1)
            return err_file(e, ST_INPUT, rd->file, "holds several runs: none is gone on with");
        if (journal_check_head(rd->file, h, head, &t->other) == ST_OK &&
            strcmp(h->args, head->args) != 0)
            err_set(&t->other, ST_INPUT, "%s: belongs to another run: gcncheck %.120s", rd->file,
                    h->args);
    } else if (rec->kind == JOURNAL_STATE) {
        st = add_part(t, rec, &why);
        if (st != ST_OK || !rec->state.is_whole)
            return st == ST_OK ? st : err_file(e, st, rd->file, why.text);
        st = t->to.take(t->to.arg, t->part, t->have, &why);
        t->have = 0;
        t->has_state = true;
        if (st != ST_OK)
            return err_file(e, st, rd->file, why.text);
    } else {
        return ST_OK;
    }
    t->end = (struct journal_end){ rd->offset, rd->next, rd->results };
    return ST_OK;
}

/* Whether a journal that was read to its end may be gone on with behind its last state. */
static enum status may_go_on(const struct taker *t, const char *path, u64 results, struct err *e)
{
    if (t->has_state || t->heads == 0)
        return ST_OK;
    if (t->other.text[0]) {
        *e = t->other;
        return ST_INPUT;
    }
    if (results == 0)
        return ST_OK;
    return err_file(e, ST_INPUT, path, "holds results, and nothing of how far a campaign has come");
}

/* ---- going on ---- */

/* Reads a journal to its last good record, or to the last of its states. */
static enum status find_end(const char *path, const struct journal_head *head, struct taker *t,
                            struct journal_end *end, struct err *e)
{
    struct journal_reader rd;
    u64 results = 0;
    struct journal_record *rec = malloc(sizeof(*rec));
    enum status st = rec ? journal_reader_open(&rd, path, e) : err_memory(e);
    if (st) {
        free(rec);
        return st;
    }
    while (!(st = journal_next(&rd, rec, e)) && rec->kind != JOURNAL_NONE) {
        if (t && rd.damages) /* what comes behind it cannot be taken */
            break;
        if (t)
            st = take_record(t, &rd, rec, head, e);
        else if (rec->kind == JOURNAL_HEAD)
            st = journal_check_head(path, &rec->head, head, e);
        if (st != ST_OK)
            break;
        results += rec->kind == JOURNAL_RESULT;
    }
    if (st == ST_OK)
        st = journal_may_resume(&rd, path, e);
    if (st == ST_OK && t)
        st = may_go_on(t, path, results, e);
    if (st == ST_OK && t && t->to.taken) {
        struct err why = { .text = "" };
        st = t->to.taken(t->to.arg, &why);
        if (st != ST_OK)
            err_file(e, st, path, why.text);
    }
    *end = t ? t->end : (struct journal_end){ rd.offset, rd.next, results };
    journal_reader_close(&rd);
    free(rec);
    return st;
}

/* Goes on with a file that is locked. */
static enum status go_on(struct journal *j, const struct journal_head *head, struct taker *t,
                         struct err *e)
{
    struct journal_end end;
    enum status st = find_end(j->path, head, t, &end, e);
    if (st != ST_OK)
        return st;
    j->records = end.records;
    j->results = end.results;
    if (ftruncate(j->fd, (off_t)end.offset) == 0)
        return ST_OK;
    return err_file(e, ST_WORLD, j->path, strerror(errno));
}

static enum status resume(const char *path, const struct journal_head *head, struct taker *t,
                          struct journal **out, struct err *e)
{
    *out = NULL;
    int fd = output_append_fd(path);
    if (fd < 0 && errno == ENOENT)
        return journal_create(path, false, head, out, e);
    if (fd < 0)
        return err_file(e, ST_WORLD, path, strerror(errno));
    struct journal *j = new_journal(path);
    enum status st = j ? ST_OK : err_file(e, ST_WORLD, path, "no memory for the journal");
    if (st == ST_OK)
        j->fd = fd;
    if (st == ST_OK && !output_lock(fd))
        st = output_fail_locked(path, e);
    if (st == ST_OK)
        st = go_on(j, head, t, e);
    if (st == ST_OK)
        *out = j;
    else if (j)
        journal_close(j, false, NULL);
    else
        close(fd);
    return st;
}

enum status journal_resume(const char *path, const struct journal_head *head, struct journal **out,
                           u64 *results, struct err *e)
{
    enum status st = resume(path, head, NULL, out, e);
    *results = st == ST_OK ? (*out)->results : 0;
    return st;
}

enum status journal_resume_states(const char *path, const struct journal_head *head,
                                  const struct journal_taker *to, struct journal **out,
                                  struct err *e)
{
    struct taker t = { .to = *to };
    enum status st = resume(path, head, &t, out, e);
    free(t.part);
    return st;
}

/* A device need not be synchronised. */
static enum status sync_journal(struct journal *j, struct err *e)
{
    j->synced_ms = now_ms();
    if (fdatasync(j->fd) == 0 || errno == EINVAL || errno == EROFS)
        return ST_OK;
    j->broken = true;
    return err_set(e, ST_WORLD, "%s: %s", j->path, strerror(errno));
}

static enum status add_time(struct journal *j, struct err *e)
{
    size_t before = j->batch.size;
    msgpack_pack_array(&j->pk, 5);
    pack_text(&j->pk, "time");
    msgpack_pack_uint64(&j->pk, j->began);
    msgpack_pack_uint64(&j->pk, now_ms() - j->began_ms);
    return end_record(j, before, e);
}

enum status journal_clock(struct journal *j, struct err *e)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t); /* time() may say the second before for some milliseconds */
    j->has_clock = true;
    j->began = (u64)t.tv_sec;
    j->began_ms = now_ms();
    return add_time(j, e);
}

enum status journal_flush(struct journal *j, struct err *e)
{
    if (j->broken)
        return err_set(e, ST_WORLD, "%s: an earlier write failed", j->path);
    enum status st = j->has_clock && j->batch.size ? add_time(j, e) : ST_OK;
    if (st != ST_OK)
        return st;
    const char *at = j->batch.data;
    size_t left = j->batch.size;
    while (left) {
        ssize_t n = write(j->fd, at, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            j->broken = true;
            return err_set(e, ST_WORLD, "%s: %s", j->path, n ? strerror(errno) : "cannot write");
        }
        at += n;
        left -= (size_t)n;
    }
    bool is_due = j->batch.size && now_ms() - j->synced_ms >= JOURNAL_SYNC_MS;
    msgpack_sbuffer_clear(&j->batch);
    if (j->is_held && has_begun(j) && (st = publish(j, e)) != ST_OK)
        return st;
    return is_due ? sync_journal(j, e) : ST_OK;
}

enum status journal_dut(struct journal *j, const struct journal_dut *dut, struct err *e)
{
    size_t before = j->batch.size;
    msgpack_pack_array(&j->pk, 5);
    pack_text(&j->pk, "dut");
    pack_text(&j->pk, dut->name);
    pack_text(&j->pk, dut->version);
    return end_record(j, before, e);
}

enum status journal_intent(struct journal *j, u64 first, u64 count, struct err *e)
{
    size_t before = j->batch.size;
    msgpack_pack_array(&j->pk, 5);
    pack_text(&j->pk, "intent");
    msgpack_pack_uint64(&j->pk, first);
    msgpack_pack_uint64(&j->pk, count);
    enum status st = end_record(j, before, e);
    return st ? st : journal_flush(j, e);
}

enum status journal_result(struct journal *j, const struct result *r, struct err *e)
{
    size_t before = j->batch.size;
    pack_result(&j->pk, r);
    enum status st = end_record(j, before, e);
    j->results += st == ST_OK;
    return st;
}

enum status journal_row(struct journal *j, const struct journal_row *row, struct err *e)
{
    size_t before = j->batch.size;
    u32 count = row->count < JOURNAL_CELLS_MAX ? row->count : (u32)JOURNAL_CELLS_MAX;
    msgpack_pack_array(&j->pk, count + 4);
    pack_text(&j->pk, "row");
    pack_text(&j->pk, row->table);
    for (u32 i = 0; i < count; i++)
        pack_text(&j->pk, row->cell[i]);
    return end_record(j, before, e);
}

enum status journal_state(struct journal *j, const u8 *bytes, size_t size, struct err *e)
{
    enum { PART = JOURNAL_RECORD_MAX / 2 };
    enum status st = ST_OK;
    bool is_last = false;
    j->states++;
    for (size_t at = 0; !is_last && st == ST_OK; at += PART) {
        size_t before = j->batch.size, n = size - at < PART ? size - at : (size_t)PART;
        is_last = at + n == size;
        msgpack_pack_array(&j->pk, 5);
        pack_text(&j->pk, "state");
        if (is_last)
            msgpack_pack_true(&j->pk);
        else
            msgpack_pack_false(&j->pk);
        msgpack_pack_bin_with_body(&j->pk, bytes + at, n);
        st = end_record(j, before, e);
    }
    return st;
}

enum status journal_close(struct journal *j, bool complete, struct err *e)
{
    enum status st = ST_OK;
    if (!j)
        return ST_OK;
    if (complete && j->has_clock)
        st = add_time(j, e);
    if (complete && !st) {
        j->has_clock = false; /* nothing stands behind the end */
        size_t before = j->batch.size;
        msgpack_pack_array(&j->pk, 4);
        pack_text(&j->pk, "end");
        msgpack_pack_uint64(&j->pk, j->results);
        st = end_record(j, before, e);
    }
    if (!st && j->fd >= 0)
        st = journal_flush(j, e);
    if (!st && j->is_held && complete)
        st = publish(j, e);
    if (!st && j->fd >= 0)
        st = sync_journal(j, e);
    if (j->file)
        output_drop(j->file); /* has its name */
    else if (j->fd >= 0 && close(j->fd) != 0 && !st)
        st = err_set(e, ST_WORLD, "%s: %s", j->path, strerror(errno));
    msgpack_sbuffer_destroy(&j->batch);
    free(j);
    return st;
}

void journal_discard(struct journal *j)
{
    struct stat its, there;
    bool is_file = j && !j->results && fstat(j->fd, &its) == 0 && S_ISREG(its.st_mode);
    if (is_file && lstat(j->path, &there) == 0 && there.st_ino == its.st_ino &&
        there.st_dev == its.st_dev)
        unlink(j->path);
    journal_close(j, false, NULL);
}
