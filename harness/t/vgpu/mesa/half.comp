#version 310 es
// Halves, packed and back.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec2 v = vec2(float(i), float(a[i] & 0x3ffu) * 0.5);
    uint p = packHalf2x16(v);
    vec2 u = unpackHalf2x16(p) + unpackHalf2x16(0x3c00c000u);
    b[i] = p ^ floatBitsToUint(u.x) ^ floatBitsToUint(u.y) << 1;
}
