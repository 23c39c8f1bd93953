#version 310 es
// 16 products of matrices of 8 by 8.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

shared float s[2][64];

void main()
{
    uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y, base = gl_WorkGroupID.x * 64u;
    s[0][y * 8u + x] = float(a[base + y * 8u + x] & 0xffu);
    s[1][y * 8u + x] = float(a[base + y * 8u + x] >> 8 & 0xffu);
    barrier();
    float sum = 0.0;
    for (uint k = 0u; k < 8u; k++)
        sum += s[0][y * 8u + k] * s[1][k * 8u + x];
    b[base + y * 8u + x] = uint(sum);
}
