// Work-groups from others than the first on, in three dimensions.
#version 450
layout(local_size_x = 8, local_size_y = 2, local_size_z = 2) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uvec3 g = gl_WorkGroupID, i = gl_GlobalInvocationID;
    b[(i.z * 8 + i.y) * 64 + i.x] = g.x | g.y << 8 | g.z << 16 | gl_LocalInvocationIndex << 24;
}
