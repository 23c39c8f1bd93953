/* Saturating conversions with every rounding, and arithmetic of bytes and halves that saturates. */
__kernel void saturate(__global const float *f, __global const double *d, __global const uint *u, __global uint *out, __global ulong *wide)
{
    uint i = get_global_id(0), v = u[i];
    float a = f[i];
    double b = d[i];
    __global uint *o = out + 16 * i;
    o[0] = (uint)convert_int_sat_rte(a);
    o[1] = convert_uint_sat_rtp(a);
    o[2] = (uchar)convert_char_sat_rtn(a) | convert_uchar_sat_rte(a) << 8 | (ushort)convert_short_sat_rtz(a) << 16;
    o[3] = convert_ushort_sat(b) | (uint)(uchar)convert_char_sat(b) << 16;
    o[4] = convert_uint_sat_rte(b);
    o[5] = (uint)convert_int_sat_rtn(b);
    o[6] = as_uint(convert_float_rte((long)((ulong)v << 20 | v)));
    o[7] = as_uint(convert_float_rtz(b));
    o[8] = as_uint(add_sat(as_char4(v), as_char4(v * 77)));
    o[9] = as_uint(sub_sat(as_uchar4(v), as_uchar4(v * 77)));
    o[10] = as_uint(add_sat(as_short2(v), as_short2(v << 1)));
    o[11] = as_uint(convert_short2_sat((int2)((int)v, (int)(v >> 12))));
    o[12] = as_uint(convert_uchar4_sat((int4)((int)v, (int)(v & 511), -(int)(v & 7), (int)(v >> 28))));
    o[13] = (uint)mad_sat((int)v, 3, (int)0x7ffffff0);
    o[14] = as_uint(rhadd(as_uchar4(v), as_uchar4(v >> 3))) ^ as_uint(hadd(as_short2(v), as_short2(v << 3)));
    o[15] = upsample(convert_ushort_sat((int)v), (ushort)v);
    wide[2 * i] = convert_ulong_sat(b);
    wide[2 * i + 1] = (ulong)convert_long_sat_rte(a);
}
