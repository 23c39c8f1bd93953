/* The discrete cosine transform of 8 x 8 blocks, rows and columns through LDS, quantized in a zig-zag order and back again:
 * 4 blocks in a work-group of three dimensions. The four sums run along another side of a matrix each. */
__kernel __attribute__((reqd_work_group_size(8, 8, 4))) void dct(__global const uchar *in, __constant const float *cosines,
                                                                  __constant const uchar *order, __global char *out,
                                                                  __global uchar *back)
{
    __local float a[4][8][9], b[4][8][9];
    uint x = get_local_id(0), y = get_local_id(1), n = get_local_id(2), block = get_group_id(2) * 4 + n;
    float sum = 0;
    a[n][y][x] = (float)in[block * 64 + y * 8 + x] - 128;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 8; k++)
        sum += a[n][y][k] * cosines[x * 8 + k];
    b[n][y][x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (uint k = 0; k < 8; k++)
        sum += b[n][k][x] * cosines[y * 8 + k];
    char q = convert_char_sat_rte(sum / (8 + x + y));
    out[block * 64 + order[y * 8 + x]] = q;
    a[n][y][x] = q * (float)(8 + x + y);
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (uint k = 0; k < 8; k++)
        sum += a[n][k][x] * cosines[k * 8 + y];
    b[n][y][x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (uint k = 0; k < 8; k++)
        sum += b[n][y][k] * cosines[k * 8 + x];
    back[block * 64 + y * 8 + x] = convert_uchar_sat_rte(sum + 128);
}
