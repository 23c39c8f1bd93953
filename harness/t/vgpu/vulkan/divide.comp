// Quotients and remainders of integers, by numbers that are known and that are not.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, x = a[i], y = a[i + 1024] >> (i & 31) | 1;
    b[i * 8] = x / y;
    b[i * 8 + 1] = x % y;
    b[i * 8 + 2] = uint(int(x) / int(y | 2));
    b[i * 8 + 3] = x / 7;
    b[i * 8 + 4] = x % 1000;
    b[i * 8 + 5] = uint(int(x) / -11);
    b[i * 8 + 6] = uint(int(x >> 1) % int(y >> 1 | 1));
    b[i * 8 + 7] = x / (y & 0xff | 1);
}
