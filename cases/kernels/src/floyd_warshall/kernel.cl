/* Shortest paths between all pairs of 48 nodes: the matrix in LDS, 1024 work-items, a barrier for every step, saturating sums. */
__kernel __attribute__((reqd_work_group_size(32, 32, 1))) void floyd_warshall(__global const ushort *in, __global ushort *out)
{
    __local ushort d[48][48];
    uint x = get_local_id(0), y = get_local_id(1);
    for (uint k = y * 32 + x; k < 48 * 48; k += 1024)
        d[k / 48][k % 48] = in[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 48; k++) {
        for (uint i = y; i < 48; i += 32)
            for (uint j = x; j < 48; j += 32)
                if (i != k && j != k)
                    d[i][j] = min(d[i][j], add_sat(d[i][k], d[k][j]));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = y * 32 + x; k < 48 * 48; k += 1024)
        out[k] = d[k / 48][k % 48];
}
