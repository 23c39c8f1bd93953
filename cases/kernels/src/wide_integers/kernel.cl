/* Integers of 128 bits (C++ for OpenCL has them): products, shifts by any count, comparison, division by 64 bits; and the
 * built-ins of high products and saturation of 64 bits. */
typedef unsigned __int128 u128;
typedef __int128 i128;

__kernel void wide_integers(__global const ulong *in, __global ulong *out)
{
    uint i = get_global_id(0);
    ulong a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3];
    u128 x = (u128)a << 64 | b, y = (u128)c << 64 | d, p = x * y;
    i128 s = (i128)x >> (d & 127);
    u128 t = y << (a & 127), u = x >> (c & 127);
    __global ulong *o = out + 16 * i;
    o[0] = (ulong)p, o[1] = (ulong)(p >> 64);
    o[2] = (ulong)s, o[3] = (ulong)(s >> 64);
    o[4] = (ulong)t, o[5] = (ulong)(t >> 64);
    o[6] = (ulong)u, o[7] = (ulong)(u >> 64);
    o[8] = x < y, o[9] = (i128)x < (i128)y;
    o[10] = mul_hi(a, b), o[11] = (ulong)mul_hi((long)c, (long)d);
    o[12] = add_sat(a, c), o[13] = (ulong)sub_sat((long)a, (long)c);
    o[14] = (ulong)mad_hi((long)a, (long)b, (long)c), o[15] = hadd(a, d) ^ abs_diff(b, c);
}
