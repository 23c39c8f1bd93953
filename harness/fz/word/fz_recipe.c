/* Recipes of programs, as gcncheck fuzz --corpus and gcncheck-afl read them: any bytes are one, what is written of
 * it is read as the same, and the program that it makes holds instructions alone. */
#include "fuzz/mutate/mutate.h"
#include "harness/fz/fz.h"

static struct isa isa;
static struct generator gen;

void fz_open(void)
{
    struct err e = { .text = "" };
    struct gen_cfg cfg = gen_cfg_default;
    fz_open_isa(&isa, "gfx908");
    if (gen_open(&gen, &isa, &cfg, &e) != ST_OK)
        fz_broken("the generator opens", e.text);
}

bool fz_one(const u8 *data, size_t size)
{
    static struct recipe r, again;
    static struct stream s, same;
    static u8 bytes[MUTATE_BYTES_MAX], written[MUTATE_BYTES_MAX];
    mutate_decode(&gen, data, size, &r);
    size_t length = mutate_encode(&r, bytes);
    mutate_decode(&gen, bytes, length, &again);
    if (mutate_encode(&again, written) != length || memcmp(bytes, written, length) != 0)
        fz_broken("what is written of a recipe is read as the same", "other bytes");
    recipe_stream(&gen, &r, &s);
    recipe_stream(&gen, &again, &same);
    if (s.code_dw != same.code_dw || memcmp(s.code, same.code, s.code_dw * sizeof s.code[0]) != 0)
        fz_broken("equal recipes make equal programs", "other code");
    return r.gene_count > 0;
}
