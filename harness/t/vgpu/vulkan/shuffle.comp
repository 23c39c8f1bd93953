// Words of other lanes.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, x = a[i], lane = gl_SubgroupInvocationID;
    b[i * 16] = subgroupShuffle(x, (lane * 7 + 3) % gl_SubgroupSize);
    b[i * 16 + 1] = subgroupShuffleXor(x, 5);
    b[i * 16 + 2] = subgroupShuffleXor(x, 32);
    b[i * 16 + 3] = subgroupShuffleUp(x, 3);
    b[i * 16 + 4] = subgroupShuffleDown(x, 2);
    b[i * 16 + 5] = subgroupBroadcast(x, 17);
    b[i * 16 + 6] = subgroupBroadcastFirst(x);
    b[i * 16 + 7] = subgroupQuadBroadcast(x, 2);
    b[i * 16 + 8] = subgroupQuadSwapHorizontal(x);
    b[i * 16 + 9] = subgroupQuadSwapVertical(x);
    b[i * 16 + 10] = subgroupQuadSwapDiagonal(x);
    b[i * 16 + 11] = subgroupShuffleXor(x, 16) ^ subgroupShuffleXor(x, 1);
    if (lane < 3) // what is not defined
        b[i * 16 + 3] = 0;
    if (lane >= gl_SubgroupSize - 2)
        b[i * 16 + 4] = 0;
}
