// A product of matrices of 64 x 64 floats in tiles; all sums are integers.
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

shared float p[16][16], q[16][16];

float number(uint at)
{
    return float(int(a[at] & 31) - 15);
}

void main()
{
    uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
    uint column = gl_GlobalInvocationID.x, row = gl_GlobalInvocationID.y;
    float sum = 0;
    for (uint t = 0; t < 64; t += 16) {
        p[y][x] = number(row * 64 + t + x);
        q[y][x] = number(4096 + (t + y) * 64 + column);
        barrier();
        for (uint k = 0; k < 16; k++)
            sum += p[y][k] * q[k][x];
        barrier();
    }
    b[row * 64 + column] = floatBitsToUint(sum);
}
