/* Profiles. */
#include "fuzz/gen/internal.h"

static const struct gen_profile profiles[] = {
#define CL(class)                           (1u << CL_##class)
#define PROFILE(name, classes, forms, text) { #name, text, classes, forms },
#include "fuzz/gen/profile.def"
#undef PROFILE
#undef CL
};

const struct gen_profile *gen_profile_at(u32 index)
{
    return index < COUNT_OF(profiles) ? &profiles[index] : NULL;
}

bool gen_profile_has(const struct gen_profile *p, isa_op op, enum isa_form form)
{
    i32 cl = gen_class_of(&isa_rows[op]);
    return p->classes >> (cl < 0 ? (i32)CL_FLOW : cl) & 1 && p->forms >> form & 1;
}
