/* Inclusive sums within each work-group. */
__kernel void scan_lds(__global const uint *in, __global uint *out)
{
    __local uint sums[2][256];
    uint i = get_local_id(0), from = 0;
    sums[0][i] = in[get_global_id(0)];
    for (uint step = 1; step < 256; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[1 - from][i] = sums[from][i] + (i >= step ? sums[from][i - step] : 0);
        from = 1 - from;
    }
    out[get_global_id(0)] = sums[from][i];
}
