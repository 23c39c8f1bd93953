// Bytes in buffers.
#version 450
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint8_t s[]; };
layout(binding = 0) buffer Signed { int8_t t[]; };
layout(binding = 1) buffer Out { uint8_t d[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    d[i * 2 + 1] = uint8_t(uint(s[i]) ^ 0x5a);
    d[4096 + i] = uint8_t(int(t[i]) >> 2);
}
