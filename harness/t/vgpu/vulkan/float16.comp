// Arithmetic of halves, also two at once.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, x = a[i];
    f16vec2 p = f16vec2(x & 31, x >> 5 & 31), q = f16vec2(x >> 10 & 31, x >> 15 & 31);
    f16vec2 r = p * q + q, t = max(p, q) - min(p, q) * float16_t(2.0);
    b[i * 4] = packFloat2x16(r);
    b[i * 4 + 1] = packFloat2x16(t);
    b[i * 4 + 2] = uint(int(fma(p.x, q.y, float16_t(-3.0)))) + (p.x < q.x ? 65536 : 0);
    b[i * 4 + 3] = packFloat2x16(f16vec2(abs(t.x), floor(q.y * float16_t(0.25))));
}
