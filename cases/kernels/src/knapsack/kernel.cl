/* The best value for every weight up to 700, item after item: two rows in memory that take turns, work-items of three waves,
 * barriers that order memory. */
__kernel void knapsack(__global const ushort2 *items, uint count, __global uint *rows, __global uint *out)
{
    uint l = get_local_id(0), size = get_local_size(0);
    for (uint k = l; k <= 700; k += size)
        rows[k] = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = 0; i < count; i++) {
        __global const uint *from = rows + (i & 1) * 701;
        __global uint *to = rows + (~i & 1) * 701;
        uint weight = items[i].x, value = items[i].y;
        for (uint k = l; k <= 700; k += size)
            to[k] = k < weight ? from[k] : max(from[k], from[k - weight] + value);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (uint k = l; k <= 700; k += size)
        out[k] = rows[(count & 1) * 701 + k];
}
