#version 310 es
// What a texture holds at integers, and the nearest texel at others.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };
layout(binding = 0) uniform highp usampler2D from;

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    uint fetched = texelFetch(from, ivec2(at.yx), 0).x;
    uint nearest = textureLod(from, (vec2(at) + 0.75) / 32.0, 0.0).x;
    b[at.y * 32u + at.x] = fetched ^ nearest << 1;
}
