__kernel void dot4_i8(__global const char4 *a, __global const char4 *b, __global int *out)
{
    size_t i = get_global_id(0);
    int4 p = convert_int4(a[i]) * convert_int4(b[i]);
    uint4 q = convert_uint4(as_uchar4(a[i])) * convert_uint4(as_uchar4(b[i]));
    out[2 * i] = p.x + p.y + p.z + p.w;
    out[2 * i + 1] = (int)(q.x + q.y + q.z + q.w);
}
