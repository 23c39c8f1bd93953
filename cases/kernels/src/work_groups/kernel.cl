/* OpenCL 2.0's functions of whole work-groups, in work-groups of two dimensions whose last wave is not full. */
__kernel void work_groups(__global const int *in, __global int *out, __global float *sums, __global long *wide)
{
    uint l = get_local_linear_id(), group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    uint n = get_local_size(0) * get_local_size(1), i = group * n + l;
    int v = in[i];
    out[8 * i] = work_group_scan_inclusive_add(v);
    out[8 * i + 1] = work_group_scan_exclusive_add(v);
    out[8 * i + 2] = work_group_scan_inclusive_max(v);
    out[8 * i + 3] = work_group_scan_exclusive_min(v);
    out[8 * i + 4] = work_group_reduce_add(v);
    out[8 * i + 5] = work_group_reduce_min(v) ^ work_group_reduce_max(v);
    out[8 * i + 6] = work_group_broadcast(v, group % get_local_size(0), 1);
    out[8 * i + 7] = !!work_group_any(v > 2000000000) | !!work_group_all(v != 5) << 1;
    sums[i] = work_group_scan_inclusive_add((float)(v & 1023));
    wide[i] = work_group_reduce_add((long)v << 8);
}
