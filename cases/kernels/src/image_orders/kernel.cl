/* The channel orders of OpenCL: which component is red, green, blue, alpha, and the constants of those that an image lacks. */
#define READ(k, image) out[16 * i + k] = read_imagef(image, at)
__kernel void image_orders(read_only image2d_t r, read_only image2d_t a, read_only image2d_t rg, read_only image2d_t ra,
                           read_only image2d_t rgba, read_only image2d_t bgra, read_only image2d_t argb, read_only image2d_t abgr,
                           read_only image2d_t intensity, read_only image2d_t luminance, read_only image2d_depth_t depth,
                           __global float4 *out, __global int2 *what)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int i = at.y * get_global_size(0) + at.x;
    READ(0, r);
    READ(1, a);
    READ(2, rg);
    READ(3, ra);
    READ(4, rgba);
    READ(5, bgra);
    READ(6, argb);
    READ(7, abgr);
    READ(8, intensity);
    READ(9, luminance);
    out[16 * i + 10] = (float4)(read_imagef(depth, at), 0, 0, 0);
    if (i == 0) {
        what[0] = (int2)(get_image_channel_order(r), get_image_channel_data_type(r));
        what[1] = (int2)(get_image_channel_order(ra), get_image_channel_data_type(ra));
        what[2] = (int2)(get_image_channel_order(bgra), get_image_channel_data_type(bgra));
        what[3] = (int2)(get_image_channel_order(argb), get_image_channel_data_type(argb));
        what[4] = (int2)(get_image_channel_order(intensity), get_image_channel_data_type(intensity));
        what[5] = (int2)(get_image_channel_order(depth), get_image_channel_data_type(depth));
    }
}
