/* A panel: several devices as one, for whoever holds them beside one another. It can do what all of
 * them can, so that each runs the very same job; what each of them answered can be looked at. Seen as
 * one device it answers what its first member does. */
#ifndef HARNESS_DUT_PANEL_H
#define HARNESS_DUT_PANEL_H

#include "harness/dut/dut.h"

enum { PANEL_MAX = 16 };

/* Opens the devices that the specs name: 1 to PANEL_MAX. As dut_open; also ST_INPUT: two of them know
 * one MODE each, and not the same. */
enum status panel_open(const char *const *specs, u32 count, const struct dut_cfg *cfg,
                       struct dut **out, struct err *e);

/* How many members it has; 0: it is no panel. */
u32 panel_members(const struct dut *d);

const struct dut *panel_member(const struct dut *d, u32 member);

/* What a member made of a job of the last dut_run, by number; the caller's jobs must be there still.
 * Until the next dut_run. */
const struct gcncheck_job *panel_answer(const struct dut *d, u32 member, u32 job);

#endif
