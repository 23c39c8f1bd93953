/* Arrays of images: the layer comes behind the coordinates; each layer of the 2D array goes to a row of the 1D array's layer. */
__kernel void image_array(read_only image2d_array_t in, write_only image1d_array_t sums, read_write image1d_t last, __global uint *counts)
{
    int x = get_global_id(0), layer = get_global_id(1);
    uint4 sum = 0;
    for (int y = 0; y < get_image_height(in); y++)
        sum += read_imageui(in, (int4)(x, y, layer, 0));
    write_imageui(sums, (int2)(x, layer), sum);
    if (layer == (int)get_image_array_size(in) - 1)
        write_imageui(last, x, (read_imageui(last, x) + sum.y) & 0xffff);
    if (x + layer == 0)
        counts[0] = get_image_array_size(in), counts[1] = get_image_array_size(sums), counts[2] = get_image_width(last);
}
