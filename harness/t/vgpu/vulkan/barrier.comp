// Barriers: words that are passed on from wave to wave, sixteen times.
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

shared uint s[256];

void main()
{
    uint i = gl_LocalInvocationID.x, x = a[gl_GlobalInvocationID.x];
    for (uint turn = 0; turn < 16; turn++) {
        s[(i * 5 + 67) & 255] = x;
        barrier();
        x = s[i] * 3 + turn;
        barrier();
    }
    b[gl_GlobalInvocationID.x] = x;
}
