/* Image buffers are typed buffers: buffer_load_format and buffer_store_format with idxen, range checked. */
__kernel void image_buffer(read_only image1d_buffer_t in, write_only image1d_buffer_t out, int n)
{
    int i = get_global_id(0);
    float4 sum = 0;
    for (int k = 0; k < 4; k++)
        sum += rint(read_imagef(in, i * 4 + k) * 127);
    write_imagef(out, i < n ? n - 1 - i : i, sum.wzyx * 0.25f);
}
