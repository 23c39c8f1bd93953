/* gcncheck probe: the questions that a card would settle (harness/probe/question.def), asked of a
 * device and of the model, some repetitions on whatever compute units the device chooses. Nothing is
 * judged: an answer is as the model's, as another reading of an entry of the ledger has it, or
 * neither. */
#ifndef HARNESS_PROBE_PROBE_H
#define HARNESS_PROBE_PROBE_H

#include "oracle/base/base.h"

#include <stdio.h>

enum { PROBE_QUESTIONS = 15, PROBE_REPETITIONS = 10 };

struct probe_cfg {
    const char *mcpu, *dut;
    const char *version; /* gcncheck's */
    FILE *out;           /* the file to attach */
    u32 time_limit_ms;   /* after it no further question is begun; 0: none */
};

/* Of one question. */
struct probe_tally {
    const char *title;
    u32 asked;    /* instructions */
    u32 as_model; /* answered as the model does, in all repetitions */
    u32 other;    /* as another reading of an entry */
    u32 neither;
    u32 refused;  /* the device, or the processor, does not have it */
    u32 unsteady; /* differs between repetitions */
};

/* Asks, writes the file and fills tally[0] to [PROBE_QUESTIONS - 1]. ST_INPUT or ST_WORLD: the DUT
 * cannot be opened, or is lost. */
enum status probe_run(const struct probe_cfg *cfg, struct probe_tally *tally, struct err *e);

#endif
