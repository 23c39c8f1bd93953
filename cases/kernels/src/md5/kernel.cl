/* MD5 of messages of different lengths: 64 unrolled steps, rotations by table, a loop over blocks that lanes leave at
 * different times. As OpenCL C 3.0. */
__constant uchar turns[16] = { 7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21 };

__kernel void md5(__global const uchar *text, __global const uint *lengths, __global const uint *sines, __global uint4 *out)
{
    uint i = get_global_id(0), length = lengths[i];
    __global const uchar *message = text + i * 256;
    uint h[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
    for (uint base = 0; base < length + 9; base += 64) {
        uint m[16];
        for (uint k = 0; k < 16; k++) {
            m[k] = 0;
            for (uint b = 0; b < 4; b++) {
                uint at = base + 4 * k + b;
                m[k] |= (at < length ? message[at] : at == length ? 0x80u : 0u) << 8 * b;
            }
        }
        if (base + 64 >= length + 9)
            m[14] = length * 8;
        uint a = h[0], b = h[1], c = h[2], d = h[3];
#pragma unroll
        for (uint k = 0; k < 64; k++) {
            uint f = k < 16 ? bitselect(d, c, b) : k < 32 ? bitselect(c, b, d) : k < 48 ? b ^ c ^ d : c ^ (b | ~d);
            uint g = k < 16 ? k : k < 32 ? 5 * k + 1 : k < 48 ? 3 * k + 5 : 7 * k;
            uint t = a + f + sines[k] + m[g & 15];
            a = d, d = c, c = b;
            b += rotate(t, (uint)turns[k / 16 * 4 + k % 4]);
        }
        h[0] += a, h[1] += b, h[2] += c, h[3] += d;
    }
    out[i] = vload4(0, h);
}
