/* What the shaders beside this do, as kernels; and what OpenCL has and they have not. `a` and `b` have 1,024 words. */

__kernel void uniform_(__global const uint *a, __global uint *b, uint k)
{
    uint i = get_global_id(0);
    b[i] = a[i] * k + i;
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void shared(__global const uint *a, __global uint *b)
{
    __local uint s[128];
    uint i = get_local_id(0);
    s[i] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = s[127 - i] + i;
}

/* The local memory is an argument. */
__kernel void reduce(__global const uint *a, __global uint *b, __local uint *s)
{
    uint i = get_local_id(0);
    s[i] = a[get_global_id(0)];
    for (uint n = get_local_size(0) / 2; n > 0; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n)
            s[i] += s[i + n];
    }
    if (i == 0)
        b[get_group_id(0)] = s[0];
}

__kernel void atomic(__global const uint *a, __global uint *b)
{
    uint v = a[get_global_id(0)];
    atomic_add(&b[0], v);
    atomic_min(&b[1], v);
    atomic_max(&b[2], v);
    atomic_and(&b[3], v | 15);
    atomic_or(&b[4], v & 0xf0);
    atomic_xor(&b[5], v);
    atomic_add(&b[8 + atomic_xchg(&b[6], 0) % 2], 1);
    atomic_cmpxchg(&b[7], 0xdeadbeef, 77);
}

__kernel void divide(__global const uint *a, __global uint *b)
{
    uint i = get_global_id(0), v = a[i], d = (v >> 7) % 1000 + 1;
    b[i] = (v / d) ^ (v % d) << 3 ^ (uint)((int)v / 2 / (int)d) << 7;
}

__kernel void loop(__global const uint *a, __global uint *b)
{
    uint i = get_global_id(0), n = 0;
    for (uint v = (a[i] & 0xffff) + 1; v != 1; n++)
        v = v & 1 ? v * 3 + 1 : v / 2;
    b[i] = n;
}

__kernel void private_(__global const uint *a, __global uint *b)
{
    uint i = get_global_id(0), seen[48], turns = b[i] & 127, h = 0;
    for (uint k = 0; k < 48; k++)
        seen[k] = k * i;
    for (uint k = 0; k < turns; k++) {
        uint to = (a[(i + k) % 1024] >> 3) % 48;
        seen[to] += seen[(to * 7 + k) % 48] + k;
    }
    for (uint k = 0; k < 48; k++)
        h = h * 31 + seen[k];
    b[i] = h;
}

__kernel void volume(__global const uint *a, __global uint *b)
{
    uint i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    uint within = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    b[i] = a[i] + within * 1000 + get_group_id(2) * 100 + get_group_id(1) * 10 + get_group_id(0);
}

__kernel void block(__global const uint *a, __global uint *b, __constant uint *u)
{
    uint i = get_global_id(0);
    b[i] = u[a[i] % 64 * 4 + i % 4] + i;
}

__kernel void many(__global const uint *a, __global uint *b, uint k)
{
    uint i = get_global_id(0);
    b[i] = b[i] * 3 + a[(i + k) % 1024];
}

/* Of 64 bits: products, quotients, shifts, comparisons. */
__kernel void wide(__global const uint *a, __global uint *b)
{
    uint i = get_global_id(0);
    ulong v = (ulong)a[i] << 32 | a[(i + 1) % 1024], w = (ulong)i * 0x100000001ul + 77;
    ulong r = v * w ^ mul_hi(v, w) ^ v / w ^ v % w << 5 ^ (ulong)((long)v >> (i % 63)) ^ (v < w * w ? v : w);
    b[i] = (uint)r ^ (uint)(r >> 32);
}

/* Bytes and halves of words, in vectors. */
__kernel void narrow(__global const uchar4 *a, __global uchar4 *b)
{
    uint i = get_global_id(0);
    uchar4 v = a[i];
    short4 s = convert_short4(v) * (short)300 - (short)(i * 11);
    char4 t = convert_char4_sat(s >> (short)4);
    b[i] = as_uchar4(t) ^ v.wzyx + (uchar4)(1, 2, 3, 4);
}

/* Doubles of which every result is exact. */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void double_(__global const uint *a, __global uint *b)
{
    uint i = get_global_id(0);
    double x = (double)a[i] * 0.125 - 1e6, y = fma(x, (double)i, 0.5) + floor(x) - trunc(x * 0.25) + fabs(x);
    ulong r = as_ulong(y);
    b[i] = (uint)r ^ (uint)(r >> 32);
}
#endif

/* A struct by value. Its array is not indexed by what is not known: LLVM 15 would place it in LDS, and read the sizes that it needs for
 * that where Clover has arguments. */
struct pair {
    uint x[3];
    ulong y;
};

__kernel void struct_(__global const uint *a, __global uint *b, struct pair p)
{
    uint i = get_global_id(0), x = i % 3 == 0 ? p.x[0] : i % 3 == 1 ? p.x[1] : p.x[2];
    b[i] = (x ^ a[i]) + (uint)(p.y >> i % 32);
}
