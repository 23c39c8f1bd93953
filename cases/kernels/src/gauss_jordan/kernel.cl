/* Inverse of a matrix of 12 x 12 floats in each work-group: pivots by the largest in a column (a tree of maxima with their
 * places in LDS), rows exchanged, all of it between barriers. */
__kernel __attribute__((reqd_work_group_size(24, 12, 1))) void gauss_jordan(__global const float *in, __global float *out)
{
    __local float m[12][25];
    __local float best[16];
    __local int where[16];
    int x = get_local_id(0), y = get_local_id(1), base = get_group_id(0) * 144;
    m[y][x] = x < 12 ? in[base + y * 12 + x] : x - 12 == y;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 12; k++) {
        if (y == 0 && x < 16)
            best[x] = x >= k && x < 12 ? fabs(m[x][k]) : -1, where[x] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int n = 8; n; n /= 2) {
            if (y == 0 && x < n && best[x + n] > best[x])
                best[x] = best[x + n], where[x] = where[x + n];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        int pivot = where[0];
        int from = y == pivot ? k : y; /* row k goes where the pivot was */
        float mine = m[from][x], factor = m[from][k], top = m[pivot][x] / m[pivot][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (y != k)
            m[y][x] = mine - factor * top;
        else
            m[y][x] = top;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x >= 12)
        out[base + y * 12 + x - 12] = m[y][x];
}
