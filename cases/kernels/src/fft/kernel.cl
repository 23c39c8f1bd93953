/* 64 points for each work-group, radix 2, in LDS. */
__kernel void fft(__global const float2 *in, __global float2 *out)
{
    __local float2 v[64];
    uint i = get_local_id(0), reversed = 0;
    for (uint bit = 0; bit < 6; bit++)
        reversed |= (i >> bit & 1) << (5 - bit);
    v[reversed] = in[get_global_id(0)];
    for (uint half_size = 1; half_size < 64; half_size *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = i & ~half_size, k = i & (half_size - 1);
        float angle = -3.14159265f * k / half_size, c = cos(angle), s = sin(angle);
        float2 a = v[low], b = v[low + half_size];
        float2 t = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
        float2 r = i & half_size ? a - t : a + t;
        barrier(CLK_LOCAL_MEM_FENCE);
        v[i] = r;
    }
    out[get_global_id(0)] = v[i];
}
