__kernel void matmul_f32(__global const float *a, __global const float *b, __global float *c)
{
    __local float ta[16][16], tb[16][17];
    uint x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint t = 0; t < 32; t += 16) {
        ta[y][x] = a[row * 32 + t + x];
        tb[y][x] = b[(t + y) * 32 + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 16; k++)
            sum += ta[y][k] * tb[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * 32 + col] = sum;
}
