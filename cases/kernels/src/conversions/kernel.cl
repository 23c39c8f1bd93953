#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void conversions(__global const float *in, __global uint *out)
{
    size_t i = get_global_id(0);
    float v = in[i];
    double wide = v;
    out[8 * i] = (uint)convert_int_sat(v);
    out[8 * i + 1] = convert_uint_sat(v);
    out[8 * i + 2] = (uint)convert_char_sat(v);
    out[8 * i + 3] = convert_ushort_sat(v);
    out[8 * i + 4] = as_uint((float)(int)(as_uint(v) >> 3));
    out[8 * i + 5] = as_uint((float)as_uint(v));
    out[8 * i + 6] = as_uint((float)(wide * 1.0000001));
    out[8 * i + 7] = (uint)convert_int_rtn(clamp(v, -1000.0f, 1000.0f));
}
