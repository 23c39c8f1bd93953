__kernel void dot8_i4(__global const uint *a, __global const uint *b, __global int *out)
{
    size_t i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < 32; k += 4)
        sum += ((int)(a[i] << (28 - k)) >> 28) * ((int)(b[i] << (28 - k)) >> 28);
    out[i] = sum;
}
