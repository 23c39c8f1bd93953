// Atomics of shared memory; signed ones too.
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

shared uint s[8];
shared int t[2];
shared uint seen[256];

void main()
{
    uint i = gl_LocalInvocationID.x, x = a[gl_GlobalInvocationID.x];
    if (i < 8)
        s[i] = i == 1 || i == 3 ? 0xffffffff : 0;
    if (i < 2)
        t[i] = 0;
    seen[i] = 0;
    barrier();
    atomicAdd(s[0], x);
    atomicMin(s[1], x);
    atomicMax(s[2], x);
    atomicAnd(s[3], x | 0x0000ffff);
    atomicOr(s[4], x & 0xff00ff00);
    atomicXor(s[5], x);
    atomicMin(t[0], int(x));
    atomicMax(t[1], int(x));
    atomicExchange(seen[atomicAdd(s[6], 1)], 1);
    barrier();
    uint at = gl_WorkGroupID.x * 512;
    if (i < 7)
        b[at + i] = s[i];
    if (i < 2)
        b[at + 7 + i] = uint(t[i]);
    b[at + 256 + i] = seen[i];
}
