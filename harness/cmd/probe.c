/* gcncheck probe: what a card would settle. */
#include "harness/probe/probe.h"
#include "harness/cmd/cmd.h"

#include <errno.h>
#include <stdio.h>

enum { LIMIT_MS = 60000 };

static void print(const struct probe_tally *t, u32 number)
{
    printf("%2u. %-70s", number, t->title);
    if (t->refused == t->asked) {
        printf(" not on this processor\n");
        return;
    }
    printf(" as the model %u", t->as_model);
    if (t->other)
        printf(", another reading %u", t->other);
    if (t->neither)
        printf(", neither %u", t->neither);
    if (t->unsteady)
        printf(", UNSTEADY %u", t->unsteady);
    printf("\n");
}

int cmd_probe(struct opts *o)
{
    struct err e = { .text = "" };
    struct probe_tally tally[PROBE_QUESTIONS];
    const char *path = o->out ? o->out : "probe.txt";
    struct probe_cfg cfg = {
        .mcpu = o->mcpu,
        .version = GCNCHECK_VERSION,
        .dut = o->dut_is_given ? o->dut : "drm",
        .time_limit_ms = o->time_limit_ms && o->time_limit_ms < UINT32_MAX ? (u32)o->time_limit_ms
                                                                         : LIMIT_MS
    };
    enum status st = cmd_ready_dut(o, cfg.dut, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    cfg.out = fopen(path, "w");
    if (!cfg.out)
        return cmd_error(o, EXIT_USAGE, "%.200s: %s", path, strerror(errno));
    st = probe_run(&cfg, tally, &e);
    if (fclose(cfg.out) != 0 && st == ST_OK)
        st = err_set(&e, ST_WORLD, "%.200s: %s", path, strerror(errno));
    for (u32 i = 0; i < PROBE_QUESTIONS && st == ST_OK; i++)
        print(&tally[i], i + 1);
    if (st == ST_OK)
        printf("The answers stand in %s.\n", path);
    return st == ST_OK ? EXIT_CLEAN : cmd_fail(o, st, &e);
}
