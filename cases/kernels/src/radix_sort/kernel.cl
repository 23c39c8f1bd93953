/* Sorts 1024 keys with their values, stable, four bits at a time: counts in LDS, a scan of counts, scattered stores between two
 * halves of LDS, barriers of 256 work-items. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void radix_sort(__global uint *keys, __global ushort *values)
{
    __local uint key[2][1024];
    __local ushort value[2][1024];
    __local ushort counts[16][256];
    __local uint totals[16];
    uint l = get_local_id(0), base = get_group_id(0) * 1024, from = 0;
    for (uint k = l; k < 1024; k += 256)
        key[0][k] = keys[base + k], value[0][k] = values[base + k];
    for (uint shift = 0; shift < 32; shift += 4, from ^= 1) {
        for (uint d = 0; d < 16; d++)
            counts[d][l] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 4 * l; k < 4 * l + 4; k++)
            counts[key[from][k] >> shift & 15][l]++;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 16) {
            uint sum = 0;
            for (uint k = 0; k < 256; k++) {
                uint n = counts[l][k];
                counts[l][k] = sum, sum += n;
            }
            totals[l] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 4 * l; k < 4 * l + 4; k++) {
            uint d = key[from][k] >> shift & 15, to = counts[d][l]++;
            for (uint e = 0; e < d; e++)
                to += totals[e];
            key[from ^ 1][to] = key[from][k], value[from ^ 1][to] = value[from][k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = l; k < 1024; k += 256)
        keys[base + k] = key[0][k], values[base + k] = value[0][k];
}
