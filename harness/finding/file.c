/* The texts of a finding's files but report.txt. */
#include "harness/finding/internal.h"
#include "oracle/isa/op.h"
#include "oracle/state/effects.h"
#include "oracle/state/place.h"
#include "reports/file/json_memory.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define FINDING_FORMAT "gcncheck-finding 2"

/* ---- out ---- */

static json_t *hex_number(u64 v)
{
    return json_sprintf("0x%" PRIx64, v);
}

static json_t *hex_bytes(const u8 *bytes, u32 size)
{
    static const char digits[] = "0123456789abcdef";
    while (size > 0 && bytes[size - 1] == 0) /* what is missing at the end is zero */
        size--;
    char *text = json_memory_get(size * 2 + 1);
    if (!text)
        return NULL;
    for (u32 i = 0; i < size; i++) {
        text[i * 2] = digits[bytes[i] >> 4];
        text[i * 2 + 1] = digits[bytes[i] & 15];
    }
    text[size * 2] = '\0';
    json_t *j = json_string(text);
    free(text);
    return j;
}

static json_t *set_json(enum gen gen, const struct stream *s, const struct stream_set *set)
{
    char name[PLACE_NAME_MAX];
    const u32 *v = s->values + set->at;
    u32 n = GCNCHECK_PLACE_DW(set->place), same = 1;
    json_t *value, *j = json_object();
    while (same < n && v[same] == v[0])
        same++;
    if (same == n) {
        value = hex_number(v[0]);
    } else {
        value = json_array();
        for (u32 i = 0; i < n; i++)
            json_array_append_new(value, hex_number(v[i]));
    }
    json_object_set_new(j, "wave", json_integer(set->wave));
    json_object_set_new(j, "place", json_integer(set->place));
    json_object_set_new(j, "name", json_string(place_name(gen, set->place, name)));
    json_object_set_new(j, "value", value);
    return j;
}

/* The objects of finding.json, a key a line, in the order in which they are written: lists that look
 * alike, of structs that have nothing in common. */
static json_t *stream_json(enum gen gen, const struct stream *s)
{
    json_t *j = json_object(), *code = json_array(), *set = json_array(), *windows = json_array();
    for (u32 i = 0; i < s->code_dw; i++)
        json_array_append_new(code, json_sprintf("%08x", s->code[i]));
    for (u32 i = 0; i < s->set_count; i++)
        json_array_append_new(set, set_json(gen, s, &s->set[i]));
    for (u32 i = 0; i < s->window_count; i++) {
        json_t *w = json_object();
        json_object_set_new(w, "address", hex_number(s->window[i].address));
        json_object_set_new(w, "size", json_integer(s->window[i].size));
        json_object_set_new(w, "read_only", json_boolean(s->window[i].read_only));
        json_object_set_new(w, "bytes", hex_bytes(s->window[i].bytes, s->window[i].size));
        json_array_append_new(windows, w);
    }
    json_object_set_new(j, "pc", hex_number(s->pc));
    json_object_set_new(j, "waves", json_integer(s->waves));
    json_object_set_new(j, "poison", hex_number(s->poison));
    json_object_set_new(j, "max_steps", json_integer(s->max_steps));
    json_object_set_new(j, "code", code);
    json_object_set_new(j, "set", set);
    json_object_set_new(j, "windows", windows);
    json_object_set_new(j, "lds_size", json_integer(s->lds_size));
    json_object_set_new(j, "lds", hex_bytes(s->lds, s->lds_size));
    return j;
}

static const char *const tier_names[] = {
    [TIER_END] = "end", [TIER_STEP] = "step", [TIER_PREFIX] = "interaction"
};

static json_t *judgement_json(const struct judgement *j)
{
    json_t *o = json_object(), *diffs = json_array();
    for (u32 i = 0; i < j->diff_count; i++) {
        const struct diff *d = &j->diff[i];
        json_t *one = json_object();
        json_object_set_new(one, "what", json_string(judge_what_name((enum diff_what)d->what)));
        json_object_set_new(one, "wave", json_integer(d->wave));
        json_object_set_new(one, "place", json_integer(d->place));
        json_object_set_new(one, "lane", json_integer(d->lane));
        json_object_set_new(one, "address", hex_number(d->addr));
        json_object_set_new(one, "start", hex_number(d->start));
        json_object_set_new(one, "want", hex_number(d->want));
        json_object_set_new(one, "got", hex_number(d->got));
        json_array_append_new(diffs, one);
    }
    json_object_set_new(o, "what", json_string(judge_what_name((enum diff_what)j->what)));
    json_object_set_new(o, "named", json_string(finding_what(j)));
    json_object_set_new(o, "outcome", json_integer(j->outcome));
    json_object_set_new(o, "reason", json_string(j->reason));
    json_object_set_new(o, "total", json_integer(j->diff_total));
    json_object_set_new(o, "diffs", diffs);
    return o;
}

static json_t *finding_json(const struct finding *f)
{
    json_t *j = json_object(), *code = json_array();
    const struct isa_target *target = isa_target_find(f->mcpu);
    enum gen gen = target ? (enum gen)target->gen : PLACE_GEN;
    u32 dw[INSN_DW_MAX], n = f->insn.op == OP_NONE ? 0 : insn_encode(&f->insn, dw);
    for (u32 i = 0; i < n; i++)
        json_array_append_new(code, json_sprintf("%08x", dw[i]));
    json_object_set_new(j, "format", json_string(FINDING_FORMAT));
    json_object_set_new(j, "id", json_string(f->id));
    json_object_set_new(j, "mcpu", json_string(f->mcpu));
    json_object_set_new(j, "dut", json_string(f->dut));
    json_object_set_new(j, "dut_absolute", json_string(f->dut_absolute));
    json_object_set_new(j, "dut_name", json_string(f->dut_name));
    json_object_set_new(j, "dut_version", json_string(f->dut_version));
    json_object_set_new(j, "seed", hex_number(f->seed));
    json_object_set_new(j, "number", hex_number(f->number));
    json_object_set_new(j, "step", json_integer(f->step));
    json_object_set_new(j, "tier", json_string(tier_names[f->tier]));
    json_object_set_new(j, "exact", json_boolean(f->exact));
    if (f->trapsts)
        json_object_set_new(j, "trapsts", json_true());
    json_object_set_new(j, "repeats", json_boolean(f->repeats));
    json_object_set_new(j, "ledger", json_string(f->ledger));
    if (f->file[0])
        json_object_set_new(j, "file", json_string(f->file));
    if (f->like[0])
        json_object_set_new(j, "like", json_string(f->like));
    if (f->fails[0])
        json_object_set_new(j, "fails", json_string(f->fails));
    if (f->stands[0]) {
        json_t *votes = json_array();
        for (u32 i = 0; i < f->votes; i++)
            json_array_append_new(votes, json_string(f->vote[i]));
        json_object_set_new(j, "stands", json_string(f->stands));
        json_object_set_new(j, "votes", votes);
    }
    json_object_set_new(j, "marker", json_integer(f->marker));
    json_object_set_new(j, "instruction", code);
    json_object_set_new(j, "length", json_integer(f->insns));
    json_object_set_new(j, "difference", judgement_json(&f->j));
    json_object_set_new(j, "minimal", stream_json(gen, f->minimal));
    json_object_set_new(j, "original", stream_json(gen, f->original));
    return j;
}

char *finding_json_text(const struct finding *f, const char *const *names, const u32 *sums,
                        u32 count)
{
    json_memory_watch();
    json_t *j = finding_json(f), *files = json_object();
    for (u32 i = 0; i < count; i++)
        json_object_set_new(files, names[i], json_sprintf("%08x", sums[i]));
    json_object_set_new(j, "files", files);
    char *text = json_dumps(j, JSON_INDENT(1) | JSON_PRESERVE_ORDER), *sealed = NULL;
    if (text && !json_memory_was_short())
        sealed = finding_seal(text);
    free(text);
    json_decref(j);
    return sealed;
}

void finding_program_text(const struct isa *isa, const struct finding *f, struct text *t)
{
    text_add(t, "// %s: the minimal program; its starting state is in finding.json\n", f->id);
    finding_add_program(isa, f, t);
}

/* ---- the directed case ---- */

static void case_input(enum gen gen, const struct gcncheck_job *job, u32 place, u64 exec,
                       struct text *t)
{
    char name[PLACE_NAME_MAX];
    u32 first = job_initial(job, 0, place, 0), same = 1, n = GCNCHECK_PLACE_DW(place);
    place_name(gen, place, name);
    while (same < n && job_initial(job, 0, place, same) == first)
        same++;
    if (same == n) {
        text_add(t, "in    %s = 0x%x\n", name, first);
        return;
    }
    for (u32 lane = 0; lane < n; lane++)
        if (exec >> lane & 1)
            text_add(t, "in    %s.lane%u = 0x%x\n", name, lane, job_initial(job, 0, place, lane));
}

/* The registers that the program reads (and those that it is given) and those that it writes. */
struct touched {
    u64 in[(GCNCHECK_PLACES + 63) / 64], out[(GCNCHECK_PLACES + 63) / 64];
};

static void find_touched(const struct isa *isa, const struct stream *s, struct touched *t)
{
    struct insn in;
    struct effects fx;
    memset(t, 0, sizeof *t);
    for (u32 i = 0; i < s->set_count; i++)
        t->in[s->set[i].place / 64] |= 1ull << s->set[i].place % 64;
    for (u32 at = 0; at < s->code_dw; at += in.dw) {
        insn_decode(isa, s->code + at, s->code_dw - at, &in, NULL);
        if (in.op == OP_NONE || !isa_modelled(in.op))
            continue;
        effects_of(&in, &fx);
        for (u32 i = 0; i < fx.count; i++)
            for (u32 p = fx.e[i].place; p < (u32)fx.e[i].place + fx.e[i].dw; p++) {
                t->in[p / 64] |= (u64)(fx.e[i].dir & DIR_R ? 1 : 0) << p % 64;
                t->out[p / 64] |= (u64)(fx.e[i].dir & DIR_W ? 1 : 0) << p % 64;
            }
    }
}

enum { LANES_LISTED = 8 };

/* A result: of a vector register the lanes that are on, unless they are many. */
static void case_output(enum gen gen, u32 place, u64 exec, struct text *t)
{
    char name[PLACE_NAME_MAX];
    place_name(gen, place, name);
    if (GCNCHECK_PLACE_DW(place) == 1 || popcount64(exec) > LANES_LISTED)
        text_add(t, "out   %s = ?\n", name);
    else
        for (u32 lane = 0; lane < LANES; lane++)
            if (exec >> lane & 1)
                text_add(t, "out   %s.lane%u = ?\n", name, lane);
}

static void case_code(const struct isa *isa, const struct stream *s, struct text *t)
{
    struct insn in;
    text_add(t, "code\n");
    for (u32 at = 0; at < s->code_dw; at += in.dw) {
        insn_decode(isa, s->code + at, s->code_dw - at, &in, NULL);
        if (in.op == OP_s_endpgm && at + 1 == s->code_dw)
            break;
        text_add(t, "    ");
        finding_add_insn(isa, &in, t);
        text_add(t, "\n");
    }
}

/* The differences seen, in comments: neither side is evidence. */
static void case_seen(enum gen gen, const struct judgement *j, struct text *t)
{
    char name[PLACE_NAME_MAX];
    for (u32 i = 0; i < j->diff_count; i++) {
        const struct diff *d = &j->diff[i];
        text_add(t, "#   %s", place_name(gen, d->place, name));
        if (GCNCHECK_PLACE_DW(d->place) > 1)
            text_add(t, ".lane%u", d->lane);
        text_add(t, ": the model gives 0x%08x, the device gave 0x%08x\n", d->want, d->got);
    }
    if (j->diff_total > j->diff_count)
        text_add(t, "#   and %u more\n", j->diff_total - j->diff_count);
}

/* Expected values are a person's: what the program announces to write stands with `?`, everything
 * else must be unchanged, as in every case. */
enum status finding_case_text(const struct isa *isa, const struct finding *f, struct text *t,
                              struct err *e)
{
    struct jobbuf *jb = jobbuf_new();
    struct touched touched;
    const struct gcncheck_job *job = jb ? stream_job_build(f->minimal, jb) : NULL;
    if (!job) {
        jobbuf_free(jb);
        return err_memory(e);
    }
    u64 exec = job_initial(job, 0, GCNCHECK_EXEC_LO, 0) |
               (u64)job_initial(job, 0, GCNCHECK_EXEC_HI, 0) << 32;
    find_touched(isa, f->minimal, &touched);
    text_add(t, "case-format 1\n# Found by gcncheck fuzz, ");
    finding_add_origin(f, t);
    text_add(
        t, ".\n"
           "# The results stand with ?, which checks nothing. Fill in what the manual says, worked "
           "out by hand,\n"
           "# never the model's value, and give the test a title of its own. Seen were:\n");
    case_seen((enum gen)isa->target->gen, &f->j, t);
    text_add(t, "\ntest %s\ntargets %s\n", f->id, f->mcpu);
    for (u32 place = 0; place < GCNCHECK_STATUS; place++)
        if (touched.in[place / 64] >> place % 64 & 1)
            case_input((enum gen)isa->target->gen, job, place, exec, t);
    case_code(isa, f->minimal, t);
    for (u32 place = 0; place < GCNCHECK_STATUS; place++)
        if (touched.out[place / 64] >> place % 64 & 1)
            case_output((enum gen)isa->target->gen, place, exec, t);
    jobbuf_free(jb);
    return ST_OK;
}

bool finding_has_case(const struct finding *f)
{
    const struct stream *s = f->minimal;
    return s->window_count == 0 && s->lds_size == 0 && s->waves == 1 && f->j.diff_count > 0;
}
