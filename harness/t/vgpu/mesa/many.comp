#version 310 es
// Added to what many dispatches before left.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };
layout(location = 0) uniform uint k;

void main()
{
    uint i = gl_GlobalInvocationID.x;
    b[i] = b[i] * 3u + a[(i + k) % 1024u];
}
