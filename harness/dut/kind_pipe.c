/* pipe:COMMAND. The child's life and the frames; what is in them is pipe_msg's business. The
 * protocol is described at the head of harness/sdk/example_pipe.py. */
#include "harness/dut/batch.h"
#include "harness/dut/internal.h"
#include "harness/dut/limits.h"
#include "harness/dut/pipe_msg.h"
#include "harness/dut/start.h"
#include "harness/io/child.h"
#include "harness/io/clock.h"

#include <stdlib.h>
#include <unistd.h>

enum { EXCHANGE_BYTES = 1 << 20, CLOSE_GRACE_MS = 300 };

/* An answer to hello that is longer is held for garbage. */
enum { HELLO_MAX = 1 << 20 };

struct pipe_dut {
    struct dut base;
    struct batch batch;
    struct child child;
    struct frame request;
    u64 id; /* of the last request */
    u8 *answer;
    size_t answer_cap;
    char *command;
    const char *mcpu;
    u32 limit_ms, open_limit_ms;
};

static void exec_shell(void *ctx)
{
    const struct pipe_dut *p = ctx;
    execl("/bin/sh", "sh", "-c", p->command, (char *)NULL);
    _exit(127);
}

/* A length that is really text is the commonest mistake of all: say so. */
static void verdict_length(struct verdict *v, u32 len, u32 max)
{
    char raw[4] = { (char)len, (char)(len >> 8), (char)(len >> 16), (char)(len >> 24) };
    bool text = true;
    for (size_t i = 0; i < sizeof raw; i++)
        text &= (raw[i] >= 0x20 && raw[i] < 0x7f) || raw[i] == '\n' || raw[i] == '\t';
    char clean[8];
    dut_clean_text(clean, sizeof clean, raw, sizeof raw);
    if (text)
        batch_verdict_set(v, OUT_NONSENSE, "printed '%s...' where a frame should begin", clean);
    else
        batch_verdict_set(v, OUT_NONSENSE, "a frame of %u bytes (at most %u)", len, max);
}

/* Sends p->request, receives into p->answer, of at most `max` bytes. On failure *v is set; the caller ends the child. */
static enum status exchange(struct pipe_dut *p, u32 limit_ms, u32 max, u32 *len, struct verdict *v,
                            struct err *e)
{
    u64 deadline = clock_ms() + limit_ms;
    u8 head[4];
    enum child_io io = child_write(&p->child, p->request.data, p->request.len, deadline);
    if (io == CHILD_OK)
        io = child_read(&p->child, head, sizeof head, deadline);
    if (io == CHILD_OK) {
        *len = (u32)head[0] | (u32)head[1] << 8 | (u32)head[2] << 16 | (u32)head[3] << 24;
        if (*len > max) {
            verdict_length(v, *len, max);
            return ST_OK;
        }
        if (*len > p->answer_cap) {
            free(p->answer);
            p->answer = malloc(*len);
            p->answer_cap = p->answer ? *len : 0;
            if (!p->answer)
                return err_set(e, ST_WORLD, "no memory for an answer of %u bytes", *len);
        }
        io = child_read(&p->child, p->answer, *len, deadline);
    }
    if (io != CHILD_OK)
        batch_verdict_child(v, &p->child, io == CHILD_SLOW, limit_ms);
    else if (child_pending(&p->child))
        batch_verdict_set(v, OUT_NONSENSE, "wrote more than one frame for a request");
    return ST_OK;
}

/* Starts the command and greets it. */
static enum status start(struct dut *d, u32 limit_ms, bool *slow, struct err *e)
{
    struct pipe_dut *p = (struct pipe_dut *)d;
    struct verdict v = { .outcome = OUT_NOT_RUN };
    struct err why = { .text = "" };
    u32 len = 0;
    *slow = false;
    if (!pipe_pack_hello(&p->request, ++p->id, p->mcpu))
        return err_memory(e);
    struct keeper_limits limits = dut_limits();
    enum status st = child_start(&p->child, exec_shell, p, &limits, e);
    if (st != ST_OK)
        return st;
    st = exchange(p, limit_ms, HELLO_MAX, &len, &v, e);
    *slow = v.outcome == OUT_HANG;
    if (st == ST_OK && v.outcome == OUT_CRASH && child_unborn(&p->child))
        st = err_set(e, ST_WORLD, "cannot start a process: %s", strerror(child_unborn(&p->child)));
    else if (st == ST_OK && v.outcome != OUT_NOT_RUN)
        st = err_set(e, ST_INPUT, "pipe '%s': %s (%s)", p->command,
                     v.outcome == OUT_CRASH  ? "ended before it answered hello"
                     : v.outcome == OUT_HANG ? "did not answer hello"
                                             : "not an answer to hello",
                     v.reason);
    else if (st == ST_OK &&
             (st = pipe_unpack_hello(p->answer, len, p->id, &p->base, &why)) != ST_OK)
        err_set(e, st, "pipe '%s': in the answer to hello: %.180s", p->command, why.text);
    if (st != ST_OK)
        child_close(&p->child, 0);
    return st;
}

/* One request and its answer. *stale: what came first belongs to an earlier request; nothing was
 * done. */
static enum status ask(struct pipe_dut *p, struct gcncheck_job *jobs, u32 count, u32 limit_ms,
                       struct verdict *v, bool *stale, struct err *e)
{
    struct err why = { .text = "" };
    u32 len = 0;
    enum status st =
        p->child.pid > 0 ? ST_OK : dut_start_again(&p->base, start, p->open_limit_ms, e);
    if (st != ST_OK)
        return st;
    *stale = child_pending(&p->child);
    if (*stale)
        return ST_OK;
    if (!pipe_pack_run(&p->request, ++p->id, jobs, count))
        return err_set(e, ST_WORLD, "no memory for a request");
    st = exchange(p, limit_ms, pipe_answer_max(jobs, count), &len, v, e);
    if (st != ST_OK || v->outcome != OUT_NOT_RUN)
        return st;
    st = pipe_unpack_run(p->answer, len, p->id, jobs, count, stale, &why);
    if (st == ST_WORLD) /* our lack of memory is no fault of the answer */
        return err_set(e, ST_WORLD, "%s", why.text);
    if (st != ST_OK)
        batch_verdict_set(v, OUT_NONSENSE, "%.63s", why.text);
    return ST_OK;
}

static enum status attempt(struct dut *d, struct gcncheck_job *jobs, u32 *count, u32 limit_ms,
                           struct verdict *v, struct err *e)
{
    struct pipe_dut *p = (struct pipe_dut *)d;
    bool stale = false;
    *count = pipe_fitting(jobs, *count, EXCHANGE_BYTES);
    enum status st = ask(p, jobs, *count, limit_ms, v, &stale, e);
    if (st == ST_OK && stale) {
        /* The jobs before wrote too much, too late to be caught at it; these jobs are not to
         * blame. */
        child_end(&p->child, 0);
        d->unblamed++;
        *v = (struct verdict){ .outcome = OUT_NOT_RUN };
        st = ask(p, jobs, *count, limit_ms, v, &stale, e);
        if (st == ST_OK && stale)
            batch_verdict_set(v, OUT_NONSENSE, "wrote something before it was asked");
    }
    if (st != ST_OK || v->outcome != OUT_NOT_RUN)
        child_end(&p->child, 0);
    return st;
}

/* As plugin_run does: the batch is in another struct, and its attempt goes another way. */
static enum status pipe_run(struct dut *d, struct gcncheck_job *jobs, u32 count, struct err *e)
{
    struct pipe_dut *p = (struct pipe_dut *)d;
    return batch_run(&p->batch, d, attempt, p->limit_ms, jobs, count, e);
}

static void pipe_close(struct dut *d)
{
    struct pipe_dut *p = (struct pipe_dut *)d;
    child_close(&p->child, CLOSE_GRACE_MS);
    free(p->request.data);
    free(p->answer);
    free(p->command);
    free(p);
}

static const struct dut_ops pipe_ops = { .run = pipe_run, .close = pipe_close };

enum status dut_pipe_open(const char *command, const struct dut_cfg *cfg, struct dut **out,
                          struct err *e)
{
    struct pipe_dut *p = calloc(1, sizeof *p);
    if (p)
        p->command = strdup(command);
    if (!p || !p->command) {
        free(p);
        return err_memory(e);
    }
    p->base.ops = &pipe_ops;
    p->mcpu = cfg->mcpu;
    p->limit_ms = cfg->time_limit_ms ? cfg->time_limit_ms : DUT_TIME_LIMIT_MS;
    p->open_limit_ms = dut_open_limit_ms(cfg);
    enum status st = dut_start_first(&p->base, start, p->open_limit_ms, e);
    if (st != ST_OK) {
        pipe_close(&p->base);
        return st;
    }
    *out = &p->base;
    return ST_OK;
}
