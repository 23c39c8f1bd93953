/* A 3 x 3 blur: unorm8 texels become floats, neighbours outside read as 0, the result goes to an image of floats. */
__kernel void image_blur(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(in, at + (int2)(x, y)) * (float)((2 - abs(x)) * (2 - abs(y)));
    write_imagef(out, at, sum / 16);
}
