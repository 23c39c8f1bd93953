#version 310 es
// Fields of bits, and sums and products of two words.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, v = a[i], carry, borrow, high, low;
    uint sum = uaddCarry(v, v * 3u, carry), less = usubBorrow(i, v, borrow);
    umulExtended(v, v + i, high, low);
    uint bits = bitfieldExtract(v, int(i % 24u), 7) + uint(bitfieldExtract(int(v), int(i % 20u), 9));
    bits ^= bitfieldInsert(v, i, 5, 11) ^ bitfieldReverse(v);
    bits += uint(bitCount(v)) + uint(findLSB(v | 0x80000000u)) * 64u + uint(findMSB(v | 1u)) * 4096u;
    b[i] = bits ^ sum ^ less ^ high ^ low ^ (carry << 1) ^ (borrow << 2);
}
