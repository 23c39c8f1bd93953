/* Recipes as bytes, low ones first: a head (version, focus, form, counts, seed), values, genes. */
#include "fuzz/mutate/mutate.h"

enum { VERSION = 1 };

/* ---- writing ---- */

static u8 *put(u8 *at, u64 value, u32 bytes)
{
    for (u32 i = 0; i < bytes; i++)
        *at++ = (u8)(value >> 8 * i);
    return at;
}

static u8 *put_gene(u8 *at, const struct gene *gene)
{
    at = put(at, gene->kind, 1);
    at = put(at, gene->form, 1);
    at = put(at, gene->op, 2);
    for (u32 i = 0; i < COUNT_OF(gene->at); i++)
        at = put(at, gene->at[i], 8);
    at = put(at, gene->swap_count, 2);
    for (u32 i = 0; i < gene->swap_count; i++) {
        at = put(at, gene->swap[i].field, 1);
        at = put(at, gene->swap[i].seed, 4);
    }
    return at;
}

size_t mutate_encode(const struct recipe *r, u8 bytes[MUTATE_BYTES_MAX])
{
    u8 *at = put(bytes, VERSION, 1);
    at = put(at, r->form, 1);
    at = put(at, r->focus, 2);
    at = put(at, r->value_count, 2);
    at = put(at, r->gene_count, 2);
    at = put(at, r->seed, 8);
    for (u32 i = 0; i < r->value_count; i++) {
        const struct recipe_value *v = &r->value[i];
        at = put(at, v->wave, 1);
        at = put(at, v->reg, 1);
        at = put(at, v->lane, 2);
        at = put(at, v->value, 4);
    }
    for (u32 i = 0; i < r->gene_count; i++)
        at = put_gene(at, &r->gene[i]);
    return (size_t)(at - bytes);
}

/* ---- reading ---- */

struct reader {
    const u8 *at, *end;
    bool is_short; /* it was asked for more than there is */
};

static u64 take(struct reader *in, u32 bytes)
{
    u64 value = 0;
    if ((size_t)(in->end - in->at) < bytes) {
        in->is_short = true;
        in->at = in->end;
        return 0;
    }
    for (u32 i = 0; i < bytes; i++)
        value |= (u64)*in->at++ << 8 * i;
    return value;
}

static void take_gene(struct reader *in, struct gene *gene)
{
    *gene = (struct gene){ .kind = (u8)take(in, 1) };
    gene->form = (u8)take(in, 1);
    gene->op = (u16)take(in, 2);
    for (u32 i = 0; i < COUNT_OF(gene->at); i++)
        gene->at[i] = take(in, 8);
    gene->swap_count = (u8)(take(in, 2) % (RECIPE_SWAPS_MAX + 1));
    for (u32 i = 0; i < gene->swap_count; i++) {
        gene->swap[i].field = (u8)take(in, 1);
        gene->swap[i].seed = (u32)take(in, 4);
    }
}

static void take_value(struct reader *in, struct recipe_value *v)
{
    v->wave = (u8)take(in, 1);
    v->reg = (u8)take(in, 1);
    v->lane = (u8)(take(in, 2) % (GENE_ALL_LANES + 1));
    v->value = (u32)take(in, 4);
}

void mutate_decode(const struct generator *g, const u8 *bytes, size_t size, struct recipe *r)
{
    struct reader in = { .at = bytes, .end = bytes + size };
    memset(r, 0, sizeof *r);
    take(&in, 1);
    r->form = (u8)take(&in, 1);
    r->focus = (u16)take(&in, 2);
    u32 values = (u32)take(&in, 2) % (RECIPE_VALUES_MAX + 1);
    u32 genes = (u32)take(&in, 2) % (RECIPE_GENES_MAX + 1);
    r->seed = take(&in, 8);
    for (u32 i = 0; i < values && !in.is_short; i++) {
        take_value(&in, &r->value[i]);
        r->value_count += !in.is_short;
    }
    for (u32 i = 0; i < genes && !in.is_short; i++) {
        take_gene(&in, &r->gene[i]);
        r->gene_count += !in.is_short;
    }
    recipe_repair(g, r);
}
