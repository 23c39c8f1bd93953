/* Distances in a graph: a queue in memory that work-items fill through atomics, claimed by compare and swap, level after level
 * between barriers; how many work-items are busy differs from level to level. */
__kernel void breadth_first(__global const uint *starts, __global const ushort *edges, uint from, __global volatile uint *distance,
                            __global uint *queue)
{
    __local uint begin, end, next;
    uint l = get_local_id(0);
    if (l == 0) {
        queue[0] = from;
        distance[from] = 0;
        begin = 0, end = next = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint level = 1; begin < end; level++) {
        for (uint k = begin + l; k < end; k += get_local_size(0)) {
            uint node = queue[k];
            for (uint e = starts[node]; e < starts[node + 1]; e++)
                if (atomic_cmpxchg(&distance[edges[e]], 0xffffffff, level) == 0xffffffff)
                    queue[atomic_inc(&next)] = edges[e];
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (l == 0)
            begin = end, end = next;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
