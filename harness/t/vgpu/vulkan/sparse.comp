// Words of three pages of which not all have memory: stored, added to, then read by others.
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint word[]; };
layout(push_constant) uniform Push { uvec2 at; uint page, turn; };

void main()
{
    uint i = gl_GlobalInvocationID.x, k = (i >> 8) * (page >> 2) + (i & 255);
    Words w = Words(at);
    if (turn == 0) {
        w.word[k] = a[i];
        atomicAdd(w.word[k], 1);
    } else {
        b[(turn - 1) * 768 + i] = w.word[k];
    }
}
