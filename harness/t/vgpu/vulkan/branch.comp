// Loops and branches that every lane takes in its own way.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

uint steps_to_one(uint n)
{
    uint count = 0;
    for (; n != 1; count++)
        n = (n & 1) == 0 ? n / 2 : n * 3 + 1;
    return count;
}

void main()
{
    uint i = gl_GlobalInvocationID.x, x = a[i], y = 0;
    for (uint k = 0; k < (x & 15); k++) {
        if ((x >> k & 3) == 3)
            continue;
        switch (x >> (k + 3) & 7) {
        case 0: y += k; break;
        case 1: y ^= 0x55; break;
        case 2: y = y * 3; // and on
        case 3: y += 17; break;
        case 6: y = ~y; break;
        default: y -= x & 0xff; break;
        }
        if (y > 0xfff00000)
            break;
    }
    b[i * 2] = y;
    b[i * 2 + 1] = steps_to_one(i + 1);
}
