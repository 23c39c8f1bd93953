#version 310 es
// How many steps the Collatz sequence takes: a loop that lanes leave one by one.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, v = (a[i] & 0xffffu) + 1u, n = 0u;
    while (v != 1u) {
        v = (v & 1u) == 1u ? v * 3u + 1u : v / 2u;
        n++;
    }
    b[i] = n;
}
