__kernel void dynamic_lds(__global const uint *in, __local uint *a, __local ulong *b, __global ulong *out)
{
    uint i = get_local_id(0);
    a[i] = in[get_global_id(0)];
    b[63 - i] = (ulong)a[i] * a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = b[i] + a[(i + 1) % 64];
}
