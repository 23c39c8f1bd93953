#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void classify(__global const float *f, __global const double *d, __global uint *out)
{
    size_t i = get_global_id(0);
    float v = f[i];
    double w = d[i];
    uint bits = isnan(v) | isinf(v) << 1 | isfinite(v) << 2 | isnormal(v) << 3 | signbit(v) << 4;
    bits |= (uint)(isnan(w) | isinf(w) << 1 | isfinite(w) << 2 | isnormal(w) << 3 | signbit(w) << 4) << 8;
    bits |= (uint)(isless(v, 1.0f) | isgreater(v, 1.0f) << 1 | isunordered(v, 1.0f) << 2 | isnotequal(v, 1.0f) << 3) << 16;
    out[i] = bits;
}
