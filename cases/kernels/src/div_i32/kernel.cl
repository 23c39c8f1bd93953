__kernel void div_i32(__global const uint *a, __global const uint *b, __global uint *out)
{
    size_t i = get_global_id(0);
    out[4 * i] = a[i] / b[i];
    out[4 * i + 1] = a[i] % b[i];
    out[4 * i + 2] = (uint)((int)a[i] / (int)b[i]);
    out[4 * i + 3] = (uint)((int)a[i] % (int)b[i]);
}
