/* Sums over the lanes of a wave with DPP, and a mirror with ds_bpermute. */
#define ADD_DPP(v, ctrl, rows) v += __builtin_amdgcn_update_dpp(0, v, ctrl, rows, 0xf, false)
__kernel void lane_reduce(__global const int *in, __global int *out, __global int *mirrored)
{
    size_t i = get_global_id(0);
    int lane = get_local_id(0) % 64, v = in[i];
    ADD_DPP(v, 0x111, 0xf);
    ADD_DPP(v, 0x112, 0xf);
    ADD_DPP(v, 0x114, 0xf);
    ADD_DPP(v, 0x118, 0xf);
    ADD_DPP(v, 0x142, 0xa);
    ADD_DPP(v, 0x143, 0xc);
    int sum = __builtin_amdgcn_readlane(v, 63);
    if (lane == 0)
        out[i / 64] = sum;
    mirrored[i] = __builtin_amdgcn_ds_bpermute((63 - lane) * 4, in[i]);
}
