/* gcncheck-afl-mutator.so: the mutator that AFL++ loads (AFL_CUSTOM_MUTATOR_LIBRARY), by the interface
 * of its custom mutators. */
#include "harness/afl/afl.h"

#include <stdio.h>
#include <stdlib.h>

enum { WALKED_MAX = 1 << 16, COUNT = 256 };

struct mutator {
    struct isa isa;
    struct generator gen;
    struct rng rng;
    struct stream scratch;
    struct recipe recipe, other;
    /* Inputs are walked through when AFL++ comes by for the first time. */
    struct mutate_walk walk;
    u32 step, steps;
    u64 walked[WALKED_MAX]; /* hashes of inputs, by their low bits */
    /* What is trimmed: `trimmed` without `width` genes from `at` on is tried. */
    struct recipe trimmed;
    u32 at, width;
    u8 bytes[MUTATE_BYTES_MAX];
};

void *afl_custom_init(void *afl, unsigned int seed);
u32 afl_custom_fuzz_count(void *data, const u8 *buf, size_t size);
size_t afl_custom_fuzz(void *data, u8 *buf, size_t size, u8 **out, u8 *add, size_t add_size,
                       size_t max);
int afl_custom_init_trim(void *data, u8 *buf, size_t size);
size_t afl_custom_trim(void *data, u8 **out);
int afl_custom_post_trim(void *data, u8 success);
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

static u64 hash_input(const u8 *buf, size_t size)
{
    u64 hash = size;
    for (size_t i = 0; i < size; i++)
        hash = hash_mix(hash, buf[i]);
    return hash;
}

/* Programs made of one input: first, once, those of the walk. AFL++ makes more as long as it finds
 * something. Its own number is thousands, for targets that are faster: what was found last would wait
 * for hours. */
u32 afl_custom_fuzz_count(void *data, const u8 *buf, size_t size)
{
    struct mutator *m = data;
    u64 hash = hash_input(buf, size), *walked = &m->walked[hash % WALKED_MAX];
    m->step = m->steps = 0;
    if (*walked != hash) {
        mutate_decode(&m->gen, buf, size, &m->recipe);
        m->steps = mutate_walk_start(&m->gen, &m->recipe, &m->scratch, &m->walk);
        *walked = hash;
    }
    return m->steps + COUNT;
}

size_t afl_custom_fuzz(void *data, u8 *buf, size_t size, u8 **out, u8 *add, size_t add_size,
                       size_t max)
{
    struct mutator *m = data;
    const struct generator *g = &m->gen;
    mutate_decode(g, buf, size, &m->recipe);
    if (m->step < m->steps) {
        mutate_walk_step(&m->walk, m->step++, &m->recipe);
    } else {
        mutate_decode(g, add, add ? add_size : 0, &m->other);
        mutate_recipe(g, &m->rng, &m->other, &m->scratch, &m->recipe);
    }
    size_t n = mutate_encode(&m->recipe, m->bytes);
    *out = m->bytes;
    return n < max ? n : max;
}

/* ---- trimming: a program that shows the same branches with fewer instructions is changed where it
 * matters sooner. Halves of the genes are left out, then quarters, down to one at a time. ---- */

enum { TRIM_GOES_ON, TRIM_ENDS };

/* Shorter parts where the end is reached. */
static int trim_next(struct mutator *m)
{
    if (m->at >= m->trimmed.gene_count) {
        m->at = 0;
        m->width = m->width > m->trimmed.gene_count ? m->trimmed.gene_count : m->width;
        m->width /= 2;
    }
    return m->width ? TRIM_GOES_ON : TRIM_ENDS;
}

int afl_custom_init_trim(void *data, u8 *buf, size_t size)
{
    struct mutator *m = data;
    mutate_decode(&m->gen, buf, size, &m->trimmed);
    m->at = 0;
    m->width = (m->trimmed.gene_count + 1u) / 2;
    bool can = m->width && mutate_encode(&m->trimmed, m->bytes) <= size; /* what is cut is longer */
    return can ? TRIM_ENDS : 0; /* AFL++ asks while what post_trim returns is below that */
}

size_t afl_custom_trim(void *data, u8 **out)
{
    struct mutator *m = data;
    u32 left = m->trimmed.gene_count - m->at;
    m->recipe = m->trimmed;
    mutate_cut(&m->recipe, m->at, m->width < left ? m->width : left);
    *out = m->bytes;
    return mutate_encode(&m->recipe, m->bytes);
}

int afl_custom_post_trim(void *data, u8 success)
{
    struct mutator *m = data;
    if (success)
        m->trimmed = m->recipe;
    else
        m->at += m->width;
    return trim_next(m);
}

void afl_custom_deinit(void *data)
{
    free(data);
}
