#version 310 es
// A block of uniforms that is indexed.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };
layout(std140, binding = 0) uniform Block { uvec4 u[64]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    b[i] = u[a[i] % 64u][i % 4u] + i;
}
