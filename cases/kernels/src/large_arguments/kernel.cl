/* Arguments by value of all kinds of sizes and alignments: structures in structures, arrays whose elements the data choose,
 * vectors of three, bytes between doubles. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
struct inner {
    char c;
    double d;
    short s[3];
};
struct outer {
    struct inner items[5];
    uint table[64];
    float3 v;
    uchar last;
};

__kernel void large_arguments(char a, struct outer o, short b, double c, uchar3 d, ulong e, half f, float8 g, __global uint *out,
                              ushort h, __constant ulong *table, int i)
{
    uint x = get_global_id(0), at = x % 5;
    uint v = o.table[(x * 11) & 63] ^ o.table[(x + (uint)a) % 64];
    v += (uint)(int)(o.items[at].d * 4) + (uint)(int)o.items[at].c + (uint)(int)o.items[4 - at].s[x % 3];
    v ^= (uint)(int)(o.v.y * 2 + o.v.z) << 8 ^ o.last;
    v += (uint)b + (uint)(int)c + d.z * 3 + (uint)(e >> 32) + (uint)(int)((float)f * 16) + (uint)(int)g[x % 8];
    out[x] = v + h + (uint)table[x % 4] + (uint)i;
}
