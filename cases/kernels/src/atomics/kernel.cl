#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
__kernel void atomics(__global const int *in, __global volatile int *out)
{
    int v = in[get_global_id(0)];
    __global volatile long *wide = (__global volatile long *)(out + 8);
    atomic_add(&out[0], v);
    atomic_sub(&out[1], v);
    atomic_min(&out[2], v);
    atomic_max(&out[3], v);
    atomic_and(&out[4], v | 0xff);
    atomic_or(&out[5], v & 0xf0f0);
    atomic_xor(&out[6], v);
    for (int old = out[7], seen;; old = seen) {
        seen = atomic_cmpxchg(&out[7], old, old + (v & 3));
        if (seen == old)
            break;
    }
    atom_add(&wide[0], (long)v * 65537);
    atom_max(&wide[1], (long)v * 3);
}
