#version 310 es
// What an image holds, its axes exchanged.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };
layout(binding = 0, r32ui) readonly uniform highp uimage2D from;

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    b[at.y * 32u + at.x] = imageLoad(from, ivec2(at.yx)).x + uint(imageSize(from).x);
}
