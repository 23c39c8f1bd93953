/* Launches in which it is given which wave has the next turn: all orders of them that can differ
 * (--schedule exhaustive, exhaust.c), or a list (--turns). */
#ifndef HARNESS_LAUNCH_TURNS_H
#define HARNESS_LAUNCH_TURNS_H

#include "harness/launch/internal.h"
#include "oracle/exec/explore.h"

/* Turns of one wave, one behind the other. Waves are counted through the grid. */
struct turns_run {
    u32 thread;
    u32 turns;     /* 0 in a list that was read: as far as it goes */
    bool is_whole; /* then it could not go on */
    bool is_usual; /* it would have begun without a list, too */
};

/* ST_INPUT: the launch is too large. turns_close also after a failure; NULL is nothing. */
enum status turns_open(struct turns **t, struct dispatch *d, struct err *e);
void turns_close(struct turns *t);

u32 turns_threads(const struct turns *t); /* waves of the launch */

/* The explorer chooses; or a list, and behind its end the same wave goes on as long as it can, then
 * the first that can. Both stay the caller's. */
void turns_explore(struct turns *t, struct explore *x);
void turns_follow(struct turns *t, const struct turns_run *list, u32 count);

/* A run begins: who guides its schedule. */
struct schedule_guide *turns_begin(struct turns *t);

/* After a run: whether a wave stopped while others could have gone on. */
bool turns_were_cut(const struct turns *t);
/* ST_INPUT if it did not fit the list, ST_WORLD if memory was short. */
enum status turns_check(const struct turns *t, struct err *e);
/* The list that repeats it; answers its length. Until the next one begins. */
u32 turns_taken(const struct turns *t, const struct turns_run **runs);

/* "0:3,1,0": three turns of wave 0, wave 1 as far as it goes, then wave 0. */
void turns_print(FILE *out, const struct turns_run *runs, u32 count);
/* *runs from malloc, also after a failure. */
enum status turns_parse(const char *text, struct turns_run **runs, u32 *count, struct err *e);

#endif
