/* Functions of OpenCL in single precision that are long programs: gamma, error functions, powers, hyperbolic ones, Payne and
 * Hanek's reduction of large angles. */
__kernel void special_f32(__global const float *x, __global const float *y, __global float *out)
{
    uint i = get_global_id(0), n = get_global_size(0);
    float a = x[i], b = y[i];
    out[0 * n + i] = tgamma(a);
    out[1 * n + i] = lgamma(fabs(a) + 0.5f);
    out[2 * n + i] = erf(a);
    out[3 * n + i] = erfc(a);
    out[4 * n + i] = pow(fabs(a), b);
    out[5 * n + i] = pown(a, (int)b);
    out[6 * n + i] = rootn(fabs(a), 5);
    out[7 * n + i] = sinh(a);
    out[8 * n + i] = tanh(a);
    out[9 * n + i] = asinh(a * b);
    out[10 * n + i] = acosh(1 + fabs(b));
    out[11 * n + i] = atanh(a / 12);
    out[12 * n + i] = sin(a * 1e20f);
    out[13 * n + i] = cos(b * 12345.678f);
    out[14 * n + i] = tan(a);
    out[15 * n + i] = atan2(a, b);
    out[16 * n + i] = cbrt(a * b);
    out[17 * n + i] = expm1(a * 0.01f);
    out[18 * n + i] = log1p(fabs(a) * 0.01f);
    out[19 * n + i] = hypot(a * 1e19f, b * 1e19f);
    out[20 * n + i] = sinpi(a);
    out[21 * n + i] = asin(b / 8);
    out[22 * n + i] = exp10(b);
    out[23 * n + i] = log10(fabs(b));
}
