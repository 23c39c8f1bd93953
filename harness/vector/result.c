#include "harness/vector/result.h"

#include "oracle/state/place.h"

#include <ctype.h>
#include <stdlib.h>

#define SET_TEXT(field, t) RESULT_SET(field, "%.*s", (t).len, (t).at)

/* "cases/vop2/v_add_u32.case:12" */
static void set_from(struct result *r, struct gcncheck_text from)
{
    char text[300], *colon;
    snprintf(text, sizeof text, "%.*s", from.len, from.at);
    colon = strrchr(text, ':');
    if (colon) {
        r->line = (u32)strtoul(colon + 1, NULL, 10);
        *colon = '\0';
    }
    RESULT_SET(r->file, "%s", text);
}

static void describe(const struct gcncheck_vector *v, const char *dut, u32 row, struct result *r)
{
    const struct gcncheck_vector_row *from = &v->row[row];
    struct gcncheck_text first = v->text;
    const char *line = memchr(first.at, '\n', (size_t)first.len);
    result_init(r);
    SET_TEXT(r->id, from->id);
    set_from(r, from->from);
    SET_TEXT(r->encoding, v->encoding);
    for (char *c = r->encoding; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    SET_TEXT(r->mnemonic, v->mnemonic);
    SET_TEXT(r->form, v->form);
    SET_TEXT(r->mcpu, v->mcpu);
    SET_TEXT(r->ledger, from->errata);
    RESULT_SET(r->title, "vector %u", v->number);
    RESULT_SET(r->dut, "%s", dut);
    RESULT_SET(r->against, "expected");
    if (line)
        SET_TEXT(r->program, v->text);
    if (line)
        first.len = (int)(line - first.at);
    SET_TEXT(r->insn, first);
}

struct filling {
    const struct gcncheck_vector *v;
    struct result *r;
};

static void add_diff(void *ctx, const struct gcncheck_vector_diff *d)
{
    const struct filling *f = ctx;
    struct result_diff *to = result_add_diff(&f->r[d->row]);
    char name[PLACE_NAME_MAX];
    if (!to)
        return;
    bool is_memory = d->place == GCNCHECK_VECTOR_MEMORY;
    *to = (struct result_diff){ .lane = -1 };
    if (is_memory && f->v->memory[d->memory].is_lds)
        RESULT_SET(to->place, "lds[%u].b32", d->at);
    else if (is_memory)
        RESULT_SET(to->place, "mem[0x%llx].b32",
                   (unsigned long long)f->v->memory[d->memory].address + d->at);
    else
        RESULT_SET(to->place, "%s", place_name(PLACE_GEN, d->place, name));
    if (!is_memory && (GCNCHECK_PLACE_DW(d->place) > 1 || d->lane > 0))
        to->lane = (i32)d->lane;
    RESULT_SET(to->want, "0x%08x", d->want);
    RESULT_SET(to->got, "0x%08x", d->got);
    SET_TEXT(to->acceptance, d->rule);
}

/* Whether a difference of the row is below the gate. */
static bool is_todo(const struct gcncheck_vector_row *row, enum evidence gate)
{
    for (u32 i = 0; i < (u32)gate; i++)
        if (gcncheck_text_is(row->evidence, evidence_names[i]))
            return true;
    return false;
}

/* How many of the places that the vector names the device cannot show; that others stay as they were
 * is not asked of it. */
static u32 hidden_ends(const struct gcncheck_vector *v, const struct gcncheck_answer *a)
{
    u32 count = 0;
    for (u32 i = 0; i < a->hidden_count; i++) {
        bool is_named = false;
        for (u32 k = 0; k < v->end_count; k++)
            is_named |= v->end[k].place == a->hidden[i];
        for (u32 k = 0; k < v->accept_count; k++)
            is_named |= v->accept[k].place == a->hidden[i];
        count += is_named;
    }
    return count;
}

void vector_results(const struct gcncheck_vector *v, const struct gcncheck_answer *a,
                    const char *dut, enum evidence gate, struct result *r)
{
    struct filling f = { v, r };
    bool is_done = gcncheck_text_is(a->outcome, "done"),
         is_skip = gcncheck_text_is(a->outcome, "unsupported");
    u32 hidden = hidden_ends(v, a);
    for (u32 i = 0; i < v->row_count; i++)
        describe(v, dut, i, &r[i]);
    if (is_done)
        gcncheck_answer_judge(v, a, add_diff, &f);
    for (u32 i = 0; i < v->row_count; i++) {
        if (is_done && hidden)
            RESULT_SET(r[i].narrowed, "%u place%s not shown", hidden, hidden == 1 ? "" : "s");
        if (!is_done) {
            r[i].status = is_skip ? RESULT_SKIP : RESULT_NOT_OK;
            if (is_skip)
                RESULT_SET(r[i].reason, RESULT_UNIMPLEMENTED);
            else
                SET_TEXT(r[i].reason, a->outcome);
            SET_TEXT(r[i].detail, a->reason);
        } else if (r[i].diff_count) {
            r[i].status = is_todo(&v->row[i], gate) ? RESULT_TODO : RESULT_NOT_OK;
        }
    }
}
