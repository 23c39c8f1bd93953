__attribute__((reqd_work_group_size(1024, 1, 1))) __kernel void barrier_1024(__global const uint *in, __global uint *out)
{
    __local uint ring[1024];
    uint i = get_local_id(0), v = in[i];
    for (uint k = 0; k < 8; k++) {
        ring[i] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = ring[(i * 5 + k) % 1024] * 3 + ring[1023 - i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = v;
}
