/* Structures without padding and bit fields: dwords at odd addresses, fields across bytes, signed fields. */
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
struct __attribute__((packed)) record {
    uchar tag;
    uint id;
    ushort flags;
    ulong stamp;
    float weight;
    uchar name[3];
};
struct fields {
    uint a : 5;
    int b : 7;
    uint c : 20;
    uint d : 31;
    int e : 1;
};

__kernel void packed_structs(__global struct record *records, __global struct fields *fields)
{
    uint i = get_global_id(0);
    struct record r = records[i];
    r.tag ^= (uchar)r.id;
    r.id = r.id * 5 + r.flags;
    r.flags = (ushort)(r.flags << 4 | r.flags >> 12);
    r.stamp -= r.id;
    r.weight = r.weight * 2 + 1;
    for (int k = 0; k < 3; k++)
        r.name[k] = r.name[k] + 'A' - 'a';
    records[i] = r;
    __global struct fields *f = &fields[i];
    f->a += f->c;
    f->b = f->b * -3;
    f->c = f->c ^ f->d;
    f->d -= f->e;
    f->e = ~f->e;
}
