#version 310 es
// An atomic counter: every number is drawn once.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };
layout(binding = 0, offset = 0) uniform atomic_uint next;

void main()
{
    b[atomicCounterIncrement(next)] = 1u;
}
