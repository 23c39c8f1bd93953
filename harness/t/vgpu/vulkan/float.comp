// Arithmetic of floats that is exact or correctly rounded, and conversions.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    precise float x = float(int(a[i])) * 0.0009765625, y = float(a[i + 512] >> 8) * 0.5 - 4000000.0;
    precise float sum = x + y, product = x * y;
    b[i * 16] = floatBitsToUint(sum);
    b[i * 16 + 1] = floatBitsToUint(product);
    b[i * 16 + 2] = floatBitsToUint(floor(x));
    b[i * 16 + 3] = floatBitsToUint(ceil(y));
    b[i * 16 + 4] = floatBitsToUint(trunc(x));
    b[i * 16 + 5] = floatBitsToUint(roundEven(y));
    b[i * 16 + 6] = floatBitsToUint(min(x, y));
    b[i * 16 + 7] = floatBitsToUint(max(abs(x), -y));
    b[i * 16 + 8] = uint(int(x));
    b[i * 16 + 9] = uint(abs(y));
    b[i * 16 + 10] = floatBitsToUint(float(a[i]));
    b[i * 16 + 11] = (x < y ? 1 : 0) | (x >= y ? 2 : 0) | (isnan(x) ? 4 : 0) | (x != y ? 8 : 0);
    b[i * 16 + 12] = floatBitsToUint(mix(x, y, a[i] > a[i + 1]));
    b[i * 16 + 13] = floatBitsToUint(ldexp(x, int(a[i] & 15) - 8));
    b[i * 16 + 14] = floatBitsToUint(clamp(y, -1000.0, 1000.0));
    b[i * 16 + 15] = floatBitsToUint(sign(x) + step(x, y));
}
