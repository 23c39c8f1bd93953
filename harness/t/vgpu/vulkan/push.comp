// Push constants.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

layout(push_constant) uniform Push { uint factor, plus, flip, unused; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    b[i] = (a[i] * factor + plus) ^ flip;
}
