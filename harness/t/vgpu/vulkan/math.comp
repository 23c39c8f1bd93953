// Functions of floats, within the errors that Vulkan allows.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    float x = float(a[i] >> 8) / 16777216.0 + 0.25, y = float(a[i + 256] >> 8) / 4194304.0 - 2.0;
    float r[16] = float[](sin(y), cos(y), exp2(y), log2(x) + 3.0, sqrt(x), inversesqrt(x), y / x, pow(x, 3.0),
                          exp(y), atan(y, x), length(vec3(x, y, 1.0)), fract(x), tanh(y), 1.0 / x, normalize(vec2(x, 1.0)).x,
                          dot(vec4(x, y, x, y), vec4(1.0, 0.5, 0.25, -0.125)));
    for (uint k = 0; k < 16; k++)
        b[i * 16 + k] = floatBitsToUint(r[k]);
}
