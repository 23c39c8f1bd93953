#include "harness/mutant/mutant.h"

/* Made by scripts/mutate/mutate.py, but for the last (harness/mutant/state.c). */
#define FAMILY(name)                             \
    extern const struct mutant mutants_##name[]; \
    extern const u32 mutants_##name##_count;
#include "oracle/isa/family.def"
FAMILY(operand)
FAMILY(exec)
FAMILY(state)
#undef FAMILY

const struct mutant *mutant_at(u32 index)
{
#define FAMILY(name) { mutants_##name, &mutants_##name##_count },
    static const struct {
        const struct mutant *mutant;
        const u32 *count;
    } list[] = {
#include "oracle/isa/family.def"
        FAMILY(operand) FAMILY(exec) FAMILY(state)
    };
#undef FAMILY
    for (u32 i = 0; i < COUNT_OF(list); i++) {
        if (index < *list[i].count)
            return &list[i].mutant[index];
        index -= *list[i].count;
    }
    return NULL;
}

const struct mutant *mutant_find(const char *id)
{
    const struct mutant *mu;
    for (u32 i = 0; (mu = mutant_at(i)); i++)
        if (strcmp(mu->id, id) == 0)
            return mu;
    return NULL;
}

const char *mutant_kind_name(enum mutant_kind kind)
{
    static const char *const names[MUTANT_KINDS] = { "value",    "flag",    "exec",
                                                     "modifier", "address", "state" };
    return names[kind];
}

const char *mutant_encoding(const struct mutant *mu)
{
    return mu->enc < ENC_COUNT ? isa_encs[mu->enc].name : "-";
}

void mutant_plant(const struct mutant *mu, struct engine *eng)
{
    if (mu->sem)
        eng->sem[mu->op] = mu->sem;
    if (mu->operand)
        eng->operand = mu->operand;
    if (mu->exec)
        eng->exec = mu->exec;
}
