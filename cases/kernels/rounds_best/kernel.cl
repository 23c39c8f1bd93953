/* Quotients by a reciprocal. v_rcp_f32 may be one unit in the last place off, but the model's is the nearest float: without the
 * correction all is well there. harness/t/launch/ulp.sh launches both with --ulp. */
__kernel void rounds_best(__global const uint2 *in, __global uint *out)
{
    uint2 v = in[get_global_id(0)];
    out[get_global_id(0)] = (uint)((float)v.x * __builtin_amdgcn_rcpf((float)v.y));
}

__kernel void rounds_any(__global const uint2 *in, __global uint *out)
{
    uint2 v = in[get_global_id(0)];
    int q = (int)((float)v.x * __builtin_amdgcn_rcpf((float)v.y)), rest = (int)v.x - q * (int)v.y;
    q += rest >= (int)v.y;
    q -= rest < 0;
    out[get_global_id(0)] = q;
}

/* One of each: eight floats and three doubles (as sixteen dwords) for each item. */
__kernel void approximate(__global const float *in, __global float *out)
{
    uint id = get_global_id(0);
    float x = in[id];
    __global double *wide = (__global double *)(out + 16 * id + 8);
    out[16 * id] = __builtin_amdgcn_rcpf(x);
    out[16 * id + 1] = __builtin_amdgcn_rsqf(x);
    out[16 * id + 2] = __builtin_amdgcn_sqrtf(x);
    out[16 * id + 3] = __builtin_amdgcn_exp2f(x);
    out[16 * id + 4] = __builtin_amdgcn_logf(x);
    out[16 * id + 5] = __builtin_amdgcn_sinf(x);
    out[16 * id + 6] = __builtin_amdgcn_cosf(x);
    out[16 * id + 7] = 0;
    wide[0] = __builtin_amdgcn_rcp((double)x);
    wide[1] = __builtin_amdgcn_rsq((double)x);
    wide[2] = __builtin_amdgcn_sqrt((double)x);
    wide[3] = 0;
}
