#include "harness/dut/start.h"

#include "harness/io/stop.h"

#include <unistd.h>

enum { FIRST_MS = 5000, TRIES_AGAIN = 4, PAUSE_MS = 50 };

/* The time for one more try. */
static u32 longer(u32 limit_ms)
{
    return limit_ms >= DUT_TIME_LIMIT_MS       ? limit_ms
           : limit_ms * 2 >= DUT_TIME_LIMIT_MS ? (u32)DUT_TIME_LIMIT_MS
                                               : limit_ms * 2;
}

enum status dut_start_first(struct dut *d, dut_start_fn *start, u32 limit_ms, struct err *e)
{
    bool slow = false;
    enum status st = start(d, limit_ms, &slow, e);
    for (u32 sum = 0; st != ST_OK && slow && sum < FIRST_MS && !stop_requested();) {
        sum += limit_ms;
        limit_ms = longer(limit_ms);
        st = start(d, limit_ms, &slow, e);
    }
    return st;
}

enum status dut_start_again(struct dut *d, dut_start_fn *start, u32 limit_ms, struct err *e)
{
    struct err why = { .text = "" };
    bool slow;
    d->restarts++;
    for (u32 tries = 1, pause = PAUSE_MS; start(d, limit_ms, &slow, &why) != ST_OK; tries++) {
        if (tries == TRIES_AGAIN || stop_requested())
            return err_set(e, ST_WORLD, "cannot start again: %.230s", why.text);
        usleep(pause * 1000);
        pause *= 2;
        limit_ms = longer(limit_ms);
    }
    return ST_OK;
}
