/* Control flow that no loop statement makes: a jump into the middle of a loop, two ways into one cycle, loops left from three
 * levels deep by lanes at different times. */
__kernel void irreducible(__global const uint *in, __global uint *out)
{
    uint i = get_global_id(0), x = in[i], n = 0;
    if (x & 1)
        goto odd;
even:
    x >>= 1, n++;
    if (x == 0)
        goto done;
    if (!(x & 1))
        goto even;
odd:
    if (x == 1)
        goto done;
    x = x * 3 + 1, n += 1000;
    if (n > 200000)
        goto done;
    if (x & 2)
        goto even;
    x >>= 2, n += 2;
    if (x & 1)
        goto odd;
    goto even;
done:;
    uint sum = 0;
    for (uint a = 0; a < 20; a++) {
        for (uint b = a;; b += 3) {
            if (b > 50)
                break;
            for (uint c = 0; c < 9; c++) {
                if ((a * b + c) % 31 == x % 31)
                    goto next;
                if (a * 40 + b + c > in[i] % 700 + 100)
                    goto out;
                sum += a ^ b ^ c;
            }
        }
        sum += 100000;
    next:;
    }
out:
    out[2 * i] = n;
    out[2 * i + 1] = sum;
}
