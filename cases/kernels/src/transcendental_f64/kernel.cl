#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void transcendental_f64(__global const double *in, __global double *e, __global double *s, __global double *l)
{
    size_t i = get_global_id(0);
    e[i] = exp(in[i]);
    s[i] = sin(in[i] * 1e5);
    l[i] = log(fabs(in[i]) + 0.5);
}
