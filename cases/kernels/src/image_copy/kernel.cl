/* Images without a sampler: 8-bit components read as integers and stored with the channels turned and the picture mirrored;
 * coordinates outside are dropped by the store. */
__kernel void image_copy(read_only image2d_t in, write_only image2d_t out, __global uint *sizes)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1)), size = get_image_dim(in);
    if (at.x == 0 && at.y == 0) {
        sizes[0] = get_image_width(in);
        sizes[1] = get_image_height(in);
        sizes[2] = get_image_channel_order(in);
        sizes[3] = get_image_channel_data_type(out);
    }
    uint4 v = read_imageui(in, at);
    write_imageui(out, (int2)(size.x - 1 - at.x, at.y), v.yzwx + (uint4)(0, 1, 2, 3));
    write_imageui(out, (int2)(at.x + size.x, at.y), (uint4)(7));
}
