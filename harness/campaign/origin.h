/* Which campaign it is: everything that decides what it finds, as names and values. What an earlier
 * process began is gone on with only by one of the same origin. */
#ifndef HARNESS_CAMPAIGN_ORIGIN_H
#define HARNESS_CAMPAIGN_ORIGIN_H

#include "harness/campaign/internal.h"

enum { ORIGIN_NAME = 24, ORIGIN_VALUE = 4200, ORIGIN_MAX = 32 };

struct origin {
    u32 count;
    struct {
        char name[ORIGIN_NAME];   /* "--seed", or what no option says: "DUT" */
        char value[ORIGIN_VALUE]; /* empty: the option is not given */
    } at[ORIGIN_MAX];
};

/* Fills *o for the campaign of `w`, whose DUT is open. ST_INPUT: the DUT's file cannot be read.
 * ST_WORLD: this program cannot. */
enum status origin_find(const struct campaign_worker *w, struct origin *o, struct err *e);

/* Whether entry i of *o, of which there may be fewer, is this. If not, e->text says in which way the
 * other campaign is another one. */
bool origin_compare(const struct origin *o, u32 i, const char *name, const char *value,
                    struct err *e);

#endif
