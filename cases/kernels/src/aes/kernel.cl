/* AES-128, a block for each work-item: bytes, a table in LDS at addresses that the data choose, byte rotations. */
__kernel void aes(__constant const uchar *box, __global const uchar *key, __global const uchar16 *in, __global uchar16 *out)
{
    __local uchar sbox[256], keys[176];
    uint l = get_local_id(0), i = get_global_id(0);
    for (uint k = l; k < 256; k += get_local_size(0))
        sbox[k] = box[k];
    if (l == 0) {
        uchar round = 1;
        for (uint k = 0; k < 16; k++)
            keys[k] = key[k];
        for (uint k = 16; k < 176; k += 4) {
            uchar4 t = vload4(0, keys + k - 4);
            if (k % 16 == 0) {
                t = (uchar4)(box[t.y] ^ round, box[t.z], box[t.w], box[t.x]);
                round = (round << 1) ^ (round >> 7) * 0x1b;
            }
            vstore4(t ^ vload4(0, keys + k - 16), 0, keys + k);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar16 s = in[i] ^ vload16(0, keys);
    for (uint round = 1; round <= 10; round++) {
        uchar b[16];
        vstore16(s, 0, b);
        for (uint k = 0; k < 16; k++)
            b[k] = sbox[b[k]];
        s = vload16(0, b).s05af49e38d27c16b;
        if (round < 10) {
            uchar16 two = (s << (uchar16)1) ^ (((s >> (uchar16)7) & (uchar16)1) * (uchar16)0x1b);
            uchar16 turn = s.s123056749ab8defc;
            uchar16 two_turned = two.s123056749ab8defc;
            s = two ^ two_turned ^ turn ^ s.s23016745ab89efcd ^ s.s30127456b89afcde;
        }
        s ^= vload16(round, keys);
    }
    out[i] = s;
}
