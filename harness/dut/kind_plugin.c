/* plugin:FILE.so. The shared object lives in a forked worker; jobs and answers travel through its
 * arena. */
#include "harness/dut/batch.h"
#include "harness/dut/internal.h"
#include "harness/dut/job_arena.h"
#include "harness/dut/start.h"
#include "harness/dut/worker.h"
#include "reports/file/input.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { ARENA_BYTES = 1 << 22, EXCHANGE_BYTES = 1 << 20 };

enum command { CMD_OPEN, CMD_RUN };

/* What the worker was doing, so that a crash while opening can be reported. */
enum stage { AT_LOAD, AT_ENTRY, AT_CAN, AT_READY };
static const char *const stage_names[] = {
    [AT_LOAD] = "while it was loaded",
    [AT_ENTRY] = "in gcncheck_dut()",
    [AT_CAN] = "in can()",
    [AT_READY] = "after it was opened",
};

/* The start of the arena. Written by the worker, and by a plug-in gone wild. */
struct head {
    u32 command, count, stage;
    i32 result; /* of run() */
    struct gcncheck_job *jobs;
    char error[256]; /* of opening; empty if it went well */
    char name[64], version[64];
    i32 can[CLASS_COUNT];
    u32 has_fixed_mode, fixed_mode;
};

/* What the first version of the struct had; every field behind may be missing. */
enum { API_BYTES_MIN = offsetof(struct gcncheck_dut, has_fixed_mode) };

enum { HEAD_BYTES = 4096 };
_Static_assert(sizeof(struct head) <= HEAD_BYTES, "the head has its page");

struct plugin {
    struct dut base;
    struct batch batch;
    struct worker worker;
    struct job_dw dw[BATCH_MAX]; /* of the jobs of an exchange */
    char *file;
    const char *mcpu;
    u32 limit_ms, open_limit_ms;
    bool in_process;
    void *handle;                   /* in the worker's copy only, or in_process */
    const struct gcncheck_dut *api; /* likewise */
};

static struct head *head_of(const struct plugin *p)
{
    return (struct head *)(void *)p->worker.arena;
}

static void fail(struct head *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct head *h, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(h->error, sizeof h->error, fmt, ap);
    va_end(ap);
}

/* Runs where the plug-in lives: loads it and asks what it can do. */
static void load(struct plugin *p)
{
    struct head *h = head_of(p);
    h->stage = AT_LOAD;
    p->handle = dlopen(p->file, RTLD_NOW | RTLD_LOCAL);
    if (!p->handle) {
        const char *why = dlerror();
        fail(h, "%s", why ? why : "cannot be loaded");
        return;
    }
    const struct gcncheck_dut *(*entry)(void) = NULL;
    void *symbol = dlsym(p->handle, "gcncheck_dut");
    if (!symbol) {
        fail(h, "does not export gcncheck_dut (see harness/sdk/gcncheck_dut.h)");
        return;
    }
    memcpy(&entry, &symbol, sizeof entry);
    h->stage = AT_ENTRY;
    const struct gcncheck_dut *api = entry();
    if (!api)
        fail(h, "gcncheck_dut() answers NULL");
    else if (api->abi != GCNCHECK_DUT_ABI)
        fail(h, "speaks ABI %u, this gcncheck speaks %d: rebuild it with this gcncheck_dut.h",
             api->abi, GCNCHECK_DUT_ABI);
    else if (api->size < API_BYTES_MIN)
        fail(h, "its struct gcncheck_dut has %u bytes, not %zu", api->size, sizeof *api);
    else if (!api->run || !api->name || !api->version)
        fail(h, "name, version and run must not be NULL");
    if (h->error[0])
        return;
    dut_clean_text(h->name, sizeof h->name, api->name, strlen(api->name));
    dut_clean_text(h->version, sizeof h->version, api->version, strlen(api->version));
    bool has_mode = api->size >= offsetof(struct gcncheck_dut, fixed_mode) + sizeof api->fixed_mode;
    h->has_fixed_mode = has_mode && api->has_fixed_mode;
    h->fixed_mode = h->has_fixed_mode ? api->fixed_mode : 0;
    h->stage = AT_CAN;
    for (u32 c = 0; c < CLASS_COUNT; c++)
        h->can[c] = api->can         ? api->can(p->mcpu, dut_class_place((enum dut_class)c))
                    : c == CLASS_TBA ? GCNCHECK_NO
                                     : GCNCHECK_SHOW_SET;
    p->api = api;
    h->stage = AT_READY;
}

static void serve(void *ctx)
{
    struct plugin *p = ctx;
    struct head *h = head_of(p);
    if (h->command == CMD_OPEN)
        load(p);
    else
        h->result = p->api->run(h->jobs, h->count);
}

/* Lets the plug-in's destructors run. */
static void finish(void *ctx)
{
    struct plugin *p = ctx;
    if (p->handle)
        dlclose(p->handle);
    p->handle = NULL;
}

static const struct worker_ops worker_ops = { .serve = serve, .finish = finish };

/* Checks and takes over what load() left in the head. */
static enum status take_head(struct plugin *p, struct err *e)
{
    struct head *h = head_of(p);
    char text[200];
    if (h->error[0]) {
        dut_clean_text(text, sizeof text, h->error, sizeof h->error);
        return err_set(e, ST_INPUT, "plugin '%s': %s", p->file, text);
    }
    for (u32 c = 0; c < CLASS_COUNT; c++) {
        i32 can = h->can[c];
        if (can != GCNCHECK_NO && can != GCNCHECK_SHOW && can != GCNCHECK_SHOW_SET)
            return err_set(e, ST_INPUT, "plugin '%s': can(%u) answers %d, not 0, 1 or 3", p->file,
                           dut_class_place((enum dut_class)c), can);
        p->base.can[c] = (u8)can;
    }
    dut_clean_text(p->base.name, sizeof p->base.name, h->name, sizeof h->name);
    dut_clean_text(p->base.version, sizeof p->base.version, h->version, sizeof h->version);
    struct err why = { .text = "" };
    if (h->has_fixed_mode && dut_set_fixed_mode(&p->base, h->fixed_mode, &why) != ST_OK)
        return err_set(e, ST_INPUT, "plugin '%s': %.100s", p->file, why.text);
    return ST_OK;
}

/* Starts the worker and loads the plug-in in it, or loads it here. That one is slow need not be its
 * fault: a process with threads forks, and where the allocator is not the C library's (a
 * sanitizer's), the worker may find it locked for ever; a machine may be late. */
static enum status start(struct dut *d, u32 limit_ms, bool *slow, struct err *e)
{
    struct plugin *p = (struct plugin *)d;
    struct head *h = head_of(p);
    *slow = false;
    char how[64];
    memset(h, 0, sizeof *h);
    h->command = CMD_OPEN;
    if (p->in_process) {
        load(p);
        return take_head(p, e);
    }
    enum status st = worker_start(&p->worker, e);
    if (st != ST_OK)
        return st;
    bool babbled;
    enum child_io io = worker_call(&p->worker, limit_ms, &babbled);
    *slow = io == CHILD_SLOW;
    if (io == CHILD_OK && babbled) {
        st = err_set(e, ST_INPUT, "plugin '%s': wrote to a descriptor of gcncheck's", p->file);
    } else if (io == CHILD_OK) {
        st = take_head(p, e);
    } else {
        const char *where = stage_names[h->stage <= AT_READY ? h->stage : AT_READY];
        int none = io == CHILD_DIED ? child_unborn(&p->worker.child) : 0;
        st = none               ? err_set(e, ST_WORLD, "cannot start a process: %s", strerror(none))
             : io == CHILD_DIED ? err_set(e, ST_INPUT, "plugin '%s': crash (%s) %s", p->file,
                                          child_death(&p->worker.child, how, sizeof how), where)
                                : err_set(e, ST_INPUT, "plugin '%s': no answer in %u ms %s",
                                          p->file, limit_ms, where);
    }
    if (st != ST_OK)
        worker_forget(&p->worker);
    return st;
}

/* As many jobs as one exchange should carry: at least one. *bytes: the room they need at most. */
static u32 fitting(struct plugin *p, const struct gcncheck_job *jobs, u32 count, size_t *bytes)
{
    u32 n = 0;
    *bytes = 0;
    do {
        *bytes += job_arena_bytes(&jobs[n], &p->dw[n]);
        n++;
    } while (n < count && n < BATCH_MAX && *bytes < EXCHANGE_BYTES);
    return n;
}

/* Makes room for `bytes` of jobs and has a worker with the plug-in in it. */
static enum status prepare(struct plugin *p, size_t bytes, struct err *e)
{
    enum status st = worker_resize(&p->worker, HEAD_BYTES + bytes, e);
    if (st != ST_OK || p->in_process || worker_runs(&p->worker))
        return st;
    return dut_start_again(&p->base, start, p->open_limit_ms, e);
}

static enum status attempt(struct dut *d, struct gcncheck_job *jobs, u32 *count, u32 limit_ms,
                           struct verdict *v, struct err *e)
{
    struct plugin *p = (struct plugin *)d;
    size_t bytes;
    u32 n = *count = fitting(p, jobs, *count, &bytes);
    enum status st = prepare(p, bytes, e);
    if (st != ST_OK)
        return st;
    struct head *h = head_of(p);
    u8 *base = p->worker.arena + HEAD_BYTES;
    struct gcncheck_job *array = job_arena_store(base, p->worker.size - HEAD_BYTES, jobs, p->dw, n);
    h->command = CMD_RUN;
    h->count = n;
    h->jobs = array;
    h->result = 0;
    if (p->in_process) {
        serve(p);
    } else {
        bool babbled;
        enum child_io io = worker_call(&p->worker, limit_ms, &babbled);
        if (io != CHILD_OK)
            batch_verdict_child(v, &p->worker.child, io == CHILD_SLOW, limit_ms);
        else if (babbled)
            batch_verdict_set(v, OUT_NONSENSE, "wrote to a descriptor of gcncheck's");
    }
    const char *what = NULL;
    if (v->outcome == OUT_NOT_RUN && (what = job_arena_trespass(base, jobs, p->dw, n)))
        batch_verdict_set(v, OUT_NONSENSE, "%s", what);
    bool gave_up = v->outcome == OUT_NOT_RUN && h->result != 0;
    /* A DUT that gives up after answering its only job has still answered it. */
    if (gave_up && (n > 1 || array[0].outcome == OUT_NOT_RUN))
        batch_verdict_set(v, OUT_CRASH, "run() gave up with code %d", h->result);
    if (v->outcome == OUT_NOT_RUN)
        job_arena_collect(base, jobs, p->dw, n);
    if (v->outcome != OUT_NOT_RUN || gave_up)
        worker_stop(&p->worker, 0);
    return ST_OK;
}

static enum status plugin_run(struct dut *d, struct gcncheck_job *jobs, u32 count, struct err *e)
{
    struct plugin *p = (struct plugin *)d;
    return batch_run(&p->batch, d, attempt, p->limit_ms, jobs, count, e);
}

static void plugin_close(struct dut *d)
{
    struct plugin *p = (struct plugin *)d;
    finish(p);
    worker_close(&p->worker);
    free(p->file);
    free(p);
}

static const struct dut_ops plugin_ops = { .run = plugin_run, .close = plugin_close };

enum status dut_plugin_open(const char *file, const struct dut_cfg *cfg, struct dut **out,
                            struct err *e)
{
    struct plugin *p = calloc(1, sizeof *p);
    size_t len = strlen(file) + 3;
    if (p)
        p->file = malloc(len);
    if (!p || !p->file) {
        free(p);
        return err_memory(e);
    }
    /* A bare name would be looked up in the system's library folders. */
    snprintf(p->file, len, "%s%s", strchr(file, '/') ? "" : "./", file);
    p->base.ops = &plugin_ops;
    struct err why = { .text = "" };
    if (input_check(p->file, &why) != ST_OK) { /* the loader would wait for a FIFO */
        enum status bad = err_set(e, ST_INPUT, "plugin '%s': %.60s", p->file, why.text);
        free(p->file);
        free(p);
        return bad;
    }
    p->mcpu = cfg->mcpu;
    p->limit_ms = cfg->time_limit_ms ? cfg->time_limit_ms : DUT_TIME_LIMIT_MS;
    p->open_limit_ms = dut_open_limit_ms(cfg);
    p->in_process = cfg->in_process;
    enum status st = worker_open(&p->worker, &worker_ops, p, ARENA_BYTES, e);
    if (st == ST_OK)
        st = dut_start_first(&p->base, start, p->open_limit_ms, e);
    if (st != ST_OK) {
        plugin_close(&p->base);
        return st;
    }
    *out = &p->base;
    return ST_OK;
}
