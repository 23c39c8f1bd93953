#version 310 es
// Quotients and remainders.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, v = a[i], d = (v >> 7) % 1000u + 1u;
    int s = int(v) / 2, t = int(d);
    b[i] = (v / d) ^ (v % d) << 3 ^ uint(s / t) << 7;
}
