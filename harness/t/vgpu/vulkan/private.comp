// An array of a lane's own that is indexed by numbers: private memory.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, s[24];
    for (uint k = 0; k < 24; k++)
        s[k] = a[(i * 24 + k) & 8191];
    for (uint k = 1; k < 24; k++) { // sorted by insertion
        uint x = s[k], at = k;
        for (; at > 0 && s[at - 1] > x; at--)
            s[at] = s[at - 1];
        s[at] = x;
    }
    for (uint k = 0; k < 8; k++)
        b[i * 8 + k] = s[(a[i] + k * 3) % 24];
}
