/* In which order waves run, those of one work-group or of several that are resident together. Every
 * order that barriers allow is right; programs whose result depends on it are not. */
#ifndef ORACLE_EXEC_SCHEDULE_H
#define ORACLE_EXEC_SCHEDULE_H

#include "oracle/exec/exec.h"

enum schedule_kind {
    SCHEDULE_ORDER,   /* one wave after the other, each as far as it goes */
    SCHEDULE_REVERSE, /* the same from the last wave down */
    SCHEDULE_ROUND,   /* one instruction of each in turn */
    SCHEDULE_RANDOM,  /* any wave, one to sixteen instructions */
    SCHEDULE_ADVERSE  /* the wave of the highest priority, which is drawn; before some accesses to
                         memory, drawn too, it becomes the lowest */
};
enum { SCHEDULES = 5 };

/* "order" "reverse" "round-robin" "random" "adversarial". */
extern const char *const schedule_names[SCHEDULES];

/* A machine in a schedule. */
struct schedule_slot {
    struct machine *m;
    u64 asleep; /* waves, by bit, that had ended or waited when they were looked at last */
};
enum { SCHEDULE_WAVES = 64 }; /* of one machine */

struct schedule;

/* Who says whose turn it is, and how long that is, in place of a kind. */
struct schedule_guide {
    /* Sets s->at and s->wave to a wave that can go on; false: there is none, or the run ends. */
    bool (*choose)(struct schedule_guide *g, struct schedule *s);
    /* Executes at least one instruction of that wave and at most `left`. False if s->run wants to
     * end the run. */
    bool (*turn)(struct schedule_guide *g, struct schedule *s, struct wave *w, u64 left);
};

struct schedule {
    enum schedule_kind kind;
    struct schedule_guide *guide; /* NULL: none */
    struct rng rng;               /* for SCHEDULE_RANDOM and SCHEDULE_ADVERSE */
    const volatile int *cut;      /* non-zero: ends the run with STOP_LIMIT; may be NULL */
    u64 max_steps;                /* of one wave */
    bool looks;   /* for waves that wait for memory (spin.h), which are then left alone */
    bool may_add; /* returns now and then, so that the caller may add a machine: of the others
                       that wait, only the last one is asked whether it can go on */
    /* Executes up to `limit` instructions of a wave in slot `index`; NULL: its engine does. An
     * answer of STOP_NONE with fewer executed ends the run. */
    enum stop (*run)(void *ctx, u32 index, struct wave *w, u64 limit);
    /* Asked now and then, and when nobody can go on: whether somebody who is no wave has changed
     * memory. May be NULL. */
    bool (*serve)(void *ctx);
    void *ctx;
    struct schedule_slot *slot; /* a work-group each, all in the caller's thread; the caller's */
    u32 slots;
    /* Where it stands. */
    u32 at, wave;  /* whose turn is next */
    u64 turn;      /* instructions in a long turn */
    u64 since;     /* executed since it returned */
    u64 asked;     /* executed since those asleep were asked whether they can go on */
    u64 lowest;    /* the next priority below all others */
    u64 to_change; /* accesses before the next change of priorities */
};

/* What a run came to; in which slot, and which wave. */
struct schedule_end {
    enum stop stop;
    u32 at, wave;
};

/* Begins anew: kind, rng and what else the caller sets are set before. */
void schedule_start(struct schedule *s);

/* A machine has been reset and stands in s->slot[index], or has been taken away from there (those
 * behind it moved up, s->slots is one less). */
void schedule_added(struct schedule *s, u32 index);
void schedule_removed(struct schedule *s, u32 index);

/* Runs the waves of all machines until something is to be told:
 *   STOP_END   all waves of that machine ended; it must be taken away before the next call
 *   STOP_NONE  with may_add: so much was executed that one that is not there may be waited for; or
 *              s->run answered so
 *   STOP_GWS   nobody can go on, and that wave waits for global wave sync
 *   STOP_SPIN  likewise, and waits for memory; s->looks
 *   others     that wave cannot go on, STOP_LIMIT: it has executed max_steps instructions, or the
 *              run is cut
 * A wave that spins while it waits for another does not stop the others: after 65,536 instructions
 * the next one has its turn, and turns are of 1,024 from then on. */
struct schedule_end schedule_go(struct schedule *s);

/* Lets the waves that wait at the barrier go on once all that have not ended wait there; false if
 * none does. */
bool schedule_barrier(struct machine *m);

/* Runs every wave of one machine to its end. Returns STOP_END if all ended, else why the first wave
 * that could not go on stopped, with its number in *who. */
enum stop schedule_run(struct machine *m, struct schedule *s, u64 max_steps, u32 *who);

#endif
