/* Clusters of points in the plane, ten rounds in one work-group: nearest centre by integer distances, sums in LDS by atomics,
 * division by how many there are. */
__kernel void kmeans(__global const short2 *points, uint count, __global int2 *centres, __global uchar *cluster)
{
    __local int2 centre[6];
    __local int sum_x[6], sum_y[6], number[6];
    uint l = get_local_id(0);
    if (l < 6)
        centre[l] = centres[l];
    for (int round = 0; round < 10; round++) {
        if (l < 6)
            sum_x[l] = sum_y[l] = number[l] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = l; k < count; k += get_local_size(0)) {
            int2 p = convert_int2(points[k]);
            uint best = 0, least = 0xffffffff;
            for (uint c = 0; c < 6; c++) {
                int2 d = p - centre[c];
                uint distance = (uint)(d.x * d.x) + (uint)(d.y * d.y);
                if (distance < least)
                    least = distance, best = c;
            }
            atomic_add(&sum_x[best], p.x);
            atomic_add(&sum_y[best], p.y);
            atomic_inc(&number[best]);
            cluster[k] = best;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 6 && number[l])
            centre[l] = (int2)(sum_x[l] / number[l], sum_y[l] / number[l]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l < 6)
        centres[l] = centre[l];
}
