__kernel void bit_tricks(__global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint v = in[i], w = in[(i + 1) % get_global_size(0)];
    out[8 * i] = popcount(v);
    out[8 * i + 1] = clz(v);
    out[8 * i + 2] = rotate(v, w);
    out[8 * i + 3] = mul_hi(v, w);
    out[8 * i + 4] = (uint)mul_hi((int)v, (int)w);
    out[8 * i + 5] = bitselect(v, w, 0x0ff00ff0u);
    out[8 * i + 6] = abs_diff((int)v, (int)w);
    out[8 * i + 7] = mad24((int)v & 0x7fffff, (int)w >> 12, (int)w);
}
