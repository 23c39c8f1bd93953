/* What the commands that look at one finding share: its DUT, and the comparison with it. Used by
 * cmd_replay.c and cmd_min.c. */
#ifndef HARNESS_CAMPAIGN_FINDING_LAB_H
#define HARNESS_CAMPAIGN_FINDING_LAB_H

#include "harness/campaign/finding.h"
#include "harness/cmd/opts.h"

struct finding_lab {
    struct dut *dut;
    struct compare *compare;
};

/* Opens the DUT of the finding, or that of --dut, which then becomes the finding's. On ST_OK the
 * caller closes it. */
enum status finding_lab_open(struct finding_lab *lab, const struct opts *o, struct finding *f,
                             struct err *e);
void finding_lab_close(struct finding_lab *lab);

/* Prints the report of the finding in `folder` on standard output; an exit code. */
int finding_print(struct finding_lab *lab, const struct finding *f, const char *folder);

#endif
