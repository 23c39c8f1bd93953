/* Waves of a work-group that wait for one another without barriers: a token goes around through LDS, each wave spins until it
 * has it. Needs turns of all waves, and LDS that is read again and again. */
__kernel __attribute__((reqd_work_group_size(512, 1, 1))) void token_ring(__global const uint *in, __global uint *out, uint rounds)
{
    __local atomic_uint token;
    __local uint value;
    uint l = get_local_id(0), wave = l / 64, waves = get_local_size(0) / 64;
    if (l == 0) {
        atomic_init(&token, 0);
        value = in[get_group_id(0)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < rounds; r++) {
        uint turn = r * waves + wave;
        while (atomic_load_explicit(&token, memory_order_acquire, memory_scope_work_group) != turn)
            ;
        if (l % 64 == 0) {
            value = value * 1664525 + wave + 1;
            atomic_store_explicit(&token, turn + 1, memory_order_release, memory_scope_work_group);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = value + l;
}
