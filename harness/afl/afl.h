/* AFL++ on programs: its inputs are recipes (fuzz/mutate/mutate.h), a difference between DUT and model
 * is a crash. Two programs are made of this: the target that AFL++ runs (target.c), and the mutator
 * that it loads (mutator.c). Both take what they need from the environment:
 *
 *     GCNCHECK_AFL_DUT    the DUT, "plugin:./my.so"
 *     GCNCHECK_AFL_MCPU   the processor, gfx900 if it is not set
 *     GCNCHECK_AFL_GATE   the ledger's evidence below which a difference is none, as --gate of fuzz
 *     GCNCHECK_AFL_FORMS  file of what the DUT implements, which `gcncheck-afl forms FILE` has written */
#ifndef HARNESS_AFL_AFL_H
#define HARNESS_AFL_AFL_H

#include "fuzz/mutate/mutate.h"
#include "harness/finding/executor.h"
#include "harness/finding/stream_job.h"

/* One of these variables; NULL: it is not set, or empty. */
const char *afl_env(const char *name);

/* What programs for a DUT may be made of. */
struct afl_forms {
    u32 features;      /* GEN_ bits */
    u8 forms[OPS_MAX]; /* F_ bits of each opcode */
};

struct afl {
    char mcpu[32];
    struct isa isa;
    struct generator gen;
    struct executor x;  /* open after afl_open_dut */
    enum evidence gate; /* afl_open: that of fuzz */
    struct jobbuf *jb;
    struct stream stream;
    struct recipe recipe;
};

/* Asks a DUT, in a process of its own, what it implements. ST_INPUT and ST_WORLD as dut_open. */
enum status afl_ask(const char *mcpu, const char *dut, struct afl_forms *f, struct err *e);

/* The file of GCNCHECK_AFL_FORMS, which names the processor that it is about. ST_INPUT: it is none, or of
 * another processor. ST_WORLD: it cannot be written. */
enum status afl_write_forms(const char *path, const char *mcpu, const struct afl_forms *f,
                            struct err *e);
enum status afl_read_forms(const char *path, const char *mcpu, struct afl_forms *f, struct err *e);

/* Opens a processor (mcpu must outlive it) and a generator of programs for such a DUT. */
enum status afl_open_generator(const char *mcpu, const struct afl_forms *f, struct isa *isa,
                               struct generator *g, struct err *e);

/* The same, and what running programs takes. The caller frees *out by afl_close. */
enum status afl_open(const char *mcpu, const struct afl_forms *f, struct afl **out, struct err *e);
/* Loads the DUT into this process. */
enum status afl_open_dut(struct afl *a, const char *dut, struct err *e);
void afl_close(struct afl *a);

/* Whether model and DUT differ on the program of a recipe's bytes, by what no rule leaves open and not
 * only below the gate: what gcncheck fuzz would call wrong. ST_WORLD: the DUT cannot go on. */
enum status afl_run(struct afl *a, const u8 *bytes, size_t size, bool *differs, struct err *e);

#endif
