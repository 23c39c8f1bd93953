/* Locks in memory that waves compete for, one lane of each at a time: lanes of one wave that compete would wait for ever where
 * the compiler makes the wait a loop of its own. Accounts exchange money; locks are taken in one order. */
static void lock(volatile __global int *p)
{
    while (atomic_cmpxchg(p, 0, 1))
        ;
}

__kernel void spin_lock(__global const ushort4 *moves, __global volatile int *locks, __global volatile int *money,
                        __global volatile uint *log)
{
    ushort4 m = moves[get_global_id(0)];
    uint first = min(m.x, m.y), second = max(m.x, m.y);
    for (uint turn = 0; turn < 64; turn++) {
        if (get_local_id(0) % 64 == turn) {
            lock(&locks[first]);
            if (first != second)
                lock(&locks[second]);
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            money[m.x] -= m.z;
            money[m.y] += m.z;
            log[first]++;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(&locks[second], 0);
            atomic_xchg(&locks[first], 0);
        }
        __builtin_amdgcn_wave_barrier();
    }
}
