__kernel void vectors(__global const int *in, __global int *out)
{
    size_t i = get_global_id(0);
    int3 a = vload3(i, in);
    int4 b = vload4(i, in + 384);
    int8 c = vload8(i, in + 896);
    int16 r;
    r.lo = c.s76543210 - (int8)(b, b.wzyx);
    r.hi = (int8)(a, a.x, b) & c;
    vstore16(r, i, out);
}
