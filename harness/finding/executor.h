/* A DUT and the comparison of it with the model: what one thread of a campaign, and every command
 * that looks at one finding, works with. */
#ifndef HARNESS_FINDING_EXECUTOR_H
#define HARNESS_FINDING_EXECUTOR_H

#include "harness/check/compare.h"

struct finding;

struct executor {
    struct dut *dut;
    struct compare *compare;
};

struct executor_cfg {
    const char *mcpu;         /* must outlive the executor, as the other texts */
    const char *dut;          /* spec, as for dut_open */
    const char *const *panel; /* specs of several beside one another; NULL: `dut` alone */
    u32 panel_count;
    const char *engine;  /* of the model */
    bool exact, trapsts; /* as in struct compare_cfg */
    bool in_process;     /* as in struct dut_cfg */
    u32 dut_time_ms;     /* for one job; 0: the DUT's default */
};

/* On ST_OK the caller closes it, in the same thread. ST_INPUT and ST_WORLD as dut_open and
 * compare_open. */
enum status executor_open(struct executor *x, const struct executor_cfg *cfg, struct err *e);

/* Opens the DUT that shows the finding, or `dut` if that is not NULL, which then becomes the
 * finding's. Of cfg only in_process and dut_time_ms count. Fills the finding's dut_name and
 * dut_version. */
enum status executor_open_finding(struct executor *x, const struct executor_cfg *cfg,
                                  const char *dut, struct finding *f, struct err *e);

void executor_close(struct executor *x);

/* What streams for the DUT may make use of: GEN_ bits (fuzz/gen/gen.h). */
u32 executor_features(const struct executor *x);

#endif
