/* Conversions of texels: the table of sRGB against MPFR, and the packed 16-bit formats. */
#include "harness/t/lib/tap_test.h"
#include "oracle/fp/format.h"

#include <mpfr.h>
#include <string.h>

/* The f32 nearest to what an sRGB byte means, by MPFR. */
static u32 srgb_by_mpfr(u32 byte)
{
    mpfr_t v, power;
    u32 bits;
    mpfr_inits2(200, v, power, (mpfr_ptr)0);
    mpfr_set_ui(v, byte, MPFR_RNDN);
    mpfr_div_ui(v, v, 255, MPFR_RNDN);
    if (byte <= 10) { /* 0.04045 * 255 = 10.3 */
        mpfr_mul_ui(v, v, 100, MPFR_RNDN);
        mpfr_div_ui(v, v, 1292, MPFR_RNDN);
    } else {
        mpfr_mul_ui(v, v, 1000, MPFR_RNDN);
        mpfr_add_ui(v, v, 55, MPFR_RNDN);
        mpfr_div_ui(v, v, 1055, MPFR_RNDN);
        mpfr_set_ui(power, 24, MPFR_RNDN);
        mpfr_div_ui(power, power, 10, MPFR_RNDN);
        mpfr_pow(v, v, power, MPFR_RNDN);
    }
    float f = mpfr_get_flt(v, MPFR_RNDN);
    memcpy(&bits, &f, sizeof bits);
    mpfr_clears(v, power, (mpfr_ptr)0);
    return bits;
}

static void check_parts(u32 code, const char *name, u32 count, const u8 bits[4])
{
    const struct data_format *d = data_format(code);
    ok(d->count == count && d->bytes == 2 && memcmp(d->bits, bits, count) == 0,
       "%s: %u components in two bytes, the first in the low bits", name, count);
}

int main(void)
{
    for (u32 byte = 0; byte < 256; byte++) {
        u32 got = format_decode(byte, 8, NUM_SRGB), want = srgb_by_mpfr(byte);
        ok(got == want, "sRGB %u is 0x%08x (0x%08x)", byte, want, got);
    }
    ok(num_format_fits(8, NUM_SRGB) && !num_format_fits(16, NUM_SRGB), "sRGB has bytes");
    ok(num_format_fits(2, NUM_SNORM) && !num_format_fits(1, NUM_SNORM),
       "a sign alone is no fraction");
    check_parts(16, "5_6_5", 3, (const u8[4]){ 5, 6, 5 });
    check_parts(17, "1_5_5_5", 4, (const u8[4]){ 5, 5, 5, 1 });
    check_parts(18, "5_5_5_1", 4, (const u8[4]){ 1, 5, 5, 5 });
    check_parts(19, "4_4_4_4", 4, (const u8[4]){ 4, 4, 4, 4 });
    ok(data_format(15)->count == 0 && data_format(DATA_FORMAT_LAST + 1)->count == 0,
       "other codes are no formats");
    return done();
}
