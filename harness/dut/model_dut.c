/* The model, with or without planted bugs, as a plug-in: what the interface of gcncheck_dut.h does
 * to a right and to a wrong device can be tried without writing one. build/model_dut.so is this
 * file, the model and all mutants; nothing of it is shared with the program that loads it.
 *
 *     GCNCHECK_MUTANT=ID[,ID]... gcncheck run --dut plugin:build/model_dut.so cases
 *
 * plants mutants (gcncheck mutants lists them), hundreds if need be. An id that is none, or two
 * mutants that replace the same function, are refused: the plug-in prints why and is not to be had.
 * Where a mutant leads to what the model does not do, the job ends as one that could not go on: a
 * device with a bug does not know whose limits those are.
 *
 * GCNCHECK_FIXED_MODE=HEX makes it a device that knows no MODE but this; GCNCHECK_DOUBT=ID[,ID]... one
 * that reads these entries of the ledger otherwise (oracle/errata/other.def), instead of a mutant;
 * GCNCHECK_RATE=N one that executes no more than N instructions per second, the waves' together: what
 * gcncheck adds to a device's own time can be measured on one whose time is known. */
#include "harness/dut/model.h"
#include "harness/io/clock.h"
#include "harness/mutant/mutant.h"

#include <stdio.h>
#include <stdlib.h>

enum { PLANTED_MAX = 512 };

static struct {
    const struct mutant *mutant[PLANTED_MAX];
    u32 count;
    struct model *model; /* of the last job's processor */
    char mcpu[32];
    const char *mode;  /* of the environment; NULL: any */
    const char *doubt; /* of the environment; NULL: none */
    double rate;       /* of the environment, instructions per second; 0: as fast as it is */
} plug;

static bool refuse(const char *id, size_t len, const char *why)
{
    fprintf(stderr, "GCNCHECK_MUTANT: %.*s: %s\n", (int)len, id, why);
    return false;
}

/* Whether the environment's entries of the ledger have other readings, and there is no mutant. */
static bool choose_doubt(const char *ids, const char *mutants)
{
    u64 readings;
    struct err e = { .text = "" };
    plug.doubt = ids;
    if (ids && mutants)
        snprintf(e.text, sizeof e.text, "not together with GCNCHECK_MUTANT");
    else if (!ids || doubt_parse(ids, &readings, &e) == ST_OK)
        return true;
    fprintf(stderr, "GCNCHECK_DOUBT: %s\n", e.text);
    return false;
}

/* Takes over what the environment asks for. */
static bool choose(const char *ids)
{
    for (const char *at = ids; at && *at;) {
        char id[128];
        size_t len = strcspn(at, ",");
        snprintf(id, sizeof id, "%.*s", (int)len, at);
        const struct mutant *mu = mutant_find(id);
        if (!mu)
            return refuse(at, len, "no mutant has this id");
        for (u32 i = 0; i < plug.count; i++)
            if (mutant_collide(mu, plug.mutant[i]))
                return refuse(at, len, "another one replaces the same function");
        if (plug.count == PLANTED_MAX)
            return refuse(at, len, "one too many");
        plug.mutant[plug.count++] = mu;
        at += len + (at[len] == ',');
    }
    return true;
}

static bool open_model(const char *mcpu)
{
    struct err e = { .text = "" };
    if (plug.model && strcmp(plug.mcpu, mcpu) == 0)
        return true;
    model_close(plug.model);
    plug.model = NULL;
    snprintf(plug.mcpu, sizeof plug.mcpu, "%s", mcpu);
    if (model_open(&plug.model, plug.mcpu, "ref", NULL, &e) != ST_OK ||
        (plug.doubt && model_doubt(plug.model, plug.doubt, &e) != ST_OK)) {
        fprintf(stderr, "%s\n", e.text);
        return false;
    }
    if (plug.count == 1)
        mutant_plant(plug.mutant[0], &plug.model->engine);
    else
        mutant_plant_all(plug.mutant, plug.count, &plug.model->isa, &plug.model->engine);
    return true;
}

static int can(const char *mcpu, uint32_t place)
{
    (void)mcpu;
    (void)place;
    return GCNCHECK_SHOW_SET;
}

/* Works on until a job that began at `start` has taken its time. It does not sleep: that would be
 * longer than a job, and leave the processor to others. */
static void take_time(const struct gcncheck_job *job, double start)
{
    u64 executed = 0;
    for (u32 w = 0; w < job->waves; w++)
        executed += plug.model->m->wave[w]->steps;
    while (clock_seconds(CLOCK_MONOTONIC) - start < (double)executed / plug.rate)
        ;
}

/* Whatever MODE the job sets. */
static void run_fixed(struct gcncheck_job *job)
{
    struct err e = { .text = "" };
    u32 who = 0;
    if (model_start(plug.model, job, &e) != ST_OK) {
        job->outcome = GCNCHECK_ILLEGAL;
        return;
    }
    for (u32 w = 0; w < job->waves; w++)
        wave_set(plug.model->m->wave[w], PLACE_MODE, 0, (u32)strtoul(plug.mode, NULL, 16));
    enum stop stop = machine_run(plug.model->m, job->max_steps, &who);
    model_finish(plug.model, job, stop, who);
}

static int run(struct gcncheck_job *jobs, uint32_t count)
{
    for (u32 i = 0; i < count; i++) {
        if (!open_model(jobs[i].mcpu))
            return 1;
        double start = plug.rate > 0 ? clock_seconds(CLOCK_MONOTONIC) : 0;
        if (plug.mode)
            run_fixed(&jobs[i]);
        else if (model_run(plug.model, &jobs[i], NULL) != ST_OK)
            return 1;
        if (plug.count && jobs[i].outcome == GCNCHECK_UNSUPPORTED)
            jobs[i].outcome = GCNCHECK_FAULT;
        if (plug.rate > 0)
            take_time(&jobs[i], start);
    }
    return 0;
}

/* Whoever loads it without a worker loads it again for other mutants. */
__attribute__((destructor)) static void unload(void)
{
    model_close(plug.model);
    plug.model = NULL;
}

const struct gcncheck_dut *gcncheck_dut(void)
{
    static struct gcncheck_dut dut = { .size = sizeof dut,
                                       .abi = GCNCHECK_DUT_ABI,
                                       .name = "model",
                                       .version = "1",
                                       .can = can,
                                       .run = run };
    unload();
    plug.count = 0;
    plug.mode = getenv("GCNCHECK_FIXED_MODE");
    dut.has_fixed_mode = plug.mode != NULL;
    dut.fixed_mode = plug.mode ? (u32)strtoul(plug.mode, NULL, 16) : 0;
    const char *mutants = getenv("GCNCHECK_MUTANT"), *rate = getenv("GCNCHECK_RATE");
    plug.rate = rate ? strtod(rate, NULL) : 0;
    return choose(mutants) && choose_doubt(getenv("GCNCHECK_DOUBT"), mutants) ? &dut : NULL;
}
