#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void half_math(__global const half *a, __global const half *b, __global half *out)
{
    size_t i = get_global_id(0);
    out[4 * i] = a[i] + b[i];
    out[4 * i + 1] = a[i] * b[i];
    out[4 * i + 2] = a[i] - b[i];
    out[4 * i + 3] = fma(a[i], b[i], (half)0.5h);
}
