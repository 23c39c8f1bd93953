/* Records as JSON and back. Both follow the record member by member, so that nothing is lost: dwords
 * become their hexadecimal digits, all else stays what it is. */
#include "harness/vector/internal.h"
#include "reports/file/pack_memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- printing ---- */

void vector_print_text(FILE *out, const char *text, size_t len)
{
    putc('"', out);
    for (size_t i = 0; i < len; i++) {
        u8 c = (u8)text[i];
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", out);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            putc(c, out);
    }
    putc('"', out);
}

static void print_dwords(FILE *out, const u8 *bytes, u64 size)
{
    static const char digits[] = "0123456789abcdef";
    putc('"', out);
    for (u64 at = 0; at + 4 <= size; at += 4) {
        char text[9];
        for (u32 i = 0; i < 4; i++) {
            u8 byte = bytes[at + 3 - i];
            text[2 * i] = digits[byte >> 4];
            text[2 * i + 1] = digits[byte & 15];
        }
        text[8] = ' ';
        fwrite(text, 1, at + 8 <= size ? 9 : 8, out);
    }
    putc('"', out);
}

enum { INDENT = 6 };

static void new_line(FILE *out, u32 depth)
{
    fprintf(out, "\n%*s", (int)(INDENT + 2 * depth), "");
}

/* Members of the whole, and elements of its lists, have lines of their own. */
static void print_value(FILE *out, struct gcv_cursor *c, u32 depth) /* at most 5 deep */
{
    struct gcv_token t = gcv_take(c);
    switch (t.kind) {
    case GCV_UINT: fprintf(out, "%" PRIu64, t.count); return;
    case GCV_TEXT: vector_print_text(out, (const char *)t.at, t.count); return;
    case GCV_BIN: print_dwords(out, t.at, t.count); return;
    case GCV_LIST:
    case GCV_MAP: break;
    case GCV_BAD:
    default: return;
    }
    bool is_map = t.kind == GCV_MAP, has_lines = depth == 0 || (depth == 1 && !is_map);
    /* Names of registers stay together. */
    has_lines = has_lines && t.count > 0 && (is_map || (*c->at & 0xe0) != 0xa0);
    putc(is_map ? '{' : '[', out);
    for (u64 i = 0; i < t.count && !c->bad; i++) {
        if (i)
            fputs(has_lines ? "," : ", ", out);
        if (has_lines)
            new_line(out, depth);
        if (is_map) {
            print_value(out, c, depth + 1);
            fputs(": ", out);
        }
        print_value(out, c, depth + 1);
    }
    if (has_lines && !is_map)
        new_line(out, depth - 1);
    putc(is_map ? '}' : ']', out);
}

void vector_print_json(FILE *out, const struct vector_record *r)
{
    struct gcv_cursor c = { r->bytes, r->bytes + r->size, 0, 0 };
    struct gcv_token t = gcv_take(&c);
    putc('{', out);
    for (u64 i = 0; i < t.count; i++) {
        if (i)
            putc(',', out);
        new_line(out, 0);
        print_value(out, &c, 1);
        fputs(": ", out);
        print_value(out, &c, 1);
    }
    if (r->answer) {
        struct gcv_cursor a = { r->answer, r->answer + r->answer_size, 0, 0 };
        putc(',', out);
        new_line(out, 0);
        fputs("\"answer\": ", out);
        print_value(out, &a, 2);
    }
    putc('}', out);
}

/* ---- reading ---- */

enum type { TEXT, UINT, DWORDS, PLACES, LIST };
enum map {
    MAP_NONE,
#define MAP(name) MAP_##name,
#define MEMBER(key, type, map)
#define OPTION(key, type, map)
#include "harness/vector/schema.def"
#undef MAP
#undef MEMBER
#undef OPTION
};

struct member {
    const char *key;
    u8 type, map;
    bool may_miss;
};

/* The members of all maps, one behind the other; a map begins with a row without a key. */
static const struct member members[] = {
#define MAP(name)              { NULL, 0, MAP_##name, false },
#define MEMBER(key, type, map) { #key, type, MAP_##map, false },
#define OPTION(key, type, map) { #key, type, MAP_##map, true },
#include "harness/vector/schema.def"
#undef MAP
#undef MEMBER
#undef OPTION
};

static const struct member *first_of(u32 map)
{
    for (u32 i = 0; i < COUNT_OF(members); i++)
        if (!members[i].key && members[i].map == map)
            return &members[i + 1];
    BUG("a map that schema.def does not have");
}

static bool is_last(const struct member *m)
{
    return m == members + COUNT_OF(members) || !m->key;
}

/* Dwords as print_dwords prints them. */
static enum status read_dwords(const char *text, msgpack_packer *pk, const char *key, struct err *e)
{
    size_t len = strlen(text), count = (len + 1) / 9;
    if (len && (len + 1) % 9)
        return err_set(e, ST_INPUT, "\"%s\": dwords are eight hexadecimal digits, a blank between",
                       key);
    pack_key(pk, key);
    msgpack_pack_bin(pk, count * 4);
    for (size_t i = 0; i < count; i++) {
        u32 v = 0;
        for (u32 k = 0; k < 8; k++) {
            char d = text[i * 9 + k];
            u32 digit = d >= '0' && d <= '9'   ? (u32)(d - '0')
                        : d >= 'a' && d <= 'f' ? (u32)(d - 'a') + 10
                                               : 16;
            if (digit == 16)
                return err_set(e, ST_INPUT, "\"%s\": '%c' is no hexadecimal digit", key,
                               d >= ' ' && d <= '~' ? d : '?');
            v = v << 4 | digit;
        }
        if (i + 1 < count && text[i * 9 + 8] != ' ')
            return err_set(e, ST_INPUT, "\"%s\": no blank between two dwords", key);
        u8 bytes[4] = { (u8)v, (u8)(v >> 8), (u8)(v >> 16), (u8)(v >> 24) };
        msgpack_pack_bin_body(pk, bytes, sizeof bytes);
    }
    return ST_OK;
}

static enum status read_map(const json_t *from, u32 map, msgpack_packer *pk, struct err *e);

static enum status read_list(const json_t *v, const struct member *m, msgpack_packer *pk,
                             struct err *e)
{
    enum status st = ST_OK;
    if (!json_is_array(v))
        return err_set(e, ST_INPUT, "\"%s\" is no list", m->key);
    pack_list(pk, m->key, (u32)json_array_size(v));
    for (size_t i = 0; i < json_array_size(v) && st == ST_OK; i++) {
        const json_t *one = json_array_get(v, i);
        if (m->type == LIST)
            st = read_map(one, m->map, pk, e);
        else if (json_is_string(one))
            msgpack_pack_str_with_body(pk, json_string_value(one), json_string_length(one));
        else
            st = err_set(e, ST_INPUT, "\"%s\" holds something that is no text", m->key);
    }
    return st;
}

static enum status read_member(const json_t *v, const struct member *m, msgpack_packer *pk,
                               struct err *e)
{
    if (m->type == LIST || m->type == PLACES)
        return read_list(v, m, pk, e);
    if (m->type == UINT) {
        if (!json_is_integer(v) || json_integer_value(v) < 0 ||
            json_integer_value(v) > (json_int_t)UINT32_MAX)
            return err_set(e, ST_INPUT, "\"%s\" is no number of 32 bits", m->key);
        pack_u32(pk, m->key, (u32)json_integer_value(v));
        return ST_OK;
    }
    if (!json_is_string(v))
        return err_set(e, ST_INPUT, "\"%s\" is no text", m->key);
    if (m->type == DWORDS)
        return read_dwords(json_string_value(v), pk, m->key, e);
    pack_text(pk, m->key, json_string_value(v));
    return ST_OK;
}

/* The first key that the map does not have, or NULL. */
static const char *unknown_key(const json_t *from, u32 map)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)(uintptr_t)from, key, v)
    {
        const struct member *m = first_of(map);
        while (!is_last(m) && strcmp(m->key, key) != 0)
            m++;
        if (is_last(m) && !(map == MAP_TEST && strcmp(key, "answer") == 0))
            return key;
    }
    return NULL;
}

static enum status read_map(const json_t *from, u32 map, msgpack_packer *pk, struct err *e)
{
    enum status st = ST_OK;
    u32 count = 0;
    if (!json_is_object(from))
        return err_set(e, ST_INPUT, "where an object should stand, there is none");
    const char *stranger = unknown_key(from, map);
    if (stranger)
        return err_set(e, ST_INPUT, "\"%.60s\" is no member of it", stranger);
    for (const struct member *m = first_of(map); !is_last(m); m++) {
        bool is_there = json_object_get(from, m->key) != NULL;
        if (!is_there && !m->may_miss)
            return err_set(e, ST_INPUT, "\"%s\" is missing", m->key);
        count += is_there;
    }
    msgpack_pack_map(pk, count);
    for (const struct member *m = first_of(map); !is_last(m) && st == ST_OK; m++) {
        const json_t *v = json_object_get(from, m->key);
        if (v)
            st = read_member(v, m, pk, e);
    }
    return st;
}

enum status vector_read_json(const json_t *test, msgpack_sbuffer *to, msgpack_sbuffer *answer,
                             struct err *e)
{
    msgpack_packer pk;
    const json_t *a = json_object_get(test, "answer");
    msgpack_sbuffer_clear(to);
    msgpack_sbuffer_clear(answer);
    msgpack_packer_init(&pk, to, pack_memory_write);
    enum status st = read_map(test, MAP_TEST, &pk, e);
    if (st == ST_OK && a) {
        msgpack_packer_init(&pk, answer, pack_memory_write);
        st = read_map(a, MAP_ANSWER, &pk, e);
    }
    return st == ST_OK && pack_memory_was_short() ? err_memory(e) : st;
}
