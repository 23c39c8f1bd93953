/* A 5 x 5 filter over a picture of 16-bit samples: a tile with its border in LDS, weights in constant memory, fast math. */
#define TILE 12
__kernel void convolution(__global const short *in, __constant const float *weights, __global float *out, int width, int height)
{
    __local float tile[TILE + 4][TILE + 4];
    int lx = get_local_id(0), ly = get_local_id(1), x0 = get_group_id(0) * TILE - 2, y0 = get_group_id(1) * TILE - 2;
    for (int y = ly; y < TILE + 4; y += TILE)
        for (int x = lx; x < TILE + 4; x += TILE) {
            int gx = clamp(x0 + x, 0, width - 1), gy = clamp(y0 + y, 0, height - 1);
            tile[y][x] = in[gy * width + gx];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            sum += tile[ly + y][lx + x] * weights[y * 5 + x];
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        out[y * width + x] = sum;
}
