#version 310 es
// Atomics on few words of a buffer; the order does not matter.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

void main()
{
    uint v = a[gl_GlobalInvocationID.x];
    atomicAdd(b[0], v);
    atomicMin(b[1], v);
    atomicMax(b[2], v);
    atomicAnd(b[3], v | 15u);
    atomicOr(b[4], v & 0xf0u);
    atomicXor(b[5], v);
    atomicAdd(b[8u + atomicExchange(b[6], 0u) % 2u], 1u);
    atomicCompSwap(b[7], 0xdeadbeefu, 77u);
}
