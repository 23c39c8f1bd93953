#version 310 es
// Single floats, of which every result is exact.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, v = a[i] & 0xfffu;
    float x = float(v) * 0.25 - 100.0;
    float y = floor(x) + fract(x) * 8.0 + abs(x) * 2.0 + min(x, 3.5) - max(x, -2.25) + trunc(x) + sign(x);
    b[i] = floatBitsToUint(y);
}
