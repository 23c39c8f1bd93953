// A volume of words, stored and read in another order.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };
layout(binding = 3, r32ui) uniform uimage3D image;
layout(push_constant) uniform Push { uint pass, width, height, depth; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    ivec3 at = ivec3(i % width, i / width % height, i / (width * height)), size = ivec3(width, height, depth);
    if (i >= width * height * depth)
        return;
    if (pass == 0)
        imageStore(image, at, uvec4(a[i]));
    else if (pass == 1)
        imageStore(image, at, imageLoad(image, at) ^ 0x00ff00ffu);
    else
        b[i] = imageLoad(image, size - 1 - at).x + uint(imageSize(image).z);
}
