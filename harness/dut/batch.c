#include "harness/dut/batch.h"

#include "harness/io/child.h"
#include "harness/io/clock.h"
#include "harness/io/stop.h"

#include <stdio.h>

/* An exchange should take about this long: shorter wastes time on switching, longer makes a hang
 * dear. */
enum { EXCHANGE_MIN_MS = 50, EXCHANGE_MAX_MS = 200 };

/* dut_answer does this to a job, of which a verdict has but these two fields. */
void batch_verdict_set(struct verdict *v, u32 outcome, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(v->reason, sizeof v->reason, fmt, ap);
    va_end(ap);
    v->outcome = outcome;
}

void batch_verdict_child(struct verdict *v, const struct child *c, bool slow, u32 limit_ms)
{
    char how[48];
    if (slow)
        batch_verdict_set(v, OUT_HANG, "no answer in %u.%u s", limit_ms / 1000,
                          limit_ms % 1000 / 100);
    else
        batch_verdict_set(v, OUT_CRASH, "%s", child_death(c, how, sizeof how));
    v->is_untouched = slow && !child_took(c);
}

/* Whether a job that was alone, in a process that has run others, gets another chance in one of its
 * own: what an earlier job left behind may only show now. A hang is dear: if three in a row were
 * the job's own, it is believed, unless the process never looked at the request. */
static bool is_doubtful(const struct batch *b, const struct verdict *v)
{
    enum { HANGS_MAX = 3 };
    return v->outcome != OUT_HANG || v->is_untouched || b->own_hangs < HANGS_MAX;
}

/* What the second chance of a job says. `first` is what went wrong before it. */
static void settle_again(struct batch *b, struct dut *d, u32 first, u32 outcome)
{
    if (outcome == OUT_NOT_RUN) {
        d->unblamed++;
        b->own_hangs = 0;
    } else if (first == OUT_HANG) {
        b->own_hangs++;
    }
}

/* A group's limit is shorter than a job's: whoever is cut short wrongly gets all of his time
 * alone. */
static u32 group_limit(u32 limit_ms, u32 count)
{
    return count == 1 || limit_ms < 4 ? limit_ms : limit_ms / 4;
}

static void adapt(struct batch *b, u32 count, u64 ms)
{
    if (ms > EXCHANGE_MAX_MS)
        b->size = count > 1 ? count / 2 : 1;
    else if (ms < EXCHANGE_MIN_MS && count == b->size && b->size < BATCH_MAX)
        b->size *= 2;
}

enum status batch_run(struct batch *b, struct dut *d, attempt_fn *attempt, u32 limit_ms,
                      struct gcncheck_job *jobs, u32 count, struct err *e)
{
    bool blamed = true;
    u32 before = OUT_NOT_RUN; /* what went wrong with a job that is tried again */
    for (u32 done = 0; done < count;) {
        struct verdict v = { .outcome = OUT_NOT_RUN };
        if (stop_requested())
            return err_set(e, ST_WORLD, "%s", stop_text());
        u32 n = b->single ? 1 : b->size ? b->size : (b->size = 1);
        n = n < count - done ? n : count - done;
        u64 start = clock_ms();
        enum status st = attempt(d, jobs + done, &n, group_limit(limit_ms, n), &v, e);
        /* Whoever does not answer then is not to blame. */
        if (st == ST_OK && v.outcome != OUT_NOT_RUN && stop_requested())
            st = err_set(e, ST_WORLD, "%s", stop_text());
        if (st != ST_OK)
            return st;
        bool used = b->used;
        b->used = v.outcome == OUT_NOT_RUN;
        if (v.outcome != OUT_NOT_RUN && n == 1 && used && is_doubtful(b, &v)) {
            before = v.outcome;
            continue;
        }
        if (before != OUT_NOT_RUN)
            settle_again(b, d, before, v.outcome);
        before = OUT_NOT_RUN;
        if (v.outcome != OUT_NOT_RUN && n > 1) {
            b->single = n;
            b->size = 1;
            /* A slow group need not hold a guilty job. */
            blamed = v.outcome == OUT_HANG;
            continue;
        }
        if (v.outcome != OUT_NOT_RUN)
            dut_answer(&jobs[done], v.outcome, "%s", v.reason);
        blamed |= jobs[done].outcome >= OUT_CRASH;
        if (b->single == 0)
            adapt(b, n, clock_ms() - start);
        else if (--b->single == 0 && !blamed)
            d->unblamed++;
        done += n;
    }
    return ST_OK;
}
