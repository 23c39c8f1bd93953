// Halves and shorts in buffers, of which nothing is computed.
#version 450
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint16_t s[]; };
layout(binding = 1) buffer Out { uint16_t h[]; };
layout(binding = 1) buffer Floats { float16_t f[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    h[i] = uint16_t(uint(s[i]) + 7);
    f[2048 + i] = float16_t(float(uint(s[i]) & 1023) * 0.5);
}
