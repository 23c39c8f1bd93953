/* As div_i32, in 64 bits: each kernel is whole in its folder. */
__kernel void div_i64(__global const ulong *a, __global const ulong *b, __global ulong *out)
{
    size_t i = get_global_id(0);
    out[4 * i] = a[i] / b[i];
    out[4 * i + 1] = a[i] % b[i];
    out[4 * i + 2] = (ulong)((long)a[i] / (long)b[i]);
    out[4 * i + 3] = (ulong)((long)a[i] % (long)b[i]);
}
