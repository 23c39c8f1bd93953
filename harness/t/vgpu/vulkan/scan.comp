// Sums of all words before: of 16 work-groups, of their sums, both together.
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

layout(push_constant) uniform Push { uint pass; };
layout(binding = 4) buffer Sums { uint sums[]; };
shared uint s[256];

void main()
{
    uint i = gl_LocalInvocationID.x, at = gl_GlobalInvocationID.x;
    if (pass == 2) {
        b[at] += gl_WorkGroupID.x == 0 ? 0 : sums[gl_WorkGroupID.x - 1];
        return;
    }
    s[i] = pass == 0 ? a[at] : i < 16 ? sums[i] : 0;
    for (uint by = 1; by < 256; by *= 2) {
        barrier();
        uint x = i >= by ? s[i - by] : 0;
        barrier();
        s[i] += x;
    }
    if (pass == 0) {
        b[at] = s[i];
        if (i == 255)
            sums[gl_WorkGroupID.x] = s[i];
    } else if (i < 16)
        sums[i] = s[i];
}
