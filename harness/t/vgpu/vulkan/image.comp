// Stores texels of an image of words, changes some by atomics, reads them in another order.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };
layout(binding = 3, r32ui) uniform uimage2D image;
layout(push_constant) uniform Push { uint pass, width, height; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    ivec2 at = ivec2(i % width, i / width);
    if (i >= width * height)
        return;
    if (pass == 0)
        imageStore(image, at, uvec4(a[i]));
    else if (pass == 1 && (i & 7) == 0)
        imageAtomicAdd(image, at, 1000);
    else if (pass == 2)
        b[i] = imageLoad(image, ivec2(width, height) - 1 - at).x + uint(imageSize(image).x);
}
