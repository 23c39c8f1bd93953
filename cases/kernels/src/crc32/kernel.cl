/* Each work-item sums 64 bytes with the reflected polynomial, bit by bit. */
__kernel void crc32(__global const uchar *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint crc = ~0u;
    for (uint k = 0; k < 64; k++) {
        crc ^= in[64 * i + k];
        for (uint bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    out[i] = ~crc;
}
