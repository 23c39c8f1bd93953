/* Functions of a wave: reductions, scans, broadcasts and votes; the last wave of a work-group has 32 lanes. */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__kernel void sub_groups(__global const uint *in, __global uint *out, __global double *sums)
{
    uint i = get_global_id(0), v = in[i];
    __global uint *o = out + 8 * i;
    o[0] = sub_group_scan_inclusive_add(v);
    o[1] = sub_group_scan_exclusive_max(v);
    o[2] = sub_group_reduce_add(v);
    o[3] = sub_group_reduce_min(v) + 3 * sub_group_reduce_max((int)v);
    o[4] = sub_group_broadcast(v, get_sub_group_id() * 7 + 3);
    o[5] = !!sub_group_any(v == 77) | !!sub_group_all(v > 1) << 1 | get_sub_group_id() << 8 | get_sub_group_local_id() << 16 |
           get_num_sub_groups() << 24;
    o[6] = sub_group_scan_exclusive_min(v) ^ (uint)sub_group_scan_inclusive_max((int)v);
    o[7] = get_sub_group_size();
    sums[i] = sub_group_scan_inclusive_add((double)(v >> 8));
}
