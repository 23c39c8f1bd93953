/* Reading finding.json. Files come from elsewhere: everything is checked, and what is wrong is
 * named. */
#include "harness/finding/internal.h"
#include "harness/io/file.h"
#include "reports/file/json_memory.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { JSON_BYTES_MAX = 1 << 24, STEPS_MAX = 1000000 };

static const char *const tier_names[] = {
    [TIER_END] = "end", [TIER_STEP] = "step", [TIER_PREFIX] = "interaction"
};

static enum status bad(struct err *e, const char *what)
{
    return err_set(e, ST_INPUT, "%s is missing or wrong", what);
}

static enum status get_text(const json_t *o, const char *key, char *dst, size_t size, struct err *e)
{
    const char *s = json_string_value(json_object_get(o, key));
    if (!s || strlen(s) >= size)
        return bad(e, key);
    memcpy(dst, s, strlen(s) + 1);
    return ST_OK;
}

static enum status get_int(const json_t *o, const char *key, u64 max, u64 *v, struct err *e)
{
    const json_t *j = json_object_get(o, key);
    if (!json_is_integer(j) || json_integer_value(j) < 0 || (u64)json_integer_value(j) > max)
        return bad(e, key);
    *v = (u64)json_integer_value(j);
    return ST_OK;
}

/* Hex digits, with or without 0x. */
static bool parse_hex(const json_t *j, u32 digits_max, u64 *v)
{
    const char *s = json_string_value(j);
    if (!s)
        return false;
    if (s[0] == '0' && s[1] == 'x')
        s += 2;
    size_t n = strlen(s);
    if (n == 0 || n > digits_max || strspn(s, "0123456789abcdefABCDEF") != n)
        return false;
    *v = strtoull(s, NULL, 16);
    return true;
}

static enum status get_hex(const json_t *o, const char *key, u64 *v, struct err *e)
{
    return parse_hex(json_object_get(o, key), 16, v) ? ST_OK : bad(e, key);
}

static u32 nibble(char c)
{
    return (u32)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

static enum status get_bytes(const json_t *o, const char *key, u8 *dst, u32 size, struct err *e)
{
    const char *s = json_string_value(json_object_get(o, key));
    size_t n = s ? strlen(s) : 1;
    if (n % 2 || n / 2 > size || strspn(s, "0123456789abcdefABCDEF") != n)
        return bad(e, key);
    memset(dst, 0, size);
    for (size_t i = 0; i < n / 2; i++)
        dst[i] = (u8)(nibble(s[i * 2]) << 4 | nibble(s[i * 2 + 1]));
    return ST_OK;
}

/* An array of dwords in hex; -1 if it is none or too long. */
static int get_dwords(const json_t *a, u32 *dst, u32 max)
{
    u64 v;
    if (!json_is_array(a) || json_array_size(a) > max)
        return -1;
    for (size_t i = 0; i < json_array_size(a); i++) {
        if (!parse_hex(json_array_get(a, i), 8, &v))
            return -1;
        dst[i] = (u32)v;
    }
    return (int)json_array_size(a);
}

static enum status read_set(const json_t *o, struct stream *s, struct err *e)
{
    u64 wave = 0, place = 0, v = 0;
    const json_t *value = json_object_get(o, "value");
    if (s->set_count == STREAM_SETS_MAX || get_int(o, "wave", s->waves - 1u, &wave, e) != ST_OK ||
        get_int(o, "place", GCNCHECK_PLACES - 1, &place, e) != ST_OK ||
        dut_place_class((u32)place) == CLASS_COUNT || (place >= PLACE_A0 && place < PLACE_SCC))
        return bad(e, "set");
    u32 n = GCNCHECK_PLACE_DW(place), *dst = s->values + s->value_dw;
    if (s->value_dw + n > STREAM_VALUES_MAX)
        return bad(e, "set");
    if (json_is_array(value) ? get_dwords(value, dst, n) != (int)n : !parse_hex(value, 8, &v))
        return bad(e, "value");
    for (u32 i = 0; i < n && !json_is_array(value); i++)
        dst[i] = (u32)v;
    s->set[s->set_count++] = (struct stream_set){ (u16)wave, (u16)place, s->value_dw };
    s->value_dw += n;
    return ST_OK;
}

static enum status read_window(const json_t *o, struct stream *s, struct err *e)
{
    u64 size = 0;
    if (s->window_count == STREAM_WINDOWS_MAX)
        return bad(e, "windows");
    struct stream_window *w = &s->window[s->window_count++];
    enum status st = get_hex(o, "address", &w->address, e);
    if (st == ST_OK)
        st = get_int(o, "size", STREAM_WINDOW_MAX, &size, e);
    w->size = (u32)size;
    w->read_only = json_is_true(json_object_get(o, "read_only"));
    return st == ST_OK ? get_bytes(o, "bytes", w->bytes, w->size, e) : st;
}

static enum status read_lists(const json_t *o, struct stream *s, struct err *e)
{
    const json_t *set = json_object_get(o, "set"), *windows = json_object_get(o, "windows");
    enum status st = ST_OK;
    int n = get_dwords(json_object_get(o, "code"), s->code, STREAM_DW_MAX);
    if (n < 1)
        return bad(e, "code");
    s->code_dw = (u32)n;
    if (!json_is_array(set) || !json_is_array(windows))
        return bad(e, json_is_array(set) ? "windows" : "set");
    for (size_t i = 0; i < json_array_size(set) && st == ST_OK; i++)
        st = read_set(json_array_get(set, i), s, e);
    for (size_t i = 0; i < json_array_size(windows) && st == ST_OK; i++)
        st = read_window(json_array_get(windows, i), s, e);
    return st;
}

static enum status read_stream(const json_t *root, const char *key, const struct isa *isa,
                               struct stream *s, struct err *e)
{
    const json_t *o = json_object_get(root, key);
    u64 waves = 0, steps = 0, lds = 0;
    enum status st = json_is_object(o) ? ST_OK : bad(e, key);
    s->mcpu = isa->target->mcpu;
    if (st == ST_OK)
        st = get_hex(o, "pc", &s->pc, e);
    if (st == ST_OK)
        st = get_hex(o, "poison", &s->poison, e);
    if (st == ST_OK)
        st = get_int(o, "waves", STREAM_WAVES_MAX, &waves, e);
    if (st == ST_OK && waves == 0)
        st = bad(e, "waves");
    if (st == ST_OK)
        st = get_int(o, "max_steps", STEPS_MAX, &steps, e);
    if (st == ST_OK)
        st = get_int(o, "lds_size", STREAM_LDS_MAX, &lds, e);
    s->waves = (u16)waves;
    s->max_steps = (u32)steps;
    s->lds_size = (u32)lds;
    if (st == ST_OK)
        st = get_bytes(o, "lds", s->lds, s->lds_size, e);
    return st == ST_OK ? read_lists(o, s, e) : st;
}

static enum status read_tier(const json_t *root, struct finding *f, struct err *e)
{
    const char *tier = json_string_value(json_object_get(root, "tier"));
    for (u8 i = 0; tier && i < COUNT_OF(tier_names); i++)
        if (strcmp(tier, tier_names[i]) == 0) {
            f->tier = i;
            return ST_OK;
        }
    return bad(e, "tier");
}

static enum status read_insn(const json_t *root, const struct isa *isa, struct finding *f,
                             struct err *e)
{
    u32 dw[INSN_DW_MAX];
    int n = get_dwords(json_object_get(root, "instruction"), dw, INSN_DW_MAX);
    memset(&f->insn, 0, sizeof f->insn);
    if (n < 0 || (n > 0 && !insn_decode(isa, dw, (u32)n, &f->insn, NULL)))
        return bad(e, "instruction");
    return n == 0 && f->tier == TIER_STEP ? bad(e, "instruction") : ST_OK;
}

/* The instruction is that of the minimal program, or the file was changed by hand. */
static enum status check_insn(const struct isa *isa, struct finding *f, struct err *e)
{
    struct insn named = f->insn;
    finding_count_insns(isa, f);
    return f->insn.op == named.op && f->insn.word == named.word && f->insn.lit == named.lit
               ? ST_OK
               : bad(e, "instruction");
}

static enum status read_what(const json_t *o, u8 *what, struct err *e)
{
    const char *name = json_string_value(json_object_get(o, "what"));
    for (u8 i = 0; name && i < DIFF_WHAT_COUNT; i++)
        if (strcmp(name, judge_what_name((enum diff_what)i)) == 0) {
            *what = i;
            return ST_OK;
        }
    return bad(e, "what");
}

static enum status read_diff(const json_t *o, struct diff *d, struct err *e)
{
    u64 wave = 0, place = 0, lane = 0, start = 0, want = 0, got = 0;
    enum status st = read_what(o, &d->what, e);
    if (st == ST_OK)
        st = get_int(o, "wave", STREAM_WAVES_MAX - 1, &wave, e);
    if (st == ST_OK)
        st = get_int(o, "place", PLACE_LDS, &place, e);
    if (st == ST_OK && place < PLACE_MEM && dut_place_class((u32)place) == CLASS_COUNT)
        st = bad(e, "place");
    if (st == ST_OK)
        st = get_int(o, "lane", LANES - 1, &lane, e);
    if (st == ST_OK)
        st = get_hex(o, "address", &d->addr, e);
    if (st == ST_OK && (!parse_hex(json_object_get(o, "start"), 8, &start) ||
                        !parse_hex(json_object_get(o, "want"), 8, &want) ||
                        !parse_hex(json_object_get(o, "got"), 8, &got)))
        st = bad(e, "want");
    d->wave = (u16)wave;
    d->place = (u16)place;
    d->lane = (u8)lane;
    d->start = (u32)start;
    d->want = (u32)want;
    d->got = (u32)got;
    return st;
}

static enum status read_judgement(const json_t *root, struct finding *f, struct err *e)
{
    const json_t *o = json_object_get(root, "difference"), *diffs = json_object_get(o, "diffs");
    u64 outcome = 0, total = 0;
    f->j = (struct judgement){ 0 };
    enum status st = read_what(o, &f->j.what, e);
    if (st == ST_OK)
        st = get_int(o, "outcome", OUT_COUNT - 1, &outcome, e);
    if (st == ST_OK)
        st = get_int(o, "total", UINT32_MAX, &total, e);
    if (st == ST_OK && (!json_is_array(diffs) || json_array_size(diffs) > DIFFS_MAX))
        st = bad(e, "diffs");
    f->j.verdict = f->j.what == DIFF_NONE ? JUDGED_RIGHT : JUDGED_WRONG;
    f->j.outcome = (u8)outcome;
    f->j.diff_total = (u32)total;
    for (size_t i = 0; st == ST_OK && i < json_array_size(diffs); i++)
        st = read_diff(json_array_get(diffs, i), &f->j.diff[f->j.diff_count++], e);
    return st == ST_OK ? get_text(o, "reason", f->j.reason, sizeof f->j.reason, e) : st;
}

static enum status read_texts(const json_t *root, struct finding *f, struct err *e)
{
    const struct {
        const char *key;
        char *dst;
        size_t size;
    } texts[] = { { "id", f->id, sizeof f->id },
                  { "mcpu", f->mcpu, sizeof f->mcpu },
                  { "dut", f->dut, sizeof f->dut },
                  { "dut_name", f->dut_name, sizeof f->dut_name },
                  { "dut_version", f->dut_version, sizeof f->dut_version } };
    char format[64];
    enum status st = get_text(root, "format", format, sizeof format, e);
    if (st == ST_OK && strcmp(format, "gcncheck-finding 1") != 0 &&
        strcmp(format, "gcncheck-finding 2") != 0)
        st = err_set(e, ST_INPUT, "format '%s' is not gcncheck-finding 1 or 2", format);
    for (size_t i = 0; i < COUNT_OF(texts) && st == ST_OK; i++)
        st = get_text(root, texts[i].key, texts[i].dst, texts[i].size, e);
    /* Where it is missing, the spec is taken as it was given. */
    memcpy(f->dut_absolute, f->dut, sizeof f->dut);
    if (st == ST_OK && json_object_get(root, "dut_absolute"))
        st = get_text(root, "dut_absolute", f->dut_absolute, sizeof f->dut_absolute, e);
    /* The name is that of a folder. */
    if (st == ST_OK &&
        (f->id[0] == '.' || f->id[0] == '\0' || strchr(f->id, '/') || !finding_is_shown(f->id)))
        st = bad(e, "id");
    return st;
}

/* A text that need not be there. */
static void read_note(const json_t *root, const char *key, char *dst, size_t size)
{
    const char *text = json_string_value(json_object_get(root, key));
    dut_clean_text(dst, size, text ? text : "", text ? strlen(text) : 0);
}

static void read_votes(const json_t *votes, struct finding *f)
{
    f->votes = 0;
    for (size_t i = 0; i < json_array_size(votes) && i < FINDING_VOTES_MAX; i++) {
        const char *text = json_string_value(json_array_get(votes, i));
        if (text)
            dut_clean_text(f->vote[f->votes++], sizeof f->vote[0], text, strlen(text));
    }
}

static enum status read_numbers(const json_t *root, struct finding *f, struct err *e)
{
    u64 step = 0, marker = 0;
    enum status st = get_hex(root, "seed", &f->seed, e);
    if (st == ST_OK)
        st = get_hex(root, "number", &f->number, e);
    if (st == ST_OK)
        st = get_int(root, "step", UINT32_MAX, &step, e);
    if (st == ST_OK)
        st = get_int(root, "marker", 101, &marker, e);
    f->step = (u32)step;
    f->marker = (u16)marker;
    f->exact = json_is_true(json_object_get(root, "exact"));
    f->trapsts = json_is_true(json_object_get(root, "trapsts"));
    f->repeats = json_is_true(json_object_get(root, "repeats"));
    read_note(root, "ledger", f->ledger, sizeof f->ledger);
    read_note(root, "file", f->file, sizeof f->file);
    read_note(root, "like", f->like, sizeof f->like);
    read_note(root, "fails", f->fails, sizeof f->fails);
    read_note(root, "stands", f->stands, sizeof f->stands);
    read_votes(json_object_get(root, "votes"), f);
    return st == ST_OK ? read_tier(root, f, e) : st;
}

static enum status read_fields(const json_t *root, struct finding *f, struct err *e)
{
    struct isa *isa = malloc(sizeof *isa);
    if (!isa)
        return err_memory(e);
    enum status st = read_texts(root, f, e);
    if (st == ST_OK)
        st = isa_open_modelled(isa, f->mcpu, e);
    if (st == ST_OK)
        st = read_numbers(root, f, e);
    if (st == ST_OK)
        st = read_insn(root, isa, f, e);
    if (st == ST_OK)
        st = read_judgement(root, f, e);
    if (st == ST_OK)
        st = read_stream(root, "minimal", isa, f->minimal, e);
    if (st == ST_OK)
        st = read_stream(root, "original", isa, f->original, e);
    if (st == ST_OK)
        st = check_insn(isa, f, e);
    free(isa);
    return st;
}

enum status finding_read(const char *folder, struct finding **out, struct err *e)
{
    char path[1024];
    struct stat sb;
    u8 *bytes = NULL;
    size_t size = 0;
    json_error_t je;
    struct finding *f = NULL;
    json_memory_watch();
    bool is_dir = stat(folder, &sb) == 0 && S_ISDIR(sb.st_mode);
    int n = snprintf(path, sizeof path, "%s%s", folder, is_dir ? "/finding.json" : "");
    if (n < 0 || (size_t)n >= sizeof path)
        return err_set(e, ST_INPUT, "the name of the finding is too long");
    if (!finding_is_shown(path)) {
        err_set(e, ST_INPUT, "its name holds what a terminal would obey: rename it");
        file_error(e, path, 0);
        return ST_INPUT;
    }
    enum status st = file_read(path, JSON_BYTES_MAX, &bytes, &size, e);
    if (st == ST_OK)
        st = finding_check_seal(bytes, size, e);
    if (st == ST_OK)
        st = finding_new(&f, e);
    json_t *root = NULL;
    int line = 0;
    if (st == ST_OK) {
        root = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &je);
        line = root ? 0 : je.line;
        st = !root                   ? err_set(e, ST_INPUT, "%s", je.text)
             : !json_is_object(root) ? err_set(e, ST_INPUT, "not a finding")
                                     : read_fields(root, f, e);
    }
    /* Not only where there is nothing: what was read then may lack a letter. */
    if (st != ST_WORLD && json_memory_was_short())
        st = err_memory(e);
    if (st == ST_INPUT)
        file_error(e, path, line);
    json_decref(root);
    free(bytes);
    if (st != ST_OK) {
        finding_free(f);
        return st;
    }
    *out = f;
    return ST_OK;
}
