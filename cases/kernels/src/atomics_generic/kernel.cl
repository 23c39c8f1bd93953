/* C11 atomics through generic pointers that lead to memory in some lanes and to LDS in others: flat atomics that reach both
 * with one instruction. */
__kernel void atomics_generic(__global const uint *in, __global atomic_uint *memory, __global uint *old, __global uint *lds_out)
{
    __local atomic_uint lds[8];
    uint i = get_global_id(0), l = get_local_id(0), v = in[i];
    if (l < 8)
        atomic_init(&lds[l], l);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_uint *p = v & 1 ? (atomic_uint *)&memory[v >> 1 & 7] : (atomic_uint *)&lds[v >> 1 & 7];
    switch (v >> 1 & 7) {
    case 0: atomic_fetch_add(p, v); break;
    case 1: atomic_fetch_sub(p, v); break;
    case 2: atomic_fetch_xor(p, v); break;
    case 3: atomic_fetch_or(p, v & 0x01010101); break;
    case 4: atomic_fetch_and(p, v | 0x0fffff0f); break;
    case 5: atomic_fetch_max(p, v); break;
    case 6: atomic_fetch_min(p, v); break;
    default: {
        uint seen = atomic_load(p);
        while (!atomic_compare_exchange_weak(p, &seen, seen + (v & 1023)))
            ;
    }
    }
    uint was = atomic_exchange_explicit((atomic_uint *)&memory[8 + i], v, memory_order_relaxed, memory_scope_device);
    old[i] = was;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8)
        lds_out[get_group_id(0) * 8 + l] = atomic_load(&lds[l]);
}
