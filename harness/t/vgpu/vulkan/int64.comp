// Integers of 64 bits.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void put(uint i, uint64_t x)
{
    b[i] = uint(x);
    b[i + 1] = uint(x >> 32);
}

void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint64_t x = uint64_t(a[i * 2]) << 32 | a[i * 2 + 1], y = (uint64_t(a[i * 2 + 1] & 0xffff) << 24 | a[i * 2]) | 1ul;
    put(i * 16, x + y);
    put(i * 16 + 2, x - y);
    put(i * 16 + 4, x * y);
    put(i * 16 + 6, x / y);
    put(i * 16 + 8, x % y);
    put(i * 16 + 10, (x << (i & 63)) ^ (y >> (i & 63)));
    put(i * 16 + 12, uint64_t(int64_t(x) / int64_t(y)));
    put(i * 16 + 14, max(min(x, y), uint64_t(int64_t(x) >> 7)));
}
