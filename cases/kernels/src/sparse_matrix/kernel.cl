/* A sparse matrix by a vector, eight lanes for a row whose length differs: gathers, a reduction within groups of lanes through
 * LDS without barriers between waves, single precision sums in a fixed order. */
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void sparse_matrix(__global const uint *starts, __global const ushort *columns,
                                                                            __global const float *values, __global const float *x,
                                                                            __global float *y, int rows)
{
    __local volatile float part[64];
    uint l = get_local_id(0), lane = l % 8;
    int row = get_global_id(0) / 8;
    float sum = 0;
    if (row < rows)
        for (uint k = starts[row] + lane; k < starts[row + 1]; k += 8)
            sum += values[k] * x[columns[k]];
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 4; n; n /= 2) {
        if (lane < n)
            part[l] += part[l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0 && row < rows)
        y[row] = part[l];
}
