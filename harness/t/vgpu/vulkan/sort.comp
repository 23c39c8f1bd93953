// A bitonic sort of 1024 words by a work-group of sixteen waves.
#version 450
layout(local_size_x = 1024) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

shared uint s[1024];

void main()
{
    uint i = gl_LocalInvocationID.x, at = gl_GlobalInvocationID.x;
    s[i] = a[at];
    for (uint k = 2; k <= 1024; k *= 2)
        for (uint j = k / 2; j > 0; j /= 2) {
            barrier();
            uint other = i ^ j, x = s[i], y = s[other];
            bool is_up = (i & k) == 0, is_low = i < other;
            barrier();
            s[i] = is_low == is_up ? min(x, y) : max(x, y);
        }
    b[at] = s[i];
}
