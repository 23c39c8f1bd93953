__kernel void fraction_f32(__global const float *in, __global float *out)
{
    size_t i = get_global_id(0);
    float v = in[i], whole;
    int exponent;
    out[8 * i] = floor(v);
    out[8 * i + 1] = ceil(v);
    out[8 * i + 2] = rint(v);
    out[8 * i + 3] = trunc(v);
    out[8 * i + 4] = frexp(v, &exponent);
    out[8 * i + 5] = exponent;
    out[8 * i + 6] = ldexp(v, 3);
    out[8 * i + 7] = fmod(v, 7.5f);
}
