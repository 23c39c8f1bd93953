/* `gcncheck eval --jsonl`: questions and answers as one JSON object per line. */
#include "harness/ask/eval.h"

#include "harness/io/lines.h"
#include "harness/io/number.h"
#include "reports/file/json_memory.h"

#include <jansson.h>
#include <stdlib.h>

enum { CODE_MAX = 4096, BYTES_MAX = 1 << 16, LINE_OUT = 1 << 20 };

struct service {
    struct eval *ev;
    u32 code[CODE_MAX];
    u8 bytes[BYTES_MAX];
    char out[LINE_OUT];
    struct text text;
    bool want_trapsts;
    bool first;     /* no member of "out" printed yet */
    enum status st; /* ST_WORLD: memory was short; nothing more is answered */
    struct err e;
};

/* ---- reading ---- */

/* A hex number, most significant digit first, 0x allowed, of at most `dw` dwords. */
static bool parse_hex(const char *s, u32 dw, u32 *out)
{
    memset(out, 0, dw * sizeof *out);
    if (s[0] == '0' && (s[1] | 32) == 'x')
        s += 2;
    if (!*s)
        return false;
    for (; *s; s++) {
        int digit = number_hex_digit(*s);
        if (digit < 0 || out[dw - 1] >> 28)
            return false;
        for (u32 i = dw - 1; i > 0; i--)
            out[i] = out[i] << 4 | out[i - 1] >> 28;
        out[0] = out[0] << 4 | (u32)digit;
    }
    return true;
}

static enum status parse_code(struct service *sv, const json_t *root, u32 *dw, struct err *e)
{
    const char *s = json_string_value(json_object_get(root, "code"));
    *dw = 0;
    if (!s)
        return err_set(e, ST_INPUT, "\"code\" must be a string of hex dwords");
    while (*s) {
        char word[12];
        size_t n = strcspn(s, " \t\n");
        if (n == 0) {
            s++;
            continue;
        }
        if (n >= sizeof word || *dw == CODE_MAX)
            return err_set(e, ST_INPUT,
                           n >= sizeof word ? "code: '%.20s' is not a hex dword"
                                            : "code: more than 4096 dwords%.0s",
                           s);
        memcpy(word, s, n);
        word[n] = '\0';
        if (!parse_hex(word, 1, &sv->code[*dw]))
            return err_set(e, ST_INPUT, "code: '%s' is not a hex dword", word);
        ++*dw;
        s += n;
    }
    return *dw ? ST_OK : err_set(e, ST_INPUT, "\"code\" is empty");
}

/* A value of `dw` dwords for a lane: a hex string, or for scc and small numbers an integer. */
static bool lane_value(const json_t *v, u32 dw, u32 lane, struct eval_value *value)
{
    u32 out[PLACE_DW_MAX] = { 0 };
    if (json_is_string(v)) {
        if (!parse_hex(json_string_value(v), dw, out))
            return false;
    } else {
        u64 bits = (u64)json_integer_value(v);
        if (!json_is_integer(v) || (dw == 1 && bits >> 32))
            return false;
        out[0] = (u32)bits;
        out[1] = (u32)(bits >> 32);
    }
    for (u32 i = 0; i < dw; i++)
        value->dw[i][lane] = out[i];
    return true;
}

static enum status vector_value(const char *name, const json_t *v, u32 dw, struct eval_value *value,
                                struct err *e)
{
    u32 bits = dw * 32;
    if (!json_is_array(v)) {
        if (!lane_value(v, dw, 0, value))
            return err_set(e, ST_INPUT, "in.%s: not a hex value of %u bits", name, bits);
        for (u32 i = 0; i < dw; i++)
            for (u32 lane = 1; lane < LANES; lane++)
                value->dw[i][lane] = value->dw[i][0];
        return ST_OK;
    }
    if (json_array_size(v) != LANES)
        return err_set(e, ST_INPUT, "in.%s: %zu values, a wave has 64 lanes", name,
                       json_array_size(v));
    for (u32 lane = 0; lane < LANES; lane++)
        if (!lane_value(json_array_get(v, lane), dw, lane, value))
            return err_set(e, ST_INPUT, "in.%s: lane %u is not a hex value of %u bits", name, lane,
                           bits);
    return ST_OK;
}

static enum status parse_bytes(struct service *sv, const char *name, const json_t *v, u32 *n,
                               struct err *e)
{
    const char *s = json_string_value(v);
    *n = 0;
    for (; s && s[0]; s += 2) {
        int hi = number_hex_digit(s[0]), lo = s[1] ? number_hex_digit(s[1]) : -1;
        if (hi < 0 || lo < 0 || *n == BYTES_MAX)
            return err_set(e, ST_INPUT, "in.%s: not a hex string of at most 64 KiB", name);
        sv->bytes[(*n)++] = (u8)(hi << 4 | lo);
    }
    return *n ? ST_OK : err_set(e, ST_INPUT, "in.%s: no bytes", name);
}

static enum status set_memory(struct service *sv, bool lds, json_t *map, struct err *e)
{
    const char *key;
    json_t *v;
    const char *name = lds ? "lds" : "mem";
    if (!json_is_object(map))
        return err_set(e, ST_INPUT, "in.%s: must be an object of address: bytes", name);
    json_object_foreach(map, key, v)
    {
        u64 addr = 0;
        u32 n, dw[2];
        char *end;
        if (lds)
            addr = strtoull(key, &end, 10);
        if (lds ? !*key || *end : !parse_hex(key, 2, dw))
            return err_set(e, ST_INPUT, "in.%s: '%.30s' is not an address", name, key);
        if (!lds)
            addr = (u64)dw[1] << 32 | dw[0];
        enum status st = parse_bytes(sv, name, v, &n, e);
        if (st == ST_OK)
            st = lds ? eval_set_lds(sv->ev, addr, sv->bytes, n, e)
                     : eval_set_mem(sv->ev, addr, sv->bytes, n, e);
        if (st != ST_OK)
            return st;
    }
    return ST_OK;
}

static enum status set_one(struct service *sv, const char *name, json_t *v, struct err *e)
{
    struct place_range p;
    struct eval_value value;
    const char *why;
    if (strcmp(name, "lds") == 0 || strcmp(name, "mem") == 0)
        return set_memory(sv, name[0] == 'l', v, e);
    if (eval_place(sv->ev, name, strlen(name), &p, &why) != ST_OK)
        return err_set(e, ST_INPUT, "in.%.40s: %s", name, why);
    if (p.place == PLACE_TRAPSTS)
        sv->want_trapsts = true;
    if (place_is_vector(p.place) && p.lane < 0) {
        enum status st = vector_value(name, v, p.dw, &value, e);
        if (st != ST_OK)
            return st;
    } else if (!lane_value(v, p.dw, p.lane < 0 ? 0 : (u32)p.lane, &value) ||
               (p.place == PLACE_SCC && value.dw[0][0] > 1)) {
        return err_set(e, ST_INPUT, "in.%s: not a value of this register", name);
    }
    eval_set(sv->ev, &p, &value);
    return ST_OK;
}

static enum status ask(struct service *sv, json_t *root, struct err *e)
{
    const char *name;
    json_t *v, *in = json_object_get(root, "in");
    u32 dw;
    sv->want_trapsts = false;
    eval_reset(sv->ev);
    json_object_foreach(root, name, v)
    {
        if (strcmp(name, "id") != 0 && strcmp(name, "code") != 0 && strcmp(name, "in") != 0)
            return err_set(e, ST_INPUT, "no member \"%.40s\": id, code and in are understood",
                           name);
    }
    if (in && !json_is_object(in))
        return err_set(e, ST_INPUT, "\"in\" must be an object");
    json_object_foreach(in, name, v)
    {
        enum status st = set_one(sv, name, v, e);
        if (st != ST_OK)
            return st;
    }
    enum status st = parse_code(sv, root, &dw, e);
    return st == ST_OK ? eval_run(sv->ev, sv->code, dw, e) : st;
}

/* ---- writing: by hand, because this is where the time goes ---- */

static void put(struct service *sv, const char *s, size_t n)
{
    struct text *t = &sv->text;
    if (n >= t->size - t->len) {
        t->full = true;
        return;
    }
    memcpy(t->buf + t->len, s, n);
    t->len += n;
    t->buf[t->len] = '\0';
}

static void put_hex(struct service *sv, u64 v)
{
    static const char digits[] = "0123456789abcdef";
    char s[18];
    u32 n = sizeof s;
    s[--n] = '"';
    do
        s[--n] = digits[v & 15];
    while (v >>= 4);
    s[--n] = '"';
    put(sv, s + n, sizeof s - n);
}

static void put_name(struct service *sv, const char *name)
{
    text_add(&sv->text, "%s\"%s\":", sv->first ? "" : ",", name);
    sv->first = false;
}

static void put_vector(struct service *sv, u32 place)
{
    bool same = true;
    u32 v0 = eval_now(sv->ev, place, 0);
    for (u32 lane = 1; lane < LANES; lane++)
        same &= eval_now(sv->ev, place, lane) == v0;
    if (same) {
        put_hex(sv, v0);
        return;
    }
    for (u32 lane = 0; lane < LANES; lane++) {
        put(sv, lane ? "," : "[", 1);
        put_hex(sv, eval_now(sv->ev, place, lane));
    }
    put(sv, "]", 1);
}

static void put_place(struct service *sv, u32 place)
{
    char name[PLACE_NAME_MAX];
    if (eval_is_pair(place)) {
        put_name(sv, place_pair_name((enum gen)eval_isa(sv->ev)->target->gen, place, name));
        put_hex(sv, eval_now(sv->ev, place, 0) | (u64)eval_now(sv->ev, place + 1, 0) << 32);
        return;
    }
    put_name(sv, place_name((enum gen)eval_isa(sv->ev)->target->gen, place, name));
    if (place == PLACE_SCC)
        text_add(&sv->text, "%u", eval_now(sv->ev, place, 0));
    else if (place_is_vector(place))
        put_vector(sv, place);
    else
        put_hex(sv, eval_now(sv->ev, place, 0));
}

struct byte_runs {
    struct service *sv;
    int open; /* 0: none, 1: "lds", 2: "mem" */
};

static void put_bytes(void *ctx, bool lds, u64 addr, const u8 *old, const u8 *now, u32 n)
{
    struct byte_runs *br = ctx;
    int kind = lds ? 1 : 2;
    (void)old;
    if (br->open != kind) {
        if (br->open)
            put(br->sv, "}", 1);
        put_name(br->sv, lds ? "lds" : "mem");
    }
    text_add(&br->sv->text, "%s", br->open == kind ? "," : "{");
    text_add(&br->sv->text, lds ? "\"%llu\":\"" : "\"%llx\":\"", (unsigned long long)addr);
    for (u32 i = 0; i < n; i++)
        text_add(&br->sv->text, "%02x", now[i]);
    put(br->sv, "\"", 1);
    br->open = kind;
}

/* Halves of a pair are one member; TRAPSTS is shown only if the question names it. */
static bool shown(const struct service *sv, const u16 *place, u32 i)
{
    u32 p = place[i];
    if (p == PLACE_TRAPSTS)
        return sv->want_trapsts;
    return !(eval_is_pair(p) && p & 1 && i > 0 && place[i - 1] == p - 1);
}

static void answer(struct service *sv)
{
    u16 place[PLACE_COUNT];
    u32 n = eval_changed(sv->ev, place, PLACE_COUNT);
    struct byte_runs br = { .sv = sv };
    u64 fault;
    put(sv, "\"out\":{", 7);
    sv->first = true;
    for (u32 i = 0; i < n; i++) {
        if (shown(sv, place, i))
            put_place(sv, eval_is_pair(place[i]) ? place[i] & ~1u : place[i]);
    }
    eval_changed_bytes(sv->ev, put_bytes, &br);
    put(sv, "}}", br.open ? 2 : 1);
    if (eval_faulted(sv->ev, &fault)) {
        put(sv, ",\"fault\":", 9);
        put_hex(sv, fault);
    }
    put(sv, "}\n", 2);
}

static void put_json_string(struct service *sv, const char *s)
{
    json_t *v = json_string(s);
    char *text = v ? json_dumps(v, JSON_ENCODE_ANY) : NULL;
    put(sv, text ? text : "\"?\"", text ? strlen(text) : 3);
    free(text);
    json_decref(v);
}

static void refuse(struct service *sv, const struct err *e)
{
    put(sv, "\"error\":", 8);
    put_json_string(sv, e->text);
    put(sv, "}\n", 2);
}

static void put_id(struct service *sv, const json_t *id)
{
    char *text = id ? json_dumps(id, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    put(sv, "{\"id\":", 6);
    put(sv, text ? text : "null", text ? strlen(text) : 4);
    put(sv, ",", 1);
    free(text);
}

/* Answers one line; false if the answer is an error. */
static bool serve(struct service *sv, const char *line, size_t len, u64 number)
{
    struct err e = { .text = "" };
    json_error_t je;
    json_memory_watch();
    json_t *root = json_loadb(line, len, JSON_REJECT_DUPLICATES, &je);
    text_init(&sv->text, sv->out, sizeof sv->out);
    put_id(sv, json_object_get(root, "id"));
    size_t start = sv->text.len;
    enum status st;
    if (!json_is_object(root))
        st = err_set(&e, ST_INPUT, "line %llu: %s", (unsigned long long)number,
                     root ? "not an object" : je.text);
    else
        st = ask(sv, root, &e);
    if (st == ST_OK)
        answer(sv);
    if (sv->text.full) {
        sv->text.full = false;
        sv->text.len = start;
        st = err_set(&e, ST_INPUT, "the answer is longer than 1 MiB");
    }
    if (st != ST_OK)
        refuse(sv, &e);
    json_decref(root);
    if (st == ST_WORLD && err_is_memory(&e)) {
        sv->st = st;
        sv->e = e;
    }
    if (json_memory_was_short())
        sv->st =
            err_set(&sv->e, ST_WORLD, "out of memory in line %llu", (unsigned long long)number);
    return st == ST_OK;
}

enum status eval_jsonl(struct eval *ev, FILE *in, FILE *out, bool *is_useless, struct err *e)
{
    enum status st = ST_OK;
    struct lines lines = { .file = in };
    u64 asked = 0, answered = 0;
    *is_useless = false;
    struct service *sv = calloc(1, sizeof *sv);
    if (!sv)
        return err_memory(e);
    sv->ev = ev;
    for (const char *line; st == ST_OK && (line = lines_next(&lines));) {
        if (line[strspn(line, " \t\r")] == '\0')
            continue;
        asked++;
        answered += serve(sv, line, strlen(line), lines.number);
        if (sv->st != ST_OK) {
            *e = sv->e;
            st = sv->st;
        } else if (fwrite(sv->out, 1, sv->text.len, out) != sv->text.len)
            st = err_set(e, ST_WORLD, "cannot write the answer of line %llu",
                         (unsigned long long)lines.number);
    }
    if (st == ST_OK)
        st = lines_status(&lines, e);
    if (st == ST_OK && fflush(out) != 0)
        st = err_set(e, ST_WORLD, "cannot write the answers");
    *is_useless = st == ST_OK && asked && !answered;
    free(lines.buf);
    free(sv);
    return st;
}
