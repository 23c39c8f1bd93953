/* Points in a circle by a counter-based generator (ten rounds of 32 x 32 to 64 bit products), counted by a reduction of waves
 * and one atomic for each work-group. */
__kernel void philox_pi(uint2 key, uint rounds, __global uint *inside, __global uint4 *first)
{
    __local uint sum;
    uint i = get_global_id(0), count = 0;
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0; round < rounds; round++) {
        uint4 c = (uint4)(i, round, 0, 0);
        uint2 k = key;
        for (int r = 0; r < 10; r++) {
            ulong a = (ulong)0xd2511f53 * c.x, b = (ulong)0xcd9e8d57 * c.z;
            c = (uint4)((uint)(b >> 32) ^ c.y ^ k.x, (uint)b, (uint)(a >> 32) ^ c.w ^ k.y, (uint)a);
            k += (uint2)(0x9e3779b9, 0xbb67ae85);
        }
        if (round == 0)
            first[i] = c;
        float2 p = convert_float2(c.xy >> 9) * 0x1p-23f, q = convert_float2(c.zw >> 9) * 0x1p-23f;
        count += p.x * p.x + p.y * p.y < 1;
        count += (q.x * q.x + q.y * q.y < 1) << 16;
    }
    atomic_add(&sum, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(inside, (sum & 0xffff) + (sum >> 16));
}
