__kernel void life(__global const uchar *in, __global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1), count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                count += in[(y + dy + 32) % 32 * 64 + (x + dx + 64) % 64];
    out[y * 64 + x] = count == 3 || (count == 2 && in[y * 64 + x]);
}
