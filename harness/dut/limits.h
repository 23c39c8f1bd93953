/* What the process of a device under test may use: memory, files, processes. Set once, from the
 * command line, before the first device is opened; plug-ins and pipes start their processes with
 * it. */
#ifndef HARNESS_DUT_LIMITS_H
#define HARNESS_DUT_LIMITS_H

#include "harness/io/keeper.h"

/* Three quarters of the machine's memory; 1024 files; 1024 processes more than there are. */
struct keeper_limits dut_limits_default(void);

/* Takes over "memory=4G,files=256,processes=64": any of the three, in any order; memory in bytes or
 * with K, M or G; the others stay as they are. ST_INPUT: what is wrong with it. */
enum status dut_limits_set(const char *spec, struct err *e);

/* What is set: without dut_limits_set the default. */
struct keeper_limits dut_limits(void);

#endif
