#version 310 es
// A private array that is indexed by what was read: a table in registers or in scratch memory.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, seen[48], turns = b[i] & 127u;
    for (uint k = 0u; k < 48u; k++)
        seen[k] = k * i;
    for (uint k = 0u; k < turns; k++) {
        uint to = (a[(i + k) % 1024u] >> 3) % 48u, from = (to * 7u + k) % 48u;
        seen[to] += seen[from] + k;
    }
    uint h = 0u;
    for (uint k = 0u; k < 48u; k++)
        h = h * 31u + seen[k];
    b[i] = h;
}
