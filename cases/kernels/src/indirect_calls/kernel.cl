/* Calls through a table of functions whose index differs from lane to lane, a call of a function that calls back through
 * another pointer, and a table of data and functions (relocations in constant memory). */
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
typedef uint (*operation)(uint, uint);
struct rule {
    operation f;
    uint n;
};

__attribute__((noinline)) static uint add(uint a, uint b)
{
    return a + b;
}
__attribute__((noinline)) static uint mul(uint a, uint b)
{
    return a * b;
}
__attribute__((noinline)) static uint gcd(uint a, uint b)
{
    while (b) {
        uint t = a % b;
        a = b, b = t;
    }
    return a;
}
__attribute__((noinline)) static uint turned(uint a, uint b)
{
    return rotate(a, b & 31);
}
__attribute__((noinline)) static uint fold(operation f, uint start, uint n)
{
    for (uint i = 1; i <= n; i++)
        start = f(start, i * 2654435761u);
    return start;
}

__constant const struct rule rules[5] = { { add, 3 }, { mul, 2 }, { gcd, 5 }, { turned, 7 }, { fold ? gcd : add, 1 } };

__kernel void indirect_calls(__global const uint *in, __global uint *out)
{
    uint i = get_global_id(0);
    __constant const struct rule *r = &rules[in[i] % 5];
    out[2 * i] = r->f(in[i], in[i ^ 1]);
    out[2 * i + 1] = fold(rules[i % 4].f, in[i], r->n);
}
