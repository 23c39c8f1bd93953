/* The list of a program with mutants: tables made by scripts/mutate/mutate.py and that of state.c,
 * which make up build/libmutants.a with those made of slips. */
#include "harness/mutant/mutant.h"

#define FAMILY(name)                             \
    extern const struct mutant mutants_##name[]; \
    extern const u32 mutants_##name##_count;
#include "oracle/isa/family.def"
FAMILY(operand)
FAMILY(exec)
FAMILY(state)
#undef FAMILY

#define FAMILY(name) { mutants_##name, &mutants_##name##_count, NULL },
const struct mutant_family mutant_families[] = {
#include "oracle/isa/family.def"
    FAMILY(operand) FAMILY(exec) FAMILY(state){ NULL, NULL, mutant_slips }, { NULL, NULL, NULL }
};
#undef FAMILY
