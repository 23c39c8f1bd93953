// Specialization constants: the size of a work-group, an integer, a float and a negative number.
#version 450
layout(local_size_x_id = 0) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

layout(constant_id = 1) const uint times = 1;
layout(constant_id = 2) const float factor = 0.0;
layout(constant_id = 3) const int minus = 0;

void main()
{
    uint x = a[gl_GlobalInvocationID.x] & 0xffff;
    for (uint i = 0; i < times; i++)
        x = x * 3 + i;
    b[gl_GlobalInvocationID.x] = uint(int(x) + minus) + uint(float(gl_LocalInvocationID.x * 2) * factor) + gl_WorkGroupSize.x;
}
