/* Halves in memory only: vload_half and vstore_half of every width and rounding, aligned and not, without arithmetic of halves. */
__kernel void half_storage(__global const half *in, __global const float *f, __global half *out, __global half *aligned)
{
    uint i = get_global_id(0);
    float8 v = vload8(i, f);
    float3 h = vload_half3(i, in + 1);
    float4 a = vloada_half4(i, in);
    float2 b = vload_half2(i, in + 3);
    __global half *o = out + 32 * i;
    vstore_half8_rte(v, 0, o);
    vstore_half4_rtz(v.lo, 2, o);
    vstore_half4_rtp(v.lo, 3, o);
    vstore_half4_rtn(v.hi, 4, o);
    vstore_half3(h * 2 + a.xyz, 0, o + 21);
    vstore_half(b.x + b.y, 24, o);
    vstore_half2_rte(convert_float2(convert_double2(v.s07) * 0.5), 0, o + 25);
    vstore_half_rtz((double)v.s3 * 3, 27, o);
    vstorea_half3(h, i, aligned);
}
