/* Samplers that blend neighbours, in one to three dimensions, at the edges too. Weights have few bits on the hardware: the
 * coordinates are multiples of 1/8 texel. */
__constant sampler_t texels = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
__constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

__kernel void image_linear(read_only image2d_t flat, sampler_t repeat, read_only image1d_t line, read_only image3d_t block,
                           __global float4 *out)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x;
    float2 at = (float2)(x * 0.375f - 1, y * 0.875f - 1);
    __global float4 *o = out + 5 * i;
    o[0] = read_imagef(flat, texels, at);
    o[1] = read_imagef(flat, border, at);
    o[2] = read_imagef(flat, repeat, at / convert_float2(get_image_dim(flat)));
    o[3] = read_imagef(line, repeat, at.x / 16);
    o[4] = read_imagef(block, texels, (float4)(at, x * 0.125f, 0));
}
