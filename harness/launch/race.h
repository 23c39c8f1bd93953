/* The happens-before detector of --check-races: two accesses to one place by different waves, one of
 * them a store, that nothing orders. A wave is a thread; its accesses are in order. What orders
 * those of two waves is LLVM's guide, chapter Memory Model GFX6-GFX9:
 *
 *   s_barrier        in a work-group: all before it and all behind it, but for accesses to LDS that
 *                    were not waited for
 *   release          an atomic, or a store that somebody takes for a flag, publishes what its wave
 *                    has done and knows: to its own work-group all of it (vector memory of a CU is
 *                    in order, and so is LDS), to others what has been waited for
 *   acquire          an atomic, a load with glc, or a load in a loop that does nothing but wait
 *                    takes that over once it has been waited for; loads without glc of what another
 *                    work-group stored need a buffer_wbinvl1 behind it, scalar loads an s_dcache_inv
 *
 * Files: race.c follows the waves, race_shadow.c holds what was accessed and judges, race_clock.c
 * who knows of what, race_poll.c finds loops that wait, race_print.c tells. All run in one thread.
 */
#ifndef HARNESS_LAUNCH_RACE_H
#define HARNESS_LAUNCH_RACE_H

#include "harness/launch/internal.h"

/* ---- what a wave knows ---- */

/* Accesses of a wave before these epochs are known: of global memory to all, of global memory to
 * its own work-group, of LDS. */
struct race_entry {
    u32 wave, all, group, lds;
};

/* Entries in the order of waves; never changed once it is made. NULL: nothing. */
struct race_clock {
    u32 refs, count;
    struct race_entry e[];
};

struct race_clock *race_clock_keep(struct race_clock *c);
void race_clock_drop(struct race_clock *c);
/* What *a and *b know together: drops *a and answers what takes its place; *b stays the caller's.
 * *failed is set, and *a comes back, if memory is short. */
struct race_clock *race_clock_join(struct race_clock *a, struct race_clock *b, bool *failed);
/* The same with one entry. */
struct race_clock *race_clock_add(struct race_clock *a, const struct race_entry *e, bool *failed);
/* The first entry of a wave from `first` on; c->count if there is none. */
u32 race_clock_find(const struct race_clock *c, u32 first);

/* ---- what was accessed ---- */

/* A wave is known by 1 + (work-group << shift | wave). An epoch numbers its memory instructions;
 * barriers give all waves of the group the same. */
struct race_access {
    u32 wave; /* 0: none */
    u32 epoch;
    u32 where; /* dword of the program << 6 | lane */
};

enum race_flag {
    RACE_READ1_LSB = 4, /* four bytes each: of write, read[0], read[1] */
    RACE_READ2_LSB = 8,
    RACE_DONE_VM = 1 << 13,   /* nothing was under way when it was stored, of vector memory */
    RACE_DONE_LDS = 1 << 14,  /* of LDS */
    RACE_GLC = 1 << 15,       /* was loaded with glc: a flag */
    RACE_READ1_GLC = 1 << 16, /* read[0] was */
    RACE_READ2_GLC = 1 << 17,
    RACE_SYNC = 1 << 18 /* there is a race_sync for it */
};

/* A dword of memory: the last store, the last atomic since, and two reads since either. */
struct race_cell {
    struct race_access write, atomic, read[2];
    u32 flags;
};

/* A dword by which waves have met, and what is known through it. */
struct race_sync {
    const struct race_cell *cell; /* NULL: none */
    struct race_clock *clock;
    struct race_clock *seen; /* the same of caches, for the work-group that stored it last */
    u32 group;
};

/* Memory that is looked at: buffers, and variables that are written. */
struct race_window {
    u64 base, size;
    const u8 *bytes;
    struct race_cell *cells;
};

/* ---- waves ---- */

enum { RACE_QUEUE = 64, RACE_LATE = 4 };

/* Memory instructions that s_waitcnt counts, numbered from 1; up to `done` have been waited for. */
struct race_queue {
    u32 now, done, any_order; /* the last one that keeps no order: only 0 waits for it */
    u32 epoch[RACE_QUEUE];    /* by number */
    u64 lds;                  /* bits by number: it accesses LDS */
};

/* LDS accesses of epochs from `from` on that were under way at the barrier of epoch `to`. */
struct race_late {
    u32 from, to, until; /* the barrier that they were waited for before; 0: none yet */
};

/* What a wave has acquired, but not yet waited for. */
struct race_pending {
    struct race_clock *clock, *seen;
    u32 number; /* in its queue */
};

struct race_wave {
    u32 id, epoch;
    u32 floor;        /* the epoch of its last barrier */
    u32 scalar_floor; /* when it last invalidated the scalar cache */
    bool at_barrier, at_gws;
    struct race_queue vm, lgkm;
    struct race_pending by_vm, by_lgkm;
    struct race_clock *seen;   /* what loads without glc may rely on */
    struct race_clock *scalar; /* what scalar loads may */
    struct race_late late[RACE_LATE];
    u32 lates;
    u32 poll_where; /* the last load, if no store followed, and of which address */
    u64 poll_address;
};

/* Of a work-group under way. */
struct race_group {
    struct race_wave *wave;
    struct race_cell *lds;
    u32 lds_dw;
    bool has_late;
};

/* What a position of the program does. */
enum race_class {
    RACE_UNKNOWN,
    RACE_NOTHING,
    RACE_ADDRESSED, /* LDS, FLAT, GLOBAL: lanes with addresses */
    RACE_OBSERVED,  /* other memory, access by access */
    RACE_COUNTED,   /* only counted */
    RACE_WAIT,
    RACE_BARRIER,
    RACE_GWS,
    RACE_INVALIDATE,
    RACE_SCALAR_INVALIDATE
};

/* What was learnt of a position. */
enum race_mark {
    RACE_POLLS = 1,       /* waits: the same load again and again */
    RACE_POLL_KNOWN = 2,  /* its loop was looked at */
    RACE_BEFORE_SWAP = 4, /* loads what a compare and swap then takes */
    RACE_OWNS = 8         /* stores what its wave changed by an atomic */
};

/* Kinds of accesses. */
enum race_kind { RACE_LOAD, RACE_LOAD_GLC, RACE_LOAD_SCALAR, RACE_STORE, RACE_RMW };

/* Why two accesses race. */
enum race_why {
    RACE_ORDERED,
    RACE_FREE,    /* nothing orders them */
    RACE_STALE,   /* a cache may hold an old value */
    RACE_UNACKED, /* the first was not waited for when its wave let others know */
    RACE_PENDING  /* an access to LDS was not waited for before the barrier */
};

struct race_found {
    struct race_access first, second;
    u8 first_kind, second_kind; /* enum race_kind */
    u8 why, space;
    u64 address; /* of the dword; in LDS from its beginning */
    const struct race_cell *cell;
};

enum { RACE_FOUND_MAX = 512 };

/* Barriers of a work-group, by epoch. */
struct race_floors {
    u32 *epoch;
    u32 count, room;
};

struct races {
    const struct dispatch *d;
    u32 shift; /* bits of a wave's number in its work-group */
    u64 groups;
    u32 window_count;
    struct race_window window[WINDOWS_MAX];
    u64 base; /* address of the program */
    u32 code_dw;
    u32 *code;
    u8 *class, *marks; /* by dword of the program: enum race_class, RACE_ bits of enum race_mark */
    struct race_floors *floors; /* by work-group */
    struct race_clock **known;  /* by wave, less 1 */
    struct race_sync *sync;     /* open-addressed */
    u32 sync_count, sync_room;
    struct race_clock *gws; /* what waves published by global wave sync */
    struct race_found found[RACE_FOUND_MAX];
    u32 found_count;
    bool failed; /* memory is short */
    struct race_step *step;
};

/* The instruction under way. */
struct race_step {
    struct races *r;
    struct group_run *run;
    struct race_group *g;
    struct race_wave *me;
    struct wave *w;
    struct machine *m;
    const struct xinsn *in;
    u32 at; /* dword of the program */
    enum race_kind kind;
    bool compares, returns;            /* of an atomic */
    bool done_vm, done_lds;            /* nothing was under way before it */
    struct race_clock *view[2];        /* what it publishes, by global memory and by LDS */
    struct race_clock *got, *got_seen; /* acquired */
    u32 stores;                        /* of different values, perhaps: looked at once it is done */
    struct race_same {
        const u8 *at;
        u8 old[4];
        u32 size;
        struct race_found f;
    } store[4 * LANES];
    struct observer seen;
};

/* ---- race_print.c ---- */

/* Prints what was found, the first ones; answers how many. */
u64 race_report(const struct races *r);

/* ---- race_shadow.c ---- */

/* `bytes` at an address of memory or LDS are accessed by a lane of the instruction under way. Not
 * more than 8. Memory that is not looked at is left alone. */
void race_touch(struct race_step *s, bool lds, u32 lane, u64 address, u32 bytes);
/* The same of all lanes that are on; false, and nothing is done, if one is in another space. */
bool race_touch_lanes(struct race_step *s, const u64 *address, u32 bytes);
/* Once it is done: stores of what was there already are no race. */
void race_settle_stores(struct race_step *s);
/* What the wave lets others know with the instruction under way; the step's. */
struct race_clock *race_view(struct race_step *s, bool by_lds);

/* ---- race_poll.c ---- */

/* Whether the load or atomic at a dword of the program is all that a loop does. */
bool race_polls(struct races *r, u32 at);
/* Whether what was found is none for all that is known at the end. */
bool race_is_meant(const struct races *r, const struct race_found *f);

#endif
