#version 310 es
// Work-groups in three dimensions.
layout(local_size_x = 4, local_size_y = 2, local_size_z = 4) in;
layout(std430, binding = 0) buffer In { uint a[]; };
layout(std430, binding = 1) buffer Out { uint b[]; };

void main()
{
    uvec3 size = gl_NumWorkGroups * gl_WorkGroupSize, at = gl_GlobalInvocationID;
    uint i = (at.z * size.y + at.y) * size.x + at.x;
    b[i] = a[i] + gl_LocalInvocationIndex * 1000u + gl_WorkGroupID.z * 100u + gl_WorkGroupID.y * 10u + gl_WorkGroupID.x;
}
