/* Elements of several layers, whose addresses share registers that are overwritten while a load is under way. */
__kernel void image_layers(__read_only image2d_array_t in, sampler_t s, __global uint4 *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    uint4 sum = 0;
    for (int l = 0; l < 4; l++)
        sum = sum * 5 + read_imageui(in, s, (int4)(x, y, l, 0));
    out[y * 8 + x] = sum;
}
