__kernel void exp_log_f32(__global const float *in, __global float *e, __global float *l, __global float *p)
{
    size_t i = get_global_id(0);
    e[i] = exp(in[i]);
    l[i] = log(fabs(in[i]) + 0.25f);
    p[i] = pow(fabs(in[i]), 1.75f);
}
