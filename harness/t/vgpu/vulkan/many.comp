// Adds, and passes words on: a command buffer has many of it.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

layout(push_constant) uniform Push { uint plus, from, to; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    b[to + (i * 5 & 255)] = b[from + i] + plus;
}
