struct __attribute__((packed)) record {
    char a;
    short b;
    uchar c;
    int d;
    ushort e;
    uchar f, g;
};
__kernel void subdword(__global const struct record *in, __global struct record *out)
{
    size_t i = get_global_id(0);
    struct record r = in[i], w;
    w.a = r.a - r.c;
    w.b = r.b * 3 + r.a;
    w.c = r.f ^ r.g;
    w.d = r.d + r.b;
    w.e = r.e >> 3 | r.c << 8;
    w.f = r.g + 1;
    w.g = (uchar)r.a;
    out[i] = w;
}
