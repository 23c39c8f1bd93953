/* Each work-item makes the SHA-256 digest of a message of its own: `blocks` times 64 bytes. As harness/io/sha256.c does: a kernel is whole in its folder. */
__constant uint round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint turn(uint v, uint by)
{
    return rotate(v, 32 - by);
}

static uint big_endian(uint v)
{
    return as_uint(as_uchar4(v).wzyx);
}

/* The words of the schedule are kept in a ring of 16: all indexes are known once the inner loop is
 * unrolled. */
static void compress(uint state[8], uint w[16])
{
    uint a = state[0], b = state[1], c = state[2], d = state[3];
    uint e = state[4], f = state[5], g = state[6], h = state[7];
    for (uint round = 0; round < 64; round += 16) {
#pragma unroll
        for (uint i = 0; i < 16; i++) {
            uint sum = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + bitselect(g, f, e) +
                       round_constant[round + i] + w[i];
            uint other = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + bitselect(a, b, a ^ c);
            uint near = w[(i + 1) & 15], far = w[(i + 14) & 15];
            w[i] += (turn(near, 7) ^ turn(near, 18) ^ near >> 3) + w[(i + 9) & 15] +
                    (turn(far, 17) ^ turn(far, 19) ^ far >> 10);
            h = g;
            g = f;
            f = e;
            e = d + sum;
            d = c;
            c = b;
            b = a;
            a = sum + other;
        }
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

__kernel void sha256(__global const uint *message, __global uint *digest, uint blocks)
{
    uint state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    uint w[16], id = get_global_id(0);
    message += id * blocks * 16;
    for (uint n = 0; n <= blocks; n++) {
        for (uint i = 0; i < 16; i++)
            w[i] = n < blocks ? big_endian(message[n * 16 + i]) : 0;
        if (n == blocks) { /* what every message ends in: a bit, and its length in bits */
            w[0] = 0x80000000;
            w[15] = blocks * 512;
        }
        compress(state, w);
    }
    for (uint i = 0; i < 8; i++)
        digest[id * 8 + i] = big_endian(state[i]);
}
