/* Atomics of 64 bits in memory and LDS, all operations; floats and doubles added through loops of compare and swap (in numbers
 * whose sums are exact in every order). */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
static void add_float(volatile __global float *p, float v)
{
    uint old = as_uint(*p), seen;
    while ((seen = atomic_cmpxchg((volatile __global uint *)p, old, as_uint(as_float(old) + v))) != old)
        old = seen;
}
static void add_double(volatile __local double *p, double v)
{
    ulong old = as_ulong(*p), seen;
    while ((seen = atom_cmpxchg((volatile __local ulong *)p, old, as_ulong(as_double(old) + v))) != old)
        old = seen;
}

__kernel void atomics_wide(__global const ulong *in, __global ulong *counters, __global float *sum, __global double *sums)
{
    __local ulong lds[6];
    __local double total;
    uint i = get_global_id(0), l = get_local_id(0);
    ulong v = in[i];
    if (l == 0)
        total = 0;
    if (l < 6)
        lds[l] = l == 2 || l == 3 ? 0x8000000000000000 : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(&counters[0], v);
    atom_sub(&counters[1], v >> 3);
    atom_min((__global long *)&counters[2], (long)v);
    atom_max((__global long *)&counters[3], (long)v);
    atom_min(&counters[4], v);
    atom_max(&counters[5], v);
    atom_and(&counters[6], v | 0x00ff00ff00ff00ff);
    atom_or(&counters[7], v & 0x1111111111111111);
    atom_xor(&counters[8], v);
    atom_inc(&counters[9]);
    if (v % 7 == 3)
        atom_xchg(&counters[10], 0x123456789abcdef0);
    atom_add(&lds[0], v);
    atom_xor(&lds[1], v);
    atom_max((__local long *)&lds[2], (long)v);
    atom_max(&lds[3], v);
    atom_or(&lds[4], 1ul << (v & 63));
    atom_dec(&lds[5]);
    add_float(sum, (float)(v & 255));
    add_double(&total, (double)(v >> 40));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 6)
        counters[11 + 6 * get_group_id(0) + l] = lds[l];
    if (l == 0)
        sums[get_group_id(0)] = total;
}
