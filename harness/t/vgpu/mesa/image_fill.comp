#version 310 es
// An image is filled.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };
layout(binding = 0, r32ui) writeonly uniform highp uimage2D to;

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    imageStore(to, ivec2(at), uvec4(a[at.y * 32u + at.x] + at.x));
}
