// Shared memory: a work-group of four waves in reverse.
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

shared uint s[256];

void main()
{
    uint i = gl_LocalInvocationID.x;
    s[i] = a[gl_GlobalInvocationID.x];
    barrier();
    b[gl_GlobalInvocationID.x] = s[255 - i] + i;
}
