#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void packed_half(__global const half2 *a, __global const half2 *b, __global half2 *out)
{
    size_t i = get_global_id(0);
    half2 sum = a[i] + b[i], product = a[i] * b[i].yx;
    out[2 * i] = sum;
    out[2 * i + 1] = fmax(product, -a[i]);
}
