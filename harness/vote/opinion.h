/* What one device says to directed cases, as far as it is not what they expect: enough to hold
 * several devices beside one another. */
#ifndef HARNESS_VOTE_OPINION_H
#define HARNESS_VOTE_OPINION_H

#include "harness/run/run.h"

/* A place in which it differs from what the case expects. */
struct opinion_place {
    char place[32];
    i32 lane;   /* as in struct result_diff */
    u16 number; /* likewise */
    char want[64], got[64];
};

enum { OPINION_PLACES_MAX = 512 /* of a result */ };

/* A result that is not ok. */
struct opinion {
    u64 index;        /* of the result in the run */
    u32 status;       /* enum result_status */
    char end[200];    /* how the run ended, if it did not end as it should; or why it was skipped */
    u32 first, count; /* of its places in opinions.place */
    bool is_cut;      /* there were more than OPINION_PLACES_MAX of them */
    char *name;       /* of the result, without the DUT; owned, as `text` */
    char *text;       /* instruction, inputs, where it stands: lines */
    char ledger[64];  /* as in struct result */
};

struct opinions {
    const char *dut; /* spec */
    char name[136];  /* as it calls itself, and its version */
    u8 can[CLASS_COUNT];
    u64 results, right, skipped, differ; /* handed over; ok; not judged; that differ */
    bool is_short;                       /* of memory: not all is there */
    u32 count, cap;
    struct opinion *at; /* by index; owned */
    u32 places, place_cap;
    struct opinion_place *place; /* owned */
};

/* Asks the DUT of `cfg` what it can show. ST_INPUT and ST_WORLD as dut_open. The caller frees what it
 * holds, whatever is answered. */
enum status opinion_open(struct opinions *o, const struct run_cfg *cfg, struct err *e);
void opinion_free(struct opinions *o);

/* For run_all and for run_cfg.more, with the struct opinions as their ctx. */
enum status opinion_take(void *opinions, const struct result *r, struct err *e);
void opinion_take_more(void *opinions, const struct result *r, const struct result_diff *d);

#endif
