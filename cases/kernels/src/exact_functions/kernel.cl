/* Functions whose results are exact: remainders of numbers far apart, neighbours, exponents, rounding, fused products, with
 * edge values in every pair; doubles as well. */
__kernel void exact_functions(__global const float *x, __global const double *d, __global uint *out, __global ulong *wide)
{
    uint i = get_global_id(0);
    float a = x[i % 30], b = x[i / 30];
    double p = d[i % 30], q = d[i / 30];
    __global uint *o = out + 16 * i;
    __global ulong *w = wide + 8 * i;
    o[0] = as_uint(fmod(a, b));
    o[1] = as_uint(remainder(a, b));
    o[2] = as_uint(nextafter(a, b) + 0.0f); /* zeroes are positive */
    o[3] = as_uint(rint(a)) ^ as_uint(trunc(b));
    o[4] = as_uint(round(a)) ^ as_uint(ceil(b));
    o[5] = as_uint(fma(a, b, a));
    o[6] = as_uint(copysign(fmax(a, b), fmin(a, b)));
    o[7] = as_uint(fdim(a, b));
    o[8] = as_uint(ldexp(a, (int)i % 300 - 150));
    o[9] = (uint)ilogb(a);
    o[10] = as_uint(logb(b));
    o[11] = (uint)isgreater(a, b) | (uint)isunordered(a, b) << 1 | (uint)islessgreater(a, b) << 2 | (uint)isnormal(a) << 3 |
            (uint)signbit(b) << 4 | (uint)isequal(a, b) << 5;
    int e;
    o[12] = as_uint(frexp(a, &e));
    o[13] = isfinite(a) && a != 0 ? (uint)e : 0;
    float whole;
    o[14] = as_uint(modf(a, &whole));
    o[15] = as_uint(whole);
    w[0] = as_ulong(fmod(p, q));
    w[1] = as_ulong(remainder(p, q));
    w[2] = as_ulong(nextafter(p, q) + 0.0);
    w[3] = as_ulong(rint(p)) ^ as_ulong(floor(q));
    w[4] = as_ulong(fma(p, q, p));
    w[5] = as_ulong(ldexp(p, (int)i % 2200 - 1100));
    w[6] = as_ulong(fmax(p, q)) ^ as_ulong(sqrt(fabs(q)));
    w[7] = as_ulong(round(p));
}
