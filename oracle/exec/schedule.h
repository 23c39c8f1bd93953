/* In which order the waves of a work-group run. Every order that barriers allow is right; programs
 * whose result depends on it are not. */
#ifndef ORACLE_EXEC_SCHEDULE_H
#define ORACLE_EXEC_SCHEDULE_H

#include "oracle/exec/exec.h"

enum schedule_kind {
    SCHEDULE_ORDER,   /* one wave after the other, each as far as it goes */
    SCHEDULE_REVERSE, /* the same from the last wave down */
    SCHEDULE_ROUND,   /* one instruction of each in turn */
    SCHEDULE_RANDOM,  /* any wave, one to sixteen instructions */
    SCHEDULE_ADVERSE  /* the next wave before every access to memory, from the last one down */
};
enum { SCHEDULES = 5 };

/* Instructions in one turn of SCHEDULE_ORDER and SCHEDULE_REVERSE; short ones once a wave of the
 * run has used a long one up: it may be waiting for another. */
enum { SCHEDULE_LONG_TURN = 1 << 16, SCHEDULE_SHORT_TURN = 1 << 10 };

/* "order" "reverse" "round-robin" "random" "adversarial". */
extern const char *const schedule_names[SCHEDULES];

struct schedule {
    enum schedule_kind kind;
    struct rng rng;          /* for SCHEDULE_RANDOM */
    const volatile int *cut; /* non-zero: ends the run with STOP_LIMIT; may be NULL */
};

/* Lets the waves that wait at the barrier go on once all that have not ended wait there; false if
 * none does. */
bool schedule_barrier(struct machine *m);

/* Once no wave can go on: STOP_GWS and the number of the first that waits for global wave sync,
 * else STOP_END. */
enum stop schedule_stuck(const struct machine *m, u32 *who);

/* Runs every wave to its end. A wave that spins while it waits for another does not stop the
 * others: after 65,536 instructions the next one has its turn, and turns are of 1,024
 * from then on. Returns STOP_END if all ended, else why the first wave that could not go on
 * stopped, with its number in *who; STOP_LIMIT if one needs more than max_steps instructions,
 * STOP_GWS if all that are left wait for global wave sync: where other machines share it, one of
 * their waves may end that, and the run can be taken up again. */
enum stop schedule_run(struct machine *m, struct schedule *s, u64 max_steps, u32 *who);

#endif
