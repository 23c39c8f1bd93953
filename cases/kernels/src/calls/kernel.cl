/* Functions that are not inlined, one calling the other. */
__attribute__((noinline)) static uint collatz(uint n)
{
    uint steps = 0;
    while (n != 1 && steps < 200) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

__attribute__((noinline)) static uint twice(uint n, uint *larger)
{
    uint a = collatz(n), b = collatz(n + 1);
    *larger = a > b ? a : b;
    return a + b;
}

__kernel void calls(__global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0);
    uint larger, sum = twice(in[i], &larger);
    out[i] = sum * 1000 + larger;
}
