#version 310 es
// Shared memory: a work-group of two waves in reverse.
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

shared uint s[128];

void main()
{
    uint i = gl_LocalInvocationID.x;
    s[i] = a[gl_GlobalInvocationID.x];
    barrier();
    b[gl_GlobalInvocationID.x] = s[127u - i] + i;
}
