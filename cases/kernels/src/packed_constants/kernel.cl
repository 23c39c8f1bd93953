/* Pairs of 16-bit integers and constants: what compilers write as an inline float (1.0 is 0x3f800000), as an integer, in
 * either half or in both, in each source. */
#define U(low, high) ((ushort2)(low, high))
#define S(low, high) ((short2)((short)(low), (short)(high)))

__kernel void packed_constants(__global const ushort2 *a, __global ushort2 *out)
{
    size_t i = get_global_id(0);
    ushort2 x = a[i];
    short2 y = as_short2(x);
    out += 24 * i;
    out[0] = x + U(0, 0x3f80);
    out[1] = x + U(0x3f80, 0x3f80);
    out[2] = x + U(0x3f80, 0);
    out[3] = x + U(0, 0xbf00);
    out[4] = x - U(0, 0x4080);
    out[5] = U(0, 0xc080) - x;
    out[6] = x * U(0, 0x3f00);
    out[7] = x * U(0x4000, 0x4000);
    out[8] = x * x + U(0, 0xc000);
    out[9] = x * U(0, 0xbf80) + x.yx;
    out[10] = max(x, U(0, 0x4000));
    out[11] = min(x, U(0x3f80, 0));
    out[12] = as_ushort2(max(y, S(0, 0xbf80)));
    out[13] = as_ushort2(min(y, S(0xc080, 0xc080)));
    out[14] = U(0, 0x3f80) >> (x & U(15, 15));
    out[15] = U(0x4080, 0) << (x & U(15, 15));
    out[16] = as_ushort2(S(0, 0xc000) >> (y & S(15, 15)));
    out[17] = x + U(0xf983, 0x3e22);
    out[18] = x + U(0x3c00, 0x3c00);
    out[19] = x + U(0, 0x3c00);
    out[20] = x + U(0xfffd, 0xffff);
    out[21] = x - U(7, 0);
    out[22] = U(0, 64) - x;
    out[23] = add_sat(x, U(0, 0xc000));
}
