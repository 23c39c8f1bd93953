/* What a work-item can ask about itself: three dimensions, work-groups that do not divide the grid, a global offset. */
__kernel void offset_3d(__global uint *out, __global uint *linear)
{
    uint i = 0;
    for (int d = 3; d-- > 0;)
        i = i * get_global_size(d) + (get_global_id(d) - get_global_offset(d));
    __global uint *o = out + 16 * i;
    for (int d = 0; d < 3; d++) {
        o[d] = get_global_id(d);
        o[3 + d] = get_local_id(d) | get_group_id(d) << 16;
        o[6 + d] = get_local_size(d) | get_enqueued_local_size(d) << 16;
        o[9 + d] = get_num_groups(d) | get_global_offset(d) << 16;
    }
    o[12] = get_work_dim();
    o[13] = get_global_size(2) | get_global_size(3) << 16;
    o[14] = get_global_size(0) << 16 | get_global_size(1);
    o[15] = get_global_linear_id();
    linear[get_global_linear_id()] = i;
}
