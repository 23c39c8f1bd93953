/* The same in double precision, with Bessel functions made here from their series. */
static double bessel(double x)
{
    double term = 1, sum = 1, q = -x * x / 4;
    for (int k = 1; k < 40; k++)
        term *= q / (k * k), sum += term;
    return sum;
}

__kernel void special_f64(__global const double *x, __global const double *y, __global double *out)
{
    uint i = get_global_id(0), n = get_global_size(0);
    double a = x[i], b = y[i];
    int sign, e;
    out[0 * n + i] = tgamma(a);
    out[1 * n + i] = lgamma_r(a, &sign) * 0.5;
    out[2 * n + i] = erf(a) * sign;
    out[3 * n + i] = erfc(a);
    out[4 * n + i] = pow(fabs(a), b);
    out[5 * n + i] = powr(fabs(b), a);
    out[6 * n + i] = cosh(a);
    out[7 * n + i] = asinh(a) + atanh(b / 8);
    out[8 * n + i] = sin(a * 1e200);
    out[9 * n + i] = cos(b * 123456789.0);
    out[10 * n + i] = tan(a);
    out[11 * n + i] = atan2(a, b);
    out[12 * n + i] = cbrt(a);
    out[13 * n + i] = expm1(a / 128);
    out[14 * n + i] = hypot(a * 1e160, b * 1e160);
    out[15 * n + i] = frexp(a, &e) * e;
    out[16 * n + i] = bessel(b);
    out[17 * n + i] = log2(fabs(a)) + exp2(b);
    out[18 * n + i] = rsqrt(fabs(b));
    out[19 * n + i] = atan(a) / acospi(b / 8);
}
