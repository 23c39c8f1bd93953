// Functions of double and float from the C++ library of clang's HIP headers.
#include <hip/hip_runtime.h>

__global__ void math(double *d, float *f, const double *in)
{
    int i = threadIdx.x;
    double x = in[i];
    d[0 * 64 + i] = sin(x) * cos(x) + exp(x / 10) + log(x);
    d[1 * 64 + i] = pow(x, 1.25) + cbrt(x) + sqrt(x) + atan2(x, 3.0);
    d[2 * 64 + i] = erf(x / 9) + tgamma(1 + x / 9) + hypot(x, 2.0) + fmod(x, 0.7) + tanh(x);
    float y = (float)x;
    f[0 * 64 + i] = sinf(y) * cosf(y) + expf(y / 10) + logf(y);
    f[1 * 64 + i] = powf(y, 1.25f) + cbrtf(y) + sqrtf(y) + atan2f(y, 3.0f);
    f[2 * 64 + i] = erff(y / 9) + tgammaf(1 + y / 9) + hypotf(y, 2.0f) + tanhf(y) + floorf(y) + rintf(y);
}
