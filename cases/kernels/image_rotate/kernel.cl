/* A picture turned about its centre and made larger: bilinear samples at any place. The hardware's weights have eight bits:
 * the tolerance is two of them. src/image_rotate, whole in its folder, is built again where a compiler is. */
__constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

__kernel void image_rotate(read_only image2d_t in, write_only image2d_t out, float angle, float scale)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 middle = convert_float2(get_image_dim(out)) * 0.5f, d = (convert_float2(at) + 0.5f - middle) * scale;
    float s, c;
    s = sincos(angle, &c);
    float2 from = (float2)(d.x * c - d.y * s, d.x * s + d.y * c) + convert_float2(get_image_dim(in)) * 0.5f;
    write_imagef(out, at, read_imagef(in, border, from));
}
