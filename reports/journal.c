/* Writing journals. */
#include "reports/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct journal {
    int fd;
    bool no_memory; /* the record being packed is not whole */
    bool broken;    /* a write failed: what follows in the file would not be readable */
    u64 results;
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

/* Ends a record that began at `before`: all of it is in the batch, or nothing. */
static enum status end_record(struct journal *j, size_t before, struct err *e)
{
    if (!j->no_memory)
        return ST_OK;
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
    msgpack_pack_array(pk, 2);
    pack_text(pk, "head");
    msgpack_pack_map(pk, 7);
    pack_named_u64(pk, "journal", 1);
    pack_named_text(pk, "version", h->version);
    pack_named_text(pk, "mcpu", h->mcpu);
    pack_named_text(pk, "dut", h->dut);
    pack_named_text(pk, "args", h->args);
    pack_named_u64(pk, "seed_first", h->seed_first);
    pack_named_u64(pk, "seed_count", h->seed_count);
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
    msgpack_pack_array(pk, 2);
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

/* A journal over an open file; takes fd over, also when it fails. */
static enum status start(int fd, const char *path, struct journal **out, struct err *e)
{
    struct journal *j = calloc(1, sizeof(*j));
    if (!j) {
        close(fd);
        return err_set(e, ST_WORLD, "%s: no memory for the journal", path);
    }
    j->fd = fd;
    snprintf(j->path, sizeof(j->path), "%s", path);
    msgpack_sbuffer_init(&j->batch);
    msgpack_packer_init(&j->pk, j, add_bytes);
    *out = j;
    return ST_OK;
}

/* Whether a path is free, empty, a device or a journal: a mistyped name must not cost a file. */
static bool may_replace(const char *path)
{
    struct stat about;
    struct journal_reader rd;
    struct err e;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0)
        return true;
    struct journal_record *rec = malloc(sizeof(*rec));
    bool is_journal = false;
    if (rec && journal_reader_open(&rd, path, &e) == ST_OK) {
        is_journal = journal_next(&rd, rec, &e) == ST_OK;
        journal_reader_close(&rd);
    }
    free(rec);
    return is_journal;
}

enum status journal_create(const char *path, const struct journal_head *head, struct journal **out,
                           struct err *e)
{
    *out = NULL;
    if (!may_replace(path))
        return err_set(e, ST_INPUT, "%s: exists and is no journal: it is not overwritten", path);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return err_set(e, ST_WORLD, "%s: %s", path, strerror(errno));
    enum status st = start(fd, path, out, e);
    if (st)
        return st;
    pack_head(&(*out)->pk, head);
    st = end_record(*out, 0, e);
    if (!st)
        st = journal_flush(*out, e);
    if (st) {
        journal_close(*out, false, NULL);
        *out = NULL;
    }
    return st;
}

/* Reads a journal to its last good record. *end: the offset behind it; 0: there is no head yet. */
static enum status find_end(const char *path, const struct journal_head *head, u64 *results,
                            u64 *end, struct err *e)
{
    struct journal_reader rd;
    struct journal_record *rec = malloc(sizeof(*rec));
    enum status st = rec ? journal_reader_open(&rd, path, e) : err_memory(e);
    if (st) {
        free(rec);
        return st;
    }
    while (!(st = journal_next(&rd, rec, e)) && rec->kind != JOURNAL_NONE) {
        const struct journal_head *h = &rec->head;
        if (rec->kind == JOURNAL_HEAD &&
            (strcmp(h->version, head->version) != 0 || strcmp(h->mcpu, head->mcpu) != 0 ||
             strcmp(h->dut, head->dut) != 0 || h->seed_first != head->seed_first ||
             h->seed_count != head->seed_count)) {
            st = err_set(e, ST_INPUT, "%s: belongs to another run: %s, %s, version %s", path,
                         h->mcpu, h->dut, h->version);
            break;
        }
        *results += rec->kind == JOURNAL_RESULT;
    }
    *end = rd.offset;
    journal_reader_close(&rd);
    free(rec);
    return st;
}

enum status journal_resume(const char *path, const struct journal_head *head, struct journal **out,
                           u64 *results, struct err *e)
{
    u64 end = 0;
    *out = NULL;
    *results = 0;
    if (access(path, F_OK) != 0)
        return journal_create(path, head, out, e);
    enum status st = find_end(path, head, results, &end, e);
    if (st)
        return st;
    if (!end)
        return journal_create(path, head, out, e);
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0 || ftruncate(fd, (off_t)end) != 0) {
        st = err_set(e, ST_WORLD, "%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return st;
    }
    st = start(fd, path, out, e);
    if (!st)
        (*out)->results = *results;
    return st;
}

enum status journal_flush(struct journal *j, struct err *e)
{
    const char *at = j->batch.data;
    size_t left = j->batch.size;
    if (j->broken)
        return err_set(e, ST_WORLD, "%s: an earlier write failed", j->path);
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
    msgpack_sbuffer_clear(&j->batch);
    return ST_OK;
}

enum status journal_intent(struct journal *j, u64 first, u64 count, struct err *e)
{
    size_t before = j->batch.size;
    msgpack_pack_array(&j->pk, 3);
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
    msgpack_pack_array(&j->pk, count + 2);
    pack_text(&j->pk, "row");
    pack_text(&j->pk, row->table);
    for (u32 i = 0; i < count; i++)
        pack_text(&j->pk, row->cell[i]);
    return end_record(j, before, e);
}

enum status journal_close(struct journal *j, bool complete, struct err *e)
{
    enum status st = ST_OK;
    if (!j)
        return ST_OK;
    if (complete) {
        size_t before = j->batch.size;
        msgpack_pack_array(&j->pk, 2);
        pack_text(&j->pk, "end");
        msgpack_pack_uint64(&j->pk, j->results);
        st = end_record(j, before, e);
    }
    if (!st)
        st = journal_flush(j, e);
    if (close(j->fd) != 0 && !st)
        st = err_set(e, ST_WORLD, "%s: %s", j->path, strerror(errno));
    msgpack_sbuffer_destroy(&j->batch);
    free(j);
    return st;
}
