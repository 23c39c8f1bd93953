#include "harness/dut/pipe_msg.h"

#include "reports/file/library.h"

#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>

static int frame_write(void *ctx, const char *buf, size_t len)
{
    struct frame *f = ctx;
    if (!f->failed && f->len + len > f->cap) {
        size_t cap = f->cap ? f->cap : 4096;
        while (cap < f->len + len)
            cap *= 2;
        u8 *data = f->len + len <= UINT32_MAX ? realloc(f->data, cap) : NULL;
        if (data) {
            f->data = data;
            f->cap = cap;
        } else {
            f->failed = true;
        }
    }
    if (f->failed)
        return -1;
    memcpy(f->data + f->len, buf, len);
    f->len += len;
    return 0;
}

static void pack_text(msgpack_packer *pk, const char *s)
{
    msgpack_pack_str_with_body(pk, s, strlen(s));
}

static void pack_uint_field(msgpack_packer *pk, const char *name, u64 value)
{
    pack_text(pk, name);
    msgpack_pack_uint64(pk, value);
}

/* Begins a request: a map of `fields` more fields than op and id. */
static void frame_begin(struct frame *f, msgpack_packer *pk, const char *op, u64 id, u32 fields)
{
    f->len = 0;
    f->failed = false;
    frame_write(f, "\0\0\0\0", 4);
    msgpack_packer_init(pk, f, frame_write);
    msgpack_pack_map(pk, 2 + fields);
    pack_text(pk, "op");
    pack_text(pk, op);
    pack_uint_field(pk, "id", id);
}

static bool frame_end(struct frame *f)
{
    if (f->failed)
        return false;
    size_t len = f->len - 4;
    for (u32 i = 0; i < 4; i++)
        f->data[i] = (u8)(len >> (8 * i));
    return true;
}

static void pack_bytes(msgpack_packer *pk, const void *data, size_t len)
{
    msgpack_pack_bin(pk, len);
    msgpack_pack_bin_body(pk, data, len);
}

/* Dwords as bytes, little-endian whatever the host is. */
static void pack_dwords(msgpack_packer *pk, const u32 *dw, size_t count)
{
    msgpack_pack_bin(pk, count * 4);
    for (size_t i = 0; i < count; i++) {
        u8 b[4] = { (u8)dw[i], (u8)(dw[i] >> 8), (u8)(dw[i] >> 16), (u8)(dw[i] >> 24) };
        msgpack_pack_bin_body(pk, b, sizeof b);
    }
}

bool pipe_pack_hello(struct frame *f, u64 id, const char *mcpu)
{
    msgpack_packer pk;
    frame_begin(f, &pk, "hello", id, 2);
    pack_uint_field(&pk, "abi", GCNCHECK_DUT_ABI);
    pack_text(&pk, "mcpu");
    pack_text(&pk, mcpu);
    return frame_end(f);
}

static void pack_slots(msgpack_packer *pk, const struct gcncheck_job *j)
{
    pack_text(pk, "set");
    msgpack_pack_array(pk, j->set_count);
    for (u32 i = 0; i < j->set_count; i++) {
        const struct gcncheck_slot *s = &j->set[i];
        msgpack_pack_array(pk, 3);
        msgpack_pack_uint32(pk, s->wave);
        msgpack_pack_uint32(pk, s->place);
        if (GCNCHECK_PLACE_DW(s->place) == 1)
            msgpack_pack_uint32(pk, j->values[s->index]);
        else
            pack_dwords(pk, j->values + s->index, GCNCHECK_PLACE_DW(s->place));
    }
    pack_text(pk, "get");
    msgpack_pack_array(pk, j->get_count);
    for (u32 i = 0; i < j->get_count; i++) {
        msgpack_pack_array(pk, 2);
        msgpack_pack_uint32(pk, j->get[i].wave);
        msgpack_pack_uint32(pk, j->get[i].place);
    }
}

static void pack_job(msgpack_packer *pk, const struct gcncheck_job *j)
{
    msgpack_pack_map(pk, 7u + (j->window_count ? 1 : 0) + (j->lds_size ? 1 : 0));
    pack_uint_field(pk, "waves", j->waves);
    pack_text(pk, "code");
    pack_dwords(pk, j->code, j->code_dw);
    pack_uint_field(pk, "max_steps", j->max_steps);
    pack_uint_field(pk, "pc", j->pc);
    pack_uint_field(pk, "poison", j->poison);
    pack_slots(pk, j);
    if (j->window_count) {
        pack_text(pk, "windows");
        msgpack_pack_array(pk, j->window_count);
        for (u32 w = 0; w < j->window_count; w++) {
            msgpack_pack_array(pk, 2);
            msgpack_pack_uint64(pk, j->windows[w].address);
            pack_bytes(pk, j->windows[w].bytes, j->windows[w].size);
        }
    }
    if (j->lds_size) {
        pack_text(pk, "lds");
        pack_bytes(pk, j->lds, j->lds_size);
    }
}

bool pipe_pack_run(struct frame *f, u64 id, const struct gcncheck_job *jobs, u32 count)
{
    msgpack_packer pk;
    frame_begin(f, &pk, "run", id, 1);
    pack_text(&pk, "jobs");
    msgpack_pack_array(&pk, count);
    for (u32 i = 0; i < count; i++)
        pack_job(&pk, &jobs[i]);
    return frame_end(f);
}

u32 pipe_fitting(const struct gcncheck_job *jobs, u32 count, size_t bytes)
{
    size_t sum = 0;
    u32 n = 0;
    do {
        const struct gcncheck_job *j = &jobs[n++];
        sum += 128 + (size_t)j->code_dw * 4 + (size_t)j->set_count * 16 + (size_t)j->get_count * 8 +
               (size_t)dut_slots_dw(j->set, j->set_count) * 4 + j->lds_size;
        for (u32 w = 0; w < j->window_count; w++)
            sum += j->windows[w].size + 16;
    } while (n < count && sum < bytes);
    return n;
}

u32 pipe_answer_max(const struct gcncheck_job *jobs, u32 count)
{
    enum { ALL = 64 * 1024, JOB = 2048, DWORD = 12, BYTE = 16, LIMIT = 256 << 20 };
    u64 sum = ALL;
    for (u32 i = 0; i < count; i++) {
        const struct gcncheck_job *j = &jobs[i];
        sum += JOB + (u64)j->get_count * DWORD + (u64)dut_slots_dw(j->get, j->get_count) * DWORD +
               (u64)j->lds_size * BYTE;
        for (u32 w = 0; w < j->window_count; w++)
            sum += j->windows[w].size * BYTE;
    }
    return sum < LIMIT ? (u32)sum : LIMIT;
}

/* The size of one msgpack head at p (at most `left` bytes): bytes of head and payload in *bytes,
 * values that follow inside it in *inner. False: not msgpack, or cut short. */
static bool skim(const u8 *p, size_t left, u64 *bytes, u64 *inner)
{
    /* For 0xc0..0xdf: how many bytes follow, or'ed with what they count. Index 24, a fixed 17
     * bytes, does not fit and is dealt with below. */
    enum { FIXED = 0, LENGTH = 0x10, ITEMS = 0x20, PAIRS = 0x30, KIND = 0x30, BAD = 0x80 };
    static const u8 kinds[32] = {
        [0] = FIXED,       [1] = BAD,         [2] = FIXED,       [3] = FIXED,      [4] = LENGTH | 1,
        [5] = LENGTH | 2,  [6] = LENGTH | 4,  [7] = LENGTH | 1,  [8] = LENGTH | 2, [9] = LENGTH | 4,
        [10] = FIXED | 4,  [11] = FIXED | 8,  [12] = FIXED | 1,  [13] = FIXED | 2, [14] = FIXED | 4,
        [15] = FIXED | 8,  [16] = FIXED | 1,  [17] = FIXED | 2,  [18] = FIXED | 4, [19] = FIXED | 8,
        [20] = FIXED | 2,  [21] = FIXED | 3,  [22] = FIXED | 5,  [23] = FIXED | 9, [24] = FIXED,
        [25] = LENGTH | 1, [26] = LENGTH | 2, [27] = LENGTH | 4, [28] = ITEMS | 2, [29] = ITEMS | 4,
        [30] = PAIRS | 2,  [31] = PAIRS | 4,
    };
    u8 c = p[0];
    *bytes = 1;
    *inner = 0;
    if (c < 0x80 || c >= 0xe0)
        return true;
    if (c < 0xc0) {
        if (c >= 0xa0)
            *bytes += c & 31;
        else
            *inner = c < 0x90 ? 2 * (c & 15u) : c & 15u;
        return *bytes <= left;
    }
    u8 kind = kinds[c - 0xc0];
    u32 width = c == 0xd8 ? 17 : kind & 15;
    bool ext = c >= 0xc7 && c <= 0xc9; /* one more byte, the type */
    u64 n = 0;
    if (kind == BAD || 1 + (u64)width > left)
        return false;
    for (u32 i = 0; i < width; i++)
        n = n << 8 | p[1 + i];
    *bytes += width + ((kind & KIND) == LENGTH ? n + ext : 0);
    *inner = (kind & KIND) == ITEMS ? n : (kind & KIND) == PAIRS ? 2 * n : 0;
    return *bytes <= left;
}

/* Whether the bytes are exactly one msgpack value in which no count promises more than is there.
 * msgpack-c allocates what a count promises before it looks further, so this comes first. */
static bool is_sound(const u8 *data, size_t len)
{
    u64 pending = 1, bytes, inner;
    size_t at = 0;
    while (pending) {
        if (at >= len || !skim(data + at, len - at, &bytes, &inner))
            return false;
        at += bytes;
        pending += inner - 1;
        if (pending > len - at)
            return false;
    }
    return at == len;
}

static bool str_is(const msgpack_object *o, const char *text)
{
    return o->type == MSGPACK_OBJECT_STR && o->via.str.size == strlen(text) &&
           memcmp(o->via.str.ptr, text, o->via.str.size) == 0;
}

/* The value of a map's key, or NULL. */
static const msgpack_object *field(const msgpack_object *map, const char *key)
{
    for (u32 i = 0; i < map->via.map.size; i++)
        if (str_is(&map->via.map.ptr[i].key, key))
            return &map->via.map.ptr[i].val;
    return NULL;
}

static bool as_uint(const msgpack_object *o, u64 max, u64 *v)
{
    if (o->type != MSGPACK_OBJECT_POSITIVE_INTEGER || o->via.u64 > max)
        return false;
    *v = o->via.u64;
    return true;
}

/* Unpacks a frame that should be a map with the request's id. The caller destroys *m in any
 * case. */
static enum status unpack(msgpack_unpacked *m, const u8 *data, size_t len, u64 id, bool *stale,
                          struct err *e)
{
    size_t at = 0;
    u64 got;
    *stale = false;
    msgpack_unpacked_init(m);
    if (!is_sound(data, len))
        return err_set(e, ST_INPUT, "a frame of %zu bytes that is not one msgpack value", len);
    library_watch();
    if (msgpack_unpack_next(m, (const char *)data, len, &at) != MSGPACK_UNPACK_SUCCESS)
        return library_settle(err_set(e, ST_INPUT, "msgpack nested too deeply"), e);
    if (m->data.type != MSGPACK_OBJECT_MAP)
        return err_set(e, ST_INPUT, "the answer is not a map");
    const msgpack_object *o = field(&m->data, "id");
    if (!o || !as_uint(o, UINT64_MAX, &got))
        return err_set(e, ST_INPUT, "the answer does not repeat the request's id");
    *stale = got < id;
    return got == id ? ST_OK : err_set(e, ST_INPUT, "the answer has the id of another request");
}

static bool take_text(const msgpack_object *o, char *dst, size_t size)
{
    if (!o || o->type != MSGPACK_OBJECT_STR)
        return false;
    dut_clean_text(dst, size, o->via.str.ptr, o->via.str.size);
    return true;
}

static enum status take_can(const msgpack_object *can, struct dut *d, struct err *e)
{
    memset(d->can, can ? GCNCHECK_NO : GCNCHECK_SHOW_SET, sizeof d->can);
    d->can[CLASS_TBA] = GCNCHECK_NO;
    if (!can)
        return ST_OK;
    if (can->type != MSGPACK_OBJECT_MAP)
        return err_set(e, ST_INPUT, "'can' is not a map");
    for (u32 i = 0; i < can->via.map.size; i++) {
        const msgpack_object_kv *kv = &can->via.map.ptr[i];
        char name[32] = "?";
        u64 v;
        u32 c = 0;
        take_text(&kv->key, name, sizeof name);
        while (c < CLASS_COUNT && !str_is(&kv->key, dut_class_name((enum dut_class)c)))
            c++;
        if (c == CLASS_COUNT)
            return err_set(e, ST_INPUT, "'can' names '%s', which is no register class", name);
        if (!as_uint(&kv->val, GCNCHECK_SHOW_SET, &v) || v == 2)
            return err_set(e, ST_INPUT, "'can' of %s is not 0, 1 or 3", name);
        d->can[c] = (u8)v;
    }
    return ST_OK;
}

enum status pipe_unpack_hello(const u8 *data, size_t len, u64 id, struct dut *d, struct err *e)
{
    msgpack_unpacked m;
    char text[160];
    bool stale;
    enum status st = unpack(&m, data, len, id, &stale, e);
    if (st == ST_OK && take_text(field(&m.data, "error"), text, sizeof text))
        st = err_set(e, ST_INPUT, "it says: %s", text);
    else if (st == ST_OK && (!take_text(field(&m.data, "name"), d->name, sizeof d->name) ||
                             !take_text(field(&m.data, "version"), d->version, sizeof d->version)))
        st = err_set(e, ST_INPUT, "name or version missing, or not a string");
    else if (st == ST_OK)
        st = take_can(field(&m.data, "can"), d, e);
    const msgpack_object *mode = st == ST_OK ? field(&m.data, "fixed_mode") : NULL;
    u64 value;
    if (mode && !as_uint(mode, UINT32_MAX, &value))
        st = err_set(e, ST_INPUT, "'fixed_mode' is not an integer of 32 bits");
    else if (mode)
        st = dut_set_fixed_mode(d, value, e);
    msgpack_unpacked_destroy(&m);
    return st;
}

/* One element of `out` into dw[0..count-1], or, with dst NULL, only checked. */
static bool take_value(const msgpack_object *o, u32 *dst, u32 count)
{
    u64 v;
    if (o->type == MSGPACK_OBJECT_BIN) {
        if (o->via.bin.size != count * 4)
            return false;
        for (u32 i = 0; dst && i < count; i++) {
            const u8 *b = (const u8 *)o->via.bin.ptr + 4 * (size_t)i;
            dst[i] = (u32)b[0] | (u32)b[1] << 8 | (u32)b[2] << 16 | (u32)b[3] << 24;
        }
        return true;
    }
    if (count != 1 || !as_uint(o, UINT32_MAX, &v))
        return false;
    if (dst)
        dst[0] = (u32)v;
    return true;
}

static bool take_out(const msgpack_object *o, struct gcncheck_job *j, bool apply)
{
    if (!o || o->type != MSGPACK_OBJECT_ARRAY || o->via.array.size != j->get_count)
        return j->get_count == 0 && !o;
    for (u32 i = 0; i < j->get_count; i++) {
        u32 *dst = apply ? j->out + j->get[i].index : NULL;
        if (!take_value(&o->via.array.ptr[i], dst, GCNCHECK_PLACE_DW(j->get[i].place)))
            return false;
    }
    return true;
}

/* [offset, bytes] at part[0], part[1] into a buffer of `size` bytes. */
static bool take_patch(const msgpack_object *part, u8 *dst, u64 size, bool apply)
{
    u64 offset;
    const msgpack_object *bytes = &part[1];
    if (!as_uint(&part[0], size, &offset) || bytes->type != MSGPACK_OBJECT_BIN ||
        bytes->via.bin.size > size - offset)
        return false;
    if (apply && bytes->via.bin.size)
        memcpy(dst + offset, bytes->via.bin.ptr, bytes->via.bin.size);
    return true;
}

/* A list of [window, offset, bytes], or of [offset, bytes] for LDS. */
static bool take_patches(const msgpack_object *o, struct gcncheck_job *j, bool is_lds, bool apply)
{
    if (!o)
        return true;
    if (o->type != MSGPACK_OBJECT_ARRAY)
        return false;
    for (u32 i = 0; i < o->via.array.size; i++) {
        const msgpack_object *p = &o->via.array.ptr[i];
        u64 w;
        if (p->type != MSGPACK_OBJECT_ARRAY || p->via.array.size != (is_lds ? 2 : 3))
            return false;
        const msgpack_object *part = p->via.array.ptr;
        if (is_lds) {
            if (!take_patch(part, j->lds, j->lds_size, apply))
                return false;
        } else if (!as_uint(part, UINT32_MAX, &w) || w >= j->window_count ||
                   !take_patch(part + 1, j->windows[w].bytes, j->windows[w].size, apply)) {
            return false;
        }
    }
    return true;
}

static void take_result(const msgpack_object *r, struct gcncheck_job *j)
{
    const msgpack_object *outcome = NULL;
    u64 v = 0;
    if (r->type != MSGPACK_OBJECT_MAP) {
        dut_answer(j, OUT_NONSENSE, "the result is not a map");
    } else if (!(outcome = field(r, "outcome")) || !as_uint(outcome, OUT_LIMIT, &v) || !v) {
        dut_answer(j, OUT_NONSENSE, "outcome missing, or not 1 to 5");
    } else if (v != OUT_DONE) {
        j->outcome = (u32)v;
        j->reason[0] = '\0';
        take_text(field(r, "reason"), j->reason, sizeof j->reason);
    } else if (!take_out(field(r, "out"), j, false)) {
        dut_answer(j, OUT_NONSENSE, "out does not hold %u values of the right sizes", j->get_count);
    } else if (!take_patches(field(r, "windows"), j, false, false)) {
        dut_answer(j, OUT_NONSENSE, "windows is not a list of [window, offset, bytes] inside them");
    } else if (!take_patches(field(r, "lds"), j, true, false)) {
        dut_answer(j, OUT_NONSENSE, "lds is not a list of [offset, bytes] inside it");
    } else {
        take_out(field(r, "out"), j, true);
        take_patches(field(r, "windows"), j, false, true);
        take_patches(field(r, "lds"), j, true, true);
        j->outcome = OUT_DONE;
        j->reason[0] = '\0';
    }
}

enum status pipe_unpack_run(const u8 *data, size_t len, u64 id, struct gcncheck_job *jobs,
                            u32 count, bool *stale, struct err *e)
{
    msgpack_unpacked m;
    enum status st = unpack(&m, data, len, id, stale, e);
    const msgpack_object *results = st == ST_OK ? field(&m.data, "results") : NULL;
    if (st == ST_OK && (!results || results->type != MSGPACK_OBJECT_ARRAY))
        st = err_set(e, ST_INPUT, "no list 'results' in the answer");
    else if (st == ST_OK && results->via.array.size != count)
        st = err_set(e, ST_INPUT, "%u results for %u jobs", results->via.array.size, count);
    for (u32 i = 0; st == ST_OK && i < count; i++)
        take_result(&results->via.array.ptr[i], &jobs[i]);
    msgpack_unpacked_destroy(&m);
    return st;
}
