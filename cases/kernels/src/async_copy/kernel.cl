/* Copies of a whole work-group between memory and LDS, with events, plain and strided; LDS as an argument beside LDS of the
 * kernel. */
__kernel void async_copy(__global const float4 *in, __local float4 *lds, __global float4 *out, __global ushort *shorts)
{
    __local ushort small[40];
    uint l = get_local_id(0), n = get_local_size(0), group = get_group_id(0);
    event_t first = async_work_group_copy(lds, in + group * 2 * n, n, 0);
    first = async_work_group_copy(lds + n, in + group * 2 * n + n, n, first);
    event_t second = async_work_group_strided_copy(small, (__global const ushort *)in + 5, 40, 3, 0);
    prefetch(in, 4);
    wait_group_events(1, &first);
    wait_group_events(1, &second);
    float4 v = lds[2 * n - 1 - l] + lds[l].wxyz;
    barrier(CLK_LOCAL_MEM_FENCE);
    lds[l] = v;
    if (l < 40)
        small[l] += (ushort)(l * 100);
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t third = async_work_group_strided_copy(out + group, lds, n, get_num_groups(0), 0);
    wait_group_events(1, &third);
    if (group == 1) {
        event_t last = async_work_group_copy(shorts, small, 40, 0);
        wait_group_events(1, &last);
    }
}
