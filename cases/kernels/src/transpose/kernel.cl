__kernel void transpose(__global const ushort *in, __global ushort *out)
{
    __local ushort tile[16][17];
    uint x = get_local_id(0), y = get_local_id(1), bx = get_group_id(0) * 16, by = get_group_id(1) * 16;
    tile[y][x] = in[(by + y) * 64 + bx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(bx + y) * 64 + by + x] = tile[x][y];
}
