#define QUARTER(a, b, c, d)                                                                                        \
    a += b, d = rotate(d ^ a, 16u), c += d, b = rotate(b ^ c, 12u), a += b, d = rotate(d ^ a, 8u), c += d, b = rotate(b ^ c, 7u)
__kernel void chacha20(__global const uint *key, __global uint *out)
{
    uint i = get_global_id(0), s[16], x[16];
    s[0] = 0x61707865, s[1] = 0x3320646e, s[2] = 0x79622d32, s[3] = 0x6b206574;
    for (uint k = 0; k < 8; k++)
        s[4 + k] = key[k];
    s[12] = i, s[13] = key[8], s[14] = key[9], s[15] = key[10];
    for (uint k = 0; k < 16; k++)
        x[k] = s[k];
    for (uint round = 0; round < 10; round++) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (uint k = 0; k < 16; k++)
        out[16 * i + k] = x[k] + s[k];
}
