// An image of RGBA8 through a sampler, between texels and beyond its edges; two levels.
#version 450
layout(local_size_x = 64) in;
layout(binding = 1) buffer Out { float b[]; };
layout(binding = 5) uniform sampler2D image;

void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec2 at = (vec2(i % 32, i / 32) * 0.5 + vec2(0.5, 0.25)) / 16.0; // from texel to texel in halves
    vec4 between = textureLod(image, at, 0.0), beyond = textureLod(image, at * 3.0 - 1.0, 0.0), lower = textureLod(image, at, 1.0),
         one = texelFetch(image, ivec2(i % 16, i / 64), 0), four = textureGather(image, at + 1.0 / 64.0, 1);
    for (uint k = 0; k < 4; k++) {
        b[i * 16 + k] = between[k];
        b[i * 16 + 4 + k] = beyond[k];
        b[i * 16 + 8 + k] = lower[k] + one[k] * 0.125;
        b[i * 16 + 12 + k] = four[k];
    }
}
