/* Indexed by data, so that it lives in memory. */
__kernel void private_array(__global const uchar *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint state[32];
    for (uint k = 0; k < 32; k++)
        state[k] = k * 7 + 1;
    for (uint k = 0; k < 64; k++) {
        uint at = in[64 * i + k] % 32, from = in[64 * i + (k + 5) % 64] % 32;
        state[at] = state[at] * 5 + state[from];
    }
    uint sum = 0;
    for (uint k = 0; k < 32; k++)
        sum = sum * 31 + state[k];
    out[i] = sum;
}
