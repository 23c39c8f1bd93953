/* A campaign on several devices: every place in which one of them differs from the model is voted on
 * (harness/vote), and the model votes, too. */
#ifndef HARNESS_CAMPAIGN_BALLOT_H
#define HARNESS_CAMPAIGN_BALLOT_H

#include "harness/campaign/campaign.h"

/* The voter that a member of the panel is; and the voters that these members are, a bit each. */
u32 ballot_voter(const struct campaign_voters *v, u32 member);
u32 ballot_voters(const struct campaign_voters *v, u32 members);

/* Adds to *sum what the devices say of a program: compare_ask. f: the finding that shows it, which gets
 * the vote in words; NULL: none. ST_WORLD as compare_run. */
enum status ballot_take(struct compare *c, const struct campaign_voters *v, struct subject *s,
                        struct campaign_votes *sum, struct finding *f, struct err *e);

void ballot_add(struct campaign_votes *to, const struct campaign_votes *from);

/* "B stands alone in 64 of 65 places, undecided in 1". Nothing if there are none. */
void ballot_add_text(const struct campaign_voters *v, const struct campaign_votes *sum,
                     struct text *t);

#endif
