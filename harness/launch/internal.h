/* Shared by the files of the launcher: a dispatch, its workers, and what runs their work-groups. */
#ifndef HARNESS_LAUNCH_INTERNAL_H
#define HARNESS_LAUNCH_INTERNAL_H

#include "harness/launch/host/host.h"
#include "harness/launch/host/rpc.h"
#include "harness/launch/launch.h"
#include "harness/launch/point.h"
#include "oracle/accept/approximate.h"
#include "oracle/exec/defined.h"
#include "oracle/exec/schedule.h"
#include "oracle/rule/rule.h"

#include <stdio.h>

enum {
    PACKET_BYTES = 64,
    QUEUE_BYTES = 128,
    MAX_GROUP_WAVES = 16,
    POISON_BYTE = 0xa5 /* of what nobody set, in the second run of check_memory */
};

/* What is the same for all work-groups. */
struct dispatch {
    const struct codeobj *co;
    const struct codeobj_kernel *k;
    struct launch *l;
    const struct launch_cfg *cfg;
    struct isa isa;
    struct engine engine;
    struct kernarg ka;
    struct host *host; /* NULL: the kernel does not ask for one */
    u8 packet[PACKET_BYTES];
    u8 queue[QUEUE_BYTES]; /* what kernels read of theirs */
    u32 groups[3];         /* work-groups of the grid, partial ones included */
    u32 lds_size;          /* allocated */
    u32 private_size;      /* bytes of scratch for a work-item, a multiple of 4 */
    u64 scratch_wave;      /* bytes of scratch from one wave to the next */
    u32 scratch_guard;     /* of these, what is not there: with check_memory and calls */
    u64 scratch_size;      /* for the waves of one work-group */
    bool has_calls;        /* its code calls, so that the stack may be too small */
    bool has_atomics; /* its code may have atomics in memory: stores wait for those of others */
    bool is_ordered;  /* its work-groups run in one thread: they share GDS, or call the host */
    u32 cus;          /* compute units of the processor */
    u32 resident;     /* work-groups that may be under way at a time */
    u64 break_address;
    struct hazard_watch *watch;   /* with check_hazards */
    u64 lanes;                    /* with count_lanes */
    bool poisons;                 /* what nobody sets is not 0: registers, LDS, scratch */
    struct weak *weak;            /* memory of a launch with cfg->weak; else NULL */
    struct lockstep *lockstep;    /* with another dispatch, which poisons; NULL: none */
    struct races *races;          /* with check_races */
    struct heap *heap;            /* with check_memory, where the code has one */
    struct group_run **under_way; /* work-groups, where one thread runs them (resident.c) */
    u32 under_way_count;
    struct approximate *approximate; /* with ulp_seed */
    struct turns *turns;             /* who says whose turn it is (turns.h); NULL: cfg->schedule */
    bool unset[PLACE_COUNT];         /* registers that nobody has set when a wave begins */
    bool looks; /* with check_memory: whether waves use what nobody set is looked at (defined.h) */
    bool in_doubt; /* they may */
};

/* What runs one work-group at a time, with scratch of its own at the same address. */
struct group_runner {
    struct dispatch *d;
    struct machine *m;
    u8 *scratch;
    struct rule_state *rules;    /* of each wave, with check_hazards */
    struct group_runner *twin;   /* of the other dispatch in lockstep */
    struct origin *origins;      /* of the registers of its waves, in lockstep */
    struct launch_trail *trails; /* of each wave, with a debugger */
    struct race_group *race;     /* what its waves know of each other, with check_races */
    struct heap_wave *heap;      /* of each wave, with dispatch.heap */
    struct defined *defined;     /* with dispatch.looks */
};

/* A work-group under way. */
struct group_run {
    struct group_runner g;
    u64 index;
    u32 group[3];
};

/* Who looks at every instruction of a launch: a debugger (harness/launch/debug). It is asked before and
 * behind each, where false ends the launch, and told when the launch cannot go on with a wave. */
struct launch_watcher {
    bool (*before)(struct group_run *run, struct wave *w);
    bool (*after)(struct group_run *run, struct wave *w);
    void (*end)(struct group_run *run, struct wave *w, const char *why);
    bool has_quit; /* the launch is to end */
};

enum { LAUNCH_CALLS_MAX = 64 };

/* What it knows of a wave's way: where its last instruction stood, and the calls it is in. */
struct launch_trail {
    u64 last; /* 0: there was none */
    u32 depth;
    u64 from[LAUNCH_CALLS_MAX], back[LAUNCH_CALLS_MAX]; /* addresses of calls, and behind them */
};

/* Opens a machine with the code, the memory and scratch; its atomics hold `shared`. ST_WORLD if
 * memory is short. */
enum status runner_open(struct group_runner *g, struct dispatch *d, pthread_mutex_t *shared,
                        struct err *e);
void runner_close(struct group_runner *g);

/* The same beside another, which may be closed first and runs in the same thread: it has the same
 * program, GDS and global wave sync. */
enum status runner_open_beside(struct group_runner *g, const struct group_runner *other,
                               struct err *e);

static inline u64 launch_round_up(u64 v, u64 unit)
{
    return (v + unit - 1) / unit * unit;
}

/* Says in d->unset which registers a wave of the dispatch begins with that nobody set. ST_WORLD if memory is
 * short. */
enum status runner_find_unset(struct dispatch *d, struct err *e);

/* Sets up the registers of all waves of a work-group. */
void runner_start(struct group_runner *g, const u32 group[3]);

/* The number of a work-group in the order in which they are started, and back. */
static inline u64 launch_group_count(const struct dispatch *d)
{
    return (u64)d->groups[0] * d->groups[1] * d->groups[2];
}

static inline void launch_group_at(const struct dispatch *d, u64 index, u32 group[3])
{
    group[0] = (u32)(index % d->groups[0]);
    group[1] = (u32)(index / d->groups[0] % d->groups[1]);
    group[2] = (u32)(index / d->groups[0] / d->groups[1]);
}

/* Runs all work-groups, in as many threads as the configuration says. ST_WORLD if memory or threads
 * are short. */
enum status launch_run_groups(struct dispatch *d, struct launch_result *r, struct err *e);

/* Sets a work-group up in a machine that has none. */
void group_start(struct group_run *run, u64 index);

/* The work-group has ended, or its run ends with it: its counts are added to *r, and if `stop` is
 * not STOP_END *r says why, with wave `who`. */
void group_finish(struct group_run *run, enum stop stop, u32 who, struct launch_result *r);

/* Prints what kernels have printed since; false, and r->why, if that cannot be read. Not while a
 * work-group is under way. */
bool group_drain(const struct dispatch *d, const u32 group[3], struct launch_result *r);

/* Where resident_run begins: with work-groups that are under way already, which it closes; then come
 * those of a list, in order, and all from `next` on. */
struct resident_start {
    struct group_run *runs;
    u32 count, left_count;
    const u64 *left;
    u64 next;
};

/* Runs work-groups in this thread, as many at a time as d->resident. At first one after the other, more once
 * one waits; all at once if cfg->resident says how many. ST_WORLD if memory is short. */
enum status resident_run(struct dispatch *d, const struct resident_start *from,
                         pthread_mutex_t *shared, struct launch_result *r, struct err *e);

/* A dispatch that can be run; dispatch_close also after a failure. */
enum status dispatch_open(struct dispatch **out, const struct codeobj *co,
                          const struct codeobj_kernel *k, struct launch *l,
                          const struct launch_cfg *cfg, struct err *e);
void dispatch_close(struct dispatch *d);
/* Reads the variables of the code object that count into d->l. */
void dispatch_get_globals(struct dispatch *d);

/* One run of the kernel (dispatch.c). `poisons`: what nobody sets is not 0. */
enum status dispatch_run_once(const struct codeobj *co, const struct codeobj_kernel *k,
                              struct launch *l, const struct launch_cfg *cfg, bool poisons,
                              struct launch_result *r, struct err *e);

/* The same with check_memory, for the kernels of a script one after the other: each runs twice, the
 * second time poisoned and on copies, which the next one goes on with; not if the first run has used
 * nothing that nobody set. If a buffer that counts comes
 * out otherwise, both run once more in lockstep, and the first instruction that uses what nobody set
 * is printed (check.c). check_close also after a failure; NULL is nothing. */
struct check;
enum status check_open(struct check **c, struct err *e);
void check_close(struct check *c);
enum status check_run(struct check *c, const struct codeobj *co, const struct codeobj_kernel *k,
                      struct launch *l, const struct launch_cfg *cfg, struct launch_result *r,
                      struct err *e);

/* The kernel in all orders of its waves' accesses that can differ, at most cfg->schedules of them
 * (exhaust.c); what they came to is printed. *l and *r are left as by the first wrong one, or by the
 * first. */
enum status exhaust_run(const struct codeobj *co, const struct codeobj_kernel *k, struct launch *l,
                        const struct launch_cfg *cfg, struct launch_result *r, struct err *e);

/* Two dispatches of one kernel, of which one is poisoned (lockstep.c). */
struct lockstep *lockstep_open(struct dispatch *other, pthread_mutex_t *shared);
void lockstep_close(struct lockstep *k);
/* The twin of a machine, and of a work-group that has been started. */
enum status lockstep_add(struct group_runner *g, struct err *e);
void lockstep_start(struct group_run *run);
/* Executes an instruction of both. False if it uses what nobody set: it has been printed. */
bool lockstep_step(struct group_run *run, struct wave *w);
bool lockstep_has_found(const struct lockstep *k);
void lockstep_print(const struct lockstep *k, FILE *out);

/* Says in r->why how wave `who` of a work-group stopped; and behind it where the waves of several
 * stand that wait for each other (stop.c). */
void stop_describe(const struct group_run *run, enum stop stop, u32 who, struct launch_result *r);
void stop_describe_all(const struct group_run *const *runs, u32 count, u64 not_begun,
                       struct launch_result *r);

/* How many work-groups the processor can have under way at a time. */
u32 resident_limit(const struct dispatch *d);

/* The schedule that the configuration names, for machines that are not there yet. */
void launch_schedule(const struct dispatch *d, u64 index, struct schedule *s);

/* Reads a place of point.h, without source lines, into d->break_address. */
enum status where_parse_break(struct dispatch *d, const char *text, struct err *e);

/* Executes up to `limit` instructions of a wave and writes what each changes (trace.c). Fewer, and
 * STOP_NONE, if the break is reached. */
enum stop trace_wave(struct group_run *run, struct wave *w, u64 limit);

/* Whether somebody looks at every instruction of a launch (trace.c). */
static inline bool launch_is_followed(const struct dispatch *d)
{
    return d->lockstep || d->races || d->heap || d->cfg->trace || d->cfg->break_at ||
           d->cfg->check_hazards || d->cfg->count_lanes || d->cfg->debug;
}

/* The rules about sequences, on what each wave executes (hazard.c). Opened once for a
 * launch; begins anew with each work-group. NULL if memory is short. */
struct hazard_watch *hazard_watch_open(void);
void hazard_watch_close(struct hazard_watch *h);
void hazard_watch_start(struct group_runner *g);
/* Before a wave executes `in` at its pc: prints what is violated there, if it is the first time. */
void hazard_watch_step(struct group_run *run, const struct wave *w, const struct insn *in);
u64 hazard_watch_violations(const struct hazard_watch *h);

/* The detector of races (race.h). Opened once for a launch (ST_INPUT: too many waves); race_close
 * also after a failure. */
enum status race_open(struct races **r, const struct dispatch *d, struct err *e);
void race_close(struct races *r);
/* For a machine, which has its program; and back. */
enum status race_add(struct group_runner *g, struct err *e);
void race_remove(struct group_runner *g);
/* A work-group begins. */
void race_start(struct group_run *run);
/* Executes up to `limit` instructions of a wave. */
enum stop race_wave(struct group_run *run, struct wave *w, u64 limit);
/* Prints what was found, and counts it. ST_WORLD if memory was short on the way. */
enum status race_finish(struct races *r, u64 *count, struct err *e);

/* Uses of the device heap (heap.c): NULL in *h where the code has none. Both close functions also after a
 * failure. heap_finish counts what was found; with has_ended it prints what was not freed. ST_WORLD if
 * memory is or was short. */
enum status heap_open(struct heap **h, const struct codeobj *co, struct err *e);
void heap_close(struct heap *h);
enum status heap_finish(struct dispatch *d, bool has_ended, u64 *count, struct err *e);
/* For a machine; a work-group begins; before and behind each instruction of a wave. */
enum status heap_add(struct group_runner *g, struct err *e);
void heap_start(struct group_run *run);
void heap_before(struct group_run *run, struct wave *w);
void heap_after(struct group_run *run, struct wave *w);

/* All registers of a wave, those that are zero left out. */
void trace_registers(const struct dispatch *d, const struct wave *w);

/* The address that is shown for a wave's pc, as gcncheck dis does. */
u64 where_shown_pc(const struct dispatch *d, u64 pc);

/* "pc 0x24 (name+0x4)", or with a source line "pc 0x24 (name+0x4, k.cl:7)" */
void where_describe_pc(const struct dispatch *d, u64 pc, struct text *t);

#endif
