/* A campaign from its start to its end: asking the DUT, planning, and the threads. */
#include "harness/campaign/cluster.h"
#include "harness/campaign/state.h"
#include "harness/campaign/watch.h"
#include "harness/io/clock.h"
#include "harness/io/pool.h"
#include "harness/io/stop.h"
#include "oracle/isa/op.h"

#include <stdlib.h>

enum { AHEAD = 1 /* batches of a thread that may wait for their turn */ };

/* ---- workers ---- */

static void close_worker(void *worker)
{
    struct campaign_worker *w = worker;
    watch_close(w->watch);
    for (u32 i = 0; i < CAMPAIGN_BATCH; i++)
        jobbuf_free(w->job[i]);
    executor_close(&w->x);
    free(w->stream);
    free(w);
}

static enum status open_worker(void *ctx, void **worker, struct err *e)
{
    struct campaign *k = ctx;
    struct executor_cfg xc = { .mcpu = k->cfg->mcpu,
                               .dut = k->cfg->dut,
                               .engine = k->cfg->engine,
                               .exact = campaign_is_exact(k->cfg),
                               .trapsts = campaign_has_trapsts(k->cfg),
                               .in_process = k->cfg->in_process,
                               .dut_time_ms = k->cfg->dut_time_ms };
    struct campaign_worker *w = calloc(1, sizeof *w);
    if (!w)
        return err_memory(e);
    if (k->cfg->voters) {
        xc.panel = k->cfg->voters->panel;
        xc.panel_count = k->cfg->voters->count - 1;
    }
    w->k = k;
    w->stream = calloc(1, sizeof *w->stream);
    bool has_memory = w->stream != NULL;
    for (u32 i = 0; i < CAMPAIGN_BATCH && has_memory; i++)
        has_memory = (w->job[i] = jobbuf_new()) != NULL;
    enum status st = has_memory ? executor_open(&w->x, &xc, e) : err_memory(e);
    if (st != ST_OK) {
        close_worker(w);
        return st;
    }
    *worker = w;
    return ST_OK;
}

/* ---- batches ---- */

static bool has_batch(void *ctx, u64 number)
{
    struct campaign *k = ctx;
    const struct campaign_cfg *cfg = k->cfg;
    u64 first;
    pthread_mutex_lock(&k->lock);
    bool stop = k->stop;
    pthread_mutex_unlock(&k->lock);
    bool late = cfg->time_ms && clock_ms() - k->start_ms >= cfg->time_ms;
    return !stop && !late && !(cfg->stop && *cfg->stop) &&
           campaign_batch_at(k, k->first + number, &first) > 0;
}

static bool do_batch(void *worker, u64 number, void *result)
{
    struct campaign_worker *w = worker;
    u64 batch = w->k->first + number;
    struct batch_out *out = w->out = result;
    u64 first;
    u32 n = campaign_batch_at(w->k, batch, &first);
    struct err e = { .text = "" };
    out->st = ST_OK;
    w->known = campaign_known(w->k, batch);
    enum status st = ST_OK;
    if (!w->known || !steer_begin(w, batch, &st, &e))
        return false;
    memset(out, 0, sizeof *out);
    if (st == ST_OK)
        st = campaign_run_batch(w, first, n, &e);
    out->st = st;
    out->e = e;
    return st == ST_OK;
}

static enum status take_batch(void *worker, u64 number, void *result, struct err *e)
{
    struct batch_out *out = result;
    struct err why = { .text = "" };
    (void)number;
    enum status st = campaign_take_batch(worker, out, &why);
    *e = out->st == ST_OK ? why : out->e;
    if (out->st != ST_OK)
        campaign_stop(((struct campaign_worker *)worker)->k);
    return out->st == ST_OK ? st : out->st;
}

static void drop_batch(void *result)
{
    campaign_out_free(result);
}

static enum status run_batches(struct campaign *k, struct campaign_worker *mine, struct err *e)
{
    struct pool_job job = { .threads = k->cfg->jobs,
                            .ahead = AHEAD,
                            .result_size = sizeof(struct batch_out),
                            .ctx = k,
                            .mine = mine,
                            .open = open_worker,
                            .close = close_worker,
                            .more = has_batch,
                            .work = do_batch,
                            .settle = take_batch,
                            .drop = drop_batch };
    return pool_run(&job, e);
}

/* ---- the whole ---- */

/* An instruction that changes nothing, of those that the DUT implements. */
static u32 choose_filler(const struct campaign_result *r)
{
    static const struct {
        u32 op, dw;
    } fillers[] = { { OP_s_nop, 0xbf800000 },
                    { OP_s_waitcnt, 0xbf8c0000 },
                    { OP_v_nop, 0x7e000000 } };
    for (u32 i = 0; i < COUNT_OF(fillers); i++)
        if (r->supported[fillers[i].op] & F_BASE)
            return fillers[i].dw;
    return 0;
}

/* Asks the DUT what it implements. What kills it alone is a finding already, and is kept out of the
 * streams. */
static enum status probe(struct campaign_worker *w, struct err *e)
{
    struct campaign *k = w->k;
    struct batch_out *out = w->out = calloc(1, sizeof *out);
    if (!out)
        return err_memory(e);
    w->is_probing = true;
    enum status st = campaign_is_exact(k->cfg) ? ST_OK : campaign_check_end(&w->x, k->cfg->mcpu, e);
    if (st == ST_OK)
        st = campaign_probe(&w->x, &k->isa, k->cfg, campaign_note_cause, w, k->r, e);
    w->is_lost = st != ST_OK;
    struct err taken = { .text = "" };
    enum status kept = ST_OK;
    for (u32 i = 0; i < out->count && kept == ST_OK; i++)
        kept = campaign_take_failure(w, &out->seen[i], &taken);
    if (st == ST_OK && kept != ST_OK) {
        st = kept;
        *e = taken;
    }
    w->is_probing = false;
    w->out = NULL;
    campaign_out_free(out);
    free(out);
    k->r->streams += k->r->forms_fatal;
    k->r->wrong += k->r->forms_fatal;
    return st;
}

static void count_drawn(struct campaign *k)
{
    for (u32 op = 1; op < isa_op_count; op++) {
        u32 forms = k->gen.forms[op] & ((1u << FORM_COUNT) - 1);
        k->r->ops_drawn += forms != 0;
        k->r->forms_drawn += popcount32(forms);
    }
}

static enum status prepare(struct campaign_worker *w, struct err *e)
{
    struct campaign *k = w->k;
    struct gen_cfg gc = gen_cfg_default;
    bool is_probed = k->state && state_is_taken(k->state);
    enum status st = is_probed ? ST_OK : probe(w, e);
    gc.seed = k->cfg->seed;
    gc.forms = k->r->supported;
    gc.common_count = k->common_count;
    for (u32 i = 0; i < k->common_count; i++)
        gc.common[i] = k->common[i];
    k->filler = choose_filler(k->r);
    if (k->cfg->length)
        gc.insns_min = gc.insns_max =
            (u32)(k->cfg->length < UINT32_MAX ? k->cfg->length : UINT32_MAX);
    gc.features = executor_features(&w->x);
    if (st == ST_OK && k->cfg->stop && *k->cfg->stop)
        return err_set(e, ST_WORLD, "%s", stop_text());
    if (st == ST_OK && k->r->ops_done == 0)
        st = err_set(e, ST_INPUT, "the DUT implements no instruction that the generator knows");
    if (st == ST_OK)
        st = steer_open_generator(k, &gc, e);
    if (st == ST_OK)
        count_drawn(k);
    if (st == ST_OK)
        st = campaign_focus(k, e);
    if (st == ST_OK)
        st = steer_ready(k, e);
    if (st == ST_OK && k->state && !is_probed)
        st = state_keep(k->state, k, e);
    campaign_count_causes(k);
    return st;
}

static enum status take_state(void *campaign, const u8 *bytes, size_t size, struct err *e)
{
    struct campaign *k = campaign;
    return state_take(k->state, k, bytes, size, e);
}

static enum status took_states(void *campaign, struct err *e)
{
    const struct campaign *k = campaign;
    return state_is_taken(k->state) ? steer_check_file(k, e) : ST_OK;
}

/* Takes what an earlier process kept, and begins to keep if it kept nothing. */
static enum status restore(struct campaign_worker *w, struct err *e)
{
    struct campaign *k = w->k;
    const struct campaign_cfg *cfg = k->cfg;
    memcpy(k->r->dut_name, w->x.dut->name, sizeof k->r->dut_name);
    memcpy(k->r->dut_version, w->x.dut->version, sizeof k->r->dut_version);
    enum status st = cfg->begin ? cfg->begin(cfg->arg, e) : ST_OK;
    if (st == ST_OK && (cfg->store || cfg->restore))
        st = state_open(w, &k->state, e);
    const struct journal_taker taker = { .take = take_state, .taken = took_states, .arg = k };
    if (st == ST_OK && cfg->restore)
        st = cfg->restore(cfg->arg, &taker, e);
    if (st == ST_OK)
        steer_begin_counts(k, k->state && state_is_taken(k->state));
    if (st == ST_OK && k->state && !state_has_origin(k->state))
        st = state_keep(k->state, k, e);
    k->first = k->taken;
    k->stop = k->r->is_cut;
    if (st == ST_OK && k->first && cfg->progress)
        progress_set(cfg->progress, k->r->streams - k->r->forms_fatal, k->r->cause_count);
    return st;
}

/* What grows in the campaign. */
static enum status open_campaign(struct campaign *k, struct err *e)
{
    k->start_ms = clock_ms();
    k->seen = calloc(KINDS, sizeof *k->seen);
    k->prefix = calloc(KINDS, sizeof *k->prefix);
    k->known = calloc(1, sizeof *k->known);
    return k->seen && k->prefix && k->known ? ST_OK : err_memory(e);
}

static void free_campaign(struct campaign *k)
{
    for (struct known *next, *n = k->known; n; n = next) {
        next = n->next;
        free(n);
    }
    state_free(k->state);
    free(k->found);
    for (u32 i = 0; i < k->common_count; i++)
        free(k->common[i]);
    steer_close(k);
    corpus_close(k->corpus);
    free(k->seen);
    free(k->prefix);
    free(k);
}

static void tell_wanted(struct campaign *k)
{
    k->r->wanted = campaign_wanted(k);
    if (k->cfg->progress)
        k->cfg->progress->total = k->r->wanted == CAMPAIGN_OPEN ? 0 : k->r->wanted;
}

enum status campaign_run(const struct campaign_cfg *cfg, struct campaign_result *r, struct err *e)
{
    struct campaign *k = calloc(1, sizeof *k);
    void *mine = NULL;
    *r = (struct campaign_result){ .wanted = CAMPAIGN_OPEN };
    if (!k)
        return err_memory(e);
    k->cfg = cfg;
    k->r = r;
    pthread_mutex_init(&k->lock, NULL);
    pthread_cond_init(&k->changed, NULL);
    enum status st = open_campaign(k, e);
    if (st == ST_OK)
        st = isa_open_modelled(&k->isa, cfg->mcpu, e);
    if (st == ST_OK && cfg->corpus)
        st = corpus_open(cfg->corpus, &k->corpus, e);
    if (k->corpus)
        corpus_hash(k->corpus, r->corpus_hash);
    if (st == ST_OK)
        st = campaign_open_common(k, e);
    if (st == ST_OK)
        st = steer_open(k, e);
    if (st == ST_OK)
        tell_wanted(k);
    if (st == ST_OK)
        st = open_worker(k, &mine, e);
    if (st == ST_OK) {
        st = restore(mine, e);
        if (st != ST_OK) { /* another's is not shown */
            campaign_result_free(r);
            *r = (struct campaign_result){ .wanted = CAMPAIGN_OPEN };
        }
    }
    if (st == ST_OK)
        st = prepare(mine, e);
    if (st == ST_OK)
        st = run_batches(k, mine, e);
    if (mine)
        close_worker(mine);
    struct err late = { .text = "" };
    enum status kept = campaign_keep_rest(k, st == ST_OK ? e : &late);
    st = st == ST_OK ? kept : st;
    kept = campaign_sync(k, st == ST_OK ? e : &late);
    st = st == ST_OK ? kept : st;
    kept = steer_finish(k, k->state ? state_counts(k->state) : NULL, st == ST_OK ? e : &late);
    st = st == ST_OK ? kept : st;
    if (k->seen && !cluster_find(r, k->seen) && st == ST_OK)
        st = err_memory(e);
    pthread_cond_destroy(&k->changed);
    pthread_mutex_destroy(&k->lock);
    free_campaign(k);
    return st;
}
