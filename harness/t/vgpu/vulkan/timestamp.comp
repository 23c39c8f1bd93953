// Takes time between two timestamps.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint x = a[gl_GlobalInvocationID.x];
    for (uint i = 0; i < 100; i++)
        x = x * 3 + 1;
    b[gl_GlobalInvocationID.x] = x;
}
