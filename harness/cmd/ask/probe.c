/* gcncheck probe: what a card would settle. */
#include "harness/probe/probe.h"
#include "harness/cmd/base/cmd.h"
#include "reports/file/output.h"

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

static const char *judge(const void *ctx, const u8 *head, size_t size)
{
    static const char first[] = "gcncheck probe ";
    (void)ctx;
    bool is_ours = size >= sizeof first - 1 && memcmp(head, first, sizeof first - 1) == 0;
    return is_ours ? NULL : "is no file of answers";
}

int cmd_probe(struct opts *o)
{
    struct err e = { .text = "" };
    struct probe_tally tally[PROBE_QUESTIONS];
    const char *path = o->out ? o->out : "probe.txt";
    struct probe_cfg cfg = { .mcpu = o->mcpu,
                             .version = GCNCHECK_VERSION,
                             .dut = o->dut_is_given ? o->dut : "drm",
                             .time_limit_ms = o->time_limit_ms && o->time_limit_ms < UINT32_MAX
                                                  ? (u32)o->time_limit_ms
                                                  : LIMIT_MS };
    enum status st = cmd_ready_dut(o, cfg.dut, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    const struct output_rule rule = { .judge = judge, .force = o->force };
    struct output *out;
    st = output_open(&out, path, &rule, &e);
    if (st != ST_OK)
        return cmd_fail(o, st, &e);
    cfg.out = output_stream(out);
    st = probe_run(&cfg, tally, &e);
    /* What has been answered is kept even if the device was lost. */
    struct err why = { .text = "" };
    enum status kept = output_commit(out, &why);
    if (st == ST_OK && kept != ST_OK) {
        st = kept;
        e = why;
    }
    for (u32 i = 0; i < PROBE_QUESTIONS && st == ST_OK; i++)
        print(&tally[i], i + 1);
    if (st == ST_OK)
        printf("The answers stand in %s.\n", path);
    return st == ST_OK ? EXIT_CLEAN : cmd_fail(o, st, &e);
}
