// Behind fills, updates and copies of buffers: one word more.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    b[gl_GlobalInvocationID.x + 4096] += 1;
}
