/* Samplers that take the nearest texel, as arguments and as constants of the program: every way of addressing, coordinates in
 * texels and normalized, integers and floats, images of one to three dimensions and layers. */
__constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__constant sampler_t mirror = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;

__kernel void image_nearest(read_only image2d_t flat, sampler_t border, read_only image1d_t line, sampler_t repeat,
                            read_only image3d_t block, read_only image2d_array_t layers, __global uint4 *out, __global float4 *floats)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x;
    int2 at = (int2)(x - 3, y - 2);
    float2 texel = convert_float2(at) + (float2)(0.25f, 0.75f), unit = texel / convert_float2(get_image_dim(flat));
    __global uint4 *o = out + 6 * i;
    o[0] = read_imageui(flat, border, at);
    o[1] = read_imageui(flat, border, texel);
    o[2] = read_imageui(flat, edge, texel);
    o[3] = read_imageui(flat, mirror, unit);
    o[4] = read_imageui(flat, repeat, unit);
    o[5] = read_imageui(layers, edge, (float4)(texel, y * 0.4f, 0));
    floats[3 * i] = read_imagef(line, repeat, (x - 2.75f) / get_image_width(line));
    floats[3 * i + 1] = read_imagef(line, border, x - 2);
    floats[3 * i + 2] = read_imagef(block, edge, (float4)(x * 0.5f - 0.2f, y - 0.7f, (x + y) % 6 - 1.1f, 0));
}
