// Bit fields, counts, packing.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, x = a[i], y = a[i + 64];
    b[i * 16] = bitfieldExtract(x, int(y & 15), int(y >> 4 & 15));
    b[i * 16 + 1] = uint(bitfieldExtract(int(x), int(y & 15), int(y >> 4 & 15) + 1));
    b[i * 16 + 2] = bitfieldInsert(x, y, 5, int(y & 15));
    b[i * 16 + 3] = bitfieldReverse(x);
    b[i * 16 + 4] = uint(bitCount(x));
    b[i * 16 + 5] = uint(findLSB(x & y)) + (uint(findMSB(x & y)) << 8);
    b[i * 16 + 6] = uint(findMSB(int(x)));
    uint carry, high, low;
    b[i * 16 + 7] = uaddCarry(x, y, carry) ^ carry;
    umulExtended(x, y, high, low);
    b[i * 16 + 8] = high ^ low;
    b[i * 16 + 9] = packHalf2x16(vec2(float(x & 2047), -float(y & 1023) * 0.5));
    b[i * 16 + 10] = packUnorm4x8(vec4(float(x & 255) / 255, 0, 1, 0.5));
    b[i * 16 + 11] = uint(dot(unpackUnorm4x8(x) * 255.0, vec4(1)) + 0.5);
    b[i * 16 + 12] = uint(unpackHalf2x16(0x3c00c500).x * -4.0);
    b[i * 16 + 13] = usubBorrow(x, y, carry) + carry;
    int hi, lo;
    imulExtended(int(x), int(y), hi, lo);
    b[i * 16 + 14] = uint(hi);
    b[i * 16 + 15] = (x << (y & 31)) | uint(int(x) >> (y >> 5 & 31));
}
