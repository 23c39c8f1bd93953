/* Products of numbers of 512 bits, column by column with carries, and their remainder by a prime of 64 bits; sixteen dwords
 * of a number lie apart in memory. */
__kernel void big_multiply(__global const uint *a, __global const uint *b, __global uint *product, __global ulong *rest, ulong prime)
{
    uint i = get_global_id(0), n = get_global_size(0), limbs[32];
    ulong low = 0, high = 0;
    for (uint column = 0; column < 31; column++) {
        for (uint k = column < 16 ? 0 : column - 15; k <= min(column, 15u); k++) {
            ulong p = (ulong)a[k * n + i] * b[(column - k) * n + i];
            low += p;
            high += low < p;
        }
        limbs[column] = (uint)low;
        low = low >> 32 | high << 32;
        high >>= 32;
    }
    limbs[31] = (uint)low;
    ulong r = 0;
    for (uint k = 32; k-- > 0;) {
        product[k * n + i] = limbs[k];
        for (uint bit = 32; bit-- > 0;) {
            ulong top = r >> 63;
            r = r << 1 | (limbs[k] >> bit & 1);
            if (top || r >= prime)
                r -= prime;
        }
    }
    rest[i] = r;
}
