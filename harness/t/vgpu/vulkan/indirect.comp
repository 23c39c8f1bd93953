// A dispatch whose size another has written.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

layout(binding = 4) buffer Sizes { uint sizes[]; };
layout(push_constant) uniform Push { uint is_second; };

void main()
{
    if (is_second == 0) {
        if (gl_GlobalInvocationID.x < 3)
            sizes[gl_GlobalInvocationID.x] = 5 - gl_GlobalInvocationID.x; // 5 x 4 x 3
        return;
    }
    uint group = gl_WorkGroupID.x + 5 * (gl_WorkGroupID.y + 4 * gl_WorkGroupID.z);
    b[group * 64 + gl_LocalInvocationID.x] = gl_NumWorkGroups.x * 100 + gl_NumWorkGroups.y * 10 + gl_NumWorkGroups.z;
}
