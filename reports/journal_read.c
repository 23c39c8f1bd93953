/* Reading journals. A journal comes from a file that anything may have happened to: each record is
 * measured before msgpack-c sees it, so that no count in it can ask for memory the file does not
 * fill; behind what is damaged the next record whose checksum is right is looked for. */
#include "reports/journal.h"

#include "reports/file/input.h"
#include "reports/file/library.h"

#include <errno.h>
#include <fcntl.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    READ_SIZE = 1 << 16,
    GUARD_BYTES = 10,     /* number and checksum behind a record, 5 bytes each */
    CANDIDATES_MAX = 4096 /* places that look like a record and are none, behind one damage */
};

enum measure { MEASURE_WHOLE, MEASURE_CUT, MEASURE_BAD };

static u64 big_endian(const u8 *bytes, size_t len)
{
    u64 v = 0;
    for (size_t i = 0; i < len; i++)
        v = v << 8 | bytes[i];
    return v;
}

/* The first byte of a value: how many bytes of length follow it, how many bytes of body without
 * elements, and whether the length counts bytes or elements (per: 1 array, 2 map). */
struct head_byte {
    u8 len_bytes, body, per;
    bool counts_bytes, known;
};

static struct head_byte head_byte(u8 b)
{
    if (b <= 0x7f || b >= 0xe0 || b == 0xc0 || b == 0xc2 || b == 0xc3)
        return (struct head_byte){ .known = true };
    if (b <= 0x8f)
        return (struct head_byte){ .known = true, .per = 2 };
    if (b <= 0x9f)
        return (struct head_byte){ .known = true, .per = 1 };
    if (b <= 0xbf)
        return (struct head_byte){ .known = true, .body = b & 31 };
    if (b >= 0xcc && b <= 0xd3)
        return (struct head_byte){ .known = true, .body = (u8)(1u << (b & 3)) };
    if (b >= 0xc4 && b <= 0xc6)
        return (struct head_byte){ .known = true,
                                   .counts_bytes = true,
                                   .len_bytes = (u8)(1u << (b - 0xc4)) };
    if (b >= 0xd9 && b <= 0xdb)
        return (struct head_byte){ .known = true,
                                   .counts_bytes = true,
                                   .len_bytes = (u8)(1u << (b - 0xd9)) };
    if (b == 0xdc || b == 0xdd)
        return (struct head_byte){ .known = true, .per = 1, .len_bytes = b == 0xdc ? 2 : 4 };
    if (b == 0xde || b == 0xdf)
        return (struct head_byte){ .known = true, .per = 2, .len_bytes = b == 0xde ? 2 : 4 };
    return (struct head_byte){ 0 };
}

/* Measures the record at `bytes`: an array, complete, no larger than JOURNAL_RECORD_MAX, of kinds
 * of values that journals use. */
static enum measure measure(const u8 *bytes, size_t have, size_t *size)
{
    u64 left = 1; /* values still to come */
    size_t at = 0;
    if (have && (bytes[0] & 0xf0) != 0x90)
        return MEASURE_BAD;
    while (left) {
        if (left > JOURNAL_RECORD_MAX || at > JOURNAL_RECORD_MAX)
            return MEASURE_BAD;
        if (at >= have)
            return MEASURE_CUT;
        u8 b = bytes[at];
        struct head_byte h = head_byte(b);
        u64 len = h.len_bytes ? 0 : h.per ? b & 15u : 0;
        if (!h.known)
            return MEASURE_BAD;
        at += 1;
        if (h.len_bytes) {
            if (have - at < h.len_bytes)
                return MEASURE_CUT;
            len = big_endian(bytes + at, h.len_bytes);
            at += h.len_bytes;
        }
        if (len > JOURNAL_RECORD_MAX)
            return MEASURE_BAD;
        left += len * h.per - 1;
        at += h.body + (h.counts_bytes ? len : 0);
    }
    *size = at;
    return at > JOURNAL_RECORD_MAX ? MEASURE_BAD : at > have ? MEASURE_CUT : MEASURE_WHOLE;
}

static bool is_str(const msgpack_object *o, const char *text)
{
    return o->type == MSGPACK_OBJECT_STR && o->via.str.size == strlen(text) &&
           memcmp(o->via.str.ptr, text, o->via.str.size) == 0;
}

/* Copies a string, cut to fit, made fit for printing. Anything else leaves dst empty. */
static void take_text(char *dst, size_t size, const msgpack_object *o, bool keep_newlines)
{
    dst[0] = 0;
    if (o->type != MSGPACK_OBJECT_STR)
        return;
    size_t len = o->via.str.size < size - 1 ? o->via.str.size : size - 1;
    memcpy(dst, o->via.str.ptr, len);
    dst[len] = 0;
    for (size_t i = 0; i < len; i++)
        dst[i] = (char)(dst[i] ? dst[i] : '?');
    result_clean(dst, keep_newlines);
}

static u64 take_u64(const msgpack_object *o)
{
    return o->type == MSGPACK_OBJECT_POSITIVE_INTEGER ? o->via.u64 : 0;
}

/* Takes one entry of a map into the field of that name, if there is one. */
static void take_field(void *base, const struct result_field *fields, u32 count,
                       const msgpack_object_kv *kv)
{
    for (u32 i = 0; i < count; i++) {
        if (is_str(&kv->key, fields[i].name)) {
            take_text((char *)base + fields[i].offset, fields[i].size, &kv->val,
                      strcmp(fields[i].name, "program") == 0);
            return;
        }
    }
}

/* What journals say of the part of a run that they hold. */
static void take_counts(struct journal_head *h, const msgpack_object *key,
                        const msgpack_object *val)
{
    u64 n = take_u64(val);
    if (is_str(key, "dut_hash"))
        take_text(h->dut_hash, sizeof(h->dut_hash), val, false);
    else if (is_str(key, "options"))
        take_text(h->options, sizeof(h->options), val, false);
    else if (is_str(key, "shard") && n < UINT32_MAX)
        h->shard = (u32)n;
    else if (is_str(key, "shards") && n < UINT32_MAX)
        h->shards = (u32)n;
    else if (is_str(key, "count"))
        h->count = n;
    else if (is_str(key, "offered"))
        h->offered = n;
}

/* Answers the version; 0: it is no journal, or one of a version that is not known. */
static u64 take_head(struct journal_head *h, const msgpack_object *map)
{
    u64 version = 0;
    *h = (struct journal_head){ 0 };
    if (map->type != MSGPACK_OBJECT_MAP)
        return 0;
    for (u32 i = 0; i < map->via.map.size; i++) {
        const msgpack_object *key = &map->via.map.ptr[i].key, *val = &map->via.map.ptr[i].val;
        if (is_str(key, "journal"))
            version = take_u64(val);
        else if (is_str(key, "version"))
            take_text(h->version, sizeof(h->version), val, false);
        else if (is_str(key, "mcpu"))
            take_text(h->mcpu, sizeof(h->mcpu), val, false);
        else if (is_str(key, "dut"))
            take_text(h->dut, sizeof(h->dut), val, false);
        else if (is_str(key, "args"))
            take_text(h->args, sizeof(h->args), val, false);
        else if (is_str(key, "seed_first"))
            h->seed_first = take_u64(val);
        else if (is_str(key, "seed_count"))
            h->seed_count = take_u64(val);
        else
            take_counts(h, key, val);
    }
    if (h->shard >= h->shards)
        h->shard = h->shards = 0;
    return version <= 2 ? version : 0;
}

static void take_diff(struct result_diff *d, const msgpack_object *map)
{
    if (map->type != MSGPACK_OBJECT_MAP)
        return;
    for (u32 i = 0; i < map->via.map.size; i++) {
        const msgpack_object_kv *kv = &map->via.map.ptr[i];
        if (is_str(&kv->key, "lane")) {
            u64 lane = take_u64(&kv->val);
            d->lane =
                kv->val.type == MSGPACK_OBJECT_POSITIVE_INTEGER && lane < 1024 ? (i32)lane : -1;
        } else {
            take_field(d, result_diff_texts, RESULT_DIFF_TEXTS, kv);
        }
    }
}

static bool take_status(u32 *status, const msgpack_object *o)
{
    for (u32 i = 0; i < RESULT_STATUS_COUNT; i++) {
        if (is_str(o, result_status_name(i))) {
            *status = i;
            return true;
        }
    }
    return false;
}

static bool take_result(struct result *r, const msgpack_object *map)
{
    bool has_status = false;
    u32 held = 0;
    result_init(r);
    if (map->type != MSGPACK_OBJECT_MAP)
        return false;
    for (u32 i = 0; i < map->via.map.size; i++) {
        const msgpack_object_kv *kv = &map->via.map.ptr[i];
        const msgpack_object_array *list = &kv->val.via.array;
        bool is_list = kv->val.type == MSGPACK_OBJECT_ARRAY;
        if (is_str(&kv->key, "status")) {
            has_status = take_status(&r->status, &kv->val);
        } else if (is_str(&kv->key, "line")) {
            r->line = (u32)take_u64(&kv->val);
        } else if (is_str(&kv->key, "diff_count")) {
            r->diff_count = (u32)take_u64(&kv->val);
        } else if (is_str(&kv->key, "dwords") && is_list) {
            for (u32 k = 0; k < list->size && k < RESULT_DWORDS_MAX; k++)
                r->dwords[r->dword_count++] = (u32)take_u64(&list->ptr[k]);
        } else if (is_str(&kv->key, "diff") && is_list) {
            for (; held < list->size && held < RESULT_DIFFS_MAX; held++)
                take_diff(&r->diff[held], &list->ptr[held]);
        } else {
            take_field(r, result_texts, RESULT_TEXTS, kv);
        }
    }
    if (r->diff_count < held || held < RESULT_DIFFS_MAX)
        r->diff_count = held;
    result_check_again(r);
    return has_status;
}

static void take_row(struct journal_row *row, const msgpack_object_array *a, u32 size)
{
    *row = (struct journal_row){ 0 };
    take_text(row->table, sizeof(row->table), &a->ptr[1], false);
    for (u32 i = 2; i < size && row->count < JOURNAL_CELLS_MAX; i++)
        take_text(row->cell[row->count++], JOURNAL_CELL_SIZE, &a->ptr[i], false);
}

/* Its bytes stay where they stand, in what was read. */
static bool take_state(struct journal_record *rec, const msgpack_object_array *a, u32 size)
{
    if (size < 3 || a->ptr[1].type != MSGPACK_OBJECT_BOOLEAN ||
        a->ptr[2].type != MSGPACK_OBJECT_BIN)
        return false;
    rec->kind = JOURNAL_STATE;
    rec->state.is_whole = a->ptr[1].via.boolean;
    rec->state.bytes = (const u8 *)a->ptr[2].via.bin.ptr;
    rec->state.size = a->ptr[2].via.bin.size;
    return true;
}

/* What one part of the file (a head and what follows) leaves undone. */
static void end_part(struct journal_reader *rd)
{
    if (rd->intended > rd->results)
        rd->lost += rd->intended - rd->results;
    rd->parts_ended += rd->ended;
    rd->intended = rd->results = 0;
    rd->ended = false;
}

/* ---- damage ---- */

static void note(struct journal_reader *rd, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void note(struct journal_reader *rd, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (rd->damages < JOURNAL_DAMAGES_KEPT)
        vsnprintf(rd->damage[rd->damages], sizeof(rd->damage[0]), fmt, ap);
    va_end(ap);
    rd->damages++;
}

/* Records that were expected here and did not come: as many as rd->gap[] can hold may come later. */
static void open_gap(struct journal_reader *rd, u32 first, u32 count)
{
    if (rd->gap_count < JOURNAL_GAPS_MAX)
        rd->gap[rd->gap_count++] = (struct journal_gap){ first, count };
}

/* Whether a record of an earlier number was missed until now. */
static bool fills_gap(struct journal_reader *rd, u32 n)
{
    for (u32 i = 0; i < rd->gap_count; i++) {
        struct journal_gap *g = &rd->gap[i], old = *g;
        if (n - old.first >= old.count)
            continue;
        g->count = n - old.first;
        if (old.first + old.count > n + 1)
            open_gap(rd, n + 1, old.first + old.count - n - 1);
        return true;
    }
    return false;
}

/* Judges the number of a record whose checksum is right. False: it came before. */
static bool in_order(struct journal_reader *rd, u32 n)
{
    unsigned long long at = rd->offset;
    if (n < rd->next) {
        bool is_new = fills_gap(rd, n);
        note(rd,
             is_new ? "record %u is out of its place, at byte %llu"
                    : "record %u came before, at byte %llu again",
             n, at);
        rd->has_skipped = false;
        return is_new;
    }
    if (n > rd->next) {
        open_gap(rd, rd->next, n - rd->next);
        if (!rd->has_skipped)
            note(rd, "%u record%s missing before byte %llu", n - rd->next,
                 n - rd->next == 1 ? " is" : "s are", at);
    }
    rd->has_skipped = false;
    rd->next = n + 1;
    return true;
}

/* The number behind a record with a guard, if its checksum is right. */
static bool guard_of(const struct journal_reader *rd, const u8 *bytes, size_t size, u32 *n)
{
    if (size < GUARD_BYTES || bytes[size - 10] != 0xce || bytes[size - 5] != 0xce)
        return false;
    *n = (u32)big_endian(bytes + size - 9, 4);
    return checksum_of(&rd->checksum, bytes, size - 5) == big_endian(bytes + size - 4, 4);
}

/* ---- records ---- */

/* A head begins a part. */
static bool begin_part(struct journal_reader *rd, struct journal_record *rec,
                       const msgpack_object_array *a, bool has_guard)
{
    u64 version = take_head(&rec->head, &a->ptr[1]);
    rec->kind = JOURNAL_HEAD;
    if (version != (has_guard ? 2 : 1))
        return false;
    end_part(rd);
    rd->started = true;
    rd->is_guarded = has_guard;
    rd->next = has_guard;
    rd->gap_count = 0;
    rd->has_skipped = false;
    rd->parts++;
    return true;
}

/* What follows a head, of `size` elements without the guard. */
static bool take_rest(struct journal_reader *rd, struct journal_record *rec,
                      const msgpack_object_array *a, u32 size)
{
    if (is_str(&a->ptr[0], "result")) {
        rec->kind = JOURNAL_RESULT;
        rd->results++;
        rd->ended = false;
        return take_result(&rec->result, &a->ptr[1]);
    }
    if (is_str(&a->ptr[0], "row")) {
        rec->kind = JOURNAL_ROW;
        take_row(&rec->row, a, size);
    } else if (is_str(&a->ptr[0], "dut") && size >= 3) {
        rec->kind = JOURNAL_DUT;
        take_text(rec->dut.name, sizeof(rec->dut.name), &a->ptr[1], false);
        take_text(rec->dut.version, sizeof(rec->dut.version), &a->ptr[2], false);
    } else if (is_str(&a->ptr[0], "intent") && size >= 3) {
        rec->kind = JOURNAL_INTENT;
        rec->first = take_u64(&a->ptr[1]);
        rec->count = take_u64(&a->ptr[2]);
        rd->intended += rec->count < (u64)1 << 40 ? rec->count : 0;
    } else if (is_str(&a->ptr[0], "time") && size >= 3) {
        rec->kind = JOURNAL_TIME;
        rec->time.began = take_u64(&a->ptr[1]);
        rec->time.ms = take_u64(&a->ptr[2]) & (((u64)1 << 40) - 1);
    } else if (is_str(&a->ptr[0], "state")) {
        return take_state(rec, a, size);
    } else if (is_str(&a->ptr[0], "end")) {
        rec->kind = JOURNAL_END;
        rec->count = take_u64(&a->ptr[1]);
        rd->ended = rec->count == rd->results;
    }
    return true;
}

/* Converts a record; `n` is its number where it has a guard. False: it lacks what its kind
 * demands. A record that came before stays without a kind. */
static bool take_record(struct journal_reader *rd, struct journal_record *rec,
                        const msgpack_object *o, bool has_guard, u32 n)
{
    const msgpack_object_array *a = &o->via.array;
    if (o->type != MSGPACK_OBJECT_ARRAY || a->size < (has_guard ? 4u : 2u) ||
        a->ptr[0].type != MSGPACK_OBJECT_STR)
        return false;
    if (is_str(&a->ptr[0], "head"))
        return begin_part(rd, rec, a, has_guard);
    if (rd->started && has_guard != rd->is_guarded)
        return false;
    if (!rd->started) { /* of a part without its head: a damage was passed over, or will be told */
        if (!has_guard)
            return false;
        rd->started = rd->is_guarded = true;
        rd->parts++;
    }
    if (has_guard && !in_order(rd, n))
        return true;
    return take_rest(rd, rec, a, has_guard ? a->size - 2 : a->size);
}

enum status journal_reader_open(struct journal_reader *rd, const char *path, struct err *e)
{
    struct err why = { .text = "" };
    *rd = (struct journal_reader){ .fd = STDIN_FILENO };
    snprintf(rd->file, sizeof(rd->file), "%s", strcmp(path, "-") == 0 ? "standard input" : path);
    if (strcmp(path, "-") != 0)
        rd->fd = input_open(path, &why);
    if (rd->fd < 0)
        return err_set(e, ST_INPUT, "%s: %s", rd->file, why.text);
    checksum_init(&rd->checksum);
    rd->cap = JOURNAL_RECORD_MAX + 2 * (size_t)READ_SIZE;
    rd->bytes = malloc(rd->cap);
    if (rd->bytes)
        return ST_OK;
    journal_reader_close(rd);
    return err_set(e, ST_WORLD, "%s: no memory to read it", rd->file);
}

u64 journal_unfinished(const struct journal_reader *rd)
{
    u64 cut = rd->parts - rd->parts_ended;
    return cut ? cut : rd->torn_bytes != 0;
}

void journal_reader_close(struct journal_reader *rd)
{
    if (rd->fd > STDERR_FILENO)
        close(rd->fd);
    free(rd->bytes);
    rd->bytes = NULL;
    rd->fd = -1;
}

/* Reads more behind what there is. */
static enum status refill(struct journal_reader *rd, struct err *e)
{
    memmove(rd->bytes, rd->bytes + rd->used, rd->have - rd->used);
    rd->have -= rd->used;
    rd->used = 0;
    for (;;) {
        ssize_t n = read(rd->fd, rd->bytes + rd->have, READ_SIZE);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_set(e, ST_INPUT, "%s: %s", rd->file, strerror(errno));
        rd->eof = n == 0;
        rd->have += (size_t)n;
        return ST_OK;
    }
}

static enum status damaged(const struct journal_reader *rd, struct err *e)
{
    if (!rd->started)
        return err_set(e, ST_INPUT, "%s: not a gcncheck journal", rd->file);
    return err_set(e, ST_INPUT, "%s: damaged at byte %llu", rd->file,
                   (unsigned long long)rd->offset);
}

/* Takes the record of `size` bytes that stands at bytes[used]. ST_INPUT: it is damaged. */
static enum status take(struct journal_reader *rd, struct journal_record *rec, size_t size,
                        struct err *e)
{
    msgpack_unpacked up;
    size_t off = 0;
    u32 n = 0;
    const u8 *bytes = rd->bytes + rd->used;
    bool has_guard = guard_of(rd, bytes, size, &n);
    library_watch();
    msgpack_unpacked_init(&up);
    msgpack_unpack_return got = msgpack_unpack_next(&up, (const char *)bytes, size, &off);
    bool good = got == MSGPACK_UNPACK_SUCCESS && off == size &&
                take_record(rd, rec, &up.data, has_guard, n);
    msgpack_unpacked_destroy(&up);
    if (!good) {
        rec->kind = JOURNAL_NONE;
        return library_settle(ST_INPUT, e);
    }
    rd->used += size;
    rd->offset += size;
    return ST_OK;
}

bool journal_begins(const u8 *head, size_t size)
{
    return size >= 6 && (head[0] == 0x92 || head[0] == 0x94) &&
           memcmp(head + 1, "\xa4head", 5) == 0;
}

/* Whether a record of ours may stand here: an array that begins with a kind. */
static bool looks_like_record(const u8 *at, size_t have)
{
    static const char *const kinds[] = { "\xa4head", "\243dut",   "\xa6intent", "\xa6result",
                                         "\xa3row",  "\xa5state", "\xa4time",   "\243end" };
    if (have < 8 || (at[0] & 0xf0) != 0x90)
        return false;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (memcmp(at + 1, kinds[i], strlen(kinds[i])) == 0)
            return true;
    return false;
}

/* Whether a record with a right checksum stands at bytes[used]. MEASURE_CUT: only more bytes would
 * tell. */
static enum measure look(const struct journal_reader *rd, u32 *candidates)
{
    const u8 *at = rd->bytes + rd->used;
    size_t have = rd->have - rd->used, size = 0;
    u32 n;
    if (have < 8)
        return MEASURE_CUT;
    if (!looks_like_record(at, have) || *candidates >= CANDIDATES_MAX)
        return MEASURE_BAD;
    enum measure m = measure(at, have, &size);
    if (m == MEASURE_WHOLE && !guard_of(rd, at, size, &n))
        m = MEASURE_BAD;
    *candidates += m == MEASURE_BAD;
    return m;
}

/* Passes over what is damaged, up to the next good record or the end. */
static enum status pass_over(struct journal_reader *rd, struct err *e)
{
    u64 start = rd->offset;
    u32 candidates = 0;
    for (;;) {
        enum measure m = rd->offset == start ? MEASURE_BAD : look(rd, &candidates);
        if (m == MEASURE_CUT && !rd->eof) {
            enum status st = refill(rd, e);
            if (st != ST_OK)
                return st;
            continue;
        }
        if (m == MEASURE_WHOLE || rd->used == rd->have)
            break;
        rd->used++;
        rd->offset++;
        if (!rd->started && rd->offset - start > JOURNAL_RECORD_MAX)
            return damaged(rd, e);
        if (rd->used == rd->have && !rd->eof) {
            enum status st = refill(rd, e);
            if (st != ST_OK)
                return st;
        }
    }
    rd->has_skipped = true;
    note(rd, "damaged from byte %llu to %llu", (unsigned long long)start,
         (unsigned long long)rd->offset);
    return ST_OK;
}

/* What comes when nothing whole stands at the end of the file: a tail that was cut off, or a length
 * that is damaged, with good records behind it. */
static enum status end_of_file(struct journal_reader *rd, bool *has_more, struct err *e)
{
    struct journal_reader before = *rd;
    *has_more = false;
    if (rd->used < rd->have && (rd->is_guarded || !rd->started)) {
        enum status st = pass_over(rd, e);
        *has_more = st == ST_OK && rd->used < rd->have;
        if (*has_more || st != ST_OK)
            return st;
        *rd = before; /* all bytes are there: nothing was read anew */
    }
    rd->torn_bytes = rd->have - rd->used;
    end_part(rd);
    return rd->parts ? ST_OK : damaged(rd, e);
}

enum status journal_next(struct journal_reader *rd, struct journal_record *rec, struct err *e)
{
    rec->kind = JOURNAL_NONE;
    while (rec->kind == JOURNAL_NONE) {
        size_t size = 0;
        enum measure m = measure(rd->bytes + rd->used, rd->have - rd->used, &size);
        enum status st = ST_OK;
        bool has_more = true;
        if (m == MEASURE_CUT && !rd->eof)
            st = refill(rd, e);
        else if (m == MEASURE_CUT)
            st = end_of_file(rd, &has_more, e);
        else if (m == MEASURE_WHOLE && (st = take(rd, rec, size, e)) != ST_INPUT) {
            if (st != ST_OK)
                return st;
        } else if (rd->started && !rd->is_guarded)
            st = damaged(rd, e);
        else
            st = pass_over(rd, e);
        if (st != ST_OK || !has_more)
            return st;
    }
    return ST_OK;
}
