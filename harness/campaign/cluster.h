/* Clusters: causes that one line explains, because what differs shares something that what is right
 * does not have: "25 opcodes, all VOP2 dpp: reads a lane that is off, not bound_ctrl:0". One bug in
 * what many opcodes have in common is one cluster.
 *
 * What is shared is looked for in step cases: a trait counts only if right ones of the same opcodes,
 * and of others, do not have it, so that it must be worth more than a list of the opcodes. What
 * nothing explains is one cluster for each opcode; interactions are put together by what links their
 * instructions. */
#ifndef HARNESS_CAMPAIGN_CLUSTER_H
#define HARNESS_CAMPAIGN_CLUSTER_H

#include "harness/campaign/campaign.h"

struct kind_seen;

/* Fills r->cluster and the cluster of each cause; seen: [OPS_MAX * FORM_COUNT]. Depends on nothing
 * but these. False: memory is short. */
bool cluster_find(struct campaign_result *r, const struct kind_seen *seen);

/* Adds what its causes share: "25 opcodes, all VOP2 dpp: reads a lane that is off". */
void cluster_add_text(const struct campaign_result *r, u32 cluster, struct text *t);

/* Adds the step cases that bear it out: "212 of 215 with it differ, 0 of 904 without". Nothing for
 * clusters without traits. */
void cluster_add_evidence(const struct campaign_cluster *c, struct text *t);

#endif
