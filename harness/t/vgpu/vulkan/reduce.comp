// A sum of 4096 words in two steps: a tree in shared memory.
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

layout(push_constant) uniform Push { uint is_second; };
shared uint s[256];

void main()
{
    uint i = gl_LocalInvocationID.x, at = gl_GlobalInvocationID.x;
    s[i] = is_second == 0 ? a[at] : at < 16 ? b[at] : 0;
    for (uint half_of = 128; half_of > 0; half_of /= 2) {
        barrier();
        if (i < half_of)
            s[i] += s[i + half_of];
    }
    if (i == 0)
        b[is_second == 0 ? gl_WorkGroupID.x : 16] = s[0];
}
