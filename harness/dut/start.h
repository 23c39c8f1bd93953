/* Starting the process of a device under test, on a machine that may be busy: whoever was slow, or
 * has run before, gets another chance after a pause. */
#ifndef HARNESS_DUT_START_H
#define HARNESS_DUT_START_H

#include "harness/dut/dut.h"

/* Starts the process, once, and has it answer within limit_ms; on failure there is none. *slow: it
 * did not answer in time. */
typedef enum status dut_start_fn(struct dut *d, u32 limit_ms, bool *slow, struct err *e);

/* The first start. A slow one is tried again, once at least and until the tries took 5 s, with twice
 * the time (10 s at most, or what the user gave). ST_INPUT and ST_WORLD as `start`. */
enum status dut_start_first(struct dut *d, dut_start_fn *start, u32 limit_ms, struct err *e);

/* A start after the process was lost: it has started before, so that whatever is wrong may pass.
 * Four tries, with pauses and times that double. ST_WORLD: "cannot start again: " and why; at once
 * if a stop is requested. */
enum status dut_start_again(struct dut *d, dut_start_fn *start, u32 limit_ms, struct err *e);

#endif
