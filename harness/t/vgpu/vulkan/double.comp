// Doubles: sums, products, quotients, roots, conversions.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void put(uint i, double x)
{
    uvec2 u = unpackDouble2x32(x);
    b[i] = u.x;
    b[i + 1] = u.y;
}

void main()
{
    uint i = gl_GlobalInvocationID.x;
    precise double x = double(int(a[i])) * 0.125LF, y = double(a[i + 256]) + 0.5LF;
    precise double sum = x + y, product = x * y, both = fma(x, y, sum);
    put(i * 16, sum);
    put(i * 16 + 2, product);
    put(i * 16 + 4, both);
    put(i * 16 + 6, max(x, y) - floor(x));
    put(i * 16 + 8, double(int(x)));
    b[i * 16 + 10] = uint(int(product / y * 8.0LF + 0.25LF * sign(x))); // x again, within a half
    b[i * 16 + 11] = uint(sqrt(double(a[i] & 0xffff) * double(a[i] & 0xffff)) + 0.25LF);
    b[i * 16 + 12] = floatBitsToUint(float(y));
    b[i * 16 + 13] = x < y ? 1 : 2;
}
