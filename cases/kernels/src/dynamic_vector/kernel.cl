/* Elements of vectors in registers chosen by a number: uniform ones (registers indexed by M0 or the index mode) and ones that
 * differ from lane to lane (a loop over the values that lanes have). */
__kernel void dynamic_vector(__global const uint16 *in, __global uint *out, uint uniform, __global ulong *wide)
{
    uint i = get_global_id(0);
    uint16 v = in[i];
    uint sum = 0;
    for (uint k = 0; k < 24; k++) {
        uint at = k * uniform & 15;
        sum = sum * 3 + v[at];
        v[(at + 5) & 15] ^= sum;
    }
    for (uint k = 0; k < 6; k++) {
        uint at = sum >> (5 * k) & 15;
        v[at] += k * 1000 + v[(at + k) & 15];
        sum += v[15 - at];
    }
    ulong8 w = as_ulong8(v);
    w[sum & 7] -= w[uniform & 7];
    out[i] = sum;
    wide[i] = w[0] ^ w[3] * 3 ^ w[sum >> 3 & 7] * 5;
}
