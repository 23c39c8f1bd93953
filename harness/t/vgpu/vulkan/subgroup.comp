// Arithmetic across a subgroup: reductions, scans, clusters.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, x = a[i];
    uint r[14] = uint[](subgroupAdd(x), subgroupMin(x), subgroupMax(x), subgroupAnd(x | 0xf), subgroupOr(x & 0xf0f0), subgroupXor(x),
                        subgroupInclusiveAdd(x), subgroupExclusiveAdd(x), subgroupInclusiveMin(x), subgroupExclusiveXor(x),
                        subgroupClusteredAdd(x, 8), uint(subgroupMax(int(x))), subgroupMul(x | 1), 0);
    if ((x & 1) == 1) // of the lanes that are here
        r[13] = subgroupAdd(x & 0xffff) + subgroupExclusiveAdd(1);
    for (uint k = 0; k < 14; k++)
        b[i * 16 + k] = r[k];
    b[i * 16 + 14] = floatBitsToUint(subgroupAdd(float(x & 1023)));
}
