#version 310 es
// A sum over each work-group, by halves.
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

shared uint s[128];

void main()
{
    uint i = gl_LocalInvocationID.x;
    s[i] = a[gl_GlobalInvocationID.x];
    for (uint half_ = 64u; half_ > 0u; half_ /= 2u) {
        barrier();
        if (i < half_)
            s[i] += s[i + half_];
    }
    if (i == 0u)
        b[gl_WorkGroupID.x] = s[0];
}
