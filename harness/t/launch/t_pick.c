/* Names of C++ functions and what they are mangled to. The mangled names are clang's. */
#include "harness/bundle/pick.h"
#include "harness/t/lib/tap_test.h"

int main(void)
{
    static const struct {
        const char *mangled, *plain;
        bool is_it;
    } rows[] = {
        { "_Z4vaddPfPKfS1_i", "vadd", true },
        { "_Z4vaddPfPKfS1_i", "vad", false },
        { "_Z4vaddPfPKfS1_i", "vaddP", false },
        { "_Z5scaleIfEvPT_S0_", "scale", true },
        { "_ZN2ns4vaddEPf", "ns::vadd", true },
        { "_ZN2ns4vaddEPf", "vadd", false },
        { "_ZN2ns4vaddEPf", "ns", false },
        { "_ZN2ns5inner5scaleIfEEvPT_", "ns::inner::scale", true },
        { "_ZL4kernPi", "kern", true },
        { "_ZN12_GLOBAL__N_13addEPi", "add", true },
        { "vadd", "vadd", false },
        { "_Z", "", false },
        { "_Z99vadd", "vadd", false },
        { "_ZN", "", false },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ok(pick_is_mangled(rows[i].mangled, rows[i].plain) == rows[i].is_it, "%s is %s%s",
           rows[i].mangled, rows[i].is_it ? "" : "not ", rows[i].plain);
    return done();
}
