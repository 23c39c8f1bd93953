/* How far a campaign has come, as bytes: the first state says which campaign it is, the second what
 * the DUT implements, and each further one what batches have changed: those since the one before.
 * Whoever takes them all in their order knows what the process knew that kept them, and ends with the
 * same causes and findings. They are for the same build of gcncheck alone, which the first names. */
#ifndef HARNESS_CAMPAIGN_STATE_H
#define HARNESS_CAMPAIGN_STATE_H

#include "harness/campaign/internal.h"

/* What was kept last, beside which the next state is put. */
struct campaign_state;

/* Makes what keeping needs, with the campaign's DUT open under `w`. ST_WORLD: memory is short, or
 * this program cannot be read; ST_INPUT: the DUT's file cannot. The caller frees it (NULL is
 * allowed). */
enum status state_open(const struct campaign_worker *w, struct campaign_state **out, struct err *e);
void state_free(struct campaign_state *s);

/* Hands what changed to cfg->store: first of all which campaign it is. ST_WORLD if memory is short. */
enum status state_keep(struct campaign_state *s, struct campaign *k, struct err *e);

/* Takes the next state, of those that an earlier process kept, into *k. ST_INPUT: it is none, or of
 * another campaign, DUT or gcncheck; the text names what is otherwise. ST_WORLD: memory is short. */
enum status state_take(struct campaign_state *s, struct campaign *k, const u8 *bytes, size_t size,
                       struct err *e);

/* Whether batches were taken that no state holds; and whether the next one is due, because of so many
 * batches or of what only a state can bring back; the latter with the lock. What is due depends on the batches
 * alone, so that equal campaigns have equal states. */
bool state_is_behind(const struct campaign_state *s, const struct campaign *k);
bool state_is_due(const struct campaign_state *s, const struct campaign *k);

/* What was covered up to the last state, where that is counted; NULL: there is none yet. */
const struct cover_seen *state_counts(const struct campaign_state *s);

/* Whether it is kept already which campaign it is; and whether state_take has taken what it goes on
 * with. */
bool state_has_origin(const struct campaign_state *s);
bool state_is_taken(const struct campaign_state *s);

#endif
