/* A prefix sum of the whole grid in one pass: each work-group draws a ticket, publishes its sum, then looks back at the
 * work-groups before it until one has published its prefix. Needs progress of work-groups that were started earlier, and
 * stores that are seen in order across work-groups. */
enum { NOTHING, SUM, PREFIX };

__kernel void scan_lookback(__global const uint *in, __global uint *out, __global uint *ticket, __global atomic_ulong *states)
{
    __local uint tile, sums[128], before;
    uint l = get_local_id(0);
    if (l == 0)
        tile = atomic_inc(ticket);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint t = tile, v = in[t * 128 + l];
    sums[l] = v;
    for (uint step = 1; step < 128; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint add = l >= step ? sums[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] += add;
    }
    if (l == 127) {
        uint own = sums[127], sum = 0;
        atomic_store_explicit(&states[t], (ulong)own << 32 | (t ? SUM : PREFIX), memory_order_release, memory_scope_device);
        for (uint k = t; k-- > 0;) {
            ulong s;
            do
                s = atomic_load_explicit(&states[k], memory_order_acquire, memory_scope_device);
            while ((uint)s == NOTHING);
            sum += (uint)(s >> 32);
            if ((uint)s == PREFIX)
                break;
        }
        if (t)
            atomic_store_explicit(&states[t], (ulong)(sum + own) << 32 | PREFIX, memory_order_release, memory_scope_device);
        before = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t * 128 + l] = before + sums[l];
}
