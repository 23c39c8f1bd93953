/* Work-groups that wait for one another in memory: all of them have to be under way, or those begun earlier have to go on. */
#define DEVICE memory_scope_device

/* Each work-group brings its number, meets the others at a barrier made of atomics, and takes the sum of all; twice. */
__kernel void grid_barrier(__global uint *out, __global atomic_uint *arrived, __global uint *brought, uint groups)
{
    uint g = get_group_id(0), l = get_local_id(0), sum = 0;
    for (uint round = 1; round <= 2; round++) {
        if (l == 0) {
            brought[g] = (g + 1) * round;
            atomic_fetch_add_explicit(arrived, 1, memory_order_acq_rel, DEVICE);
            while (atomic_load_explicit(arrived, memory_order_acquire, DEVICE) < (2 * round - 1) * groups)
                ;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (uint i = l; i < groups; i += get_local_size(0))
            sum += brought[i];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == 0) {
            atomic_fetch_add_explicit(arrived, 1, memory_order_acq_rel, DEVICE);
            while (atomic_load_explicit(arrived, memory_order_acquire, DEVICE) < 2 * round * groups)
                ;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}

/* A prefix sum in one pass: a work-group adds to its sum those before it, back to one whose prefix is known. */
__kernel void look_back(__global uint *out, __global atomic_uint *sum, __global atomic_uint *prefix, uint groups)
{
    __local uint before;
    uint g = get_group_id(0), l = get_local_id(0), own = g % 7 + 1;
    if (l == 0) {
        uint s = 0;
        atomic_store_explicit(&sum[g], own, memory_order_release, DEVICE);
        for (uint k = g; k-- > 0;) {
            uint p, v;
            do {
                p = atomic_load_explicit(&prefix[k], memory_order_acquire, DEVICE);
                v = atomic_load_explicit(&sum[k], memory_order_acquire, DEVICE);
            } while (v == 0);
            if (p) {
                s += p;
                break;
            }
            s += v;
        }
        atomic_store_explicit(&prefix[g], s + own, memory_order_release, DEVICE);
        before = s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = before + l;
}

/* One lock for all. What it protects needs no atomics. */
__kernel void one_lock(__global uint *out, __global atomic_uint *lock, __global volatile uint *count, uint groups)
{
    __local uint turn;
    uint l = get_local_id(0);
    if (l == 0) {
        while (atomic_exchange_explicit(lock, 1, memory_order_acquire, DEVICE))
            ;
        turn = count[0];
        count[0] = turn + 1;
        count[1 + turn] = get_group_id(0);
        atomic_store_explicit(lock, 0, memory_order_release, DEVICE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = turn < groups;
}

/* All wait for the last one, which waits for nobody. */
__kernel void first_waits(__global uint *out, __global atomic_uint *flag, __global uint *value, uint groups)
{
    uint l = get_local_id(0);
    if (l == 0 && get_group_id(0) == groups - 1) {
        value[0] = 1234;
        atomic_store_explicit(flag, 1, memory_order_release, DEVICE);
    } else if (l == 0) {
        while (!atomic_load_explicit(flag, memory_order_acquire, DEVICE))
            ;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = value[0] + l;
}

/* The last one never comes: nobody stores the flag. */
__kernel void nobody_comes(__global uint *out, __global atomic_uint *flag, __global uint *value, uint groups)
{
    if (get_local_id(0) == 0)
        while (!atomic_load_explicit(flag, memory_order_acquire, DEVICE))
            ;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = value[0];
}

/* Counts without an atomic. */
__kernel void lost_update(__global uint *out, __global uint *count, __global uint *unused, uint groups)
{
    if (get_local_id(0) == 0)
        count[0] += 1;
    out[get_global_id(0)] = 1;
}
