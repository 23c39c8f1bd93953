/* Launches kernels on the model: what the command processor and the dispatcher of the GPU do.
 * Registers are set up from the kernel descriptor, the whole grid runs, buffers hold the results
 * afterwards. Rules: LLVM's "User Guide for AMDGPU Backend", sections Kernel Dispatch and Initial
 * Kernel Execution State. */
#ifndef HARNESS_LAUNCH_LAUNCH_H
#define HARNESS_LAUNCH_LAUNCH_H

#include "harness/codeobj/codeobj.h"
#include "harness/codeobj/debug_line.h"
#include "harness/launch/file/file.h"
#include "harness/launch/file/kernarg.h"
#include "oracle/exec/exec.h"

#include <stdio.h>

enum { LAUNCH_STEPS = 100000000 }; /* a usual max_steps: seconds, for one wave */

#define LAUNCH_EXHAUSTIVE "exhaustive"
enum { LAUNCH_SCHEDULES = 10000 }; /* a usual cfg.schedules */

struct launch_watcher;
struct filter;
struct rpc;

struct launch_cfg {
    const char *engine;                                   /* "ref" or "host" */
    void (*change_engine)(void *ctx, struct engine *eng); /* what is planted in it; may be NULL */
    void *change_ctx;
    u64 max_steps; /* instructions that one wave may execute */
    u32 jobs; /* threads, each running work-groups; one if the launch is followed, or as soon as a
                     work-group waits for another */
    u32 resident; /* work-groups that are under way at a time, in one thread; 0: one after the
                     other, and as many as the processor has room for where one waits */
    const char *schedule;  /* order of the waves that are under way, one of schedule_names; or
                              LAUNCH_EXHAUSTIVE: all orders of each kernel, from what the first
                              order of the one before left; a kernel with a wrong one is the last */
    u64 schedules;         /* of LAUNCH_EXHAUSTIVE: the most */
    const char *turns;     /* whose turn it is (turns.h), in place of a schedule; NULL: that */
    u32 turns_part;        /* in which kernel; the others go their usual way */
    u64 seed;              /* of a schedule that is drawn */
    FILE *out;             /* where a trace, a break and registers are printed */
    bool trace;            /* every instruction with what it changed */
    struct filter *filter; /* of the trace (filter.h); NULL: all */
    bool check_hazards;    /* the rules of oracle/rule/rule.h, on what is executed */
    bool check_memory;     /* what nobody set, and bytes that are not the kernel's (check.c) */
    bool check_races;      /* accesses to one place that nothing orders (race.h) */
    bool count_lanes;      /* what lanes execute, one step after the other: slow */
    bool delay;            /* memory results arrive late (oracle/exec/delay.h) */
    u64 delay_seed;        /* 0: as late as possible; else at times that it draws */
    u64 ulp_seed;          /* not 0: approximate results are drawn (oracle/accept/approximate.h) */
    bool weak;             /* memory is as weak as the documents allow (oracle/exec/weak.h) */
    u64 weak_seed;
    bool registers;               /* of the wave that stopped, or of each that reaches the break */
    struct launch_watcher *debug; /* who looks at every instruction (internal.h), or NULL */
    const char *break_at; /* ADDR or SYMBOL+N: the launch ends when a wave is about to execute it */
    /* Who answers the program's calls (host/rpc.h): its work-groups run in one thread. NULL: nobody. */
    struct rpc *rpc;
    const struct debug_lines *lines; /* source lines for messages, or NULL */
};

struct launch_result {
    u64 groups;       /* work-groups that ended */
    u64 instructions; /* executed by all waves */
    u64 lanes; /* with count_lanes: a vector instruction counts for each lane that is on, others
                  once */
    u64 violations; /* with check_hazards: instructions of the code that broke a rule */
    u64 unset;      /* with check_memory: 1 if what the kernel does depends on what nobody set */
    bool uses_set;  /* with check_memory: no instruction used anything that nobody set */
    u64 misuses;    /* with check_memory: instructions that use the device heap wrongly */
    u64 races;      /* with check_races: pairs of instructions */
    u64 wrong;      /* of LAUNCH_EXHAUSTIVE: schedules whose outcome is wrong */
    double seconds;
    double cpu_seconds; /* that its threads were given, together */
    bool has_ended;     /* every wave reached s_endpgm */
    bool at_break;      /* if not: because the break was reached */
    char why[512];      /* if not: "pc 0x1924 (vadd_f32+0x24, k.cl:7): v_foo_b32: not modelled" */
};

/* Told behind each kernel that has ended, which is l->part; the buffers of *l are as it left them. */
typedef void launch_after(void *ctx, const struct launch *l, const struct launch_result *r);

/* Runs the kernels of `l`, each of which is k[i] of `co`, one after the other and work-group after
 * work-group; before them the constructors of global variables (kernel amdgcn.device.init), if there
 * are any. The buffers of *l are changed in place. What one kernel has stored all of the next one
 * see: by the packet's release and acquire, caches are empty in between. `after` may be NULL. *r is of
 * the last kernel that ran. ST_OK also when that could not go on (r->has_ended is false then).
 * ST_INPUT if launch and kernels do not fit, before any has run, or a kernel needs more than a
 * processor has; ST_WORLD if memory is short. */
enum status launch_run(const struct codeobj *co, const struct codeobj_kernel *k, struct launch *l,
                       const struct launch_cfg *cfg, launch_after *after, void *ctx,
                       struct launch_result *r, struct err *e);

#endif
