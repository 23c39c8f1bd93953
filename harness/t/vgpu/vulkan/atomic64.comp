// Atomics of 64 bits.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

layout(binding = 4) buffer Wide { uint64_t w[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = uint64_t(a[i]) << 17 | a[i + 256];
    atomicAdd(w[0], x);
    atomicMin(w[1], x);
    atomicMax(w[2], x);
    atomicOr(w[3], x & 0x0f0f0f0f0f0f0f0ful);
    atomicXor(w[4], x);
    if (i == 0)
        b[0] = uint(atomicExchange(w[5], 5ul));
}
