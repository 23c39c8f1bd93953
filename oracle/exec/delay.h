/* Memory results that arrive as late as the wait counters allow: under this step loop, a program
 * that lacks an s_waitcnt computes with the old values of its registers, and its result is wrong
 * where it would be right by luck. A program that waits as the manual asks sees no difference. Vega
 * ISA, chapter 4 (data dependency resolution).
 *
 * Vector, flat and scalar memory is read and written when the instruction is issued (each time from
 * then on is allowed); the registers change when the counters say that the result is there. LDS and
 * GDS are accessed then, too, so that other waves see what was written neither earlier nor later;
 * GDS takes its data from the registers at that time, or when expcnt says so; so does vector memory
 * on gfx6, of stores, in the order of the instructions. At s_endpgm everything arrives. What an
 * instruction loads into LDS is there at once. */
#ifndef ORACLE_EXEC_DELAY_H
#define ORACLE_EXEC_DELAY_H

#include "oracle/exec/exec.h"

/* Allocates what m's waves need; m's engine has to use exec_ops_delayed from now on. Results come
 * as late as possible. machine_close frees it. ST_WORLD if memory is short. */
enum status delay_open(struct machine *m, struct err *e);
void delay_close(struct machine *m);

/* Forgets what is under way; machine_reset and machine_load do that. Nothing without delay_open. */
void delay_reset(struct machine *m);

/* From now on results arrive at times that the seed draws, in any order that the counters leave
 * open. The draw begins anew with delay_reset. */
void delay_random(struct machine *m, u64 seed);

/* For machines with delay_open. Atomics hold machine.shared, if it is set. */
extern const struct exec_ops exec_ops_delayed;

#endif
