/* Knows s_mov_b32, and does more for each job than for the one before: GROWING=time compares it with
 * all there were, GROWING=memory keeps a page of each. For scripts/check/scale.py. */
#include "harness/sdk/gcncheck_dut.h"

#include <stdlib.h>
#include <string.h>

enum { PAGES_MAX = 1 << 20, PAGE = 1 << 12, ROUNDS = 200 };

static void *page[PAGES_MAX];
static uint32_t pages;
static volatile uint32_t sum;

static void grow(const char *how)
{
    if (pages == PAGES_MAX)
        return;
    page[pages] = calloc(1, PAGE);
    if (strcmp(how, "memory") == 0 && page[pages])
        memset(page[pages], 1, PAGE);
    pages++;
    for (uint32_t i = 0; strcmp(how, "time") == 0 && i < pages * ROUNDS; i++)
        sum += i;
}

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    const char *how = getenv("GROWING");
    for (uint32_t i = 0; i < count; i++) {
        grow(how ? how : "");
        jobs[i].outcome = GCNCHECK_UNSUPPORTED;
        strcpy(jobs[i].reason, "all");
    }
    return 0;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    static const struct gcncheck_dut dut = {
        sizeof dut, GCNCHECK_DUT_ABI, "growing", "0", NULL, run
    };
    return &dut;
}
