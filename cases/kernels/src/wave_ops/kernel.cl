/* What moves values between lanes: DPP with its controls, masks and bound, ds_permute, ds_bpermute, ds_swizzle, readlane,
 * mbcnt, ballot, and votes under a branch. */
#define DPP(control, row, bank, bound) __builtin_amdgcn_update_dpp((int)(v * 3), (int)v, control, row, bank, bound)
__kernel void wave_ops(__global const uint *in, __global uint *out)
{
    uint i = get_global_id(0), lane = i & 63, v = in[i];
    __global uint *o = out + 20 * i;
    o[0] = DPP(0x1b, 15, 15, true);   /* quad_perm:[3,2,1,0] */
    o[1] = DPP(0x101, 15, 15, false); /* row_shl:1 */
    o[2] = DPP(0x113, 15, 15, true);  /* row_shr:3 */
    o[3] = DPP(0x12f, 15, 15, false); /* row_ror:15 */
    o[4] = DPP(0x130, 15, 15, false); /* wave_shl:1 */
    o[5] = DPP(0x13c, 15, 15, false); /* wave_ror:1 */
    o[6] = DPP(0x140, 15, 15, false); /* row_mirror */
    o[7] = DPP(0x141, 10, 15, false); /* row_half_mirror, rows 1 and 3 */
    o[8] = DPP(0x142, 15, 15, false); /* row_bcast:15 */
    o[9] = DPP(0x143, 12, 15, false); /* row_bcast:31, rows 2 and 3 */
    o[10] = DPP(0x111, 15, 5, false); /* row_shr:1, banks 0 and 2 */
    o[11] = (uint)__builtin_amdgcn_ds_bpermute((int)(v & 63) * 4, (int)v);
    o[12] = (uint)__builtin_amdgcn_ds_permute((int)((lane * 5 + 2) & 63) * 4, (int)v);
    o[13] = (uint)__builtin_amdgcn_ds_swizzle((int)v, 0x401f); /* lane ^ 16 */
    o[14] = (uint)__builtin_amdgcn_readlane((int)v, (int)(in[0] & 63));
    ulong mask = __builtin_amdgcn_ballot_w64(v & 1);
    o[15] = __builtin_amdgcn_mbcnt_hi((uint)(mask >> 32), __builtin_amdgcn_mbcnt_lo((uint)mask, lane));
    o[16] = (uint)mask ^ (uint)(mask >> 32);
    o[17] = o[18] = o[19] = 0;
    if (v & 2) {
        o[17] = (uint)__builtin_amdgcn_readfirstlane((int)v);
        ulong some = __builtin_amdgcn_ballot_w64(v & 4);
        o[18] = (uint)some + (uint)(some >> 32);
        o[19] = DPP(0x118, 15, 15, false); /* row_shr:8 from lanes that may be off */
    }
}
