/* gcncheck-afl-mutator.so: the mutator that AFL++ loads (AFL_CUSTOM_MUTATOR_LIBRARY), by the interface
 * of its custom mutators. */
#include "harness/afl/afl.h"

#include <stdio.h>
#include <stdlib.h>

struct mutator {
    struct isa isa;
    struct generator gen;
    struct rng rng;
    struct recipe recipe, other;
    u8 bytes[MUTATE_BYTES_MAX];
};

void *afl_custom_init(void *afl, unsigned int seed);
size_t afl_custom_fuzz(void *data, u8 *buf, size_t size, u8 **out, u8 *add, size_t add_size,
                       size_t max);
void afl_custom_deinit(void *data);

void *afl_custom_init(void *afl, unsigned int seed)
{
    const char *mcpu = afl_env("GCNCHECK_AFL_MCPU"), *forms = afl_env("GCNCHECK_AFL_FORMS");
    struct err e = { .text = "GCNCHECK_AFL_FORMS must be set" };
    struct mutator *m = calloc(1, sizeof *m);
    struct afl_forms f;
    (void)afl;
    mcpu = mcpu ? mcpu : "gfx900";
    if (!m || !forms || afl_read_forms(forms, mcpu, &f, &e) != ST_OK ||
        afl_open_generator(mcpu, &f, &m->isa, &m->gen, &e) != ST_OK) {
        fprintf(stderr, "gcncheck-afl-mutator: %s\n", e.text);
        exit(2);
    }
    rng_seed(&m->rng, seed);
    return m;
}

size_t afl_custom_fuzz(void *data, u8 *buf, size_t size, u8 **out, u8 *add, size_t add_size,
                       size_t max)
{
    struct mutator *m = data;
    const struct generator *g = &m->gen;
    mutate_decode(g, buf, size, &m->recipe);
    mutate_decode(g, add, add ? add_size : 0, &m->other);
    mutate_recipe(g, &m->rng, &m->other, &m->recipe);
    size_t n = mutate_encode(&m->recipe, m->bytes);
    *out = m->bytes;
    return n < max ? n : max;
}

void afl_custom_deinit(void *data)
{
    free(data);
}
