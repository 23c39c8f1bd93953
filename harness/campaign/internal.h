/* What campaign.c and campaign_probe.c share; nobody else includes it. */
#ifndef HARNESS_CAMPAIGN_INTERNAL_H
#define HARNESS_CAMPAIGN_INTERNAL_H

#include "harness/campaign/campaign.h"
#include "harness/campaign/executor.h"

/* Asks the DUT, one instruction at a time, which opcode x form it implements; fills the supported,
 * forms, fatal and ops members of *r. An instruction that crashes the DUT or makes it hang is
 * handed to fn and not counted as supported. Of our own engines nothing is asked. ST_WORLD: the DUT
 * cannot go on, or the simplest instructions all end it. */
enum status campaign_probe(struct executor *x, const struct isa *isa,
                           const struct campaign_cfg *cfg, cause_fn *fn, void *arg,
                           struct campaign_result *r, struct err *e);

/* Runs a program of nothing but s_endpgm, before anything else. ST_INPUT: the DUT does not
 * implement it. ST_WORLD: it crashes, hangs or answers nonsense even there, so that nothing can be
 * run. */
enum status campaign_check_end(const struct executor *x, const char *mcpu, struct err *e);

#endif
