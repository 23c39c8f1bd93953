#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void div_sqrt_f64(__global const double *a, __global const double *b, __global double *quotient, __global double *root)
{
    size_t i = get_global_id(0);
    quotient[i] = a[i] / b[i];
    root[i] = sqrt(a[i]);
}
