// A uniform buffer of structures, indexed by a number that is not the same in all lanes.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

struct part { uvec4 u; float f; uint k[2]; };
layout(binding = 2, std140) uniform Uniform { part parts[16]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, at = a[i] & 15;
    b[i] = parts[at].u[i & 3] + parts[7].k[1] + uint(parts[at].f) + parts[(at + 1) & 15].k[0];
}
