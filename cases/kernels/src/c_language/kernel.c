/* What C has and OpenCL C has not: _BitInt of 120 bits, arithmetic that tells overflow, complex numbers, copies of structures
 * through memcpy, unions, compound literals, static tables, scoped atomics. */
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned _BitInt(120) wide;
#define GLOBAL __attribute__((address_space(1)))

union cell {
    float f;
    uint u;
    unsigned char b[4];
};
struct block {
    unsigned short s[37];
    double d[3];
};

static wide power(wide base, uint n)
{
    wide r = 1;
    for (; n; n >>= 1) {
        if (n & 1)
            r *= base;
        base *= base;
    }
    return r;
}

__attribute__((noinline)) static struct block turned(const struct block *in, uint by)
{
    struct block b;
    __builtin_memcpy(&b, in, sizeof b);
    for (uint i = 0; i < 37; i++)
        b.s[i] = in->s[(i + by) % 37];
    b.d[by % 3] = -b.d[(by + 1) % 3];
    return b;
}

__attribute__((amdgpu_kernel)) void c_language(const GLOBAL uint *in, GLOBAL uint *out, const GLOBAL struct block *blocks,
                                               GLOBAL struct block *moved, GLOBAL uint *count)
{
    static const signed char signs[8] = { 1, -1, 3, -5, 7, -9, 11, -13 };
    uint i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
    uint v = in[i], w = in[i ^ 1];
    GLOBAL uint *o = out + 16 * i;
    wide p = power((wide)v << 64 | w, 5 + i % 9) - w;
    for (int k = 0; k < 6; k++)
        o[k] = (uint)(p >> 18 * k);
    o[6] = (uint)(p >> 100) | (p > (wide)v << 87) << 31;
    wide q = p / ((wide)w << 40 | 12345), r = p % ((wide)v + 1);
    o[7] = (uint)q ^ (uint)(q >> 30);
    o[8] = (uint)r;
    int sum, product;
    long difference;
    uint flags = __builtin_add_overflow((int)v, (int)w, &sum);
    flags |= (uint)__builtin_mul_overflow((int)v >> 8, signs[i % 8] * 1000, &product) << 1;
    flags |= (uint)__builtin_sub_overflow((long)v << 32, (long)((ulong)w << 31), &difference) << 2;
    o[9] = (uint)sum ^ (uint)product ^ (uint)difference ^ (uint)(difference >> 32);
    o[10] = flags;
    _Complex double z = (double)(v % 100) + (double)(w % 100) * 1.0i, t = z * z - z * 2.0;
    o[11] = (uint)(int)__real__ t;
    o[12] = (uint)(int)__imag__ t;
    union cell c = { .f = (float)(v >> 8) };
    c.b[3] ^= 0x80;
    o[13] = c.u + (uint)((const union cell){ .b = { 1, 2, 3, (unsigned char)v } }).u;
    o[14] = __builtin_popcount(v) + __builtin_clz(w | 1) * 100 + __builtin_ctz(v | 0x80000000) * 10000 + __builtin_parity(w) * 1000000;
    o[15] = __builtin_bswap32(v) ^ __builtin_bitreverse32(w) ^ __builtin_rotateleft32(v, w & 31);
    struct block b;
    __builtin_memcpy(&b, (const void *)&blocks[i % 8], sizeof b);
    b = turned(&b, i);
    __builtin_memcpy((void *)&moved[i], &b, sizeof b);
    __scoped_atomic_fetch_add(count, v & 15, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
