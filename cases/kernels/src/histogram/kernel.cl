__kernel void histogram(__global const uchar *in, __global volatile uint *out)
{
    __local uint bins[256];
    uint i = get_local_id(0);
    bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 4; k++)
        atomic_inc(&bins[in[get_global_id(0) * 4 + k]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (bins[i])
        atomic_add(&out[i], bins[i]);
}
