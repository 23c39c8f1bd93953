/* More arguments than registers are given to a call, structures by value in and out, four calls deep. All bytes of them are named:
 * between members there would be what nobody set. */
struct pack {
    ulong a;
    uchar b[5], unused;
    short c;
    float d;
    uint more;
};

__attribute__((noinline)) static ulong leaf(uint16 a, uint16 b, ulong c, struct pack p, uint last)
{
    uint16 x = a ^ b.sfedcba9876543210;
    return (x.s0 + x.s5 * 3 + x.sa * 7 + x.sf * 11) ^ c ^ p.a ^ ((ulong)p.b[last % 5] << 40) ^ (ulong)(ushort)p.c << 48;
}
__attribute__((noinline)) static struct pack middle(struct pack p, uint16 v, uint i)
{
    p.a = leaf(v, v + i, p.a * 3, p, i);
    p.b[i % 5] += (uchar)i;
    p.c -= (short)v.s3;
    p.d = p.d * 0.5f + (float)(i & 15);
    return p;
}
__attribute__((noinline)) static struct pack outer(uint i, uint16 v, struct pack p)
{
    for (uint k = 0; k < 3; k++)
        p = middle(p, v * (k + 1), i + k);
    return p;
}

__kernel void stack_arguments(__global const uint16 *in, struct pack start, __global struct pack *out)
{
    uint i = get_global_id(0);
    struct pack p = start;
    p.a += i;
    out[i] = outer(i, in[i], p);
}
