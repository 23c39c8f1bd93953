#include "harness/vote/opinion.h"

#include "oracle/base/array.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT_BYTES = 4096 };

enum status opinion_open(struct opinions *o, const struct run_cfg *cfg, struct err *e)
{
    struct dut_cfg d = { .mcpu = cfg->mcpu,
                         .time_limit_ms = cfg->dut_time_ms,
                         .in_process = cfg->in_process };
    struct dut *dut;
    *o = (struct opinions){ .dut = cfg->dut };
    enum status st = dut_open(cfg->dut, &d, &dut, e);
    if (st != ST_OK)
        return st;
    snprintf(o->name, sizeof o->name, "%s%s%s", dut->name, dut->version[0] ? " " : "",
             dut->version);
    memcpy(o->can, dut->can, sizeof o->can);
    dut_close(dut);
    return ST_OK;
}

void opinion_free(struct opinions *o)
{
    for (u32 i = 0; i < o->count; i++) {
        free(o->at[i].name);
        free(o->at[i].text);
    }
    free(o->at);
    free(o->place);
    *o = (struct opinions){ .dut = o->dut };
}

static void add_place(struct opinions *o, const struct result_diff *d)
{
    struct opinion_place *grown = o->place;
    if (o->places == o->place_cap)
        grown = array_grow(grown, &o->place_cap, o->places + 1ull, sizeof *grown);
    o->is_short |= !grown;
    if (!grown)
        return;
    o->place = grown;
    struct opinion_place *p = &grown[o->places++];
    *p = (struct opinion_place){ .lane = d->lane, .number = d->number };
    memcpy(p->place, d->place, sizeof p->place);
    memcpy(p->want, d->want, sizeof p->want);
    memcpy(p->got, d->got, sizeof p->got);
    o->at[o->count - 1].count++;
}

/* The name without the DUT, and what is shown beside it. */
static void describe(struct opinions *o, struct opinion *to, const struct result *r)
{
    struct result nameless = *r;
    char name[640], text[TEXT_BYTES];
    struct text t;
    nameless.dut[0] = nameless.against[0] = '\0';
    text_init(&t, text, sizeof text);
    text_add(&t, "  id:    %s\n", r->id);
    if (r->file[0])
        text_add(&t, "  at:    %s:%u\n", r->file, r->line);
    if (r->insn[0])
        text_add(&t, "  insn:  %s\n", r->insn);
    if (r->inputs[0])
        text_add(&t, "  in:    %s\n", r->inputs);
    to->name = strdup(result_name(&nameless, name, sizeof name));
    to->text = strdup(text);
    o->is_short |= !to->name || !to->text;
}

enum status opinion_take(void *opinions, const struct result *r, struct err *e)
{
    struct opinions *o = opinions;
    struct opinion *grown = o->at;
    u64 index = o->results++;
    o->right += r->status == RESULT_OK;
    o->skipped += r->status == RESULT_SKIP;
    o->differ += result_differs(r);
    if (r->status == RESULT_OK)
        return ST_OK;
    if (o->count == o->cap)
        grown = array_grow(grown, &o->cap, o->count + 1ull, sizeof *grown);
    o->is_short |= !grown;
    if (!grown)
        return err_memory(e);
    o->at = grown;
    struct opinion *to = &grown[o->count++];
    *to = (struct opinion){ .index = index, .status = r->status, .first = o->places };
    snprintf(to->end, sizeof to->end, "%s%s%s%s", r->reason, r->detail[0] ? " (" : "", r->detail,
             r->detail[0] ? ")" : "");
    memcpy(to->ledger, r->ledger, sizeof to->ledger);
    if (!result_differs(r))
        return ST_OK;
    describe(o, to, r);
    for (u32 i = 0; i < result_diffs_held(r); i++)
        add_place(o, &r->diff[i]);
    return o->is_short ? err_memory(e) : ST_OK;
}

void opinion_take_more(void *opinions, const struct result *r, const struct result_diff *d)
{
    struct opinions *o = opinions;
    (void)r; /* the last that was taken */
    if (o->is_short)
        return;
    if (o->at[o->count - 1].count < OPINION_PLACES_MAX)
        add_place(o, d);
    else
        o->at[o->count - 1].is_cut = true;
}
