__kernel void sincos_f32(__global const float *in, __global float *s, __global float *c)
{
    size_t i = get_global_id(0);
    s[i] = sin(in[i]);
    c[i] = cos(in[i]);
}
