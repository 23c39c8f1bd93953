/* Correctly rounded quotients and roots. */
__kernel void div_sqrt_f32(__global const float *a, __global const float *b, __global float *quotient, __global float *root)
{
    size_t i = get_global_id(0);
    quotient[i] = a[i] / b[i];
    root[i] = sqrt(a[i]);
}
