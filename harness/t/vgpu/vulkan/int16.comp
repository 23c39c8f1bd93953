// Integers of 16 bits, also two at once.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, x = a[i];
    u16vec2 p = unpackUint2x16(x), q = unpackUint2x16(a[i + 1024]);
    i16vec2 s = i16vec2(p), t = i16vec2(q);
    b[i * 4] = packUint2x16(p * q + q);
    b[i * 4 + 1] = packUint2x16(u16vec2(min(s, t))) ^ packUint2x16(max(p, q));
    b[i * 4 + 2] = packUint2x16(u16vec2(s >> int16_t(3)) + (q << uint16_t(5)));
    b[i * 4 + 3] = uint(int(s.x / (t.x | int16_t(1)))) + uint(p.y % (q.y | uint16_t(1)));
}
