/* c = a * b, square matrices of n rows (a multiple of 16), in tiles of 16 by 16 that a work-group keeps in LDS. */
__kernel void matmul_tiled(__global const float *a, __global const float *b, __global float *c, uint n)
{
    __local float rows[16][16], columns[16][17];
    uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint tile = 0; tile < n; tile += 16) {
        rows[y][x] = a[row * n + tile + x];
        columns[y][x] = b[(tile + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 16; k++)
            sum += rows[y][k] * columns[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
