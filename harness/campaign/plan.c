/* Which streams a campaign consists of. */
#include "harness/campaign/internal.h"
#include "harness/case/only.h"

#include <stdlib.h>

enum { POISON_STREAMS = 8 * CAMPAIGN_BATCH };

/* The stream of a number. Registers that are not set hold the same poison in many one after the other:
 * a model lays it once, and puts back what a program wrote. */
enum status campaign_stream(const struct campaign *k, u64 index, struct stream *s, struct err *e)
{
    enum status st;
    if (k->corpus)
        return corpus_stream(k->corpus, &k->gen, index, s, e);
    i32 form = campaign_form(k);
    u64 number = k->focus_count ? index / k->focus_count : 0;
    if (k->gen.is_steered || !k->focus_count)
        st = gen_stream(&k->gen, index, s);
    else if (form >= 0)
        st = gen_stream_in(&k->gen, k->focus[index % k->focus_count], (enum isa_form)form, number,
                           s);
    else
        st = gen_stream_of(&k->gen, k->focus[index % k->focus_count], number, s);
    s->poison = hash_mix(k->cfg->seed, index / POISON_STREAMS) | 2;
    return st == ST_OK ? ST_OK : err_memory(e);
}

/* Over all shards; 0: until the time is up. */
static u64 all_streams(const struct campaign *k)
{
    return k->corpus ? corpus_count(k->corpus) : k->cfg->count;
}

u64 campaign_wanted(const struct campaign *k)
{
    const struct campaign_cfg *cfg = k->cfg;
    u64 count = all_streams(k), round = (u64)cfg->shards * CAMPAIGN_BATCH;
    u64 before = (u64)cfg->shard * CAMPAIGN_BATCH, last = count % round;
    if (cfg->has_stream)
        return 1;
    if (!count)
        return CAMPAIGN_OPEN;
    last = last > before ? last - before : 0;
    return count / round * CAMPAIGN_BATCH + (last < CAMPAIGN_BATCH ? last : CAMPAIGN_BATCH);
}

u32 campaign_batch_at(const struct campaign *k, u64 batch, u64 *first)
{
    const struct campaign_cfg *cfg = k->cfg;
    u64 count = all_streams(k);
    if (cfg->has_stream) {
        *first = cfg->stream;
        return batch == 0;
    }
    *first = (batch * cfg->shards + cfg->shard) * CAMPAIGN_BATCH;
    if (count == 0)
        return CAMPAIGN_BATCH;
    if (*first >= count)
        return 0;
    return count - *first < CAMPAIGN_BATCH ? (u32)(count - *first) : CAMPAIGN_BATCH;
}

static enum status add_common(struct campaign *k, const struct only_name *name, struct err *e)
{
    char mcpu[32], why[sizeof e->text];
    struct isa *isa = calloc(1, sizeof *isa);
    if (!isa)
        return err_memory(e);
    if (k->common_count == GEN_COMMON_MAX) {
        free(isa);
        return err_set(e, ST_INPUT, "--common: more than %d processors", GEN_COMMON_MAX);
    }
    k->common[k->common_count++] = isa;
    snprintf(mcpu, sizeof mcpu, "%.*s", (int)name->len, name->text);
    enum status st = isa_open_modelled(isa, mcpu, e);
    if (st != ST_OK) {
        snprintf(why, sizeof why, "%s", e->text);
        return err_set(e, st, "--common: %.220s", why);
    }
    for (u32 i = 0; i + 1 < k->common_count; i++)
        if (k->common[i]->target == isa->target)
            return err_set(e, ST_INPUT, "--common: %s stands there twice", mcpu);
    return ST_OK;
}

enum status campaign_open_common(struct campaign *k, struct err *e)
{
    struct only_name name;
    bool is_there = !k->cfg->common;
    enum status st = ST_OK;
    for (bool more = only_first(k->cfg->common, &name); more && st == ST_OK;
         more = only_next(&name))
        st = add_common(k, &name, e);
    for (u32 i = 0; i < k->common_count && st == ST_OK; i++)
        is_there |= k->common[i]->target == k->isa.target && k->common[i]->ecc == k->isa.ecc;
    if (st == ST_OK && !is_there)
        st = err_set(e, ST_INPUT, "--common does not name %s, whose programs are to run",
                     k->cfg->mcpu);
    return st;
}

i32 campaign_form(const struct campaign *k)
{
    for (u32 form = 0; k->cfg->form && form < FORM_COUNT; form++)
        if (strcmp(k->cfg->form, isa_form_names[form]) == 0)
            return (i32)form;
    return k->cfg->form ? FORM_BASE : -1; /* where there is no other, it is called "base" */
}

/* Of the opcodes chosen, those that have the form. */
static enum status keep_form(struct campaign *k, struct err *e)
{
    i32 form = campaign_form(k);
    u32 kept = 0, count = k->focus_count ? k->focus_count : k->gen.op_count;
    const u16 *from = k->focus_count ? k->focus : k->gen.op;
    if (form < 0)
        return ST_OK;
    for (u32 i = 0; i < count; i++)
        if (k->gen.forms[from[i]] >> form & 1)
            k->focus[kept++] = from[i];
    k->focus_count = kept;
    return kept ? ST_OK
                : err_set(e, ST_INPUT, "--form %s: none of the opcodes has it", k->cfg->form);
}

/* Why random programs have nothing of what a name of --only means. */
static enum status say_no_focus(const struct campaign *k, const struct only_name *name,
                                struct err *e)
{
    bool is_modelled = false, is_refused = false, is_skipped = false;
    for (u32 op = 0; op < isa_op_count; op++) {
        if (!only_is_op(name, &k->isa, op))
            continue;
        bool is_drawn = gen_forms(&k->isa, op) != 0;
        is_modelled |= isa_modelled(op);
        is_refused |= is_drawn && !k->r->supported[op];
        is_skipped |= is_drawn && only_lists_op(k->cfg->skip, &k->isa, op);
    }
    return err_set(e, ST_INPUT,
                   is_skipped   ? "--only names '%.*s', and --skip leaves it out"
                   : is_refused ? "--only: the DUT does not implement '%.*s'"
                   : is_modelled && k->cfg->common
                       ? "--only: '%.*s' is not the same on all processors of --common"
                   : is_modelled ? "--only: random programs do not turn around '%.*s'"
                                 : "--only: '%.*s' is not modelled",
                   (int)(name->len < 60 ? name->len : 60), name->text);
}

bool campaign_is_exact(const struct campaign_cfg *cfg)
{
    bool is_exact = cfg->voters || dut_is_exact(cfg->dut);
    for (u32 i = 0; cfg->voters && i + 1 < cfg->voters->count; i++)
        is_exact = is_exact && dut_is_exact(cfg->voters->panel[i]);
    return is_exact;
}

/* Opcodes that --only names: "v_add_u32,vop2". */
enum status campaign_focus(struct campaign *k, struct err *e)
{
    struct only_name name;
    bool more = only_first(k->cfg->only, &name);
    for (; more && *name.text; more = only_next(&name)) {
        u32 before = k->focus_count;
        for (u32 i = 0; i < isa_op_count; i++)
            for (u32 g = 0; only_is_op(&name, &k->isa, i) && g < k->gen.op_count &&
                            k->focus_count < isa_op_count;
                 g++)
                if (k->gen.op[g] == i)
                    k->focus[k->focus_count++] = (u16)i;
        if (k->focus_count == before)
            return say_no_focus(k, &name, e);
    }
    return keep_form(k, e);
}
