// Votes of a subgroup, also of a part of its lanes.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 128) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, x = a[i];
    bool is_odd = (x & 1) == 1;
    uvec4 votes = subgroupBallot(is_odd);
    b[i * 16] = votes.x;
    b[i * 16 + 1] = votes.y;
    b[i * 16 + 2] = subgroupBallotBitCount(votes);
    b[i * 16 + 3] = subgroupBallotInclusiveBitCount(votes);
    b[i * 16 + 4] = subgroupBallotExclusiveBitCount(votes);
    b[i * 16 + 5] = subgroupBallotFindLSB(votes);
    b[i * 16 + 6] = subgroupBallotFindMSB(votes);
    b[i * 16 + 7] = (subgroupAny(x > 0xfc000000) ? 1 : 0) | (subgroupAll(x != 0) ? 2 : 0) | (subgroupAllEqual(x) ? 4 : 0) |
                    (subgroupInverseBallot(votes) ? 8 : 0) | (subgroupBallotBitExtract(votes, 13) ? 16 : 0);
    b[i * 16 + 8] = 0;
    if (is_odd)
        b[i * 16 + 8] = (subgroupElect() ? 256 : 0) + subgroupBallotBitCount(subgroupBallot((x & 2) == 2));
    b[i * 16 + 9] = gl_SubgroupInvocationID | gl_SubgroupID << 8 | gl_NumSubgroups << 16;
    b[i * 16 + 10] = gl_SubgroupLtMask.x ^ gl_SubgroupGeMask.y;
}
