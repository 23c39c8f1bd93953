/* vload and vstore of all widths at addresses aligned to one element only, vectors of three, in memory, LDS and scratch. */
__kernel void unaligned(__global const uchar *in, __global ushort *shorts, __global uint *words, __global ulong *sums)
{
    uint i = get_global_id(0), l = get_local_id(0);
    __local uchar lds[64 * 7 + 16];
    uchar mine[40];
    for (uint k = 0; k < 7; k++)
        lds[7 * l + k] = in[7 * i + k];
    if (l < 16)
        lds[64 * 7 + l] = in[(get_group_id(0) * 64 + 64) * 7 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar16 a = vload16(0, lds + 7 * l);
    vstore16(a, 0, mine + l % 9);
    vstore3(a.s210, 1, mine + 27 + l % 5);
    uchar8 b = vload8(0, mine + l % 9 + 5);
    uchar3 c = vload3(1, mine + 27 + l % 5);
    ushort3 s = vload3(i, (__global const ushort *)in);
    vstore3(s.zyx + convert_ushort3(c), i, shorts);
    uint4 w = vload4(i * 2, (__global const uint *)(in + 4));
    uint3 t = (uint3)(w.x ^ w.w, w.y * 3, w.z + b.s7);
    vstore3(t, i, words + 1);
    ulong sum = 0;
    for (uint k = 0; k < 8; k++)
        sum = sum * 257 + in[i * 7 + k] * (k + 1);
    sums[i] = sum + as_ulong(b);
}
