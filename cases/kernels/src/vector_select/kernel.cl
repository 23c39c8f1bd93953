/* Vectors of 16 of every width: comparisons as masks, select, shuffle by the data, swizzles, reinterpretation, any and all. */
__kernel void vector_select(__global const uint *in, __global uint *out)
{
    uint i = get_global_id(0);
    uint16 v = vload16(i, in), w = v.sfedcba9876543210 * 3u;
    int16 less = v < w;
    uint16 picked = select(v, w, as_uint16(less));
    uint16 moved = shuffle(v, w & 15u);
    uint16 both = shuffle2(v, w, v >> 27);
    char16 bytes = convert_char16(v);
    uchar16 turned = as_uchar16(rotate(bytes, (char16)(3)));
    ushort8 halves = as_ushort8(v.lo.even) ^ (ushort8)(0x5a5a);
    ulong8 wide = as_ulong8(v) - as_ulong8(w);
    uint sum = 0;
    uint16 mixed = picked + moved * 5u + both * 7u;
    for (int k = 0; k < 16; k++)
        sum = sum * 31 + ((uint *)&mixed)[k];
    __global uint *o = out + 8 * i;
    o[0] = sum;
    o[1] = any(less) | all(less) << 1 | any(v.lo == w.lo) << 2;
    vstore4(as_uint4(turned), 0, o + 2);
    o[6] = halves.s0 + halves.s7 * 3 + halves.s4 * 9;
    o[7] = (uint)(wide.s3 >> 32) ^ (uint)wide.s6;
}
