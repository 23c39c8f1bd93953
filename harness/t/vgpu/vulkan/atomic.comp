// Atomics of a buffer, with and without what they return.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, x = a[i];
    atomicAdd(b[0], x);
    atomicMin(b[1], x);
    atomicMax(b[2], x);
    atomicAnd(b[3], x | 0xff0000ff);
    atomicOr(b[4], x & 0x00ffff00);
    atomicXor(b[5], x);
    atomicAdd(b[6 + (x & 15)], 1);
    uint place = atomicAdd(b[22], 1);
    atomicExchange(b[1024 + (place & 1023)], 1);
    uint want = 0;
    for (;;) {
        uint seen = atomicCompSwap(b[23], want, want + 3);
        if (seen == want)
            break;
        want = seen;
    }
}
