/* Shared by the files of the launcher: a dispatch, its workers, and what runs their work-groups. */
#ifndef HARNESS_LAUNCH_INTERNAL_H
#define HARNESS_LAUNCH_INTERNAL_H

#include "harness/launch/host.h"
#include "harness/launch/launch.h"
#include "oracle/exec/schedule.h"

#include <stdio.h>

enum { PACKET_BYTES = 64, MAX_GROUP_WAVES = 16 };

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
    u32 groups[3];    /* work-groups of the grid, partial ones included */
    u32 lds_size;     /* allocated */
    u32 private_size; /* bytes of scratch for a work-item, a multiple of 4 */
    u64 scratch_wave; /* bytes of scratch for a wave */
    u64 scratch_size; /* for the waves of one work-group */
    bool is_ordered; /* its work-groups run one after the other: they share GDS, or call the host */
    u64 break_address;
};

/* One thread: runs one work-group at a time, with scratch of its own at the same address. */
struct group_runner {
    struct dispatch *d;
    struct machine *m;
    u8 *scratch;
    u8 queue[128];
    struct hazard_watch *watch; /* with check_hazards */
    u64 lanes;                  /* with count_lanes */
};

/* Opens a machine with the code, the memory and scratch. `log_dw`: dwords of its write log, 0 for
 * none. ST_WORLD if memory is short. */
enum status runner_open(struct group_runner *g, struct dispatch *d, u32 log_dw,
                        pthread_mutex_t *shared, struct err *e);
void runner_close(struct group_runner *g);

/* From now on `g` shares with `other`, which may be closed first, what all work-groups share beside
 * memory: GDS, global wave sync and, with check_hazards, the watch. */
void runner_share(struct group_runner *g, const struct group_runner *other);

static inline u64 launch_round_up(u64 v, u64 unit)
{
    return (v + unit - 1) / unit * unit;
}

/* Sets up the registers of all waves of a work-group. */
void runner_start(struct group_runner *g, const u32 group[3]);

/* The number of a work-group in the order in which they are started, and back. */
u64 launch_group_count(const struct dispatch *d);
void launch_group_at(const struct dispatch *d, u64 index, u32 group[3]);

/* Runs all work-groups, in as many threads as the configuration says. ST_WORLD if memory or threads
 * are short. */
enum status launch_run_groups(struct dispatch *d, struct launch_result *r, struct err *e);

/* Reads ADDR (hexadecimal, an offset in the code object as disassembly shows it) or SYMBOL or
 * SYMBOL+N (bytes) into d->break_address. ST_INPUT if it is neither or lies in no function. */
enum status where_parse_break(struct dispatch *d, const char *text, struct err *e);

/* Runs the started work-group to its end and writes what each instruction changes
 * (trace.c). */
enum stop trace_group(struct group_runner *g, const u32 group[3], u32 *who);

/* Whether a launch is followed step by step: traced, or looking for a break. */
static inline bool launch_is_followed(const struct dispatch *d)
{
    return d->cfg->trace || d->cfg->break_at || d->cfg->check_hazards || d->cfg->count_lanes;
}

/* The rules about sequences, on what each wave executes (hazard.c). Opened once for a
 * launch; begins anew with each work-group. NULL if memory is short. */
struct hazard_watch *hazard_watch_open(void);
void hazard_watch_close(struct hazard_watch *h);
void hazard_watch_start(struct hazard_watch *h, const struct codeobj_target *target);
/* Before a wave executes `in` at its pc: prints what is violated there, if it is the first time. */
void hazard_watch_step(struct hazard_watch *h, const struct dispatch *d, const struct wave *w,
                       const struct insn *in, const u32 group[3]);
u64 hazard_watch_violations(const struct hazard_watch *h);

/* All registers of a wave, those that are zero left out. */
void trace_registers(const struct dispatch *d, const struct wave *w);

/* The address that is shown for a wave's pc, as gcncheck dis does. */
u64 where_shown_pc(const struct dispatch *d, u64 pc);

/* "pc 0x24 (name+0x4)", or with a source line "pc 0x24 (name+0x4, k.cl:7)" */
void where_describe_pc(const struct dispatch *d, u64 pc, struct text *t);

#endif
