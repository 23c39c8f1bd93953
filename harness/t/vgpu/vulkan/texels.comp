// Buffers of texels: UNORM read as floats, words stored.
#version 450
layout(local_size_x = 64) in;

layout(binding = 6) uniform samplerBuffer from;
layout(binding = 7, rgba8) uniform imageBuffer to;

void main()
{
    int i = int(gl_GlobalInvocationID.x);
    vec4 v = texelFetch(from, i * 3);
    imageStore(to, i, v.wzyx);
    if (i == 0)
        imageStore(to, 4000, vec4(float(textureSize(from)) / 8192.0, float(imageSize(to)) / 16384.0, 0, 1));
}
