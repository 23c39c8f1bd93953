/* Samples of an instruction that a finding accuses: what it is given, and what the DUT and the model
 * make of it. */
#ifndef HARNESS_FINDING_SAMPLE_H
#define HARNESS_FINDING_SAMPLE_H

#include "harness/dut/dut.h"
#include "harness/dut/job.h"
#include "oracle/isa/isa.h"

enum { SAMPLES_MAX = 256 };

/* One instruction with its inputs, as a job of its own. */
struct sample {
    struct jobbuf *jb;        /* owned; `job` points into it */
    struct gcncheck_job *job; /* its start, with what is to be read back; never run itself */
    bool is_wrong;
    u64 lanes;      /* that are wrong; 0: not known by lane */
    u64 dut, model; /* hashes of the results */
};

struct samples {
    const struct isa *isa;
    struct sample sample[SAMPLES_MAX];
    u32 count, wrong;
};

/* Runs samples first..first+n-1 on a DUT and gives the hashes of their results, 0 for what it does
 * not end. */
enum status sample_run(struct dut *d, const struct samples *s, u32 first, u32 n, u64 *hash,
                       struct err *e);

/* Copies program, values and memory of a job; sample_ready then finishes it with the waves, steps and
 * poison of `job`. NULL: memory is short. */
void sample_copy(struct jobbuf *dst, const struct gcncheck_job *job);
struct gcncheck_job *sample_ready(struct jobbuf *dst, const struct gcncheck_job *job);

#endif
